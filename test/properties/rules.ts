import type {
  CallOutcome,
  CallRecord,
  JournalDocument,
  Party,
  PendingItem,
  PlatformEvent,
  PublicCallRecord,
  Simulator,
  TeamRecord,
  UserRecord,
} from "../../src/index.ts";

type TimingMs = JournalDocument["options"]["timing"];

/**
 * What must always hold: of the event stream (`StreamRules`), of the records between two moves (`checkState`), and
 * of them in the end (`checkEnd`). The rules are those of inbound calls to users and devices: a new kind of call
 * adds its endings, its streams and its timers here.
 */

/** The only events that a closed call still emits. */
const artefacts = ["call.recording.available", "call.transcript.created", "call.transcription_completed"];

/** Every way in which a call may close. */
const endings: Readonly<Record<string, readonly (string | null)[]>> = {
  "ended answered": [null],
  "missed missed": ["timeout", "declined", "unavailable", "voicemail"],
  "abandoned abandoned": ["callerHungUp"],
};

export function must(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Error(message());
}

interface CallSoFar {
  readonly types: string[];
  readonly hungUp: Set<string>;
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
        teamMembers.some(({ id, isAvailable }) => id === memberId && isAvailable !== isNowFree),
      )
      .map(({ id }) => id);
  }

  private team(team: TeamRecord): void {
    must(
      this.dueTeams[0] === team.id,
      () => `${team.id} has an availability event, expected ${this.dueTeams[0]}`,
    );
    this.dueTeams.shift();
    this.teams.set(team.id, team);
    checkTotals(team);
  }

  private call(event: Extract<PlatformEvent, { data: { call: CallRecord } }>): void {
    const { call } = event.data;
    if (event.type === "call.started") {
      must(!this.calls.has(call.id), () => `${call.id} started twice`);
      this.calls.set(call.id, { types: [], hungUp: new Set(), closed: false });
    }
    const soFar = this.calls.get(call.id);
    must(soFar !== undefined, () => `${event.type} of ${call.id}, which never started`);
    must(call.lastModifiedTimestamp === this.nowMs, () => `${event.type}: the record is of another instant`);
    must(
      artefacts.includes(event.type) === soFar.closed,
      () => `${event.type} came ${soFar.closed ? "after" : "before"} ${call.id} closed`,
    );
    soFar.types.push(event.type);
    if (event.type === "call.answered") this.answered(call, soFar);
    if (event.type === "call.hungup") this.hungUp(event.data.party, soFar);
    if (!soFar.closed && call.outcome !== null) {
      soFar.closed = true;
      checkClosing(event.type, call, call.outcome, soFar.types);
    }
  }

  private answered(call: CallRecord, soFar: CallSoFar): void {
    must(count(soFar.types, "call.answered") === 1, () => `${call.id} was answered twice`);
    must(!soFar.types.includes("call.not_answered"), () => `${call.id} was not answered, and then it was`);
    const party = call.parties.find(({ dials }) => dials.some(({ outcome }) => outcome === "answered"));
    must(party?.entryId !== undefined, () => `${call.id} was answered by nobody`);
    if (party.type === "user") this.dueUser = party.entryId;
    else this.dueTeams = this.teamsToTell(party.entryId, false);
    must(
      call.assignedUser?.id === (party.type === "user" ? party.entryId : undefined),
      () => `${call.id} was answered by ${party.entryId} and is assigned to ${call.assignedUser?.id}`,
    );
  }

  private hungUp(party: Party, soFar: CallSoFar): void {
    must(!soFar.hungUp.has(party.id), () => `${party.displayName} hung up twice`);
    soFar.hungUp.add(party.id);
    if (party.type === "user") this.dueUser = party.entryId;
    else if (party.entryId !== undefined) this.dueTeams = this.teamsToTell(party.entryId, true);
  }
}

/** The rules of a closing event, and of the whole stream of the call up to it. */
function checkClosing(type: string, call: CallRecord, outcome: CallOutcome, types: readonly string[]): void {
  const wasOnBridge = call.connections.length > 0;
  const expected = wasOnBridge ? "call.ended" : "call.not_answered";
  must(type === expected, () => `${call.id} closed with ${type}, expected ${expected}`);
  must(
    endings[`${call.status} ${outcome.status}`]?.includes(outcome.reason) === true,
    () => `${call.id} closed as ${call.status} with outcome ${JSON.stringify(outcome)}`,
  );
  const wasAnswered = call.answeredTimestamp !== null;
  const stream = wasAnswered
    ? ["call.started", "call.answered", "call.hungup", "call.hungup", "call.ended"]
    : wasOnBridge
      ? ["call.started", "call.not_answered", "call.hungup", "call.ended"]
      : ["call.started", "call.not_answered"];
  must(types.join() === stream.join(), () => `${call.id} emitted ${types}, expected ${stream}`);
  must(wasAnswered === (outcome.status === "answered"), () => `${call.id}: ${JSON.stringify(outcome)}`);
}

/** Checks all calls, people and teams, and what is scheduled, as they stand between two moves. */
export function checkState(sim: Simulator): void {
  const live = new Set(sim.calls.live().map(({ id }) => id));
  const timing = timingOf(sim);
  const pending = new Map<string, PendingItem[]>();
  for (const item of sim.pending()) pending.set(item.recordId, [...(pending.get(item.recordId) ?? []), item]);
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
    must(
      ringing.length > 0 === (record.status === "offered"),
      () => `${record.id} is ${record.status} and rings ${JSON.stringify(ringing)}`,
    );
    for (const each of ringing)
      if ("user" in each) checkRings(sim.users.get(each.user).record, each.endpoint);
    checkScheduled(record, pending.get(record.id) ?? [], timing);
    for (const party of connected(record)) {
      must(!busy.has(party), () => `${party} is on ${record.id} and on ${busy.get(party)?.id}`);
      busy.set(party, record);
    }
  }
  for (const { record } of sim.users.list()) checkUser(record, busy.get(record.id));
  for (const { record } of sim.teams.list()) {
    checkTotals(record);
    for (const { id, type, isAvailable } of record.teamMembers)
      must(
        isAvailable === (type === "user" ? isFree(sim.users.get(id).record) : !busy.has(id)),
        () => `${record.id} has ${id} as ${isAvailable ? "" : "not "}available`,
      );
  }
}

/** Checks what must hold once nothing is scheduled any more and every call is closed. */
export function checkEnd(sim: Simulator): void {
  must(sim.pending().length === 0, () => `still scheduled: ${JSON.stringify(sim.pending())}`);
  must(sim.calls.live().length === 0, () => `still live: ${sim.calls.live().map(({ id }) => id)}`);
  const { timing, organisation } = sim.journal().options;
  const transcribes = organisation.features?.transcription === true;
  for (const { id, record } of sim.calls.list()) {
    const told = sim.notifications.filter(({ callId }) => callId === id).map(({ kind }) => kind);
    const hasMessage = record.voicemail !== null;
    const wasMissed = record.status !== "ended" && record.directoryTarget?.type === "user";
    const expected = [
      ...(wasMissed ? ["missedCall"] : []),
      ...(hasMessage ? ["voicemail", "voicemailEmail"] : []),
    ];
    must(told.join() === expected.join(), () => `${id}: people were told ${told}, expected ${expected}`);
    must(
      hasMessage === (record.outcome?.reason === "voicemail"),
      () => `${id}: ${JSON.stringify(record.outcome)} with the message ${JSON.stringify(record.voicemail)}`,
    );
    const endedMs = record.endedTimestamp ?? Number.NaN;
    const later = sim.events
      .for(id)
      .filter(({ type }) => artefacts.includes(type))
      .map(({ type, createdTimestamp }) => `${type} +${createdTimestamp - endedMs}`);
    const due = [
      `call.recording.available +${timing.recordingAvailable}`,
      ...(transcribes
        ? ["call.transcript.created", "call.transcription_completed"].map(
            (type) => `${type} +${transcriptAfterMs(timing)}`,
          )
        : []),
    ];
    must(
      later.sort().join() === (hasMessage ? due.sort().join() : ""),
      () =>
        `${id} was followed by ${later.join(", ") || "nothing"}, expected ${hasMessage ? due : "nothing"}`,
    );
    const { recordings } = record;
    must(
      recordings.every(({ transcript }) => (transcript !== null) === transcribes),
      () => `${id}: ${JSON.stringify(recordings)}`,
    );
  }
}

/** A closed call's record stands still, apart from artefacts: everything is in its past. */
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
  const answered = dials.filter(({ outcome }) => outcome === "answered");
  must(
    answered.length === (call.answeredTimestamp === null ? 0 : 1),
    () => `${call.id}: ${answered.length} dials are answered`,
  );
  for (const dial of dials) {
    const { startedTimestamp, endedTimestamp, outcome } = dial;
    must((endedTimestamp === null) === (outcome === null), () => `${call.id}: ${JSON.stringify(dial)}`);
    must(outcome !== null || call.outcome === null, () => `${call.id} closed and ${dial.endpoint} rings on`);
    must(
      outcome !== "timeout" || endedTimestamp === startedTimestamp + timing.ringTimeout,
      () => `${call.id}: ${dial.endpoint} timed out after ${(endedTimestamp ?? 0) - startedTimestamp} ms`,
    );
    must(
      startedTimestamp <= (endedTimestamp ?? startedTimestamp) &&
        (endedTimestamp ?? 0) <= (call.answeredTimestamp ?? call.endedTimestamp ?? Number.POSITIVE_INFINITY),
      () => `${call.id}: ${dial.endpoint} rang until ${endedTimestamp}, beyond the answer or the end`,
    );
    must(
      outcome !== "answeredElsewhere" || endedTimestamp === call.answeredTimestamp,
      () => `${call.id}: ${dial.endpoint} was answered elsewhere at another instant`,
    );
  }
}

function checkConnections(call: PublicCallRecord): void {
  const open = call.connections.filter(({ leftTimestamp }) => leftTimestamp === null).length;
  const isOnBridge = call.outcome === null && (call.status === "accepted" || call.status === "missed");
  must(open === (isOnBridge ? 2 : 0), () => `${call.id} is ${call.status} with ${open} connected`);
  for (const { id } of call.parties) {
    let leftMs: number | null = 0;
    for (const connection of call.connections.filter(({ partyId }) => partyId === id)) {
      const { joinedTimestamp, leftTimestamp } = connection;
      must(
        leftMs !== null && leftMs <= joinedTimestamp && joinedTimestamp <= (leftTimestamp ?? joinedTimestamp),
        () => `${call.id}: ${JSON.stringify(connection)} overlaps the one before`,
      );
      leftMs = leftTimestamp;
    }
  }
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

/** One timer for what the call waits for, and none once it is closed but those of artefacts. */
function checkScheduled(call: PublicCallRecord, items: readonly PendingItem[], timing: TimingMs): void {
  const text = () =>
    `${call.id} is ${call.status}, ${call.outcome?.status ?? "live"}, with scheduled: ${JSON.stringify(items)}`;
  if (call.outcome !== null) {
    const endedMs = call.endedTimestamp ?? Number.NaN;
    const later: Readonly<Record<string, number>> = {
      "call: recording available": endedMs + timing.recordingAvailable,
      "call: transcript created": endedMs + transcriptAfterMs(timing),
    };
    must(
      items.every(({ purpose, dueTimestamp }) => later[purpose] === dueTimestamp),
      text,
    );
    must(items.length === 0 || call.voicemail !== null, text);
  } else if (call.status === "accepted") {
    must(items.length === 0, text);
  } else {
    const [item, ...more] = items;
    must(item !== undefined && more.length === 0, text);
    if (call.status === "missed")
      must(/^voicemail: (greeting|messageLimit|message)$/.test(item.purpose), text);
    else {
      const rangMs = call.parties.at(-1)?.dials[0]?.startedTimestamp ?? Number.NaN;
      must(item.purpose === "ring: ringTimeout", text);
      must(item.dueTimestamp === rangMs + timing.ringTimeout, text);
    }
  }
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

function checkTotals({ id, teamMembers, availability }: TeamRecord): void {
  const available = teamMembers.filter(({ isAvailable }) => isAvailable).length;
  must(
    availability.totalMembers === teamMembers.length &&
      availability.totalAvailable === available &&
      (availability.status === "available") === available > 0,
    () => `${id} has ${available} of ${teamMembers.length} and says ${JSON.stringify(availability)}`,
  );
}

/** The users and devices on the bridge. */
function connected(call: PublicCallRecord): string[] {
  return call.connections
    .filter(({ leftTimestamp }) => leftTimestamp === null)
    .flatMap(({ partyId }) => call.parties.find(({ id }) => id === partyId)?.entryId ?? []);
}

function isFree(user: UserRecord): boolean {
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

/** What was found to be frozen stays so; records share most of their parts. */
const knownToBeFrozen = new WeakSet<object>();

export function mustBeFrozen(value: unknown): void {
  if (typeof value !== "object" || value === null || knownToBeFrozen.has(value)) return;
  must(Object.isFrozen(value), () => `not frozen: ${JSON.stringify(value).slice(0, 200)}`);
  for (const part of Object.values(value)) mustBeFrozen(part);
  knownToBeFrozen.add(value);
}
