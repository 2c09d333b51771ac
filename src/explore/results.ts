import { InputError } from "../core/foundation/errors.ts";
import { show } from "../core/foundation/show.ts";
import { sum } from "../core/foundation/values.ts";
import { deviationText } from "../core/scenario/deviations.ts";
import { mustFollowRules, RULES } from "../core/simulator/compatibility.ts";
import { mergeCoverage } from "../stories/coverage.ts";
import { mergeDeviationStatistics } from "./minimize/deviation-statistics.ts";
import { mergeKnown } from "./report/known.ts";
import { longestWorlds } from "./report/longest-worlds.ts";
import { mergeFailures } from "./report/merge-failures.ts";
import { ExploreReport, type ExploreResult } from "./report/report.ts";
import { mergeUntried } from "./report/untried.ts";
import { ComparisonCollector } from "./run/compared.ts";
import { isOfCorpus, type WorldOutcome } from "./run/outcome.ts";
import type { Prepared } from "./run/prepare.ts";
import type { Limits } from "./search/limits.ts";
import { requirable } from "./search/options.ts";

/**
 * The first line of a file of results, which says what was explored. Results of shards belong together if everything
 * but `shard` is the same.
 */
interface Head {
  readonly ringback: "explore";
  /** The version that explored. Another one may run other worlds. */
  readonly version: string | undefined;
  /** The flags that named the app. Not compared: paths and ports differ between machines. */
  readonly app: string | undefined;
  /** A hash of the app's module, without what it imports; undefined for a server. */
  readonly module: string | undefined;
  /** The other options that change how a world ends. */
  readonly options: { readonly patienceMs: number; readonly steps: number };
  /** The version of the rules by which it was explored. */
  readonly rules: number;
  readonly title: string;
  readonly seed: string | number;
  /** The scenario as text; undefined for a function. */
  readonly scenario: string | undefined;
  readonly bound: {
    readonly atMost: number;
    readonly kinds: readonly string[] | undefined;
    readonly on: readonly string[] | undefined;
  };
  readonly seeds: Limits["seeds"];
  readonly shard: { readonly index: number; readonly count: number };
}

/** The last line. A file without it is incomplete. */
interface End {
  readonly end: ExploreResult;
}

/** The results of an exploration or one of its shards as JSON lines: a head, one line for each world, and an end. */
export function headLine(
  { title, seed, source }: Pick<Prepared, "title" | "seed" | "source">,
  { bound: { atMost, kinds, on }, seeds, people, shard, patienceMs, steps }: Limits,
  { version, app, module }: Partial<Pick<Head, "version" | "app" | "module">> = {},
): string {
  const bound = { atMost, kinds: kinds && [...kinds].sort(), on };
  const scenario = source?.text;
  const options = { patienceMs, steps, people };
  return line({
    ...{ ringback: "explore", version, rules: RULES, app, module, options },
    ...{ title, seed, scenario, bound, seeds, shard },
  });
}

/** The line of one world: its place, its deviations as text, and its failures. */
export function worldLine({ order, deviations, failures, steps }: WorldOutcome): string {
  const broken = failures.map(({ property, message, cause }) => ({
    ...{ property, message },
    cause: cause.map(deviationText),
  }));
  return line({ world: order, deviations: deviations.map(deviationText), steps, broken });
}

/** The line with the report, which ends a complete file. */
export function endLine(result: ExploreResult): string {
  return line({ end: result });
}

function line(
  value: Head | End | { readonly world: readonly number[]; readonly [key: string]: unknown },
): string {
  return `${JSON.stringify(value)}\n`;
}

/** A file of results, and its name for errors. */
export interface ResultsFile {
  readonly name: string;
  readonly text: string;
}

/** The content of a file of results. */
interface Part {
  readonly name: string;
  readonly head: Head;
  readonly result: ExploreResult;
}

/**
 * Merges the results of all shards of an exploration, in any order.
 * @throws {InputError} naming the missing shard or the incomplete file
 */
export function mergeResults(files: readonly ResultsFile[]): ExploreReport {
  const parts = files.map(readResults).sort((a, b) => a.head.shard.index - b.head.shard.index);
  const [first] = parts;
  if (first === undefined) throw new InputError(["results"], "expected the results of at least one shard");
  mustBeAll(first, parts);
  const results = parts.map(({ result }) => result);
  const leftOut = results.flatMap(({ leftOut: why, shard }) =>
    why === undefined ? [] : [`${results.length === 1 ? "" : `shard ${shard.index} `}${why}`],
  );
  const endsEarly = results.find((each) => each.endsEarly !== undefined)?.endsEarly;
  return new ExploreReport({
    ...first.result,
    shard: { index: 1, count: 1 },
    worlds: sum(results.map(({ worlds }) => worlds)),
    alike: sum(results.map(({ alike }) => alike)),
    complete: leftOut.length === 0 && endsEarly === undefined,
    endsEarly,
    leftOut: leftOut.length === 0 ? undefined : leftOut.join("; "),
    failures: mergeFailures(results.flatMap(({ failures }) => failures)),
    held: first.result.held.map(({ property }) => ({
      property,
      worlds: sum(results.map(({ held }) => held.find((each) => each.property === property)?.worlds ?? 0)),
    })),
    compared: mergeCompared(results),
    known: mergeKnown(results.map(({ known = [] }) => known)),
    neverHeld: first.result.neverHeld.filter((name) =>
      results.every(({ neverHeld }) => neverHeld.includes(name)),
    ),
    corpus: sum(results.map(({ corpus }) => corpus)),
    outdated: results.flatMap(({ outdated }) => outdated),
    longest: longestWorlds(results.flatMap(({ longest }) => longest)),
    people: first.result.people,
    mutants: results.find(({ mutants }) => mutants !== undefined)?.mutants,
    forged: results.find(({ forged }) => forged !== undefined)?.forged,
    requests: sum(results.map(({ requests }) => requests)),
    notRun: [...new Set(results.flatMap(({ notRun = [] }) => notRun))],
    unrouted: [...new Set(results.flatMap(({ unrouted }) => unrouted))],
    untriedRestarts: results.some(({ untriedRestarts = false }) => untriedRestarts),
    // one shard may have been given what others were not
    required: requirable.filter((what) => results.some(({ required = [] }) => required.includes(what))),
    untried: mergeUntried(results.map(({ untried }) => untried)),
    notes: [...new Set(results.flatMap(({ notes = [] }) => notes))].sort(),
    realTimers: [...new Set(results.flatMap(({ realTimers = [] }) => realTimers))],
    coverage: mergeCoverage(results.map(({ coverage }) => coverage)),
    ...mergeDeviationStatistics(results),
  });
}

/** What the properties of all shards compared. */
function mergeCompared(results: readonly ExploreResult[]): ExploreResult["compared"] {
  const collector = new ComparisonCollector();
  for (const each of results.flatMap(({ compared = [] }) => compared)) collector.merge(each);
  return collector.all;
}

/** @throws {InputError} if a shard is missing, is repeated, or belongs to another exploration */
function mustBeAll(first: Part, parts: readonly Part[]): void {
  const { count } = first.head.shard;
  for (const { name, head } of parts) {
    const key = (
      ["version", "title", "seed", "scenario", "module", "bound", "seeds", "options"] as const
    ).find((each) => JSON.stringify(head[each]) !== JSON.stringify(first.head[each]));
    if (key !== undefined)
      throw new InputError(
        ["results"],
        `${name} belongs to another exploration than ${first.name}: its ${key} is ${show(head[key])}, not ${show(first.head[key])}`,
      );
    if (head.shard.count !== count)
      throw new InputError(
        ["results"],
        `${name} is one of ${head.shard.count} shards, and ${first.name} one of ${count}`,
      );
  }
  const missing: number[] = [];
  for (let index = 1; index <= count; index++) {
    const [one, other] = parts.filter(({ head }) => head.shard.index === index);
    if (one === undefined) missing.push(index);
    if (one !== undefined && other !== undefined)
      throw new InputError(["results"], `${one.name} and ${other.name} are both shard ${index} of ${count}`);
  }
  if (missing.length > 0)
    throw new InputError(
      ["results"],
      `of ${count} shards, ${missing.length === 1 ? "this one is" : "these are"} missing: ${missing.join(", ")}`,
    );
}

/** @throws {InputError} if a file does not contain the complete results of a shard */
function readResults({ name, text }: ResultsFile): Part {
  const lines = text.split("\n");
  const head = readLine(lines[0]) as Partial<Head> | undefined;
  if (head?.ringback !== "explore" || head.shard === undefined)
    throw new InputError(["results"], `${name}: this is not a file of \`ringback explore --out\``);
  mustFollowRules(head.rules, `file of results, ${name},`, ["results"]);
  const { index, count } = head.shard;
  const isTruncated = (why: string) =>
    new InputError(["results"], `${name}: shard ${index} of ${count} is incomplete: ${why}`);
  // the text after the last line break is empty, unless the last line was cut off
  if (lines.pop() !== "") throw isTruncated("its last line is cut off");
  const { end } = (readLine(lines.at(-1)) ?? {}) as Partial<End>;
  if (end === undefined) throw isTruncated("its last line is missing, as if the exploration was stopped");
  const worlds = lines.slice(1, -1).map(readLine) as (Pick<WorldOutcome, "order"> & { world?: number[] })[];
  const broken = worlds.findIndex((each) => each?.world === undefined);
  if (broken >= 0) throw isTruncated(`line ${broken + 2} is not a world`);
  const own = worlds.filter(({ world = [] }) => !isOfCorpus({ order: world })).length;
  if (own !== end.worlds) throw isTruncated(`it has ${own} worlds, but its last line says ${end.worlds}`);
  return { name, head: head as Head, result: end };
}

function readLine(text = ""): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // the caller says what was expected
  }
}
