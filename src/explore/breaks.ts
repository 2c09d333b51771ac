import type { Deviation } from "../engine/choices.ts";
import { kindOf } from "./bound.ts";
import type { WorldOutcome } from "./world-outcome.ts";

/** Deviations of one kind that are about the same, and how many worlds had one. */
export interface Tried {
  /** The kind, as the option `kinds` names it. */
  readonly kind: string;
  /** What they are about: an event's type, a timer, or a REST request without ids. */
  readonly of: string;
  /** How many worlds had such a deviation. */
  readonly worlds: number;
}

/** A property that such deviations break. */
export interface Breaks extends Tried {
  /** The name of the property. */
  readonly property: string;
  /** In how many worlds such a deviation is a cause of the property's failure. */
  readonly worlds: number;
}

/** What the report says about both. */
interface Counts {
  readonly tried: readonly Tried[];
  readonly breaks: readonly Breaks[];
}

/** Counts which deviations break which properties. */
export class BreakCount {
  private readonly tried = new Map<string, Tried>();
  private readonly breaks = new Map<string, Breaks>();

  add({ deviations, failures }: Pick<WorldOutcome, "deviations" | "failures">): void {
    for (const each of distinct(deviations)) count(this.tried, each, 1);
    for (const { cause, property } of failures)
      for (const { kind, of } of distinct(cause)) count(this.breaks, { property, kind, of, worlds: 0 }, 1);
  }

  get counts(): Counts {
    return { tried: sorted(this.tried), breaks: sorted(this.breaks) };
  }
}

/** Adds up the counts of shards. */
export function mergeBreaks(parts: readonly Counts[]): Counts {
  const [tried, breaks] = [new Map<string, Tried>(), new Map<string, Breaks>()];
  for (const part of parts) {
    for (const each of part.tried) count(tried, each, each.worlds);
    for (const each of part.breaks) count(breaks, each, each.worlds);
  }
  return { tried: sorted(tried), breaks: sorted(breaks) };
}

function count<T extends Tried>(counts: Map<string, T>, each: T, more: number): void {
  const key = keyOf(each);
  const before = counts.get(key)?.worlds ?? 0;
  counts.set(key, { ...each, worlds: before + more });
}

/** The key by which counts are sorted, so that they do not depend on the order of shards. */
function keyOf(each: Tried): string {
  return JSON.stringify(["property" in each ? each.property : "", each.of, each.kind]);
}

function sorted<T extends Tried>(counts: ReadonlyMap<string, T>): T[] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** Each kind of deviation once, without ids in what it is about. */
function distinct(deviations: readonly Deviation[]): Tried[] {
  const found = new Map<string, Tried>();
  for (const { what, is, of } of deviations) {
    const each = { kind: kindOf(what, { is }), of: withoutIds(what, of), worlds: 0 };
    found.set(keyOf(each), each);
  }
  return [...found.values()];
}

function withoutIds(what: string, of: string): string {
  if (what === "timer") return of.replace(/ of \S+$/, "");
  return of.includes("/") ? of.replaceAll(/\/[^/]*\d[^/]*/g, "/{id}") : of;
}

/** The table: for each property, in how many worlds a kind of deviation breaks it, of how many that have it. */
export function breaksText({ tried, breaks }: Counts): string[] {
  if (breaks.length === 0) return [];
  const kinds = [...new Set(breaks.map(({ kind }) => kind))].sort();
  const triedIn = new Map(tried.map((each) => [keyOf(each), each.worlds]));
  const rows: string[][] = [["", ...kinds]];
  for (const property of new Set(breaks.map((each) => each.property))) {
    rows.push([`  ${property}`]);
    const own = breaks.filter((each) => each.property === property);
    for (const of of new Set(own.map((each) => each.of))) {
      const cells = kinds.map((kind) => {
        const all = triedIn.get(keyOf({ kind, of, worlds: 0 }));
        const failing = own.find((each) => each.of === of && each.kind === kind)?.worlds ?? 0;
        return all === undefined ? "-" : `${failing} of ${all}`;
      });
      rows.push([`    ${of}`, ...cells]);
    }
  }
  const widths = ["", ...kinds].map((_, column) =>
    Math.max(...rows.filter(({ length }) => length > 1).map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(row.length > 1 ? (widths[column] ?? 0) : 0))
      .join("  ")
      .trimEnd();
  return ["", "what breaks, in how many of the worlds with that deviation:", ...rows.map(line)];
}
