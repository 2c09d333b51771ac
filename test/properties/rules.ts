import type {
  CallHandle,
  CallRecord,
  Dial,
  JournalDocument,
  OrganisationInput,
  Party,
  PendingItem,
  PlatformEvent,
  PublicCallRecord,
  Records,
  Simulator,
  TeamMember,
  TeamRecord,
  UserRecord,
} from "../../src/index.ts";
import { connectedParties, isInVoicemail } from "./play.ts";

// parts without a name of their own
type CallOutcome = Records["callOutcome"];

type Features = NonNullable<OrganisationInput["features"]>;
type TimingMs = JournalDocument["options"]["timing"];

/**
 * The rules that must always hold: for the event stream (`StreamRules`), for the records between two steps
 * (`checkState`), and at the end (`checkEnd`). A new kind of call adds its endings and its timers here. The rules of
 * teams are in `team-rules.ts`.
 */

/** The only events that a closed call still emits. */
const artefacts = [
  "call.recording.available",
  "call.transcript.created",
  "call.transcription_completed",
  "call.tariffed",
];

/** Someone may say whom a call was with at any time. */
const contactTypes = ["call.contact_assigned_with_add", "call.contact_assigned_with_update"];

/** Every way in which a call may close. */
const endings: Readonly<Record<string, readonly (string | null)[]>> = {
  "ended answered": [null],
  "missed missed": [
    "timeout",
    "declined",
    "unavailable",
    "noAvailableMembers",
    "voicemail",
    "sentToVoicemail",
  ],
  "unanswered unanswered": [
    ...["timeout", "busy", "rejected", "cancelled"],
    ...["declined", "unavailable", "noAvailableMembers", "voicemail"],
  ],
  "abandoned abandoned": ["callerHungUp"],
};

export function must(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Error(message());
}

interface CallSoFar {
  readonly types: string[];
  /** Ids of parties, one for each hang-up. */
  readonly hungUp: string[];
  /** The id of the party whose answer the stream told of. */
  answerer?: string;
  closed: boolean;
}

/** Reads a stream event by event and throws at the first that breaks a rule. */
export class StreamRules {
  private readonly calls = new Map<string, CallSoFar>();
  private readonly users: Map<string, UserRecord>;
  private readonly teams: Map<string, TeamRecord>;
  private readonly ids = new Set<string>();
  private nowMs = 0;
  private read = 0;
  /** Teams whose event must come next, in this order. */
  private dueTeams: string[] = [];
  /** The user whose availability event must come next. */
  private dueUser: string | undefined;

  constructor(private readonly sim: Simulator) {
    this.users = new Map(sim.users.list().map(({ id, record }) => [id, record]));
    this.teams = new Map(sim.teams.list().map(({ id, record }) => [id, record]));
  }

  /** Reads what the simulator has emitted since the last time. */
  catchUp(): void {
    for (; this.read < this.sim.events.length; this.read++)
      this.event(this.sim.events[this.read] as PlatformEvent);
    must(this.dueTeams.length === 0, () => `no team.availability.updated of ${this.dueTeams}`);
    must(this.dueUser === undefined, () => `no user.availability.updated of ${this.dueUser}`);
  }

  private event(event: PlatformEvent): void {
    must(event.createdTimestamp >= this.nowMs, () => `${event.type} of ${event.createdAt} comes too late`);
    must(
      event.createdAt === new Date(event.createdTimestamp).toISOString(),
      () => `${event.type}: ${event.createdAt} is not ${event.createdTimestamp}`,
    );
    must(!this.ids.has(event.id), () => `the event id ${event.id} came twice`);
    mustBeFrozen(event);
    this.ids.add(event.id);
    this.nowMs = event.createdTimestamp;
    if (event.type === "team.availability.updated") this.team(event.data.team);
    else {
      must(this.dueTeams.length === 0, () => `${event.type} came before ${this.dueTeams}`);
      if (event.type === "user.availability.updated") this.user(event.data.user);
      else {
        must(this.dueUser === undefined, () => `${event.type} came before ${this.dueUser}'s availability`);
        if ("call" in event.data) this.call(event as Extract<PlatformEvent, { data: { call: CallRecord } }>);
      }
    }
  }

  private user(user: UserRecord): void {
    const before = this.users.get(user.id);
    must(before !== undefined, () => `nobody is ${user.id}`);
    must(this.dueUser === undefined || this.dueUser === user.id, () => `${user.id} before ${this.dueUser}`);
    this.dueUser = undefined;
    const [was, is] = [before, user].map(({ availability }) => {
      const { statusAt: _, statusTimestamp: __, ...rest } = availability;
      return JSON.stringify(rest);
    });
    must(was !== is, () => `an availability event of ${user.id} tells of no change: ${is}`);
    must(user.availability.statusTimestamp === this.nowMs, () => `${user.id}'s statusTimestamp is not now`);
    this.users.set(user.id, user);
    this.dueTeams = this.teamsToTell(user.id, isFree(user));
  }

  /** The teams that a change of this member concerns, in the order of the organisation. */
  private teamsToTell(memberId: string, isNowFree: boolean): string[] {
    return [...this.teams.values()]
      .filter(({ teamMembers }) =>
        teamMembers.some((member) => member.id === memberId && isAvailable(member) !== isNowFree),
      )
      .map(({ id }) => id);
  }

  private team(team: TeamRecord): void {
    checkTotals(team);
    const before = this.teams.get(team.id);
    if (this.dueTeams.length === 0 && before !== undefined) this.dueTeams = this.unannounced(before, team);
    must(
      this.dueTeams[0] === team.id,
      () => `${team.id} has an availability event, expected ${this.dueTeams[0]}`,
    );
    this.dueTeams.shift();
    this.teams.set(team.id, team);
  }

  /**
   * The teams whose event follows no event of another kind: after a change of members, after a device joins a call as
   * a third party, or after a change of a user's status, when their availability alone would count them differently.
   */
  private unannounced(before: TeamRecord, after: TeamRecord): string[] {
    if (before.availability.totalMembers !== after.availability.totalMembers) return [after.id];
    const changed = after.teamMembers.find((member) =>
      before.teamMembers.some((each) => each.id === member.id && isAvailable(each) !== isAvailable(member)),
    );
    if (changed === undefined) return [];
    const isBySelf =
      !("availability" in changed) || this.users.get(changed.id)?.availability.status === "available";
    return isBySelf ? this.teamsToTell(changed.id, isAvailable(changed)) : [];
  }

  private call(event: Extract<PlatformEvent, { data: { call: CallRecord } }>): void {
    const { call } = event.data;
    if (event.type === "call.started") {
      must(!this.calls.has(call.id), () => `${call.id} started twice`);
      this.calls.set(call.id, { types: [], hungUp: [], closed: false });
    }
    const soFar = this.calls.get(call.id);
    must(soFar !== undefined, () => `${event.type} of ${call.id}, which never started`);
    must(call.lastModifiedTimestamp === this.nowMs, () => `${event.type}: the record is of another instant`);
    if (contactTypes.includes(event.type)) return;
    must(
      artefacts.includes(event.type) === soFar.closed,
      () => `${event.type} came ${soFar.closed ? "after" : "before"} ${call.id} closed`,
    );
    soFar.types.push(event.type);
    if (event.type === "call.started" && call.direction === "outbound") this.mustTell(call.parties[0], false);
    if (event.type === "call.answered") this.answered(call, soFar);
    if (event.type === "call.hungup") this.hungUp(event.data.party, soFar);
    if (!soFar.closed && call.outcome !== null) {
      soFar.closed = true;
      checkClosing(event.type, call, call.outcome, soFar);
    }
  }

  private answered(call: CallRecord, soFar: CallSoFar): void {
    must(count(soFar.types, "call.answered") === 1, () => `${call.id} was answered twice`);
    must(!soFar.types.includes("call.not_answered"), () => `${call.id} was not answered, and then it was`);
    const party = call.parties.find(({ dials }) => dials.some(({ outcome }) => outcome === "answered"));
    must(party !== undefined, () => `${call.id} was answered by nobody`);
    soFar.answerer = party.id;
    this.mustTell(party, false);
    must(
      call.assignedUser?.id === (party.type === "user" ? party.entryId : undefined),
      () => `${call.id} was answered by ${party.entryId} and is assigned to ${call.assignedUser?.id}`,
    );
  }

  private hungUp(party: Party, soFar: CallSoFar): void {
    soFar.hungUp.push(party.id);
    this.mustTell(party, true);
  }

  /**
   * The availability event that must come next: of the user who joined or left, or of the teams of the device that did.
   */
  private mustTell(party: Party | undefined, isFreed: boolean): void {
    if (party?.entryId === undefined) return;
    if (party.type === "user") this.dueUser = party.entryId;
    else this.dueTeams = this.teamsToTell(party.entryId, isFreed);
  }
}

/** The rules of a closing event, and of the whole stream of the call up to it. */
function checkClosing(
  type: string,
  call: CallRecord,
  outcome: CallOutcome,
  { types, hungUp, answerer }: CallSoFar,
): void {
  const expected = call.connections.length > 0 ? "call.ended" : "call.not_answered";
  must(type === expected, () => `${call.id} closed with ${type}, expected ${expected}`);
  must(
    endings[`${call.status} ${outcome.status}`]?.includes(outcome.reason) === true,
    () => `${call.id} closed as ${call.status} with outcome ${JSON.stringify(outcome)}`,
  );
  const wasAnswered = call.answeredTimestamp !== null;
  must(wasAnswered === (outcome.status === "answered"), () => `${call.id}: ${JSON.stringify(outcome)}`);
  const names = call.parties.flatMap(({ id, displayName }) => (id === answerer ? [displayName] : []));
  must(
    !wasAnswered || call.summary.outcome === `Answered by ${names[0]}`,
    () => `${call.id} was answered by ${names[0]}, and its summary says "${call.summary.outcome}"`,
  );
  const told = [
    "call.started",
    wasAnswered ? "call.answered" : "call.not_answered",
    ...hungUp.map(() => "call.hungup"),
    ...(expected === "call.ended" ? ["call.ended"] : []),
  ];
  // a hang-up before the answer comes before it in the stream
  must(
    [...types].sort().join() === told.sort().join(),
    () => `${call.id} emitted ${types}, expected ${told}`,
  );
  must(types[0] === "call.started" && types.at(-1) === expected, () => `${call.id} emitted ${types}`);
  for (const party of call.parties) {
    const [stays, hangups] = [staysOf(call, party), count(hungUp, party.id)];
    must(
      hangups === stays,
      () => `${party.displayName} was ${stays} times on ${call.id} and hung up ${hangups} times`,
    );
  }
}

/** How many times a party joined the bridge: once for each answer, and once as the caller. */
export function staysOf({ parties, connections }: PublicCallRecord, { id, dials }: Party): number {
  const hasCalled = id === parties[0]?.id && connections.some(({ partyId }) => partyId === id);
  return dials.filter(({ outcome }) => outcome === "answered").length + (hasCalled ? 1 : 0);
}

/** Checks all calls, people, teams and timers between two steps. */
export function checkState(sim: Simulator): void {
  const live = new Set(sim.calls.live().map(({ id }) => id));
  const timing = timingOf(sim);
  const pending = new Map<string, PendingItem[]>();
  for (const item of sim.pending()) pending.set(item.recordId, [...(pending.get(item.recordId) ?? []), item]);
  const waiting = sim.teams.list().flatMap((team) => team.waiting());
  const busy = new Map<string, PublicCallRecord>();
  for (const handle of sim.calls.list()) {
    const { record } = handle;
    mustBeFrozen(record);
    checkTimes(record);
    checkDials(record, timing);
    checkConnections(record);
    checkPassthrough(record);
    must(
      live.has(record.id) === (record.outcome === null),
      () => `${record.id}: live() and outcome disagree`,
    );
    const ringing = handle.ringing();
    for (const each of ringing)
      if ("user" in each) checkRings(sim.users.get(each.user).record, each.endpoint);
    checkRinging(record, ringing);
    const waits = count(waiting, record.id);
    checkScheduled(record, pending.get(record.id) ?? [], waits, timing);
    for (const party of connected(record)) {
      must(!busy.has(party), () => `${party} is on ${record.id} and on ${busy.get(party)?.id}`);
      busy.set(party, record);
    }
  }
  for (const { record } of sim.users.list()) checkUser(record, busy.get(record.id));
  for (const { record } of sim.teams.list()) {
    checkTotals(record);
    for (const member of record.teamMembers) checkMember(sim, record, member, busy.has(member.id));
  }
}

/** Checks what must hold once nothing is scheduled any more and every call is closed. */
export function checkEnd(sim: Simulator): void {
  must(sim.pending().length === 0, () => `still scheduled: ${JSON.stringify(sim.pending())}`);
  must(sim.calls.live().length === 0, () => `still live: ${sim.calls.live().map(({ id }) => id)}`);
  must(
    sim.teams.list().every((team) => team.waiting().length === 0),
    () => "a call that closed still waits",
  );
  const { organisation } = sim.journal().options;
  for (const { id, record } of sim.calls.list()) {
    const hasMessage = record.voicemail !== null;
    checkNotifications(sim, record);
    must(
      record.outcome?.status === "answered" || hasMessage === (record.outcome?.reason === "voicemail"),
      () => `${id}: ${JSON.stringify(record.outcome)} with the message ${JSON.stringify(record.voicemail)}`,
    );
    const endedMs = record.endedTimestamp ?? Number.NaN;
    const later = sim.events
      .filter((event) => isArtefactOf(event, id))
      .map(({ type, createdTimestamp }) => `${type} +${createdTimestamp - endedMs}`)
      .sort();
    const due = artefactsDue(record, organisation.features ?? {}, timingOf(sim)).sort();
    must(later.join() === due.join(), () => `${id} was followed by ${later}, expected ${due}`);
    must(
      record.recordings.every(
        ({ transcript }) => (transcript !== null) === (organisation.features?.transcription === true),
      ),
      () => `${id}: ${JSON.stringify(record.recordings)}`,
    );
  }
}

function isArtefactOf(event: PlatformEvent, callId: string): boolean {
  if (event.type === "content_analysis.completed") return event.data.contentAnalysis.callId === callId;
  return artefacts.includes(event.type) && "call" in event.data && event.data.call.id === callId;
}

/** The events that must follow a closed call, and how long after its end. */
function artefactsDue(call: PublicCallRecord, features: Features, timing: TimingMs): string[] {
  const wasAnswered = call.answeredTimestamp !== null;
  const isRecorded = features.recording === true && wasAnswered;
  const recordings = (isRecorded ? 1 : 0) + (call.voicemail !== null ? 1 : 0);
  const hasConnected = wasAnswered || call.parties.some(({ type }) => type === "voicemail");
  const transcripts = features.transcription === true ? recordings : 0;
  const analyses = features.analysis === true ? recordings : 0;
  const { recordingAvailable, contentAnalysisCompleted, callTariffed } = timing;
  const analysedAfterMs = Math.max(recordingAvailable, contentAnalysisCompleted);
  return [
    ...Array(recordings).fill(`call.recording.available +${recordingAvailable}`),
    ...Array(transcripts).fill(`call.transcript.created +${transcriptAfterMs(timing)}`),
    ...(transcripts > 0 ? [`call.transcription_completed +${transcriptAfterMs(timing)}`] : []),
    ...Array(analyses).fill(`content_analysis.completed +${analysedAfterMs}`),
    ...(features.tariff === true && hasConnected ? [`call.tariffed +${callTariffed}`] : []),
  ];
}

/** Checks who is notified of a call: exactly for a call to a user; the members of a team may change meanwhile. */
function checkNotifications(sim: Simulator, call: PublicCallRecord): void {
  const told = sim.notifications.filter(({ callId }) => callId === call.id).map(({ kind }) => kind);
  const hasMessage = call.voicemail !== null;
  const wasAnswered = call.answeredTimestamp !== null;
  must(
    hasMessage || told.every((kind) => kind === "missedCall"),
    () => `people were told of a message on ${call.id}: ${told}`,
  );
  const missed = sim.notifications.filter(({ callId, kind }) => callId === call.id && kind === "missedCall");
  const users = missed.map(({ to }) => to.userId);
  must(new Set(users).size === users.length, () => `${call.id}: somebody was told twice: ${users}`);
  const took = call.parties.filter(({ id }) => call.connections.some(({ partyId }) => partyId === id));
  const wrong = took.find(({ entryId }) => entryId !== undefined && users.includes(entryId));
  must(wrong === undefined, () => `${wrong?.displayName} was on ${call.id} and was told that they missed it`);
  if (wasAnswered || call.directoryTarget?.type !== "user") return;
  // a call that is sent to a missing voicemail, and not returned, closes silently
  const isSilent =
    call.outcome?.reason === "sentToVoicemail" &&
    !call.parties.some(({ type }) => type === "voicemail") &&
    !sim.calls.returns.some(({ callId }) => callId === call.id);
  const expected = [
    ...(isSilent ? [] : ["missedCall"]),
    ...(hasMessage ? ["voicemail", "voicemailEmail"] : []),
  ];
  must(told.join() === expected.join(), () => `${call.id}: people were told ${told}, expected ${expected}`);
}

/** A closed call's record does not change, except for its artefacts: all its dates are in the past. */
function checkTimes(call: PublicCallRecord): void {
  const { startedTimestamp, answeredTimestamp, endedTimestamp, duration, waitTime } = call;
  must(
    duration === (endedTimestamp === null ? null : endedTimestamp - startedTimestamp),
    () => `${call.id}: a duration of ${duration} from ${startedTimestamp} to ${endedTimestamp}`,
  );
  const expectedWait = answeredTimestamp === null ? duration : answeredTimestamp - startedTimestamp;
  must(waitTime === expectedWait, () => `${call.id}: a wait of ${waitTime}, expected ${expectedWait}`);
  must((endedTimestamp === null) === (call.outcome === null), () => `${call.id}: ended without an outcome`);
  must(
    startedTimestamp <= (answeredTimestamp ?? startedTimestamp) &&
      (answeredTimestamp ?? startedTimestamp) <= (endedTimestamp ?? Number.POSITIVE_INFINITY),
    () => `${call.id} was started, answered and ended in another order`,
  );
}

function checkDials(call: PublicCallRecord, timing: TimingMs): void {
  const dials = call.parties.flatMap(({ dials }) => dials);
  const answeredMs = dials
    .filter(({ outcome }) => outcome === "answered")
    .map(({ endedTimestamp }) => endedTimestamp);
  for (const dial of dials) {
    const { startedTimestamp, endedTimestamp, outcome, reason } = dial;
    must((endedTimestamp === null) === (outcome === null), () => `${call.id}: ${JSON.stringify(dial)}`);
    must(outcome !== null || call.outcome === null, () => `${call.id} closed and ${dial.endpoint} rings on`);
    must(
      outcome !== "timeout" ||
        !usuallyTimed.includes(reason) ||
        endedTimestamp === startedTimestamp + timing.ringTimeout,
      () => `${call.id}: ${dial.endpoint} timed out after ${(endedTimestamp ?? 0) - startedTimestamp} ms`,
    );
    must(
      startedTimestamp <= (endedTimestamp ?? startedTimestamp) &&
        (endedTimestamp ?? 0) <= (call.endedTimestamp ?? Number.POSITIVE_INFINITY),
      () => `${call.id}: ${dial.endpoint} rang until ${endedTimestamp}, beyond the end`,
    );
    must(
      outcome !== "answeredElsewhere" || answeredMs.includes(endedTimestamp),
      () => `${call.id}: ${dial.endpoint} was answered elsewhere at another instant`,
    );
  }
}

/** Dials that ring for `timing.ringTimeout`: a redirect may say otherwise, a team rings tier by tier. */
const usuallyTimed: readonly string[] = ["direct", "transfer", "conference", "outbound"];

function checkConnections(call: PublicCallRecord): void {
  const open = connectedParties(call).length;
  const isAlone = call.direction === "outbound" && call.status === "offered";
  const [fewest, most] =
    call.outcome !== null
      ? [0, 0]
      : call.status === "accepted"
        ? [1, Number.POSITIVE_INFINITY]
        : isUnanswered(call)
          ? [2, 2]
          : isAlone
            ? [1, 1]
            : [0, 0];
  must(fewest <= open && open <= most, () => `${call.id} is ${call.status} with ${open} connected`);
  const ever = new Set(call.connections.map(({ partyId }) => partyId));
  const { surely, perhaps } = mostTogether(call);
  must(
    call.isConference ? perhaps > 2 : surely <= 2,
    () => `${call.id}: ${surely} to ${perhaps} together, isConference ${call.isConference}`,
  );
  const isJoinedFromOutside = call.parties.some(({ id, type }) => type === "external" && ever.has(id));
  must(
    call.isInternal === (call.contactNumber?.startsWith("+") !== true && !isJoinedFromOutside),
    () => `${call.id} to ${call.contactNumber} has isInternal ${call.isInternal}`,
  );
  for (const party of call.parties) {
    const own = call.connections.filter(({ partyId }) => partyId === party.id);
    for (const { endpoint, endedTimestamp } of party.dials.filter(({ outcome }) => outcome === "answered"))
      must(
        own.some((each) => each.endpoint === endpoint && each.joinedTimestamp === endedTimestamp),
        () => `${call.id}: ${party.displayName} answered on ${endpoint} and did not join there`,
      );
    let leftMs: number | null = 0;
    for (const connection of own) {
      const { joinedTimestamp, leftTimestamp } = connection;
      must(
        leftMs !== null && leftMs <= joinedTimestamp && joinedTimestamp <= (leftTimestamp ?? joinedTimestamp),
        () => `${call.id}: ${JSON.stringify(connection)} overlaps the one before`,
      );
      leftMs = leftTimestamp;
    }
  }
}

/** The most people on the bridge at the same time. Whether those who leave as others join met them, no record says. */
function mostTogether(call: PublicCallRecord): { surely: number; perhaps: number } {
  const isPerson = (id: string) =>
    call.parties.some((party) => party.id === id && party.type !== "voicemail");
  const people = call.connections.filter(({ partyId }) => isPerson(partyId));
  const most = (isThere: (joinedMs: number, leftMs: number, atMs: number) => boolean) =>
    Math.max(
      0,
      ...people.map(({ joinedTimestamp: atMs }) => {
        const there = people.filter(({ joinedTimestamp, leftTimestamp }) =>
          isThere(joinedTimestamp, leftTimestamp ?? Number.POSITIVE_INFINITY, atMs),
        );
        return new Set(there.map(({ partyId }) => partyId)).size;
      }),
    );
  return {
    surely: most((joinedMs, leftMs, atMs) => joinedMs <= atMs && atMs < leftMs),
    perhaps: most((joinedMs, leftMs, atMs) => joinedMs <= atMs && atMs <= leftMs),
  };
}

/** The rings are those of the record: each endpoint once, and nobody who is on the call. */
function checkRinging(call: PublicCallRecord, ringing: ReturnType<CallHandle["ringing"]>): void {
  const recorded = call.parties.flatMap((party) =>
    ringingDials(party).map(({ endpoint }) => `${party.entryId ?? party.phoneNumber} ${endpoint}`),
  );
  const told = ringing.map(
    (each) => `${"user" in each ? each.user : "device" in each ? each.device : each.number} ${each.endpoint}`,
  );
  must(
    [...told].sort().join() === [...recorded].sort().join(),
    () => `${call.id} rings ${told}, and its record says ${recorded}`,
  );
  must(new Set(told).size === told.length, () => `${call.id} rings an endpoint twice: ${told}`);
  for (const party of connectedParties(call))
    must(ringingDials(party).length === 0, () => `${party.displayName} is on ${call.id} and rings for it`);
}

/** Nobody took it, from outside or from inside. */
function isUnanswered({ status }: PublicCallRecord): boolean {
  return status === "missed" || status === "unanswered";
}

export function ringingDials({ dials }: Party): Dial[] {
  return dials.filter(({ outcome }) => outcome === null);
}

function checkPassthrough({ id, passthroughParameters }: PublicCallRecord): void {
  const entries = Object.entries(passthroughParameters);
  const bytes = entries.reduce((sum, [name, value]) => sum + Buffer.byteLength(name + value), 0);
  must(bytes <= 1_000, () => `${id} has ${bytes} bytes of passthrough parameters`);
  must(
    entries.every(([name, value]) => name.startsWith("x-") && typeof value === "string"),
    () => `${id}: ${JSON.stringify(passthroughParameters)}`,
  );
}

/**
 * A live call has a timer for each thing that it waits for: direct rings, offers to teams, voicemail. A closed call
 * has only those of its artefacts.
 */
function checkScheduled(
  call: PublicCallRecord,
  items: readonly PendingItem[],
  waits: number,
  timing: TimingMs,
): void {
  const text = () =>
    `${call.id} is ${call.status}, ${call.outcome?.status ?? "live"}, waits ${waits} times, with scheduled: ${JSON.stringify(items)}`;
  if (call.outcome !== null) {
    const endedMs = call.endedTimestamp ?? Number.NaN;
    const later: Readonly<Record<string, number>> = {
      "call: recording available": endedMs + timing.recordingAvailable,
      "call: transcript created": endedMs + transcriptAfterMs(timing),
      "call: tariff calculated": endedMs + timing.callTariffed,
    };
    const own = items.filter(({ purpose }) => !isReturn(purpose));
    must(own.every(({ purpose, dueTimestamp }) => later[purpose] === dueTimestamp) && waits === 0, text);
    const hasConnected =
      call.answeredTimestamp !== null || call.parties.some(({ type }) => type === "voicemail");
    must(own.length === 0 || hasConnected, text);
    must(own.length === items.length || isUnanswered(call), text);
    return;
  }
  const timers = (purpose: string) => items.filter((item) => item.purpose === purpose).length;
  const rung = call.parties.filter((party) => ringingDials(party).length > 0);
  const byTeams = rung.filter((party) => party.type !== "external" && ringsForTeam(party));
  const offers = timers("teamOffer: teamTimeout");
  const ringing = timers("teamOffer: nextOffer");
  const voicemail = items.filter(({ purpose }) => purpose.startsWith("voicemail: ")).length;
  must(timers("ring: ringTimeout") === rung.length - byTeams.length, text);
  must(offers === ringing + waits, text);
  must(ringing <= byTeams.length && ringing > 0 === byTeams.length > 0, text);
  must(voicemail === (isInVoicemail(call) ? 1 : 0), text);
  must(items.length === rung.length - byTeams.length + offers + ringing + voicemail, text);
  must(call.status === "accepted" || items.length > 0, text);
  must(call.status === "accepted" || isInVoicemail(call) === isUnanswered(call), text);
}

/** The request with which an unanswered call goes back to where it was redirected from. */
export function isReturn(purpose: string): boolean {
  return /^POST .* \(return\)$/.test(purpose);
}

export function ringsForTeam(party: Party): boolean {
  return ringingDials(party).some(({ reason }) => reason === "teamOffer");
}

/** A transcript is made from the recording, so never before it. */
function transcriptAfterMs({ recordingAvailable, transcriptCreated }: TimingMs): number {
  return Math.max(recordingAvailable, transcriptCreated);
}

function checkRings(user: UserRecord, endpointId: string): void {
  must(isFree(user), () => `${user.id} rings and is ${user.status}, ${user.availability.status}`);
  must(
    user.endpoints.some(({ id, registered }) => id === endpointId && registered),
    () => `${user.id} rings on ${endpointId}, which is not registered`,
  );
}

/** Everyone who is on the bridge of a call is busy with it, and nobody else is. */
export function checkBusy(sim: Simulator): void {
  const busy = new Map(
    sim.calls.live().flatMap(({ record }) => connected(record).map((id) => [id, record] as const)),
  );
  for (const { record } of sim.users.list()) checkUser(record, busy.get(record.id));
}

function checkUser(user: UserRecord, call: PublicCallRecord | undefined): void {
  const { availability } = user;
  mustBeFrozen(user);
  must(
    (availability.notAvailableRule === "busyOnACall") === (call !== undefined) &&
      (call === undefined || availability.status === "busy"),
    () =>
      `${user.id} is ${availability.status}, ${availability.notAvailableRule}, on ${call?.id ?? "no call"}`,
  );
  for (const shown of [availability, user])
    must(
      shown.callId === (call?.id ?? null) && shown.vendorCallId === (call?.vendorCallId ?? null),
      () => `${user.id} shows the call ${shown.callId}, and is on ${call?.id ?? "no call"}`,
    );
  const isLoggedIn = user.endpoints.some(({ registered }) => registered);
  must(isLoggedIn === (user.loginStatus === "loggedIn"), () => `${user.id} is ${user.loginStatus}`);
  must(isLoggedIn || availability.status !== "available", () => `${user.id} is available without endpoints`);
}

/** A team shows its members as the directory has them, and their records name the team. */
function checkMember(sim: Simulator, team: TeamRecord, member: TeamMember, isBusy: boolean): void {
  const { id, priority } = member;
  const isUser = "availability" in member;
  const record = isUser ? sim.users.get(id).record : sim.devices.get(id).record;
  const expected = isUser ? { ...record, priority } : { ...record, priority, isAvailable: !isBusy };
  must(
    JSON.stringify(member) === JSON.stringify(expected),
    () => `${team.id} has ${JSON.stringify(member)}, and the directory ${JSON.stringify(record)}`,
  );
  must(!isUser || member.teams.some((each) => each.id === team.id), () => `${id} does not name ${team.id}`);
}

function isAvailable(member: TeamMember): boolean {
  return "availability" in member ? isFree(member) : member.isAvailable;
}

export function checkTotals({ id, teamMembers, availability }: TeamRecord): void {
  const available = teamMembers.filter(isAvailable).length;
  must(
    availability.totalMembers === teamMembers.length &&
      availability.totalAvailable === available &&
      (availability.status === "available") === available > 0,
    () => `${id} has ${available} of ${teamMembers.length} and says ${JSON.stringify(availability)}`,
  );
}

/** The users and devices on the bridge. */
function connected(call: PublicCallRecord): string[] {
  return connectedParties(call).flatMap(({ entryId }) => entryId ?? []);
}

export function isFree(user: UserRecord): boolean {
  return user.status === "active" && user.availability.status === "available";
}

export function count<T>(list: readonly T[], wanted: T): number {
  return list.filter((each) => each === wanted).length;
}

const timings = new WeakMap<Simulator, TimingMs>();

/** The durations of a simulator in ms. They never change, and a journal after every move would be slow. */
function timingOf(sim: Simulator): TimingMs {
  const timing = timings.get(sim) ?? sim.journal().options.timing;
  timings.set(sim, timing);
  return timing;
}

/** Objects already found frozen: they stay frozen, and records share most of their parts. */
const knownToBeFrozen = new WeakSet<object>();

export function mustBeFrozen(value: unknown): void {
  if (typeof value !== "object" || value === null || knownToBeFrozen.has(value)) return;
  must(Object.isFrozen(value), () => `not frozen: ${JSON.stringify(value).slice(0, 200)}`);
  for (const part of Object.values(value)) mustBeFrozen(part);
  knownToBeFrozen.add(value);
}
