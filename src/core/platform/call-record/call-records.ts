import type { Draft } from "immer";
import type { CallFact } from "../../../../machines/call.ts";
import { notFound } from "../../foundation/errors.ts";
import {
  type AssignedUser,
  type CallRecord,
  endConnections,
  endDials,
  findAnswerer,
  isConference,
  newConnection,
  type Party,
  setAnswered,
  setEnded,
  setModified,
  type UserParty,
} from "../../records/call.ts";
import type { EntryReference } from "../../records/directory.ts";
import type { Mutable } from "../../records/table.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import { type Directory, referenceTo } from "../directory/directory.ts";
import type { LiveCalls } from "../live/live-calls.ts";
import { findConnection, partyById } from "../live/parties.ts";
import { merge } from "../passthrough/passthrough.ts";
import { outcomeText, withContactName } from "./summary.ts";

/** The part of a fact about a party that joins the bridge. */
type Join = Pick<Extract<CallFact, { type: "answered" }>, "party" | "endpoint">;
type Closing = Extract<CallFact, { type: "closed" }>;

export interface Needs extends CoreServices {
  readonly live: LiveCalls;
  readonly directory: Directory;
}

/** Keeps the records of calls and changes them for each fact. */
export class CallRecords {
  constructor(private readonly services: Needs) {}

  /** The record of a call that must exist. */
  get(callId: string): CallRecord {
    return this.services.tables.calls.mustGet(callId);
  }

  /** @throws {CommandError} `not_found` for an unknown call, or one that `retain.calls` dropped */
  find(callId: string): CallRecord {
    const { calls } = this.services.tables;
    const call = calls.get(callId);
    if (call === undefined) throw notFound("call", callId, calls);
    return call;
  }

  /**
   * Replaces fields of a call's record, and sets its time of modification. Takes ownership of `changes`.
   * @param set sets the fields that depend on the instant
   */
  change(
    callId: string,
    changes: Partial<CallRecord>,
    set?: (draft: Mutable<CallRecord>, nowMs: number) => void,
  ): CallRecord {
    const { engine, tables } = this.services;
    const draft = tables.calls.draft(callId, changes);
    setModified(draft, engine.now);
    set?.(draft, engine.now);
    // a live call shows its users' current locations
    if (draft.outcome !== null) Object.assign(draft, this.changesOfPeople(draft));
    return tables.calls.replace(draft);
  }

  /** Changes parts of a call's record that are nested, and sets its time of modification. */
  edit(callId: string, recipe: (draft: Draft<CallRecord>) => void): CallRecord {
    this.services.tables.calls.update(callId, recipe);
    return this.change(callId, {});
  }

  /** Updates a user's location in live calls. A closed call is updated at its next change. */
  refreshPerson(userId: string): void {
    const { live, tables } = this.services;
    for (const callId of live.ids()) {
      const call = this.get(callId);
      if (call.parties.some(({ entryId }) => entryId === userId)) {
        const changed = this.changesOfPeople(call);
        if (changed !== undefined) tables.calls.patch(callId, changed);
      }
    }
  }

  /** The fields of a call with its users' current locations; undefined if nothing changes. */
  private changesOfPeople({ parties, assignedUser }: CallRecord): Partial<CallRecord> | undefined {
    const { users } = this.services.tables;
    const placeOf = (id: string | undefined) => (id === undefined ? undefined : users.get(id)?.location);
    const isOld = (party: Party): party is UserParty => {
      if (party.type !== "user") return false;
      const now = placeOf(party.entryId);
      return now !== undefined && party.location !== now;
    };
    const answerer = placeOf(assignedUser?.id);
    const isAnswererOld =
      assignedUser !== null && answerer !== undefined && assignedUser.location !== answerer;
    if (!isAnswererOld && !parties.some(isOld)) return undefined;
    return {
      parties: parties.map((party) =>
        isOld(party) ? { ...party, location: placeOf(party.entryId) ?? null } : party,
      ),
      assignedUser: isAnswererOld ? { ...assignedUser, location: answerer } : assignedUser,
    };
  }

  /** Adds passthrough parameters to a call. If they would exceed the limit, nothing is added. */
  mergePassthrough(callId: string, more: unknown): void {
    if (more === undefined) return;
    const { passthroughParameters } = this.get(callId);
    this.change(callId, { passthroughParameters: merge(passthroughParameters, more) });
  }

  /** Marks a call as offered, in its record and its machine, at its first ring or when it joins a team's queue. */
  markOffered(callId: string, changes: Partial<CallRecord>): void {
    const isFirst = this.get(callId).status === "started";
    this.change(callId, isFirst ? { status: "offered", ...changes } : changes);
    if (isFirst) this.services.machines.send("call", callId, { type: "OFFER" });
  }

  /** Puts the caller on the bridge. */
  connectCaller(callId: string, caller: Party, endpoint: string | null): void {
    const { connections } = this.get(callId);
    this.change(callId, {
      connections: [...connections, newConnection(caller.id, endpoint, this.services.engine.now)],
    });
  }

  /** Records the first answer. */
  recordAnswer(callId: string, { party: partyId, endpoint }: Join): void {
    const before = this.get(callId);
    const party = partyById(before, partyId);
    const changes: Partial<CallRecord> = {
      status: "accepted",
      ...this.targetFields(before),
      ...contactFields(before, party),
      assignedUser: this.assignedUser(party),
      parties: this.endDialWithAnswer(before, partyId, endpoint),
      connections: this.addConnection(before, partyId, endpoint),
    };
    this.change(callId, changes, setAnswered);
  }

  /** Records that a further party joined. No event of the call says so, only one of the party's availability. */
  recordJoin(callId: string, { party: partyId, endpoint }: Join): void {
    const before = this.get(callId);
    const connections = this.addConnection(before, partyId, endpoint);
    this.change(callId, {
      connections,
      isConference: before.isConference || isConference(connections),
      ...contactFields(before, partyById(before, partyId)),
      parties: this.endDialWithAnswer(before, partyId, endpoint),
      ...this.targetFields(before),
    });
  }

  /** The call's record with its target and its team, which it usually shows once it is answered or missed. */
  withTarget(callId: string): CallRecord {
    const call = this.get(callId);
    return { ...call, ...this.targetFields(call) };
  }

  recordNotAnswered(callId: string): void {
    const before = this.get(callId);
    const status = before.direction === "outbound" ? "unanswered" : "missed";
    this.change(callId, { status, ...this.targetFields(before) });
  }

  /** Puts the voicemail on the bridge, and the caller too unless they are there. */
  connectVoicemail(callId: string, party: Party): void {
    const call = this.get(callId);
    const { callerPartyId } = this.services.live.mustGet(callId);
    // a caller from inside, or someone left by a transfer, is already on the bridge
    const isFirst = !call.connections.some((each) => each.leftTimestamp === null);
    const joining = (isFirst ? [callerPartyId, party.id] : [party.id]).map((each) =>
      newConnection(each, null, this.services.engine.now),
    );
    this.change(callId, {
      parties: [...call.parties, party],
      connections: [...call.connections, ...joining],
    });
  }

  /** Moves a connected user to another endpoint. */
  recordMove(callId: string, partyId: string, endpoint: string): void {
    const nowMs = this.services.engine.now;
    const { connections } = this.get(callId);
    this.change(callId, {
      connections: [...endConnections(connections, nowMs, partyId), newConnection(partyId, endpoint, nowMs)],
    });
  }

  recordLeave(callId: string, partyId: string): void {
    const connections = endConnections(this.get(callId).connections, this.services.engine.now, partyId);
    this.change(callId, { connections });
  }

  recordClose(callId: string, closing: Closing): void {
    const before = this.get(callId);
    const changes: Partial<CallRecord> = {
      status: closing.status,
      outcome: closing.outcome,
      connections: endConnections(before.connections, this.services.engine.now),
      ...this.targetFields(before),
      summary: { ...before.summary, outcome: this.outcomeText(before, closing) },
    };
    this.change(callId, changes, setEnded);
  }

  /** The id of the call that a user is on at an endpoint. */
  connectedAt(userId: string, endpointId: string): string | undefined {
    const callId = this.services.live.callOf(userId);
    if (callId === undefined) return undefined;
    const call = this.get(callId);
    const party = call.parties.find(
      (each) => each.entryId === userId && findConnection(call, each.id)?.endpoint === endpointId,
    );
    return party === undefined ? undefined : callId;
  }

  /** Adds the connection of a party that joins the bridge. The first brings the caller with it. */
  private addConnection(call: CallRecord, partyId: string, endpoint: string) {
    const { engine, live } = this.services;
    const { callerPartyId } = live.mustGet(call.id);
    const joined = newConnection(partyId, endpoint, engine.now);
    return call.connections.length > 0
      ? [...call.connections, joined]
      : [newConnection(callerPartyId, null, engine.now), joined];
  }

  /** Returns the parties with the ring of one of them ended by an answer on this endpoint. */
  private endDialWithAnswer(call: CallRecord, partyId: string, endpoint: string) {
    const outcome = (each: string) => (each === endpoint ? "answered" : "answeredElsewhere");
    return endDials(call.parties, partyId, outcome, this.services.engine.now);
  }

  private outcomeText(call: CallRecord, { outcome }: Closing): string {
    const { unreachable } = this.services.live.mustGet(call.id);
    return outcomeText(outcome, findAnswerer(call)?.displayName, unreachable ?? undefined);
  }

  private assignedUser(party: Party): AssignedUser | null {
    if (party.type !== "user" || party.entryId === undefined) return null;
    const user = this.services.tables.users.mustGet(party.entryId);
    const { id, displayName, firstName, lastName, extension, email, manager, location } = user;
    return { id, type: "user", displayName, firstName, lastName, extension, email, manager, location };
  }

  /** An inbound call's record names its target once the call is answered or missed. */
  private targetFields(call: CallRecord): Partial<CallRecord> {
    if (call.direction === "outbound") return {};
    const { target, group, teamNames } = this.services.live.mustGet(call.id);
    return {
      directoryTarget:
        call.directoryTarget ?? this.referenceToTarget(call.id, target.id, teamNames.get(target.id)),
      assignedCallGroup: group,
    };
  }

  private referenceToTarget(callId: string, targetId: string, teamName: string | undefined): EntryReference {
    const entry = this.services.directory.find(targetId);
    if (entry === undefined) throw new Error(`call ${callId} is for nobody`);
    return referenceTo(entry, teamName);
  }
}

/** The fields that change when an outside number joins a call that was internal: the call then has a contact. */
function contactFields(call: CallRecord, { displayName, phoneNumber }: Party): Partial<CallRecord> {
  if (!call.isInternal || phoneNumber === null) return {};
  const numbers = { contactNumber: phoneNumber, recipient: phoneNumber };
  const summary = withContactName({ ...call, ...numbers }, displayName);
  return { isInternal: false, ...numbers, summary };
}

/** The records of calls. */
export const callRecords = defineService({ create: (services: Needs) => new CallRecords(services) });
