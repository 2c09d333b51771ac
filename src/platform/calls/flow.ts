import type { Draft } from "immer";
import type { CallFact, RingFact } from "../../../machines/index.ts";
import type { About, Fact } from "../../engine/host.ts";
import { iso } from "../../engine/instants.ts";
import {
  type AssignedUser,
  type CallRecord,
  type DialOutcome,
  isOnBridge,
  isRinging,
  markAnswered,
  markEnded,
  type Party,
} from "../../records/call.ts";
import { moment, noMoment } from "../../records/moments.ts";
import { type Entry, referenceTo } from "../directory/directory.ts";
import type { Platform } from "../platform.ts";
import { callKey } from "./calls.ts";
import type { Ring } from "./live-call.ts";
import { partyById } from "./parties.ts";
import { outcomeText } from "./summary.ts";

type CallDraft = Draft<CallRecord>;

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
    if (told.type === "answered") this.answered(callId, told.party);
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
        this.endDials(ring, told.outcome, (endpoint) => endpoint === told.endpoint);
        return;
      case "answered":
        this.answerRing(ring, told.endpoint);
        return;
      case "stopped":
        this.platform.live.removeRing(ring);
        this.endDials(ring, told.outcome, () => true);
        this.ringStopped(ring, told.outcome);
        return;
    }
  }

  /** A connected user goes on at another endpoint. */
  move(callId: string, partyId: string, endpoint: string): void {
    const nowMs = this.platform.engine.now;
    this.change(callId, (call) => {
      endConnection(call, partyId, nowMs);
      call.connections.push({ partyId, endpoint, ...moment("joined", nowMs), ...noMoment("left") });
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
    this.change(callId, (call) => {
      call.status = "offered";
      call.parties.push({ ...internalParty(partyId, entry), dials } as CallDraft["parties"][number]);
    });
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
    const nowMs = engine.now;
    this.change(ring.callId, (call) => {
      const party = call.parties.find((each) => each.id === ring.partyId);
      for (const dial of party?.dials ?? []) {
        if (isRinging(dial))
          endDial(dial, dial.endpoint === endpoint ? "answered" : "answeredElsewhere", nowMs);
      }
      for (const [partyId, at] of [
        [live.mustGet(ring.callId).callerPartyId, null],
        [ring.partyId, endpoint],
      ] as const)
        call.connections.push({ partyId, endpoint: at, ...moment("joined", nowMs), ...noMoment("left") });
    });
    live.occupy(ring.entryId, ring.callId);
    engine.host.send(callKey(ring.callId), { type: "ANSWER", party: ring.partyId });
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

  private answered(callId: string, partyId: string): void {
    const { engine, availability } = this.platform;
    const party = partyById(this.platform.tables.calls.mustGet(callId), partyId);
    const call = this.change(callId, (draft) => {
      draft.status = "accepted";
      markAnswered(draft, engine.now);
      draft.assignedUser = this.assignedUser(party);
      this.nameTarget(draft);
    });
    engine.publish("call.answered", { call });
    if (party.entryId === undefined) return;
    if (party.type === "user") availability.joinCall(party.entryId, callId);
    else this.platform.calls.withdrawFrom(party.entryId);
  }

  private sentToVoicemail(callId: string, voicemailPartyId: string): void {
    const { engine, voicemail } = this.platform;
    const missed = this.change(callId, (draft) => {
      draft.status = "missed";
      this.nameTarget(draft);
    });
    engine.publish("call.not_answered", { call: missed });
    voicemail.begin(missed, voicemailPartyId);
  }

  /** A party hangs up. */
  private leave(callId: string, partyId: string): void {
    const { engine, live, availability } = this.platform;
    const call = this.change(callId, (draft) => endConnection(draft, partyId, engine.now));
    const party = partyById(call, partyId);
    engine.publish("call.hungup", { call, party });
    if (party.entryId === undefined) return;
    live.release(party.entryId);
    if (party.type === "user") availability.leaveCall(party.entryId);
  }

  private closed(callId: string, closing: Extract<CallFact, { type: "closed" }>): void {
    const { engine, live, notifications, tables, voicemail } = this.platform;
    for (const partyId of closing.leaving) this.leave(callId, partyId);
    const { rings, target, voicemail: session } = live.mustGet(callId);
    for (const ring of rings) engine.host.send(ring.key, { type: "WITHDRAW", outcome: "withdrawn" });
    const call = this.change(callId, (draft) => {
      draft.status = closing.status;
      draft.outcome = { ...closing.outcome };
      for (const connection of draft.connections)
        if (isOnBridge(connection)) leaveNow(connection, engine.now);
      markEnded(draft, engine.now);
      this.nameTarget(draft);
      draft.summary.outcome = outcomeText(
        closing.outcome,
        draft.assignedUser?.displayName ?? answererOf(draft),
      );
    });
    live.remove(callId);
    engine.publish(closing.with, { call });
    if (session === null && closing.status !== "ended" && target.kind === "user")
      notifications.missedCall(tables.users.mustGet(target.id), call);
    const hasArtefacts = session !== null && voicemail.closed(call, session);
    if (!hasArtefacts) this.platform.callFinished(callId);
  }

  private endDials(ring: Ring, outcome: DialOutcome, which: (endpoint: string) => boolean): void {
    const nowMs = this.platform.engine.now;
    this.change(ring.callId, (call) => {
      const party = call.parties.find((each) => each.id === ring.partyId);
      for (const dial of party?.dials ?? [])
        if (isRinging(dial) && which(dial.endpoint)) endDial(dial, outcome, nowMs);
    });
  }

  private assignedUser(party: Party): AssignedUser | null {
    if (party.type !== "user" || party.entryId === undefined) return null;
    const user = this.platform.tables.users.mustGet(party.entryId);
    return { ...referenceTo({ kind: "user", record: user }), manager: user.manager, location: user.location };
  }

  /** From the answer, or the lack of one, the record says whom the call was for. */
  private nameTarget(draft: CallDraft): void {
    if (draft.directoryTarget !== undefined) return;
    const entry = this.platform.directory.find(this.platform.live.mustGet(draft.id).target.id);
    if (entry !== undefined) draft.directoryTarget = referenceTo(entry);
    draft.assignedCallGroup = null;
  }

  private change(callId: string, recipe: (draft: CallDraft) => void): CallRecord {
    return this.platform.changeCall(callId, recipe);
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

/** The device that answered, if one did. */
function answererOf(call: CallDraft): string | undefined {
  return call.parties.find((party) => party.dials.some((dial) => dial.outcome === "answered"))?.displayName;
}

function endDial(
  dial: CallDraft["parties"][number]["dials"][number],
  outcome: DialOutcome,
  nowMs: number,
): void {
  dial.outcome = outcome;
  dial.endedAt = iso(nowMs);
  dial.endedTimestamp = nowMs;
}

function endConnection(call: CallDraft, partyId: string, nowMs: number): void {
  const connection = call.connections.find((each) => each.partyId === partyId && isOnBridge(each));
  if (connection !== undefined) leaveNow(connection, nowMs);
}

function leaveNow(connection: CallDraft["connections"][number], nowMs: number): void {
  connection.leftAt = iso(nowMs);
  connection.leftTimestamp = nowMs;
}
