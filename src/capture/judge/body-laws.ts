import { durationText } from "../../core/foundation/instants.ts";
import type { Assumptions } from "../../core/platform/declare/assumptions.ts";
import type { EventType } from "../../core/platform/declare/events.ts";
import { isThere, listOrEmpty, type PartialCall, type PartialEventData } from "../read/partial-records.ts";

/**
 * What each body of the platform keeps by itself. The laws of captures (`laws.ts`) also judge bodies of other platforms,
 * and compare events; these are stricter, since a fixture says that *this* platform sends it. A law judges only what a
 * body has: a trimmed one breaks none. `test/capture/judge` plays runs whose bodies keep all of them.
 */

/** What is wrong with a body, and where. */
export interface Flaw {
  /** The field, such as `data.call.outcome.reason`. */
  readonly path: string;
  /** The reason, as a sentence without the field's name. */
  readonly because: string;
}

/** A body as laws read it: of any field, what has the documented type. */
export interface LawBody {
  readonly type?: EventType;
  readonly createdTimestamp?: number;
  readonly organisationId?: string;
  readonly data: PartialEventData & JudgedRecords;
  /** What the platform does where its documentation is silent. */
  readonly assume: Assumptions;
}

interface JudgedRecords {
  readonly recording?: PartialRecording | null;
  readonly transcript?: { readonly callId?: string; readonly recordingId?: string } | null;
  readonly contentAnalysis?: { readonly status?: string; readonly completedAt?: string | null } | null;
}

interface PartialRecording {
  readonly id?: string | null | undefined;
  readonly callId?: string | null | undefined;
}

/** Reports a flaw. The path is below the body's `data`. */
type Report = (path: string, because: string) => void;
type Law<Of> = (record: Of, report: Report, body: LawBody) => void;

/** The law of each record, by its name in an event's data. */
interface RecordLaws {
  readonly call: readonly Law<PartialCall>[];
  readonly user: readonly Law<NonNullable<PartialEventData["user"]>>[];
  readonly team: readonly Law<NonNullable<PartialEventData["team"]>>[];
  readonly conversation: readonly Law<NonNullable<PartialEventData["conversation"]>>[];
  readonly contentAnalysis: readonly Law<NonNullable<JudgedRecords["contentAnalysis"]>>[];
}

/** Everything in which a body contradicts itself. */
export function bodyFlaws(body: LawBody): Flaw[] {
  const flaws: Flaw[] = [];
  const report: Report = (path, because) => flaws.push({ path: `data.${path}`, because });
  const { call, user, team, conversation, contentAnalysis } = body.data;
  const judge = <Of>(laws: readonly Law<Of>[], record: Of | null | undefined) => {
    if (isThere(record)) for (const law of laws) law(record, report, body);
  };
  judge(bodyLaws.call, call);
  judge(bodyLaws.user, user);
  judge(bodyLaws.team, team);
  judge(bodyLaws.conversation, conversation);
  judge(bodyLaws.contentAnalysis, contentAnalysis);
  return flaws;
}

/** Fields of a record that are null until the same thing happens: each, or none. */
function setTogether<Of extends object>(
  record: Of,
  names: readonly (keyof Of & string)[],
  prefix: string,
  report: Report,
): void {
  const set = names.find((name) => isThere(record[name]));
  const empty = names.find((name) => record[name] === null);
  if (set !== undefined && empty !== undefined)
    report(`${prefix}${empty}`, `is null, but ${set} is set; both are, or neither`);
}

/** A text that says a duration in words. */
function sayDuration(ms: number | null | undefined, text: string | null | undefined, report: () => void) {
  if (isThere(ms) && isThere(text) && text !== durationText(ms)) report();
}

const isLive = (status: string) => ["started", "offered", "accepted"].includes(status);

/** The reasons of each outcome, as the schema of a call's outcome says in words. */
function isReasonFor(status: string, reason: string | null): boolean {
  if (status === "answered") return reason === null;
  if (status === "abandoned") return reason === "callerHungUp";
  if (status === "blocked") return reason === "dataAction" || reason === "notAllowed";
  return reason !== null && !["callerHungUp", "dataAction", "notAllowed"].includes(reason);
}

const ofDirection = { inbound: ["missed", "abandoned"], outbound: ["unanswered", "blocked"] } as const;

/** `status` and `outcome` say the same. */
const outcomeOfStatus: Law<PartialCall> = ({ status, outcome, direction }, report) => {
  const other = direction === "inbound" ? "outbound" : "inbound";
  const isOther = (word: string | null | undefined) =>
    isThere(direction) && ofDirection[other].some((each) => each === word);
  if (isOther(status)) report("call.status", `"${status}" is only for ${other} calls`);
  if (outcome === null && (status === "ended" || status === "abandoned" || status === "blocked"))
    report("call.outcome", `is null, but a call that is ${status} has an outcome`);
  if (!isThere(outcome)) return;
  const { status: how, reason } = outcome;
  if (isThere(how) && reason !== undefined && !isReasonFor(how, reason))
    report(
      "call.outcome.reason",
      reason === null ? `is null, but ${how} has a reason` : `"${reason}" is never the reason of ${how}`,
    );
  if (isThere(how) && isOther(how)) report("call.outcome.status", `"${how}" is only for ${other} calls`);
  if (!isThere(status)) return;
  if (isLive(status)) report("call.outcome", `is set, but the call is ${status}: it is not over`);
  else if (isThere(how) && status !== (how === "answered" ? "ended" : how))
    report("call.outcome.status", `is ${how}, but the call's status is ${status}`);
};

/** What is null until a call closes. */
const closedAtOnce: Law<PartialCall> = (call, report) => {
  setTogether(call, ["outcome", "endedAt", "endedTimestamp", "duration", "durationText"], "call.", report);
  const { status, endedAt, duration } = call;
  const closed = isThere(endedAt) || isThere(duration);
  if (isThere(status) && isLive(status) && closed)
    report(
      isThere(endedAt) ? "call.endedAt" : "call.duration",
      `is set, but the call is ${status}: it is not over`,
    );
  if (
    (status === "ended" || status === "abandoned" || status === "blocked") &&
    (endedAt ?? duration) === null
  )
    report(endedAt === null ? "call.endedAt" : "call.duration", `is null, but the call is ${status}`);
  if (call.outcome === null && isThere(call.tariff))
    report("call.tariff", "is set, but the call is not over");
  if (call.outcome === null && listOrEmpty(call.recordings).length > 0)
    report("call.recordings", "are there, but the call is not over");
};

/** What is null until somebody answers. */
const answeredAtOnce: Law<PartialCall> = (call, report, { assume }) => {
  setTogether(call, ["answeredAt", "answeredTimestamp"], "call.", report);
  const { status, outcome, assignedUser } = call;
  const answered = call.answeredAt ?? call.answeredTimestamp;
  if (answered === null) {
    if (status === "accepted" || status === "ended")
      report("call.answeredAt", `is null, but a call that is ${status} was answered`);
    if (outcome?.status === "answered") report("call.answeredAt", "is null, but the outcome is answered");
    if (isThere(assignedUser)) report("call.assignedUser", "is set, but nobody answered: answeredAt is null");
  } else if (answered !== undefined) {
    const isUnanswered = isThere(status) && status !== "accepted" && status !== "ended";
    if (isUnanswered && !(status === "started" && assume.answeredStatus === "started"))
      report("call.answeredAt", `is set, but a call that is ${status} was not answered`);
    else if (isThere(outcome?.status) && outcome.status !== "answered")
      report("call.answeredAt", `is set, but the outcome is ${outcome.status}`);
  }
  const waits = answered === null && outcome === null;
  if (waits && isThere(call.waitTime))
    report("call.waitTime", "is set, but nobody answered and the call goes on");
  const isKnown = isThere(answered) || isThere(outcome);
  if (isKnown && call.waitTime === null)
    report("call.waitTime", `is null, but the call ${isThere(answered) ? "was answered" : "is over"}`);
};

/** Durations are differences of the call's instants, and their texts say the same. */
const durations: Law<PartialCall> = (call, report) => {
  const { startedTimestamp: startMs, answeredTimestamp: answerMs, endedTimestamp: endMs } = call;
  const { duration, waitTime } = call;
  setTogether(call, ["waitTime", "waitTimeText"], "call.", report);
  const expectMs = (name: "duration" | "waitTime", expected: number, from: string) => {
    const got = call[name];
    if (isThere(got) && got !== expected)
      report(`call.${name}`, `is ${got} ms, but ${from} it is ${expected} ms`);
  };
  if (isThere(startMs) && isThere(endMs)) expectMs("duration", endMs - startMs, "from startedAt to endedAt");
  if (isThere(startMs) && isThere(answerMs))
    expectMs("waitTime", answerMs - startMs, "from startedAt to answeredAt");
  if (answerMs === null && isThere(duration)) expectMs("waitTime", duration, "of an unanswered call");
  for (const name of ["duration", "waitTime"] as const) {
    const [ms, text] = name === "duration" ? [duration, call.durationText] : [waitTime, call.waitTimeText];
    if (isThere(ms) && ms < 0) report(`call.${name}`, `is ${ms} ms, less than nothing`);
    else
      sayDuration(ms, text, () =>
        report(`call.${name}Text`, `says other than ${name}: ${ms} ms is "${durationText(ms ?? 0)}"`),
      );
  }
  const { voicemail } = call;
  const seconds = voicemail?.duration;
  sayDuration(isThere(seconds) ? seconds * 1_000 : null, voicemail?.durationText, () =>
    report("call.voicemail.durationText", `says other than duration, which is ${seconds} seconds`),
  );
};

/** The instants of a call, in their order. */
const instants: Law<PartialCall> = (call, report) => {
  const { startedTimestamp: startMs, lastModifiedTimestamp: lastMs } = call;
  const isOutside = (ms: number | null | undefined, path: string) => {
    if (!isThere(ms)) return;
    if (isThere(startMs) && ms < startMs) report(path, "is before the call started");
    else if (isThere(lastMs) && ms > lastMs) report(path, "is after the call was last modified");
  };
  isOutside(call.answeredTimestamp, "call.answeredAt");
  isOutside(call.endedTimestamp, "call.endedAt");
  if (isThere(lastMs) && isThere(startMs) && lastMs < startMs)
    report("call.lastModifiedAt", "is before the call started");
  const isOver = isThere(call.outcome) || isThere(call.endedAt);
  for (const [index, party] of listOrEmpty(call.parties).entries())
    for (const [at, dial] of listOrEmpty(party.dials).entries()) {
      const path = `call.parties[${index}].dials[${at}].`;
      isOutside(dial.startedTimestamp, `${path}startedAt`);
      isOutside(dial.endedTimestamp, `${path}endedAt`);
      setTogether(dial, ["outcome", "endedAt", "endedTimestamp"], path, report);
      if (isOver && dial.outcome === null) report(`${path}outcome`, "is null, but the call is over");
    }
  for (const [index, each] of listOrEmpty(call.connections).entries()) {
    const path = `call.connections[${index}].`;
    isOutside(each.joinedTimestamp, `${path}joinedAt`);
    isOutside(each.leftTimestamp, `${path}leftAt`);
    setTogether(each, ["leftAt", "leftTimestamp"], path, report);
    if (isOver && each.leftAt === null) report(`${path}leftAt`, "is null, but the call is over");
  }
};

/** Who is on a call. */
const parties: Law<PartialCall> = (call, report, { assume }) => {
  const { direction, isConference, assignedUser } = call;
  if (!isThere(call.parties)) return;
  const [first] = call.parties;
  if (first === undefined) {
    report("call.parties", "is empty, but whoever calls is a party");
    return;
  }
  if (isThere(direction) && isThere(first.isInternal) && first.isInternal !== (direction === "outbound"))
    report(
      "call.direction",
      `is ${direction}, but the first party, who called, is ${first.isInternal ? "inside" : "outside"}`,
    );
  const ids = call.parties.flatMap(({ id }) => id ?? []);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (twice >= 0 && assume.partyIds === "own") report("call.parties", "have one id twice");
  const userIds = call.parties.flatMap(({ entryId = null, type = "user" }) =>
    type === "user" ? [entryId] : [],
  );
  if (isThere(assignedUser?.id) && !userIds.includes(null) && !userIds.includes(assignedUser.id))
    report("call.assignedUser.id", "is of nobody who is a party of the call");
  const connected = call.connections?.map(({ partyId }) => partyId);
  if (isConference === true && connected !== undefined && new Set(connected).size < 3)
    report("call.isConference", "is true, but fewer than three parties were on the bridge");
  if (connected !== undefined && isThere(call.answeredAt) && connected.length === 0)
    report("call.connections", "is empty, but the call was answered");
};

/** The numbers of a call, and whom it was for. */
const numbers: Law<PartialCall> = (call, report) => {
  const { direction, contactNumber, companyNumber, initiator, recipient } = call;
  if (!isThere(direction)) return;
  const [caller, called] =
    direction === "inbound" ? [contactNumber, companyNumber] : [companyNumber, contactNumber];
  const names =
    direction === "inbound" ? ["contactNumber", "companyNumber"] : ["companyNumber", "contactNumber"];
  if (initiator !== undefined && caller !== undefined && initiator !== caller)
    report("call.initiator", `is another number than ${names[0]}, which called`);
  if (recipient !== undefined && called !== undefined && recipient !== called)
    report("call.recipient", `is another number than ${names[1]}, which was called`);
  if (direction === "inbound" && call.isInternal === true)
    report("call.isInternal", "is true, but inbound calls come from outside");
  for (const name of ["directoryTarget", "assignedCallGroup"] as const)
    if (direction === "outbound" && call[name] !== undefined)
      report(`call.${name}`, "is only in inbound calls");
};

/** What an event's type says of its call. */
const ofType: Law<PartialCall> = (call, report, { type, assume }) => {
  const { status, outcome } = call;
  const answered = call.answeredAt ?? call.answeredTimestamp;
  const isOpen = ["call.started", "call.answered", "call.hungup"].some((each) => each === type);
  if (isOpen && isThere(outcome)) report("call.outcome", `is set, but ${type} comes before a call is over`);
  if (isOpen && isThere(call.endedAt))
    report("call.endedAt", `is set, but ${type} comes before a call is over`);
  if (type === "call.started") {
    if (isThere(status) && status !== "started")
      report("call.status", `is ${status}, but the call just starts`);
    if (isThere(answered)) report("call.answeredAt", "is set, but the call just starts");
  }
  if (type === "call.answered") {
    if (answered === null) report("call.answeredAt", "is null in the event that says who answers");
    if (
      isThere(status) &&
      !(status === "accepted" || (status === "started" && assume.answeredStatus === "started"))
    )
      report("call.status", `is ${status} in call.answered`);
  }
  if (type === "call.not_answered" && isThere(answered))
    report("call.answeredAt", "is set in the event that says that nobody answers");
  if (type === "call.not_answered" && outcome?.status === "answered")
    report("call.outcome.status", "is answered in the event that says that nobody answers");
  if (isClosing(type)) {
    if (outcome === null) report("call.outcome", `is null, but ${type} comes when a call is over`);
    if (call.endedAt === null) report("call.endedAt", `is null, but ${type} comes when a call is over`);
    if (isThere(status) && isLive(status))
      report("call.status", `is ${status}, but ${type} comes when a call is over`);
  }
  if (type === "call.tariffed" && call.tariff === null)
    report("call.tariff", "is null in the event that says it");
};

function isClosing(type: EventType | undefined): boolean {
  const afterTheEnd = ["call.ended", "call.recording.available", "call.transcript.created"];
  return (
    type !== undefined && [...afterTheEnd, "call.transcription_completed", "call.tariffed"].includes(type)
  );
}

/** A record has changed at its event's instant, or before it where events are delayed. */
function changedAtOnce(
  path: string,
  changedMs: number | null | undefined,
  report: Report,
  { createdTimestamp, assume }: LawBody,
): void {
  if (!isThere(changedMs) || !isThere(createdTimestamp)) return;
  if (changedMs > createdTimestamp || (changedMs < createdTimestamp && assume.eventDelay === 0))
    report(path, "is another instant than the event's, which tells of the change");
}

/** What a call shares with its event and with the records beside it. */
const beside: Law<PartialCall> = (call, report, { type, createdTimestamp, organisationId, data, assume }) => {
  const { organisationId: own } = call as { readonly organisationId?: string };
  if (organisationId !== undefined && own !== undefined && own !== organisationId)
    report("call.organisationId", "is another organisation than the event's");
  const { lastModifiedTimestamp: lastMs } = call;
  const isOwn = type?.startsWith("call.") === true;
  if (isOwn && isThere(createdTimestamp) && isThere(lastMs)) {
    if (lastMs > createdTimestamp) report("call.lastModifiedAt", "is after the event was created");
    else if (lastMs < createdTimestamp && assume.eventDelay === 0)
      report("call.lastModifiedAt", "is before the event was created, which tells of the change");
  }
  const { recording, transcript } = data;
  for (const [index, each] of listOrEmpty(call.recordings).entries())
    if (isThere(each.callId) && isThere(call.id) && each.callId !== call.id)
      report(`call.recordings[${index}].callId`, "is another call");
  const known = call.recordings?.map(({ id }) => id);
  if (
    isThere(recording?.id) &&
    known !== undefined &&
    !known.includes(undefined) &&
    !known.includes(recording.id)
  )
    report("recording.id", "is not among the call's recordings");
  if (
    isThere(transcript?.recordingId) &&
    known !== undefined &&
    !known.includes(undefined) &&
    !known.includes(transcript.recordingId)
  )
    report("transcript.recordingId", "is not among the call's recordings");
};

const bodyLaws: RecordLaws = {
  call: [
    outcomeOfStatus,
    closedAtOnce,
    answeredAtOnce,
    durations,
    instants,
    parties,
    numbers,
    ofType,
    beside,
  ],
  user: [
    ({ availability, callId }, report) => {
      if (!isThere(availability)) return;
      const { status, notAvailableRule: rule } = availability;
      if (status === "available" && isThere(rule))
        report("user.availability.notAvailableRule", `is ${rule}, but the user is available`);
      if (rule === "busyOnACall" && status === "offline")
        report("user.availability.status", "is offline, but the user is on a call");
      if (isThere(availability.callId) && rule !== undefined && rule !== "busyOnACall")
        report("user.availability.callId", "is set, but the user is not busy on a call");
      for (const name of ["vendor", "vendorCallId"] as const)
        setTogether(availability, ["callId", name], "user.availability.", report);
      if (callId !== undefined && availability.callId !== undefined && callId !== availability.callId)
        report("user.callId", "is another call than availability.callId");
    },
    ({ loginStatus, endpoints }, report) => {
      const registered = endpoints?.map((each) => each.registered);
      if (!isThere(loginStatus) || registered === undefined || registered.includes(undefined)) return;
      const isIn = registered.includes(true);
      if (isIn !== (loginStatus === "loggedIn"))
        report("user.loginStatus", `is ${loginStatus}, but ${isIn ? "an" : "no"} endpoint is registered`);
    },
    ({ availability }, report, body) => {
      if (body.type === "user.availability.updated")
        changedAtOnce("user.availability.statusAt", availability?.statusTimestamp, report, body);
    },
  ],
  team: [
    ({ availability, teamMembers }, report) => {
      const { status, totalAvailable } = availability ?? {};
      if (!isThere(totalAvailable)) return;
      if (isThere(status) && (status === "available") !== totalAvailable > 0)
        report("team.availability.status", `is ${status}, but ${totalAvailable} members are available`);
      const free = teamMembers?.map((each) => isFree(each));
      if (free === undefined || free.includes(undefined)) return;
      const count = free.filter(Boolean).length;
      if (count !== totalAvailable)
        report(
          "team.availability.totalAvailable",
          `is ${totalAvailable}, but of the members ${count} are available`,
        );
    },
  ],
  conversation: [
    (conversation, report, body) => {
      const { type, data } = body;
      const { status, messages, lastModifiedTimestamp: lastMs } = conversation;
      setTogether(conversation, ["closedAt", "closedTimestamp"], "conversation.", report);
      const isClosed = isThere(conversation.closedAt);
      if (conversation.closedAt !== undefined && isThere(status) && isClosed !== (status === "closed"))
        report("conversation.closedAt", `is ${isClosed ? "set" : "null"}, but the conversation is ${status}`);
      const own = statusOfType[type ?? ""];
      if (own !== undefined && isThere(status) && status !== own)
        report("conversation.status", `is ${status}, but ${type} is of one that is ${own}`);
      const last = messages?.at(-1);
      if (isThere(data.message?.id) && isThere(last?.id) && last.id !== data.message.id)
        report("message.id", "is not the conversation's newest message");
      if (type !== undefined) changedAtOnce("conversation.lastModifiedAt", lastMs, report, body);
    },
  ],
  contentAnalysis: [
    ({ status, completedAt }, report) => {
      if (isThere(status) && completedAt !== undefined && (completedAt !== null) !== (status === "completed"))
        report(
          "contentAnalysis.completedAt",
          `is ${completedAt === null ? "null" : "set"}, but the job is ${status}`,
        );
    },
  ],
};

const statusOfType: Readonly<Record<string, string>> = {
  "conversation.message.created": "open",
  "conversation.inactive": "inactive",
  "conversation.closed": "closed",
  "conversation.contact_assigned": "open",
};

/** Whether a member of a team is free; undefined if the body does not say. */
function isFree(member: object): boolean | undefined {
  const { availability, isAvailable } = member as {
    readonly availability?: { readonly status?: string } | null;
    readonly isAvailable?: boolean;
  };
  if (isAvailable !== undefined) return isAvailable;
  return isThere(availability?.status) ? availability.status === "available" : undefined;
}
