import type { CallFact, RingFact } from "../../../machines/index.ts";
import type { About, Fact } from "../../engine/host.ts";
import {
  type AssignedUser,
  answeredFields,
  type CallRecord,
  type DialOutcome,
  endConnections,
  endDials,
  endedFields,
  newConnection,
  type Party,
} from "../../records/call.ts";
import { moment, noMoment } from "../../records/moments.ts";
import { type Entry, referenceTo } from "../directory/directory.ts";
import type { Platform } from "../platform.ts";
import { callKey } from "./calls.ts";
import type { Ring } from "./live-call.ts";
import { partyById } from "./parties.ts";
import { outcomeText } from "./summary.ts";

/** What a ring knows of itself. */
interface RingAbout extends About, Ring {}

/**
 * How a call goes: carries the facts of its machine and of its rings into its record, the event stream, and the other
 * capabilities. One change of the record for each fact.
 */
export class CallFlow {
  constructor(private readonly platform: Platform) {}

  /** The call begins: `call.started`, then its target rings. */
  start(call: CallRecord, callerPartyId: string): void {
    const { engine } = this.platform;
    engine.host.start("call", callKey(call.id), { recordId: call.id }, { caller: callerPartyId });
    engine.publish("call.started", { call });
    this.offer(call.id);
  }

  /** A fact of a call's machine. */
  reactToCall(about: About, fact: Fact): void {
    const callId = about.recordId;
    const told = fact as unknown as CallFact;
    if (told.type === "answered") this.answered(callId, told);
    else if (told.type === "sentToVoicemail") this.sentToVoicemail(callId, told.voicemail);
    else if (told.type === "left") this.leave(callId, told.party);
    else if (told.type === "closed") this.closed(callId, told);
    // `offered` needs nothing: the record changed with the dials
  }

  /** A fact of a ring's machine. */
  reactToRing(about: About, fact: Fact): void {
    const ring = about as RingAbout;
    const told = fact as unknown as RingFact;
    switch (told.type) {
      case "silenced":
        this.endDials(ring, (endpoint) => (endpoint === told.endpoint ? told.outcome : undefined));
        return;
      case "answered":
        this.answerRing(ring, told.endpoint);
        return;
      case "stopped":
        this.platform.live.removeRing(ring);
        this.endDials(ring, () => told.outcome);
        this.ringStopped(ring, told.outcome);
        return;
    }
  }

  /** A connected user goes on at another endpoint. */
  move(callId: string, partyId: string, endpoint: string): void {
    const nowMs = this.platform.engine.now;
    const { connections } = this.call(callId);
    this.platform.changeCall(callId, {
      connections: [...endConnections(connections, nowMs, partyId), newConnection(partyId, endpoint, nowMs)],
    });
  }

  /** Rings the target, or takes the unanswered step at once if it cannot be rung. */
  private offer(callId: string): void {
    const { directory, availability, live, settings } = this.platform;
    const entry = directory.find(live.mustGet(callId).target.id);
    if (entry === undefined || entry.kind === "team")
      throw new Error(`call ${callId} has no user or device to ring`);
    const endpoints =
      entry.kind === "user"
        ? entry.record.endpoints.filter((each) => each.registered).map((each) => each.id)
        : ["sip"];
    const isFree =
      entry.kind === "user" ? availability.canRing(entry.record) : live.callOf(entry.record.id) === undefined;
    if (isFree && endpoints.length > 0) this.ring(callId, entry, endpoints, settings.timing.ringTimeout);
    else this.unanswered(callId, "unavailable");
  }

  private ring(callId: string, entry: Entry, endpoints: readonly string[], timeoutMs: number): void {
    const { engine, live } = this.platform;
    const partyId = engine.ids.next("party");
    const dials = endpoints.map((endpoint) => ({
      reason: "direct" as const,
      endpoint,
      ...moment("started", engine.now),
      ...noMoment("ended"),
      outcome: null,
      vendorCallIds: [engine.ids.next("vendor-call")],
    }));
    const party = { ...internalParty(partyId, entry), dials };
    this.platform.changeCall(callId, { status: "offered", parties: [...this.call(callId).parties, party] });
    const ring: Ring = { key: `ring:${callId}:${partyId}`, callId, partyId, entryId: entry.record.id };
    live.addRing(ring);
    engine.host.send(callKey(callId), { type: "OFFER" });
    engine.host.start("ring", ring.key, { recordId: callId, ...ring } satisfies RingAbout, {
      endpoints,
      timeoutMs,
    });
  }

  private answerRing(ring: Ring, endpoint: string): void {
    const { engine, live } = this.platform;
    live.removeRing(ring);
    live.occupy(ring.entryId, ring.callId);
    engine.host.send(callKey(ring.callId), { type: "ANSWER", party: ring.partyId, endpoint });
  }

  /** All that rang stopped without an answer. */
  private ringStopped(ring: Ring, outcome: DialOutcome): void {
    const reasons: Partial<Record<DialOutcome, string>> = {
      timeout: "timeout",
      declined: "declined",
      failed: "unavailable",
      withdrawn: "unavailable",
    };
    const reason = reasons[outcome];
    // a ring that stops because its call closed or was answered leads nowhere
    if (reason !== undefined && this.platform.engine.host.isRunning(callKey(ring.callId)))
      this.unanswered(ring.callId, reason);
  }

  /** No further offer: a user's voicemail takes the call, or it closes. */
  private unanswered(callId: string, reason: string): void {
    const { engine, live, tables } = this.platform;
    const { target } = live.mustGet(callId);
    const takesMessage = target.kind === "user" && tables.users.mustGet(target.id).hasVoicemail;
    const voicemail = takesMessage ? engine.ids.next("party") : null;
    engine.host.send(callKey(callId), { type: "UNANSWERED", reason, voicemail });
  }

  private answered(
    callId: string,
    { party: partyId, endpoint }: Extract<CallFact, { type: "answered" }>,
  ): void {
    const { engine, availability, live } = this.platform;
    const before = this.call(callId);
    const party = partyById(before, partyId);
    const call = this.platform.changeCall(callId, {
      status: "accepted",
      ...answeredFields(before, engine.now),
      ...this.targetFields(before),
      assignedUser: this.assignedUser(party),
      parties: endDials(
        before.parties,
        partyId,
        (each) => (each === endpoint ? "answered" : "answeredElsewhere"),
        engine.now,
      ),
      connections: [
        newConnection(live.mustGet(callId).callerPartyId, null, engine.now),
        newConnection(partyId, endpoint, engine.now),
      ],
    });
    engine.publish("call.answered", { call });
    if (party.entryId === undefined) return;
    if (party.type === "user") {
      availability.joinCall(party.entryId, callId);
      return;
    }
    // a device has no availability of its own, but it is free or not
    this.platform.teamAvailability.memberChanged(party.entryId, false);
    this.platform.calls.withdrawFrom(party.entryId);
  }

  private sentToVoicemail(callId: string, voicemailPartyId: string): void {
    const { engine, voicemail } = this.platform;
    const missed = this.platform.changeCall(callId, {
      status: "missed",
      ...this.targetFields(this.call(callId)),
    });
    engine.publish("call.not_answered", { call: missed });
    voicemail.begin(missed, voicemailPartyId);
  }

  /** A party hangs up. */
  private leave(callId: string, partyId: string): void {
    const { engine, live, availability } = this.platform;
    const connections = endConnections(this.call(callId).connections, engine.now, partyId);
    const call = this.platform.changeCall(callId, { connections });
    const party = partyById(call, partyId);
    engine.publish("call.hungup", { call, party });
    if (party.entryId === undefined) return;
    live.release(party.entryId);
    if (party.type === "user") availability.leaveCall(party.entryId);
    else this.platform.teamAvailability.memberChanged(party.entryId, true);
  }

  private closed(callId: string, closing: Extract<CallFact, { type: "closed" }>): void {
    const { engine, live, notifications, tables, voicemail } = this.platform;
    for (const partyId of closing.leaving) this.leave(callId, partyId);
    const { rings, target, voicemail: session } = live.mustGet(callId);
    for (const ring of rings) engine.host.send(ring.key, { type: "WITHDRAW", outcome: "withdrawn" });
    const before = this.call(callId);
    const call = this.platform.changeCall(callId, {
      status: closing.status,
      outcome: closing.outcome,
      connections: endConnections(before.connections, engine.now),
      ...endedFields(before, engine.now),
      ...this.targetFields(before),
      summary: { ...before.summary, outcome: outcomeText(closing.outcome, answererOf(before)) },
    });
    live.remove(callId);
    engine.publish(closing.with, { call });
    if (session === null && closing.status !== "ended" && target.kind === "user")
      notifications.missedCall(tables.users.mustGet(target.id), call);
    const hasArtefacts = session !== null && voicemail.closed(call, session);
    if (!hasArtefacts) this.platform.callFinished(callId);
  }

  private endDials(ring: Ring, outcomeOf: (endpoint: string) => DialOutcome | undefined): void {
    const { parties } = this.call(ring.callId);
    this.platform.changeCall(ring.callId, {
      parties: endDials(parties, ring.partyId, outcomeOf, this.platform.engine.now),
    });
  }

  private assignedUser(party: Party): AssignedUser | null {
    if (party.type !== "user" || party.entryId === undefined) return null;
    const user = this.platform.tables.users.mustGet(party.entryId);
    return { ...referenceTo({ kind: "user", record: user }), manager: user.manager, location: user.location };
  }

  /** From the answer, or the lack of one, the record says whom the call was for. */
  private targetFields(call: CallRecord): Partial<CallRecord> {
    if (call.directoryTarget !== undefined) return {};
    const entry = this.platform.directory.find(this.platform.live.mustGet(call.id).target.id);
    if (entry === undefined) throw new Error(`call ${call.id} is for nobody`);
    return { directoryTarget: referenceTo(entry), assignedCallGroup: null };
  }

  private call(callId: string): CallRecord {
    return this.platform.tables.calls.mustGet(callId);
  }
}

function internalParty(id: string, entry: Entry): Party {
  const { record } = entry;
  return {
    id,
    type: entry.kind === "user" ? "user" : "device",
    isInternal: true,
    displayName: record.displayName,
    entryId: record.id,
    extension: record.extension,
    ...(entry.kind === "user"
      ? {
          email: entry.record.email,
          timezone: entry.record.timezone,
          manager: entry.record.manager,
          location: entry.record.location,
        }
      : {}),
    tariff: null,
    dials: [],
  };
}

/** The name of who answered. */
function answererOf(call: CallRecord): string | undefined {
  return call.parties.find((party) => party.dials.some((dial) => dial.outcome === "answered"))?.displayName;
}
