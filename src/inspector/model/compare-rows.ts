import { sameAtStart } from "./line-diff.ts";
import type { PageRow } from "./types.ts";

interface Rows {
  readonly rows: readonly PageRow[];
}

/** What a run is compared with: another run, or expected events. */
interface ComparedWith {
  readonly other: Rows | undefined;
  readonly events: readonly { readonly type: string; readonly atMs: number }[] | undefined;
}

/** A row of one side, and whether the other side has it too. */
export interface SideRow {
  readonly row: PageRow;
  readonly isSame: boolean;
}

/** Everything that happened at one instant in both runs. */
export interface ComparedInstant {
  readonly atMs: number;
  readonly left: readonly SideRow[];
  readonly right: readonly SideRow[];
}

export interface RunDifferences {
  /** The instants from the first difference on. */
  readonly instants: readonly ComparedInstant[];
  /** How many steps before that are the same in both. */
  readonly sameBefore: number;
  readonly firstMs: number | undefined;
  /** The first row that only one run has, and which run. */
  readonly first: { readonly row: PageRow; readonly isNew: boolean } | undefined;
  readonly gone: number;
  readonly added: number;
}

/** Compares two runs. Rows are the same if they read the same at the same instant; ids may differ. */
export function compareRuns(run: Rows, { other, events }: ComparedWith): RunDifferences {
  const isState = ({ kind }: PageRow) => kind === "state";
  const bothHaveStates = run.rows.some(isState) && other?.rows.some(isState) === true;
  const isCompared = (row: PageRow) => bothHaveStates || !isState(row);
  const left = run.rows.filter((row) => (events === undefined ? isCompared(row) : row.kind === "event"));
  const right =
    other === undefined
      ? (events ?? []).map(({ type, atMs }, index) => eventRow(type, atMs, index))
      : other.rows.filter(isCompared);
  const keyOf = other === undefined ? (row: PageRow) => `${row.atMs} ${row.subject}` : fullKey;
  const instants = [...pairByInstant(left, right, keyOf)];
  const firstAt = instants.findIndex(({ left: a, right: b }) => [...a, ...b].some(({ isSame }) => !isSame));
  const first = instants[firstAt];
  const gone = countDifferent(instants, ({ left: sides }) => sides);
  const added = countDifferent(instants, ({ right: sides }) => sides);
  const new_ = first?.right.find(({ isSame }) => !isSame);
  const old = first?.left.find(({ isSame }) => !isSame);
  const different = new_ ?? old;
  const before = instants.slice(0, firstAt).reduce((sum, each) => sum + each.left.length, 0);
  const bothHave = (one: SideRow, two: SideRow) => one.isSame && two.isSame;
  const sameCount = first === undefined ? 0 : sameAtStart(first.left, first.right, bothHave);
  return {
    instants:
      first === undefined
        ? []
        : [
            { ...first, left: first.left.slice(sameCount), right: first.right.slice(sameCount) },
            ...instants.slice(firstAt + 1),
          ],
    sameBefore: first === undefined ? left.length : before + sameCount,
    firstMs: first?.atMs,
    first: different === undefined ? undefined : { row: different.row, isNew: different === new_ },
    gone,
    added,
  };
}

function countDifferent(
  instants: readonly ComparedInstant[],
  sidesOf: (instant: ComparedInstant) => readonly SideRow[],
): number {
  return instants.reduce((sum, instant) => sum + sidesOf(instant).filter(({ isSame }) => !isSame).length, 0);
}

function fullKey({ atMs, kind, subject, verb, detail, deliveries, outcome }: PageRow): string {
  const outcomes = [...deliveries.map((each) => each.outcome.text), outcome?.text].join();
  return [atMs, kind, subject, verb, detail, outcomes].join("\n");
}

/** Pairs both lists by instant, with as many pairs of equal rows as possible. */
function* pairByInstant(
  left: readonly PageRow[],
  right: readonly PageRow[],
  keyOf: (row: PageRow) => string,
): Generator<ComparedInstant> {
  let [a, b] = [0, 0];
  while (a < left.length || b < right.length) {
    const atMs = Math.min(
      left[a]?.atMs ?? Number.POSITIVE_INFINITY,
      right[b]?.atMs ?? Number.POSITIVE_INFINITY,
    );
    const here: PageRow[] = [];
    const there: PageRow[] = [];
    for (; left[a]?.atMs === atMs; a++) here.push(left[a] as PageRow);
    for (; right[b]?.atMs === atMs; b++) there.push(right[b] as PageRow);
    const pairs = commonCounts(here.map(keyOf), there.map(keyOf));
    yield {
      atMs,
      left: here.map((row) => ({ row, isSame: takePair(pairs.left, keyOf(row)) })),
      right: there.map((row) => ({ row, isSame: takePair(pairs.right, keyOf(row)) })),
    };
  }
}

/** How often each key is in both lists. */
function commonCounts(left: readonly string[], right: readonly string[]) {
  const counts = (keys: readonly string[]) => {
    const found = new Map<string, number>();
    for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1);
    return found;
  };
  const [a, b] = [counts(left), counts(right)];
  const both = () => new Map([...a].map(([key, number]) => [key, Math.min(number, b.get(key) ?? 0)]));
  return { left: both(), right: both() };
}

function takePair(pairs: Map<string, number>, key: string): boolean {
  const left = pairs.get(key) ?? 0;
  if (left > 0) pairs.set(key, left - 1);
  return left > 0;
}

function eventRow(type: string, atMs: number, index: number): PageRow {
  return {
    index,
    atMs,
    kind: "event",
    record: -1,
    subject: type,
    verb: "",
    detail: "",
    source: "",
    targets: [],
    step: 0,
    deliveries: [],
    endpoints: [],
  };
}
