import type { Clause, WorldSource } from "../../data.ts";
import { lineDiff } from "../../model/line-diff.ts";
import { stateLines } from "../../model/state-lines.ts";
import type { RunRecord } from "../../model/types.ts";
import { clock } from "../common/format.ts";
import type { InstantSteps, RequestItem } from "./items.ts";

/** A clause of the failure's sentence, and the row that shows it. */
export interface SentencePart {
  readonly text: string;
  readonly row: number | undefined;
  readonly tone: "happens" | "follows" | "ends";
}

/** A failure in one sentence. */
export interface FailureSentence {
  readonly parts: readonly SentencePart[];
  /** Whether it says the whole first line of the message. */
  readonly saysMessage: boolean;
}

/** A failure in one sentence: the deviations, their consequences and the app's final state. */
export function writeSentence(
  world: WorldSource,
  groups: readonly InstantSteps[],
  records: readonly RunRecord[],
): FailureSentence {
  const happens = sentenceParts(world.clauses, groups);
  const changed = groups.findLast(({ changes }) => changes.length > 0);
  const { text, saysMessage } = writeEnd(world, records);
  const ends: SentencePart = { text, row: changed?.items.at(-1)?.row.index, tone: "ends" };
  const [first, ...rest] = [...happens, ends];
  const name = world.clauses[0]?.of.split(" ", 1)[0];
  return { parts: [{ ...first, text: capitalise(first.text, name) }, ...rest], saysMessage };
}

/** The deviations and their consequences. */
function sentenceParts(clauses: readonly Clause[], groups: readonly InstantSteps[]): SentencePart[] {
  const requests = groups.flatMap(({ items }) => items).filter((item) => item.is === "request");
  return clauses.flatMap((clause) => splitClause(clause, requests));
}

function splitClause(clause: Clause, requests: readonly RequestItem[]): SentencePart[] {
  const { text, at, of, attempt } = clause;
  const index = requests.findIndex(
    (each) => each.what === of && each.attempt === attempt && each.row.atMs === at,
  );
  const own = requests[index];
  const again = requests.find(
    (each, at) => at > index && each.what === of && (each.attempt > attempt || each.isDuplicate),
  );
  const first: SentencePart = { text, row: own?.row.index, tone: "happens" };
  const overtaking =
    again === undefined ? [] : findOvertaking(requests.slice(index + 1, requests.indexOf(again)), of);
  const later = writeLater(clause, own, again, overtaking);
  return later === undefined ? [first] : [first, { text: later, row: again?.row.index, tone: "follows" }];
}

/** The events that arrive among these requests. */
function findOvertaking(requests: readonly RequestItem[], of: string): string[] {
  const arrived = requests.filter(
    ({ outcome, delivery }) => outcome.kind !== "lost" && delivery !== undefined,
  );
  return [...new Set(arrived.map(({ what }) => what))].filter((what) => what !== of);
}

/** The consequence of a request's deviation. */
function writeLater(
  { is }: Clause,
  own: RequestItem | undefined,
  again: RequestItem | undefined,
  overtaking: readonly string[],
): string | undefined {
  if (own === undefined || is === "duplicated") return undefined;
  const isReceived = is === "unanswered" || is === "slow";
  const behind = isReceived || overtaking.length === 0 ? "" : `, after ${overtaking.join(" and ")}`;
  if (again !== undefined)
    return `it comes ${isReceived ? "again " : ""}at ${clock(again.row.atMs)}${behind}`;
  return is === "lost" || is === "refused" || is === "rejected" ? "it never comes" : undefined;
}

type End = Pick<FailureSentence, "saysMessage"> & Pick<SentencePart, "text">;

/** The message if it is about a call, else how the app's final state differs, else the message. */
function writeEnd({ property, message, received, nearest }: WorldSource, records: readonly RunRecord[]): End {
  const line = messageLine(message).replace(/ \/\/ Object\.is equality$/, "");
  const calls = records.filter(({ kind }) => kind === "call");
  const call = calls.find(({ id }) => id === line.split(" ", 1)[0]);
  // the words say how a call ended: of an instant they would be untrue, as where `call-1 is ringing`
  const isOfLog = property.startsWith("the call log ");
  if (call !== undefined) return shortened(isOfLog ? withCallInWords(line, call, calls.length) : line);
  const [fails, holds] = [lastState(received), lastState(nearest?.received ?? [])];
  const differs =
    fails === undefined || holds === undefined || fails === holds ? undefined : stateDifference(holds, fails);
  if (differs !== undefined) return { text: differs, saysMessage: false };
  return line === "" ? { text: "an error without a message is thrown", saysMessage: true } : shortened(line);
}

/** A message, or the beginning of a long one. */
function shortened(line: string): End {
  if (line.length <= MOST_OF_A_MESSAGE) return { text: line, saysMessage: true };
  const beginning = line.slice(0, MOST_OF_A_MESSAGE).replace(/[\s,;:]+\S*$/, "");
  return { text: `${beginning} …`, saysMessage: false };
}

/** The first line of a message that says something; empty if none does. */
export function messageLine(message: string): string {
  return message.trim().split("\n")[0] ?? "";
}

/** The longest message to write large, characters. */
const MOST_OF_A_MESSAGE = 160;

/** A message that begins with a call's id, with the call in words: `a missed call with a message is logged twice`. */
function withCallInWords(line: string, call: RunRecord, calls: number): string {
  const words = callInWords(call);
  return `${calls === 1 ? words : `${call.id}, ${words},`}${line.slice(call.id.length)}`;
}

function callInWords({ outcome }: RunRecord): string {
  if (outcome === "") return "a call";
  const [status = "", reason] = outcome.split(", ");
  const article = /^[aeiou]/.test(status) ? "an" : "a";
  return `${article} ${status} call${reason === "voicemail" ? " with a message" : ""}`;
}

/** How the app's final state differs, in one clause; undefined if it differs in too much. */
function stateDifference(holds: string, fails: string): string | undefined {
  const changes = lineDiff(stateLines(holds), stateLines(fails)).filter(({ sign }) => sign !== " ");
  const signed = (wanted: "+" | "-") =>
    inOneLine(changes.filter(({ sign }) => sign === wanted).map(({ text }) => withoutComma(text)));
  const [added, gone] = [signed("+"), signed("-")];
  if (gone.length === 0 && added.length === 1) return `your app ends with one more, ${added[0]}`;
  if (gone.length === 0 && added.length > 1) return `your app ends with ${added.length} lines more`;
  if (added.length === 0)
    return `your app ends without ${gone.length === 1 ? gone[0] : `${gone.length} lines`}`;
  const [is, was] = [added[0] ?? "", gone[0] ?? ""];
  const [name] = /^[^:"]+(?=: )/.exec(is) ?? [];
  if (added.length === 1 && gone.length === 1 && name !== undefined && was.startsWith(`${name}: `))
    return `your app ends with ${is}, not ${was.slice(name.length + 2)}`;
  return added.length === 1 && gone.length === 1 ? `your app ends with ${is}, not ${was}` : undefined;
}

/** The longest list or object to write in one line, characters. */
const MOST_IN_A_LINE = 60;

/** Joins the lines of a short list or object. */
function inOneLine(lines: readonly string[]): readonly string[] {
  const [first = "", ...rest] = lines;
  const [inner, last = ""] = [rest.slice(0, -1), rest.at(-1)];
  if (!/[[{]$/.test(first) || !/^[\]}]$/.test(last) || inner.some((each) => /^[\]}]|[[{]$/.test(each)))
    return lines;
  const line = `${first}${inner.join(", ")}${last}`;
  return line.length > MOST_IN_A_LINE ? lines : [line];
}

function lastState(received: WorldSource["received"]): string | undefined {
  return received.at(-1)?.state;
}

function withoutComma(line: string): string {
  return line.trim().replace(/,$/, "");
}

/** Capitalises the sentence, unless it begins with an id, an event's type or a dependency's name, such as `crm`. */
function capitalise(text: string, name: string | undefined): string {
  const [word = ""] = text.split(" ", 1);
  return word === name || /[._\d-]/.test(word) ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Advice for events that arrive twice or out of order; undefined if neither is the case. */
export function adviceFor({ clauses }: WorldSource, groups: readonly InstantSteps[]): string | undefined {
  const twice = clauses.some(({ is }) => is === "unanswered" || is === "duplicated");
  const isEvent = groups.some(({ items }) =>
    items.some(
      (item) => item.is === "request" && item.delivery !== undefined && item.what === clauses[0]?.of,
    ),
  );
  if (!isEvent) return undefined;
  if (twice)
    return "Both requests carry the same event, with the same id. Remember the ids of handled events, and leave out those that come again.";
  const isOvertaken = sentenceParts(clauses, groups).some(({ text }) => text.includes(", after "));
  return isOvertaken
    ? "Events may arrive in another order than they happened. Each says in createdTimestamp when it happened."
    : undefined;
}
