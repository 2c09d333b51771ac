import type { CallFact, CallInput } from "../../../machines/index.ts";
import type { About, Fact } from "../../engine/host.ts";
import {
  type AssignedUser,
  answeredFields,
  type CallRecord,
  endConnections,
  endDials,
  endedFields,
  isConference,
  newConnection,
  type Party,
} from "../../records/call.ts";
import type { EntryReference } from "../../records/directory.ts";
import { referenceTo } from "../directory/directory.ts";
import type { Platform } from "../platform.ts";
import type { LiveCall } from "./live-call.ts";
import { partyById } from "./parties.ts";
import { outcomeText } from "./summary.ts";

type Joining = Extract<CallFact, { type: "answered" | "joined" }>;

/**
 * How a call goes: carries the facts of its machine into its record, the event stream, and the other capabilities. One
 * change of the record for each fact.
 */
export class CallFlow {
  constructor(private readonly platform: Platform) {}

  /** The call begins with `call.started`. Someone inside who dialled is on the bridge from here. */
  start(call: CallRecord, live: LiveCall): void {
    const { engine, tables } = this.platform;
    const isOutbound = call.direction === "outbound";
    tables.calls.insert(call);
    this.platform.live.set(live);
    engine.host.start("call", call.id, { recordId: call.id }, {
      caller: live.callerPartyId,
      isOutbound,
      isAsked: live.isAsked,
    } satisfies CallInput);
    engine.publish("call.started", { call });
    this.platform.behaviours.began(call.id);
    if (live.rules.returnTo !== null) this.platform.redirect.begin(call.id, live.rules.returnTo);
  }

  /** The one who dialled becomes busy and comes onto the bridge. */
  joinCaller(callId: string, endpoint: string | null): void {
    const { engine, live } = this.platform;
    const call = this.call(callId);
    const caller = partyById(call, live.mustGet(callId).callerPartyId);
    this.platform.changeCall(callId, {
      connections: [...call.connections, newConnection(caller.id, endpoint, engine.now)],
    });
    this.occupy(caller, callId);
  }

  /** A fact of a call's machine. */
  react(about: About, fact: Fact): void {
    const callId = about.recordId;
    const told = fact as unknown as CallFact;
    if (told.type === "answered") this.answered(callId, told);
    else if (told.type === "joined") this.joined(callId, told);
    else if (told.type === "notAnswered") this.notAnswered(callId);
    else if (told.type === "sentToVoicemail") this.platform.voicemail.begin(callId, told.voicemail);
    else if (told.type === "left") this.leave(callId, told.party);
    else if (told.type === "closed") this.closed(callId, told);
    // `offered` needs nothing: the record changed with the dials
  }

  /** A connected user goes on at another endpoint. */
  move(callId: string, partyId: string, endpoint: string): void {
    const nowMs = this.platform.engine.now;
    const { connections } = this.call(callId);
    this.platform.changeCall(callId, {
      connections: [...endConnections(connections, nowMs, partyId), newConnection(partyId, endpoint, nowMs)],
    });
  }

  private answered(callId: string, { party: partyId, endpoint }: Joining): void {
    const { engine, live, redirect } = this.platform;
    const before = this.call(callId);
    const party = partyById(before, partyId);
    const call = this.platform.changeCall(callId, {
      status: "accepted",
      ...answeredFields(before, engine.now),
      ...this.targetFields(before),
      isInternal: before.isInternal && party.isInternal,
      assignedUser: this.assignedUser(party),
      parties: this.withAnswer(before, partyId, endpoint),
      connections: this.withJoined(before, partyId, endpoint),
    });
    engine.publish("call.answered", { call });
    this.occupy(party, callId);
    this.platform.behaviours.joined(callId, party);
    this.platform.behaviours.answered(call);
    if (live.mustGet(callId).rules.returnTo !== null) redirect.settle(callId, null);
  }

  /** A further party: no event of the call's own, only of their availability. */
  private joined(callId: string, { party: partyId, endpoint }: Joining): void {
    const before = this.call(callId);
    const party = partyById(before, partyId);
    const connections = this.withJoined(before, partyId, endpoint);
    this.platform.changeCall(callId, {
      connections,
      isConference: isConference(connections),
      isInternal: before.isInternal && party.isInternal,
      parties: this.withAnswer(before, partyId, endpoint),
      ...this.targetFields(before),
    });
    this.occupy(party, callId);
    this.platform.behaviours.joined(callId, party);
  }

  private notAnswered(callId: string): void {
    const before = this.call(callId);
    const call = this.platform.changeCall(callId, { status: "missed", ...this.targetFields(before) });
    this.platform.engine.publish("call.not_answered", { call });
  }

  /** A party hangs up. */
  private leave(callId: string, partyId: string): void {
    const { engine } = this.platform;
    const connections = endConnections(this.call(callId).connections, engine.now, partyId);
    const call = this.platform.changeCall(callId, { connections });
    const party = partyById(call, partyId);
    engine.publish("call.hungup", { call, party });
    this.platform.behaviours.left(party);
    this.release(party);
  }

  private closed(callId: string, closing: Extract<CallFact, { type: "closed" }>): void {
    const { engine, live, offers, afterCall, behaviours } = this.platform;
    for (const partyId of closing.leaving) this.leave(callId, partyId);
    offers.endAll(callId);
    const session = live.mustGet(callId);
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
    behaviours.closed(callId);
    engine.publish(closing.with, { call });
    afterCall.closed(call, session);
  }

  /** A user or a device is on the call: busy for others. */
  private occupy(party: Party, callId: string): void {
    const { availability, live, teams, calls } = this.platform;
    if (party.entryId === undefined) return;
    live.occupy(party.entryId, callId);
    if (party.type === "user") {
      availability.joinCall(party.entryId, callId);
      return;
    }
    // a device has no availability of its own, but it is free or not
    teams.memberChanged(party.entryId, false);
    calls.withdrawFrom(party.entryId);
  }

  private release(party: Party): void {
    const { availability, live, teams, teamOffers } = this.platform;
    if (party.entryId === undefined) return;
    live.release(party.entryId);
    if (party.type === "user") {
      availability.leaveCall(party.entryId);
      return;
    }
    teams.memberChanged(party.entryId, true);
    teamOffers.memberFreed(party.entryId);
  }

  /** The connections with a party that comes onto the bridge; with the first, the caller does too. */
  private withJoined(call: CallRecord, partyId: string, endpoint: string) {
    const { engine, live } = this.platform;
    const { callerPartyId } = live.mustGet(call.id);
    const first = call.connections.length > 0 ? [] : [newConnection(callerPartyId, null, engine.now)];
    return [...call.connections, ...first, newConnection(partyId, endpoint, engine.now)];
  }

  /** The parties with what rang for one of them ended: it was answered on this endpoint. */
  private withAnswer(call: CallRecord, partyId: string, endpoint: string) {
    const outcome = (each: string) => (each === endpoint ? "answered" : "answeredElsewhere");
    return endDials(call.parties, partyId, outcome, this.platform.engine.now);
  }

  private assignedUser(party: Party): AssignedUser | null {
    if (party.type !== "user" || party.entryId === undefined) return null;
    const user = this.platform.tables.users.mustGet(party.entryId);
    const { id, displayName, extension, email, manager, location } = user;
    return { id, type: "user", displayName, extension, email, manager, location };
  }

  /** From the answer, or the lack of one, an inbound call's record says whom it was for. */
  private targetFields(call: CallRecord): Partial<CallRecord> {
    if (call.direction === "outbound") return {};
    const { target, group, teamNames } = this.platform.live.mustGet(call.id);
    return {
      directoryTarget:
        call.directoryTarget ?? this.referenceToTarget(call.id, target.id, teamNames[target.id]),
      assignedCallGroup: group,
    };
  }

  private referenceToTarget(callId: string, targetId: string, teamName: string | undefined): EntryReference {
    const entry = this.platform.directory.find(targetId);
    if (entry === undefined) throw new Error(`call ${callId} is for nobody`);
    return referenceTo(entry, teamName);
  }

  private call(callId: string): CallRecord {
    return this.platform.tables.calls.mustGet(callId);
  }
}

/** The name of who answered. */
function answererOf(call: CallRecord): string | undefined {
  return call.parties.find((party) => party.dials.some((dial) => dial.outcome === "answered"))?.displayName;
}
