import type { Deviation } from "../../core/engine/deviations.ts";
import { findBoundKind } from "../../findings/bound.ts";
import type { WorldOutcome } from "../run/outcome.ts";

/** How many worlds had a deviation of one kind about one thing. */
export interface DeviationCount {
  /** The kind, as the option `kinds` names it. */
  readonly kind: string;
  /** What it is about: an event's type, a timer, or a REST request without ids. */
  readonly of: string;
  /** How many worlds had such a deviation. */
  readonly worlds: number;
}

/** How often deviations of one kind about one thing break a property. */
export interface DeviationStatistics extends DeviationCount {
  /** The name of the property. */
  readonly property: string;
  /** In how many worlds such a deviation is a cause of the property's failure. */
  readonly worlds: number;
}

/** What a report counts by kind of deviation. */
interface DeviationCounts {
  readonly tried: readonly DeviationCount[];
  readonly breaks: readonly DeviationStatistics[];
}

/** A kind of deviation and what it is about. */
type DeviationTarget = Pick<DeviationCount, "kind" | "of">;

interface KeyedTarget {
  readonly key: string;
  readonly target: DeviationTarget;
}

/** Counts which deviations break which properties. */
export class DeviationCounter {
  private readonly tried: CountsByKey<DeviationCount> = new Map();
  private readonly breaks: CountsByKey<DeviationStatistics> = new Map();
  /** What deviations are about. Most worlds have deviations of others. */
  private readonly known = new WeakMap<Deviation, KeyedTarget>();

  add({ deviations, failures }: Pick<WorldOutcome, "deviations" | "failures">): void {
    for (const { key, target } of this.distinct(deviations))
      count(this.tried, key, 1, () => ({ ...target, worlds: 0 }));
    for (const { cause, property } of failures)
      for (const { target } of this.distinct(cause))
        count(this.breaks, keyOf({ property, ...target }), 1, () => ({ property, ...target, worlds: 0 }));
  }

  /** Each kind of deviation once, without ids in what it is about. */
  private distinct(deviations: readonly Deviation[]): readonly KeyedTarget[] {
    const found: KeyedTarget[] = [];
    for (const deviation of deviations) {
      const about = this.findTarget(deviation);
      if (!found.some(({ key }) => key === about.key)) found.push(about);
    }
    return found;
  }

  private findTarget(deviation: Deviation): KeyedTarget {
    const before = this.known.get(deviation);
    if (before !== undefined) return before;
    const { what, is, of } = deviation;
    const target = { kind: findBoundKind(what, { is }), of: withoutIds(what, of) };
    const found = { key: keyOf(target), target };
    this.known.set(deviation, found);
    return found;
  }

  get counts(): DeviationCounts {
    return { tried: sorted(this.tried), breaks: sorted(this.breaks) };
  }
}

/** Adds up the counts of shards. */
export function mergeDeviationStatistics(parts: readonly DeviationCounts[]): DeviationCounts {
  const tried: CountsByKey<DeviationCount> = new Map();
  const breaks: CountsByKey<DeviationStatistics> = new Map();
  for (const part of parts) {
    for (const each of part.tried) count(tried, keyOf(each), each.worlds, () => each);
    for (const each of part.breaks) count(breaks, keyOf(each), each.worlds, () => each);
  }
  return { tried: sorted(tried), breaks: sorted(breaks) };
}

/** Counts by key. The number of worlds in each is replaced in the end. */
type CountsByKey<T> = Map<string, { readonly each: T; worlds: number }>;

function count<T>(counts: CountsByKey<T>, key: string, more: number, each: () => T): void {
  const before = counts.get(key);
  if (before === undefined) counts.set(key, { each: each(), worlds: more });
  else before.worlds += more;
}

/** The key by which counts are sorted, so that they do not depend on the order of shards. */
function keyOf({ property = "", of, kind }: DeviationTarget & { readonly property?: string }): string {
  return JSON.stringify([property, of, kind]);
}

function sorted<T extends DeviationCount>(counts: CountsByKey<T>): T[] {
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { each, worlds }]) => ({ ...each, worlds }));
}

function withoutIds(what: string, of: string): string {
  if (what === "timer") return of.replace(/ of \S+$/, "");
  return of.includes("/") ? of.replaceAll(/\/[^/]*\d[^/]*/g, "/{id}") : of;
}

/** The table: for each property, in how many worlds a kind of deviation breaks it, of how many that have it. */
export function deviationStatisticsText({ tried, breaks }: DeviationCounts): string[] {
  if (breaks.length === 0) return [];
  const kinds = [...new Set(breaks.map(({ kind }) => kind))].sort();
  const triedIn = new Map(tried.map((each) => [keyOf(each), each.worlds]));
  const rows: string[][] = [["", ...kinds]];
  for (const property of new Set(breaks.map((each) => each.property))) {
    rows.push([`  ${property}`]);
    const own = breaks.filter((each) => each.property === property);
    for (const of of new Set(own.map((each) => each.of))) {
      const cells = kinds.map((kind) => {
        const all = triedIn.get(keyOf({ kind, of }));
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
  return ["what breaks, in how many of the worlds with that deviation:", ...rows.map(line)];
}
