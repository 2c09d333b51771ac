import type { DrawnMs } from "../engine/distributions.ts";
import { durationText, show } from "../engine/instants.ts";
import type { ConditionsArguments, FaultArguments } from "../network/conditions.ts";
import type { CommandName } from "../platform/base.ts";
import type { PlatformEvent } from "../platform/events.ts";
import type { TrafficArguments, UserBehaviourMs } from "../platform/people/schema.ts";
import type { RestFaultArguments, RestServedArguments } from "../platform/rest-traffic/commands.ts";
import type { ConversationRecord } from "../records/conversation.ts";
import type { RequestRecord } from "../records/request.ts";

/** What commands, timers and events are in words. */

/** A duration to the millisecond: `45s`, `2m 5s`, `1s 500ms`. */
export function exactDurationText(ms: number): string {
  const rest = ms % 1000;
  if (rest === 0) return durationText(ms);
  return ms < 1000 ? `${rest}ms` : `${durationText(ms)} ${rest}ms`;
}

/** Text on one line and without control characters, which would break or colour what it stands in. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

/** Commands that begin a call, and messages: `story.ts` says whom they reach. */
export type Reaching =
  | ("inbound" | "outbound" | "internal" | "redirect" | "connectApplication" | "dialLink")
  | ("receiveMessage" | "sendConversationMessage" | "sendMessage" | "sendTeamMessage");

type Arguments = Readonly<Record<string, unknown>>;

/** What the actor of each command does by it. A command without words does not compile. */
const commandTexts: Readonly<Record<Exclude<CommandName, Reaching>, (args: Arguments) => string>> = {
  answer: (args) => `answers${onText(args)}`,
  decline: (args) => (args.busy === true ? "is busy" : `declines${onText(args)}`),
  // told where it happens
  deviate: ({ is, of }) => `${of} is to be ${is}`,
  hangup: () => "hangs up",
  move: ({ to }) => `moves the call to ${to}`,
  transfer: ({ target, warm }) => `transfers the call to ${target}${warm === true ? " and stays" : ""}`,
  add: ({ target }) => `adds ${target} to the call`,
  leaveVoicemail: ({ duration }) => `has a message of ${exactDurationText(Number(duration))}`,
  note: ({ text }) => `notes ${show(text)}`,
  assignContact: ({ contact }) => `assigns the contact ${contactName(contact)}`,
  removeRecording: ({ recording }) => `${recording} is removed`,
  removeTranscript: ({ transcript }) => `${transcript} is removed`,
  createAnalysis: ({ analyzer }) => `asks for ${analyzer}`,
  completeAnalysis: ({ analysis }) => `completes ${analysis}`,
  removeAnalysis: ({ analysis }) => `${analysis} is removed`,
  // of these, `conversation` is whom it is with
  readConversation: ({ conversation }) => `reads the conversation with ${conversation}`,
  closeConversation: ({ conversation }) => `the conversation with ${conversation} is closed`,
  assignConversationContact: ({ contact, conversation }) =>
    `the contact ${contactName(contact)} is assigned to the conversation with ${conversation}`,
  shareContact: ({ contact, conversation }) =>
    `the contact ${contactName(contact)} is shared from the conversation with ${conversation}`,
  setTeamMember: ({ team, priority }) => `joins ${team} with offer priority ${priority ?? 1}`,
  removeTeamMember: ({ team }) => `leaves ${team}`,
  setAvailability: ({ status, rule, reason }) => {
    const why = [rule, reason].filter((each) => each !== undefined).join(": ");
    return `sets availability to ${status}${why === "" ? "" : ` (${why})`}`;
  },
  setEndpoint: ({ endpoint, registered }) => `${registered ? "registers" : "unregisters"} ${endpoint}`,
  setUserStatus: ({ status }) => (status === "active" ? "becomes active" : `is ${status}`),
  behave: ({ behaviour }) => {
    const acts = behaviourText(behaviour as UserBehaviourMs);
    return acts === "" ? "no longer acts by themselves" : `will act by themselves: ${acts}`;
  },
  traffic: (args) => {
    const { to, every, for: forMs } = args as TrafficArguments;
    return `calls to ${to} begin every ${drawnText(every)}, for ${exactDurationText(forMs)}`;
  },
  route: ({ status, after }) =>
    `answers ${status ?? 200}${after ? ` after ${exactDurationText(Number(after))}` : ""}`,
  fault: (args) => faultText(args as FaultArguments),
  conditions: (args) => conditionsText(args as ConditionsArguments),
  createWebhook: ({ events }) => `asks for ${(events as string[]).join(", ")}`,
  updateWebhook: ({ webhook: _, ...changes }) =>
    Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => webhookChangeText(key, value))
      .join(", ") || "stays as it is",
  removeWebhook: () => "is deleted",
  issueToken: () => "is given an access token",
  expireTokens: () => "every access token expires",
  restFault: (args) => restFaultText(args as RestFaultArguments),
  restServed: (args) => restServedText(args as RestServedArguments),
  createLocation: ({ name }) => `adds the location ${name}`,
  addUserToLocation: ({ location }) => `moves to the location ${location}`,
  removeUserFromLocation: ({ location }) => `leaves the location ${location}`,
  putPhonebooks: ({ phonebooks }) =>
    `takes ${counted(lengthOf(phonebooks), "phonebook")}${onlyId(phonebooks)}`,
  putContacts: ({ contacts, phonebook }) =>
    `takes ${counted(lengthOf(contacts), "contact")} into the phonebook ${phonebook}`,
  removeContact: ({ contact, phonebook }) => `drops the contact ${contact} of the phonebook ${phonebook}`,
  addTrunkEntry: ({ displayName, extension, trunk }) =>
    `adds ${displayName} (${extension}) to the trunk ${trunk}`,
  updateTrunkEntry: ({ id, trunk }) => `changes ${id} of the trunk ${trunk}`,
  removeTrunkEntry: ({ id, trunk }) => `removes ${id} from the trunk ${trunk}`,
};

function webhookChangeText(key: string, value: unknown): string {
  if (key === "enabled") return value === true ? "is enabled" : "is disabled";
  if (key === "events") return `asks for ${(value as string[]).join(", ")}`;
  return key === "url" ? `moves to ${value}` : `has the description ${show(value)}`;
}

/** How a request came out: `answers 200`. */
export function requestText({ answer, failure, isUnrouted }: RequestRecord): string {
  return answer === null
    ? `does not answer (${failure})`
    : `answers ${answer.status}${unroutedText(isUnrouted)}`;
}

/** An attempt of a delivery, and how it came out: `call.ended, attempt 2 - 200`. */
export function attemptText({ answer, failure, subject, duplicateOf, isUnrouted }: RequestRecord): string {
  const again = duplicateOf === null ? "" : ", a second time";
  return `${subject}${again} - ${answer?.status ?? failureText(failure)}${unroutedText(isUnrouted)}`;
}

/** The same where the endpoint is who does it: `answers 200 to call.ended, attempt 2`. */
export function answerText({ answer, failure, subject, duplicateOf, isUnrouted }: RequestRecord): string {
  const again = duplicateOf === null ? "" : ", a second time";
  if (answer === null) return `does not answer ${subject}${again} (${failureText(failure)})`;
  return `answers ${answer.status} to ${subject}${again}${unroutedText(isUnrouted)}`;
}

/** Nobody answered: who misspelt a route would otherwise read of a 200 that his app never gave. */
function unroutedText(isUnrouted: boolean): string {
  return isUnrouted ? " (no route: accepted)" : "";
}

function failureText(failure: string | null): string | null {
  return failure === "answer lost" ? "handled, answer lost" : failure;
}

/** What the network does with a request instead of the usual; undefined where how it came out says so. */
export function deviationText(subject: string, is: string, by: number): string | undefined {
  if (is === "lost") return `${subject} is lost on its way`;
  if (is === "unanswered") return `${subject} is handled, and the answer lost`;
  if (is === "duplicated") return `${subject} arrives twice`;
  if (is === "late") return `${subject} arrives late, after ${by === 1 ? "the next one" : `the next ${by}`}`;
  return undefined;
}

/** A delivery that came to nothing: `call.ended is given up (exhausted)`. */
export function deliveryEndText(type: string, end: "givenUp" | "dropped", reason: string | null): string {
  return `${type} is ${end === "givenUp" ? "given up" : "dropped"} (${reason})`;
}

/** What its actor does by a command: `answers on desktop`; its name where a command that is being written has no words yet. */
export function commandText(name: Exclude<CommandName, Reaching>, args: Arguments): string {
  const texts: Partial<typeof commandTexts> = commandTexts;
  return texts[name]?.(args) ?? name;
}

/** `1 failure`, `2 failures`. */
export function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}

function lengthOf(items: unknown): number {
  return (items as readonly unknown[]).length;
}

/** The id of the only one; many would not fit. */
function onlyId(items: unknown): string {
  const [first, ...more] = items as readonly { readonly id: string }[];
  return first === undefined || more.length > 0 ? "" : ` (${first.id})`;
}

/** What a message says: its text in quotes, and how much is beside it. */
export function messageText(text: string | undefined, mediaCount: number): string {
  const media = mediaCount === 0 ? [] : [`${mediaCount} ${mediaCount === 1 ? "attachment" : "attachments"}`];
  return [...(text ? [show(text)] : []), ...media].join(" and ");
}

/** An id, or the contact itself. */
function contactName(contact: unknown): unknown {
  if (typeof contact !== "object") return contact;
  const { name, firstName, lastName } = contact as Partial<Record<string, string>>;
  return name ?? [firstName, lastName].filter(Boolean).join(" ");
}

const faultTexts = { refuse: "refuses connections", timeout: "does not answer" } as const;

function faultText({ status, times, for: forMs }: FaultArguments): string {
  const doing = typeof status === "number" ? `answers ${status}` : faultTexts[status];
  const span = forMs === undefined ? "" : `, for ${exactDurationText(forMs)}`;
  return `${doing}${times === undefined ? "" : `, ${times} ${times === 1 ? "time" : "times"}`}${span}`;
}

/** Why a request was refused is said in so many characters at most. */
const LONGEST_REASON = 120;

/** `asks GET /calls: 429 (fault)`, `asks POST /webhooks: 400 (url: missing)`. */
function restServedText(args: RestServedArguments): string {
  const { method, path, status, answer, fault, deviation, after } = args;
  const late = after === undefined ? "" : `, ${exactDurationText(after)} later`;
  const instead = fault === undefined ? deviation && "deviation" : "fault";
  const why = instead ?? (status < 400 ? undefined : refusalIn(answer));
  return `asks ${method} ${path}: ${status}${why === undefined ? "" : ` (${why})`}${late}`;
}

/** What the body of an answer says was wrong. */
function refusalIn(answer: string): string | undefined {
  const [, quoted] =
    /"(?:message|error_description)":("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*")/iu.exec(answer) ??
    [];
  if (quoted === undefined) return undefined;
  const text = String(JSON.parse(quoted));
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
}

function restFaultText(args: RestFaultArguments): string {
  const { path, method, status, retryAfter, times, for: forMs, after } = args;
  if (times === 0) return "the REST API answers as usual";
  const what = [method, path ?? "the REST API"].filter(Boolean).join(" ");
  const back = retryAfter === undefined ? "" : ` (retry after ${exactDurationText(retryAfter)})`;
  const how = status === undefined && after ? "late" : `${status ?? 503}${back}`;
  const span = forMs === undefined ? "" : `, for ${exactDurationText(forMs)}`;
  return `${what} is answered ${how}${times === undefined ? "" : `, ${counted(times, "time")}`}${span}`;
}

function conditionsText({ latency, loss = 0, duplicate = 0, reorder = 0 }: ConditionsArguments): string {
  const percent = (chance: number, what: string) =>
    chance > 0 ? `${what} ${Math.round(chance * 100)}%` : "";
  const texts = [
    latency === undefined ? "" : `latency ${drawnText(latency)}`,
    percent(loss, "loss"),
    percent(duplicate, "twice"),
    percent(reorder, "held back"),
  ].filter((text) => text !== "");
  return `is reached with ${texts.join(", ") || "no trouble"}`;
}

function onText({ endpoint }: { readonly endpoint?: unknown }): string {
  return endpoint === undefined ? "" : ` on ${endpoint}`;
}

/** `answers on mobile after 5s, talks for 3m on average`. */
function behaviourText({ answer, decline, talk, wrapUp }: UserBehaviourMs): string {
  const texts = [
    answer === "never" && "never answers",
    answer !== undefined && answer !== "never" && `answers${onText(answer)} after ${drawnText(answer.after)}`,
    decline !== undefined && `declines after ${drawnText(decline.after)}`,
    talk !== undefined && `talks for ${drawnText(talk)}`,
    wrapUp !== undefined && `wraps up for ${drawnText(wrapUp)}`,
  ];
  return texts.filter((text) => text !== false).join(", ");
}

function drawnText(drawn: DrawnMs): string {
  if (typeof drawn === "number") return exactDurationText(drawn);
  if ("fixed" in drawn) return exactDurationText(drawn.fixed);
  if ("exponential" in drawn) return `${exactDurationText(drawn.exponential)} on average`;
  return drawn.uniform.map(exactDurationText).join(" to ");
}

/** What the platform does by itself. */
export function purposeText(purpose: string): string {
  return purposes[purpose] ?? purpose;
}

const purposes: Readonly<Record<string, string>> = {
  "ring: ringTimeout": "nobody answered in time",
  "voicemail: greeting": "the greeting is over",
  "voicemail: messageLimit": "the message is as long as it may be",
  "voicemail: message": "the caller has said it all",
  "teamOffer: nextOffer": "the next tier's turn",
  "teamOffer: teamTimeout": "the team's time is over",
  "availability: wrapUp": "has wrapped up",
  "delivery: backOff": "time for another attempt",
  "availability: working hours begin": "is in working hours",
  "availability: working hours end": "is out of working hours",
  "analysis: analysis": "the analysis is done",
  "conversation: inactivity": "nobody wrote for a while",
  "conversation: closeTimer": "the close timer ran out",
  "conversation: group created": "the vendor has made the group",
  "call: recording available": "the recording is ready",
  "call: transcript created": "the transcript is ready",
  "call: tariff calculated": "the tariff is calculated",
};

/**
 * The few fields of an event that matter.
 * @param nameOf how an outside number is called
 */
export function noteOf(event: PlatformEvent, nameOf: (number: string) => string): string {
  switch (event.type) {
    case "user.availability.updated": {
      const { displayName, availability } = event.data.user;
      const { status, notAvailableRule, notAvailableReason } = availability;
      return withReason(`${displayName} ${status}`, notAvailableRule ?? notAvailableReason);
    }
    case "team.availability.updated":
      return `${event.data.team.displayName}: ${event.data.team.availability.availabilitySummary}`;
    case "transcript.created":
    case "call.transcript.created":
      return show(event.data.transcript.text);
    case "call.transcription_completed": {
      const count = event.data.transcripts.length;
      return `${count} ${count === 1 ? "transcript" : "transcripts"}`;
    }
    case "call.tariffed":
      return `${event.data.call.tariff?.amount} ${event.data.call.tariff?.currency}`;
    case "conversation.message.created": {
      const { conversation, message } = event.data;
      const words = messageText(message.content, message.media.length);
      const to = message.direction === "inbound" ? "" : ` to ${contactsOf(conversation, nameOf)}`;
      return `${message.author.displayName}${to}: ${words}`;
    }
    case "conversation.inactive":
    case "conversation.closed":
      return `with ${contactsOf(event.data.conversation, nameOf)}`;
    case "conversation.contact_assigned":
      return event.data.contact.name;
    case "call.contact_assigned_with_add":
    case "call.contact_assigned_with_update":
      return event.data.contact.name;
    case "contact.shared":
      return `${event.data.contact.name}, on ${event.data.channel}`;
    case "content_analysis.completed":
      return event.data.contentAnalysis.analyzer;
    case "call.recording.available":
      return `${event.data.recording.fileSize} bytes of ${event.data.recording.mimeType}`;
    case "call.started": {
      const { direction, isInternal, contactNumber, companyNumber } = event.data.call;
      if (isInternal) return `internal, ${companyNumber} to ${contactNumber}`;
      return `${direction} ${direction === "inbound" ? "from" : "to"} ${nameOf(contactNumber)}`;
    }
    case "call.answered": {
      const { parties, waitTimeText } = event.data.call;
      const answerer = parties.find(({ dials }) => dials.some(({ outcome }) => outcome === "answered"));
      return `by ${answerer?.displayName}, waited ${waitTimeText}`;
    }
    case "call.hungup":
      return event.data.party.displayName;
    case "call.not_answered":
    case "call.ended": {
      const { outcome, status, duration, durationText: text } = event.data.call;
      const end = outcome === null ? status : withReason(outcome.status, outcome.reason);
      return duration === null ? end : `${end}, ${text}`;
    }
  }
}

function contactsOf({ contactAddresses }: ConversationRecord, nameOf: (number: string) => string): string {
  return contactAddresses.map(nameOf).join(", ");
}

function withReason(what: string, reason: string | null): string {
  return reason === null ? what : `${what} - ${reason}`;
}

/** What a call that nobody answered goes back to. */
export const returnTexts = {
  flow: "the flow",
  taskQueue: "the task queue",
  application: "the application",
} as const;
