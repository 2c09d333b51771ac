import type { ReceivedState } from "../../data.ts";
import { type DiffLine, sameAtStart } from "../../model/line-diff.ts";
import { stateChanges } from "../../model/state-lines.ts";
import type { Outcome, PageRow } from "../../model/types.ts";
import type { LoadedRun } from "../state/loading.ts";

/** The steps of a run on a failure's page; requests contain the REST requests of their handlers. */

/** A step that is no request. */
export interface LineItem {
  readonly is: "line";
  readonly row: PageRow;
  /** Whether it is an event that no webhook subscribes to. */
  readonly isUnsubscribed: boolean;
}

/** A request to the app, with the REST requests of its handler. */
export interface RequestItem {
  readonly is: "request";
  readonly row: PageRow;
  /** The event's type, or what a data action is for. */
  readonly what: string;
  readonly attempt: number;
  /** Whether it is the second copy of a duplicated request. */
  readonly isDuplicate: boolean;
  /** The delivery; undefined for a request that is none. */
  readonly delivery: string | undefined;
  readonly lane: string;
  readonly outcome: Outcome;
  readonly innerRows: readonly PageRow[];
}

export type Item = LineItem | RequestItem;

/** Everything at one instant, and how the app's state changed. */
export interface InstantSteps {
  readonly atMs: number;
  readonly items: readonly Item[];
  /** The state after the instant; undefined if the app received nothing. */
  readonly state: string | undefined;
  /** How it changed since the state before; empty if it did not. */
  readonly changes: readonly DiffLine[];
}

/** The steps of a run by instant, with what its app received. */
export function stepsByInstant(run: LoadedRun, received: readonly ReceivedState[]): InstantSteps[] {
  const byInstant = new Map<number, Item[]>();
  for (const item of listItems(run)) {
    const known = byInstant.get(item.row.atMs);
    if (known === undefined) byInstant.set(item.row.atMs, [item]);
    else known.push(item);
  }
  let before: string | undefined;
  return [...byInstant].map(([atMs, items]) => {
    const state = received.findLast(({ at }) => at === atMs)?.state;
    const changes = state === undefined || state === before ? [] : stateChanges(before, state);
    before = state ?? before;
    return { atMs, items, state, changes };
  });
}

type MutableRequest = { -readonly [K in keyof RequestItem]: RequestItem[K] } & {
  readonly innerRows: PageRow[];
};

function listItems({ rows }: LoadedRun): Item[] {
  const items: (LineItem | MutableRequest)[] = [];
  const requests: MutableRequest[] = [];
  let handling: MutableRequest | undefined;
  const add = (request: MutableRequest) => {
    items.push(request);
    requests.push(request);
  };
  for (const row of rows) {
    const { kind, verb, subject, deliveries, outcome } = row;
    // states are shown beside the steps
    if (kind === "state") continue;
    const isDuplicate = kind === "event" && row.firstRow !== undefined;
    if (kind === "event" && !isDuplicate) {
      items.push({ is: "line", row, isUnsubscribed: deliveries.length === 0 });
    }
    if (kind === "event" || kind === "retry") {
      for (const { id, lane, attempt, outcome } of deliveries)
        add(requestItem(row, { what: subject, attempt, isDuplicate, delivery: id, lane, outcome }));
    } else if (row.isInsideHandler === true && handling !== undefined) addInside(handling.innerRows, row);
    else if (kind === "rest" && verb === "receives")
      handling = requests.findLast((each) => each.row.atMs === row.atMs && nameOf(each) === row.detail);
    else if (kind === "rest" && verb === "answers" && handling !== undefined) handling = undefined;
    else if (row.command?.name === "request" && outcome !== undefined)
      add(requestItem(row, { what: row.detail, lane: row.targets[0] ?? "", outcome }));
    // shown by the outcome of the request
    else if (kind === "lost" && deliveries.length === 0 && requests.some(({ what }) => what === subject))
      continue;
    else items.push({ is: "line", row, isUnsubscribed: false });
  }
  return items;
}

/** The answer of a REST request replaces its question, above its effects. */
function addInside(inside: PageRow[], row: PageRow): void {
  const isAnswer = row.command?.name === "restServed" && row.verb !== "asks";
  const asked = isAnswer ? inside.findLastIndex(({ command }) => command?.name === "restAsked") : -1;
  if (asked < 0) inside.push(row);
  else inside[asked] = row;
}

function requestItem(
  row: PageRow,
  more: Partial<RequestItem> & Pick<RequestItem, "what" | "lane" | "outcome">,
): MutableRequest {
  return { is: "request", row, attempt: 1, isDuplicate: false, delivery: undefined, ...more, innerRows: [] };
}

/** The name of a request in the row of its arrival: `call.ended, attempt 2`. */
function nameOf({ what, attempt }: RequestItem): string {
  return attempt === 1 ? what : `${what}, attempt ${attempt}`;
}

/** Two runs: their shared steps, and each from the first difference on. */
export interface SplitRuns {
  readonly shared: readonly InstantSteps[];
  readonly left: readonly InstantSteps[];
  readonly right: readonly InstantSteps[];
  /** The instants of both, from the first difference on. */
  readonly instants: readonly number[];
  /** The first item that is not the same; undefined if they differ in the app's state alone, or in nothing. */
  readonly first: FirstDifference | undefined;
}

/** The first item that differs. */
export interface FirstDifference {
  readonly item: Item;
  /** Its counterpart in the other run. */
  readonly other: Item | undefined;
}

/** Splits two runs at their first difference. Items are equal if they read the same; ids may differ. */
export function splitRuns(left: readonly InstantSteps[], right: readonly InstantSteps[]): SplitRuns {
  const at = sameAtStart(left, right, isSame);
  const shared = left.slice(0, at);
  const [a, b] = [left[at], right[at]];
  const rest = { left: left.slice(at), right: right.slice(at) };
  const [onlyLeft] = a?.items ?? [];
  const [onlyRight] = b?.items ?? [];
  let [item, other] = [onlyRight ?? onlyLeft, undefined as Item | undefined];
  if (a !== undefined && b !== undefined && a.atMs === b.atMs) {
    const count = sameAtStart(a.items, b.items, isSameItem);
    if (count > 0) shared.push({ ...a, items: a.items.slice(0, count), state: undefined, changes: [] });
    rest.left[0] = { ...a, items: a.items.slice(count) };
    rest.right[0] = { ...b, items: b.items.slice(count) };
    [item, other] = [b.items[count] ?? a.items[count], b.items[count] && a.items[count]];
  } else if (a !== undefined && (b === undefined || a.atMs < b.atMs)) item = onlyLeft;
  const instants = [...new Set([...rest.left, ...rest.right].map(({ atMs }) => atMs))].sort((x, y) => x - y);
  return { shared, ...rest, instants, first: item && { item, other } };
}

function isSame(a: InstantSteps, b: InstantSteps): boolean {
  const isAlike = a.atMs === b.atMs && a.state === b.state && a.items.length === b.items.length;
  return isAlike && sameAtStart(a.items, b.items, isSameItem) === a.items.length;
}

const isSameItem = (a: Item, b: Item) => keyOf(a) === keyOf(b);

/** The text of an item, for comparison. */
function keyOf(item: Item): string {
  if (item.is === "line") return ["line", item.row.kind, rowWords(item.row)].join("\n");
  const { what, attempt, isDuplicate, outcome, innerRows } = item;
  return ["request", what, attempt, isDuplicate, outcome.text, ...innerRows.map(rowWords)].join("\n");
}

export function rowWords({ subject, verb, detail, outcome }: PageRow): string {
  return [subject, verb, detail, outcome?.text].join(" ");
}
