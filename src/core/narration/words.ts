import { exactDurationText } from "../foundation/instants.ts";
import { printable } from "../foundation/printable.ts";
import { show } from "../foundation/show.ts";
import type { EventData, EventType, PlatformEvent } from "../platform/declare/events.ts";
import { counted, messageText } from "../platform/declare/words.ts";
import type { EventNames, EventNote } from "../platform/parts/define-part.ts";
import { eventWords } from "../platform/parts/parts.ts";
import type { ConversationRecord } from "../records/conversation.ts";
import type { RequestRecord } from "../records/request.ts";
import { fullName, type NamedMention, type NamedSentence } from "./lifelines.ts";
import type { NarrationRow, PhoneNote } from "./rows.ts";

/** Commands, timers and events in words. */

/** Makes text safe for one line: spaces replace line breaks and control characters. */
export function oneLine(text: string): string {
  return printable(text.replace(/[\p{Cc}\u2028\u2029]+/gu, " "));
}

/** A sentence as a line of text, without who does it: `calls +6495550100 (Alice Ng, 101)`. */
function sentenceText(sentence: NamedSentence): string {
  const { subject = "", verb, mention, detail = "", said, attachments = 0, status, why, laterMs } = sentence;
  const about = typeof subject === "string" ? subject : mentionText(subject);
  const isBare = mention === undefined && detail === "" && said === undefined;
  const does = [about, verb, mention === undefined ? "" : mentionText(mention), detail];
  return [
    does.filter((each) => each !== "").join(" "),
    said === undefined && attachments === 0 ? "" : `: ${messageText(said, attachments)}`,
    status === undefined ? "" : `${isBare ? "" : ":"} ${status}`,
    why === undefined ? "" : ` (${why})`,
    laterMs === undefined ? "" : `, ${exactDurationText(laterMs)} later`,
  ].join("");
}

/** The text of a row without its actor or its event's type, with the call's name where it has one. */
export function rowText(row: NarrationRow): string {
  const text = sentenceText(row.sentence);
  if (row.callName === undefined) return text;
  return row.cause === undefined ? `${text} (${row.callName})` : `${text}, ${row.callName}`;
}

function mentionText(mentioned: NamedMention): string {
  switch (mentioned.is) {
    case "number": {
      const { number, owner, words } = mentioned;
      const whose = owner === undefined ? "" : ` (${owner.name}, ${owner.extension})`;
      return `${words === undefined ? "" : `${words} `}${number}${whose}`;
    }
    case "entry":
      return `${mentioned.owner.name} (${mentioned.owner.extension})`;
    case "people":
      return mentioned.people.map(fullName).join(", ");
    case "conversation":
      return `the conversation with ${mentioned.people.map(fullName).join(", ")}`;
    case "endpoint":
      return `on ${mentioned.id}`;
    case "voicemail":
      return `${mentioned.owner}'s voicemail`;
    case "named":
    case "unknown":
      return mentioned.text;
  }
}

/** The result of a request, with the endpoint as its actor: `answers 200`, `answers 200 to call.ended, attempt 2`. */
export function answerWords({
  answer,
  failure,
  subject,
  why,
  duplicateOf,
  isUnrouted,
}: RequestRecord): NamedSentence {
  const unrouted = isUnrouted ? NO_ROUTE : undefined;
  if (why !== "webhook")
    return answer === null
      ? { verb: "does not answer", why: failure ?? undefined }
      : { verb: "answers", status: answer.status, why: unrouted };
  const attempt = `${subject}${duplicateOf === null ? "" : ", a second time"}`;
  return answer === null
    ? { verb: "does not answer", detail: attempt, why: failure ?? undefined }
    : { verb: `answers ${answer.status} to`, detail: attempt, why: unrouted };
}

/** An attempt of a delivery with its result: `call.ended, attempt 2 - 200`. */
export function attemptWords({
  answer,
  failure,
  subject,
  duplicateOf,
  isUnrouted,
}: RequestRecord): NamedSentence {
  const again = duplicateOf === null ? "" : ", a second time";
  const why = isUnrouted ? NO_ROUTE : undefined;
  return { verb: `${subject}${again} - ${answer?.status ?? failure}`, why };
}

/** An attempt without an answer, for a row of its own on a page: `lost`, `no answer in 5s`. */
export function missedWords({ failure, startedTimestamp, endedTimestamp }: RequestRecord): {
  readonly verb: string;
  readonly detail: string;
} {
  const waited = exactDurationText((endedTimestamp ?? startedTimestamp) - startedTimestamp);
  if (failure === "timeout") return { verb: "not answered", detail: `in ${waited}` };
  if (failure === "connection reset") return { verb: failure, detail: "the app restarts" };
  return { verb: failure === "answer lost" ? "answer lost" : "lost", detail: `no answer in ${waited}` };
}

/** The second arrival of a request, for a row of its own on a page. */
export const secondArrival = { verb: "arrives again", detail: "the network made two of it" } as const;

/** Explains a 200 that no app gave: its route may be misspelt. */
const NO_ROUTE = "no route: accepted";

/** A deviation of a request in words; undefined if the request's result shows it. */
export function deviationWords(subject: string, is: string, by: number): NamedSentence | undefined {
  if (is === "lost") return { subject, verb: "is lost on its way" };
  if (is === "never") return { subject, verb: "is lost on its way, and so are all further attempts" };
  if (is === "outage") return { subject, verb: "is refused, and so is all that is sent during the outage" };
  if (is === "unanswered") return { subject: `the answer to ${subject}`, verb: "is lost" };
  if (is === "duplicated") return { subject, verb: "arrives twice" };
  if (is === "restarted") return { subject: "the app", verb: `restarts while it handles ${subject}` };
  if (is === "restartedAfter")
    return { subject: "the app", verb: `restarts as soon as it has answered ${subject}` };
  if (is !== "late") return undefined;
  return { subject, verb: `arrives late, after ${by === 1 ? "the next one" : `the next ${by}`}` };
}

/** Phones of one person that stop at once: `mobile, desktop stop (timeout)`. */
export function silenceWords(phones: readonly PhoneNote[]): NamedSentence {
  const why = phones[0]?.does === "answeredElsewhere" ? "answered elsewhere" : phones[0]?.does;
  const names = phones.map(({ endpoint }) => endpoint).join(", ");
  return { subject: names, verb: phones.length === 1 ? "stops" : "stop", why };
}

/** The value of a key in the data of events. */
type CarriedValue<Key extends PropertyKey> = {
  [Type in EventType]: Key extends keyof EventData[Type] ? EventData[Type][Key] : never;
}[EventType];
/**
 * Words for keys of events' data. An event is described by the first of these keys that it has, so a new type of event
 * with one of them needs no words of its own.
 */
const carriedNotes: { readonly [Key in CarriedKey]: EventNote<CarriedValue<Key>> } = {
  party: ({ entryId, displayName }, names) => names.entry(entryId, displayName),
  recording: ({ fileSize, mimeType }) => `${fileSize} bytes of ${mimeType}`,
  transcript: ({ text }) => show(text),
  transcripts: ({ length }) => counted(length, "transcript"),
  contact: ({ name }) => name,
  contentAnalysis: ({ analyzer }) => analyzer,
  user: ({ id, displayName, availability }, names) => {
    const { status, notAvailableRule, notAvailableReason } = availability;
    return withReason(`${names.entry(id, displayName)} ${status}`, notAvailableRule ?? notAvailableReason);
  },
  team: ({ id, displayName, availability }, names) =>
    `${names.entry(id, displayName)}: ${availability.availabilitySummary}`,
  conversation: (it, names) => `with ${listContacts(it, names)}`,
};
type CarriedKey =
  | ("party" | "recording" | "transcript" | "transcripts" | "contact" | "contentAnalysis")
  | ("user" | "team" | "conversation");

/** Types of events with none of these keys. */
type EventWithoutCarriedNote = {
  [Type in EventType]: Extract<keyof EventData[Type], CarriedKey> extends never ? Type : never;
}[EventType];

/** One with none of the keys above does not compile without words in its part, `platform/parts/<part>.ts`. */
const wordsOfParts: { readonly [Type in EventWithoutCarriedNote]: EventNote<EventData[Type]> } = eventWords;

/** Events with words of their own. */
const notes: { readonly [Type in EventType]?: EventNote<EventData[Type]> } = {
  ...wordsOfParts,
  "contact.shared": ({ contact, channel }) => `${contact.name}, on ${channel}`,
  "conversation.message.created": ({ conversation, message }, names) => {
    const words = messageText(message.content, message.media.length);
    const to = message.direction === "inbound" ? "" : ` to ${listContacts(conversation, names)}`;
    const { author } = message;
    const by = names.entry("id" in author ? author.id : null, author.displayName);
    return `${by}${to}: ${words}`;
  },
};

/** The main fields of an event in words. */
export function writeNote({ type, data }: PlatformEvent, names: EventNames): string {
  const own: EventNote<unknown> | undefined = notes[type];
  if (own !== undefined) return own(data, names);
  const carried: Readonly<Record<string, unknown>> = { ...data };
  for (const [key, note] of Object.entries<EventNote<unknown>>(carriedNotes))
    if (key in carried) return note(carried[key], names);
  throw new Error(`${type} has no words`);
}

function listContacts({ contactAddresses }: ConversationRecord, names: EventNames): string {
  return contactAddresses.map((number) => names.number(number)).join(", ");
}

function withReason(what: string, reason: string | null): string {
  return reason === null ? what : `${what} - ${reason}`;
}
