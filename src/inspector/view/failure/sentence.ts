import type { Clause, WorldSource } from "../../data.ts";
import { lineDiff } from "../../model/line-diff.ts";
import { stateLines } from "../../model/state-lines.ts";
import { clock } from "../common/format.ts";
import type { InstantSteps, RequestItem } from "./items.ts";

/** A clause of the failure's sentence, and the row that shows it. */
export interface SentencePart {
  readonly text: string;
  readonly row: number | undefined;
  readonly tone: "happens" | "follows" | "ends";
}

/** A failure in one sentence: the deviations, their consequences and the app's final state. */
export function sentenceOf(world: WorldSource, groups: readonly InstantSteps[]): SentencePart[] {
  const happens = sentenceParts(world.clauses, groups);
  const changed = groups.findLast(({ changes }) => changes.length > 0);
  const end = endOf(world);
  return [...happens, { text: end, row: changed?.items.at(-1)?.row.index, tone: "ends" }];
}

/** The deviations and their consequences. */
function sentenceParts(clauses: readonly Clause[], groups: readonly InstantSteps[]): SentencePart[] {
  if (clauses.length === 0)
    return [{ text: "it fails without any deviation", row: undefined, tone: "happens" }];
  const requests = groups.flatMap(({ items }) => items).filter((item) => item.is === "request");
  return clauses.flatMap((clause) => partsOf(clause, requests));
}

function partsOf(clause: Clause, requests: readonly RequestItem[]): SentencePart[] {
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
    again === undefined ? [] : overtakingOf(requests.slice(index + 1, requests.indexOf(again)), of);
  const later = laterOf(clause, own, again, overtaking);
  return later === undefined ? [first] : [first, { text: later, row: again?.row.index, tone: "follows" }];
}

/** The events that arrive among these requests. */
function overtakingOf(requests: readonly RequestItem[], of: string): string[] {
  const arrived = requests.filter(
    ({ outcome, delivery }) => outcome.kind !== "lost" && delivery !== undefined,
  );
  return [...new Set(arrived.map(({ what }) => what))].filter((what) => what !== of);
}

/** The consequence of a request's deviation. */
function laterOf(
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

/** How the app's final state differs, or else the assertion's message. */
function endOf({ message, received, nearest }: WorldSource): string {
  const [fails, holds] = [lastState(received), lastState(nearest?.received ?? [])];
  const line = (message.split("\n")[0] ?? "").replace(/ \/\/ Object\.is equality$/, "");
  if (fails === undefined || holds === undefined || fails === holds) return line;
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
  return added.length === 1 && gone.length === 1 ? `your app ends with ${is}, not ${was}` : line;
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

/** Capitalises the sentence, unless it begins with an event type. */
export function capitalise(text: string): string {
  return /^[a-z]+[._]/.test(text) ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
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
    return "Both requests carry the same event, with the same id. A receiver that remembers the ids it has handled passes.";
  const isOvertaken = sentenceParts(clauses, groups).some(({ text }) => text.includes(", after "));
  return isOvertaken
    ? "Events may arrive in another order than they happened. Each says in createdTimestamp when it happened."
    : undefined;
}
