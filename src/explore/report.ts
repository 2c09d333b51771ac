import type { Deviation } from "../engine/choices.ts";
import type { JournalDocument } from "../options.ts";
import { deviationText } from "../scenario/deviations.ts";
import { type Coverage, coverageText } from "./coverage.ts";
import { type Mutant, mutantsText } from "./mutants.ts";

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
  /** Where the first of them stands in the order of all worlds. */
  readonly order: readonly number[];
  readonly smallest: SmallestWorld;
  /** The file in the corpus that holds the smallest scenario; undefined without a corpus. */
  readonly kept: string | undefined;
  /** What plays the smallest world again, once its scenario is in a file. */
  readonly replay: string;
}

/** A world that took many steps. */
export interface LongWorld {
  readonly order: readonly number[];
  readonly deviations: readonly Deviation[];
  /** Of the simulator: how much happened, which is what makes a world slow. */
  readonly steps: number;
}

/** What an exploration came to. */
export interface ExploreResult {
  readonly title: string;
  readonly seed: string | number;
  /** How many deviations a world had at most. */
  readonly atMost: number;
  /** The seeds that the worlds were drawn from; undefined where all worlds up to the bound were meant. */
  readonly seeds: { readonly from: number; readonly to: number } | undefined;
  /** How many properties were given; without any, little can fail. */
  readonly properties: number;
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
  /** How many scenarios of the corpus were played first; they are not counted as worlds. */
  readonly corpus: number;
  /** Scenarios of the corpus that no longer come to their deviations, and which. */
  readonly outdated: readonly string[];
  /** The worlds with the most steps, the longest first. */
  readonly longest: readonly LongWorld[];
  /** How many worlds reached each state and transition of the platform's machines. */
  readonly coverage: Coverage;
  /** How many requests came to the integration in all worlds, and how many of its own were answered. */
  readonly requests: number;
  /** The addresses of requests that the integration had no route for: it never saw them. */
  readonly unrouted: readonly string[];
  /** Platforms that are changed in one way each, and what noticed; undefined where nobody asked for them. */
  readonly mutants: readonly Mutant[] | undefined;
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

  /** How many worlds reached each state and transition of the platform's machines: what the scenario did not test is 0. */
  get coverage(): Coverage {
    return this.result.coverage;
  }

  /** Platforms that were changed in one way each, and which property noticed; none without the option `mutants`. */
  get mutants(): readonly Mutant[] {
    return this.result.mutants ?? [];
  }

  /** Nothing failed, and everything that is to hold sometimes did. One of several shards cannot tell the latter. */
  get passed(): boolean {
    return this.failures.length === 0 && (this.isPart || this.neverHeld.length === 0);
  }

  private get isPart(): boolean {
    return this.result.shard.count > 1;
  }

  /** The report as plain data. */
  toJSON(): ExploreResult {
    return this.result;
  }

  /** What keeps an exploration from meaning much. */
  private get unseen(): string[] {
    const { requests, unrouted } = this.result;
    if (unrouted.length > 0)
      return ["", `requests to ${unrouted.join(", ")} had no route of the integration, which never saw them`];
    return requests === 0
      ? ["", "no request came to the integration, and it sent none: so the network could do nothing to it"]
      : [];
  }

  private get whatHolds(): string {
    return this.result.properties === 0
      ? "no property was given: only that the integration does not throw, hang or leave a request behind holds in each of these worlds"
      : "every property holds in each of these worlds";
  }

  /** The report in words, with the smallest scenario of each failure. */
  toText(): string {
    const { failures, neverHeld } = this;
    const { corpus, longest, outdated, title } = this.result;
    const lines = [`${title}: ${boundText(this.result)}`];
    if (corpus > 0) lines.push(`first ${many(corpus, "scenario")} of the corpus`);
    for (const each of outdated) lines.push(`out of date: ${each}`);
    for (const failure of failures) lines.push("", failureText(failure));
    for (const name of neverHeld)
      lines.push(
        "",
        this.isPart
          ? `"${name}" held in none of these worlds: \`ringback merge\` tells whether it did in others`
          : `"${name}" held in no world: that situation was never tested`,
      );
    if (longest.length > 0)
      lines.push(
        "",
        "longest worlds:",
        ...longest.map(({ deviations, steps }) => `  ${many(steps, "step")}: ${deviationsText(deviations)}`),
      );
    lines.push("", coverageText(this.coverage));
    if (this.result.mutants !== undefined) lines.push("", ...mutantsText(this.result.mutants));
    lines.push(...this.unseen);
    if (this.passed) lines.push("", this.whatHolds);
    return `${lines.join("\n")}\n`;
  }
}

/** `1,284 worlds with at most 2 deviations, all of them (seed 1)`. */
function boundText(result: ExploreResult): string {
  const { worlds, alike, atMost, seeds, complete, leftOut, seed, shard } = result;
  const bound = `with at most ${many(atMost, "deviation")}`;
  const of = seeds === undefined ? bound : `of the seeds ${seeds.from} to ${seeds.to}, ${bound}`;
  const part = shard.count === 1 ? "" : `, part ${shard.index} of ${shard.count}`;
  const all = complete ? "all of them" : `not all of them: ${leftOut}`;
  const same = alike === 0 ? "" : `; ${alike.toLocaleString("en")} more would look the same to the subject`;
  return `${many(worlds, "world")} ${of}${part}, ${all}${same}${seeds === undefined ? ` (seed ${seed})` : ""}`;
}

function many(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

/** `lost(PT0S call.started) and late(PT6S call.answered)`. */
function deviationsText(deviations: readonly Deviation[]): string {
  return deviations.length === 0 ? "without any deviation" : deviations.map(deviationText).join(" and ");
}

function failureText({ property, message, worlds, smallest, kept, replay }: ExploreFailure): string {
  const { deviations, scenario } = smallest;
  const indent = (text: string) => text.trimEnd().replaceAll(/^/gm, "    ");
  return [
    `FAILS in ${many(worlds, "world")}: ${property}`,
    indent(message),
    `  smallest: ${deviationsText(deviations)}`,
    ...(scenario === undefined ? [] : [indent(scenario)]),
    ...(kept === undefined ? [] : [`  kept in: ${kept}`]),
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
