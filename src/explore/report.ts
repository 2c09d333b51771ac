import type { Deviation } from "../engine/choices.ts";
import type { JournalDocument } from "../options.ts";
import { deviationText } from "../scenario/deviations.ts";

/** The smallest world that was found to break a property. */
export interface SmallestWorld {
  /** As YAML, with its `deviations`; undefined where the script is a function that no scenario can say. */
  readonly scenario: string | undefined;
  readonly deviations: readonly Deviation[];
  /** What came from outside, the subject's commands and answers included: `replay` takes it. */
  readonly journal: JournalDocument;
}

/** All worlds that broke the same property in the same way. */
export interface ExploreFailure {
  /** The property's name, or what the subject did, such as `the subject hangs`. */
  readonly property: string;
  /** What it threw, in the smallest world. */
  readonly message: string;
  /** The property and its message without numbers. */
  readonly fingerprint: string;
  /** How many worlds. */
  readonly worlds: number;
  readonly smallest: SmallestWorld;
  /** What plays the smallest world again, once its scenario is in a file. */
  readonly replay: string;
}

/** What an exploration came to. */
export interface ExploreResult {
  readonly title: string;
  readonly seed: string | number;
  /** How many deviations a world had at most. */
  readonly atMost: number;
  /** How many worlds were run. */
  readonly worlds: number;
  /** How many more were not run, since the subject would have seen the same as in one that was. */
  readonly alike: number;
  /** Every world of the bound was run, or is like one that was. */
  readonly complete: boolean;
  /** Why not all were run; undefined where all were. */
  readonly leftOut: string | undefined;
  readonly shard: { readonly index: number; readonly count: number };
  readonly failures: readonly ExploreFailure[];
  /** The properties of `sometimes` that held in no world. */
  readonly neverHeld: readonly string[];
}

/** An exploration, told. */
export class ExploreReport {
  constructor(
    /** The report as plain data. */
    readonly result: ExploreResult,
  ) {}

  /** How many worlds were run. */
  get worlds(): number {
    return this.result.worlds;
  }

  /** Every world up to the bound was run, or would have shown the subject the same as one that was. */
  get complete(): boolean {
    return this.result.complete;
  }

  /** How many worlds were not run, since the subject would have seen the same as in one that was. */
  get skipped(): number {
    return this.result.alike;
  }

  /** What failed, each in its own way once, the first that was found first. */
  get failures(): readonly ExploreFailure[] {
    return this.result.failures;
  }

  /** The properties of `sometimes` that held in no world: what they are about was never tested. */
  get neverHeld(): readonly string[] {
    return this.result.neverHeld;
  }

  /** Nothing failed, and everything that is to hold sometimes did. */
  get passed(): boolean {
    return this.failures.length === 0 && this.neverHeld.length === 0;
  }

  /** The report as plain data. */
  toJSON(): ExploreResult {
    return this.result;
  }

  /** The report in words, with the smallest scenario of each failure. */
  toText(): string {
    const { failures, neverHeld } = this;
    const lines = [`${this.result.title}: ${boundText(this.result)}`];
    for (const failure of failures) lines.push("", failureText(failure));
    for (const name of neverHeld)
      lines.push("", `"${name}" held in no world: that situation was never tested`);
    if (this.passed) lines.push("every property holds in all of them");
    return `${lines.join("\n")}\n`;
  }
}

/** `1,284 worlds with at most 2 deviations, all of them (seed 1)`. */
export function boundText({ worlds, alike, atMost, complete, leftOut, seed, shard }: ExploreResult): string {
  const many = (count: number, what: string) =>
    `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
  const part = shard.count === 1 ? "" : `, part ${shard.index} of ${shard.count}`;
  const all = complete ? "all of them" : `not all of them: ${leftOut}`;
  const same =
    alike === 0 ? "" : `; ${many(alike, "more")} would look the same to the subject`.replace("mores", "more");
  return `${many(worlds, "world")} with at most ${many(atMost, "deviation")}${part}, ${all}${same} (seed ${seed})`;
}

function failureText({ property, message, worlds, smallest, replay }: ExploreFailure): string {
  const { deviations, scenario } = smallest;
  const how = deviations.length === 0 ? "without any deviation" : deviations.map(deviationText).join(" and ");
  const indent = (text: string) => text.trimEnd().replaceAll(/^/gm, "    ");
  return [
    `FAILS in ${worlds.toLocaleString("en")} ${worlds === 1 ? "world" : "worlds"}: ${property}`,
    indent(message),
    `  smallest: ${how}`,
    ...(scenario === undefined ? [] : [indent(scenario)]),
    `  replay: ${replay}`,
  ].join("\n");
}

/** Thrown by `explore` when a property fails. */
export class CounterexampleError extends Error {
  override readonly name = "CounterexampleError";

  constructor(
    /** What was explored, and what failed. */
    readonly report: ExploreReport,
  ) {
    super(report.toText());
  }
}
