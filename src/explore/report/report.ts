import type { Deviation } from "../../core/engine/deviations.ts";
import { counted } from "../../core/platform/declare/words.ts";
import { deviationText } from "../../core/scenario/deviations.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";
import { explanationLines, type NearestWorld, type Received, shortMessage } from "../../findings/explain.ts";
import {
  appDefects,
  RETURNED_FALSE,
  SAY_WHY,
  type Thrown,
  type ValueDifference,
} from "../../findings/property-failure.ts";
import { quoted } from "../../findings/quoted.ts";
import { countedWithoutCopies } from "../../findings/wording.ts";
import { type Coverage, coverageText } from "../../stories/coverage.ts";
import type { ToldPeople } from "../../stories/told-stories.ts";
import {
  type DeviationCount,
  type DeviationStatistics,
  deviationStatisticsText,
} from "../minimize/deviation-statistics.ts";
import { OF_MODULE } from "../run/attachments.ts";
import { type ComparedRows, comparedText } from "../run/compared.ts";
import { type ForgedRequests, forgedText } from "../run/forged-report.ts";
import { type Forgery, forgeryText } from "../run/forgery.ts";
import { type Mutant, mutantsText } from "../run/mutants.ts";
import type { DeviationKind } from "../search/options.ts";
import { NO_REQUEST, summaryLine } from "./summary.ts";
import { unmetTexts } from "./untried.ts";

/** The smallest world that breaks a property. */
export interface SmallestWorld {
  /** The world as YAML, with its `deviations`; undefined for a function that no scenario can express. */
  readonly scenario: string | undefined;
  /** The deviations of the world. */
  readonly deviations: readonly Deviation[];
  /** The world's journal, including the app's commands and answers. `replay` takes it. */
  readonly journal: JournalDocument;
  /**
   * Whether no single deviation, step, or part of the organisation can go: without it the property holds, with these
   * deviations and with any other one of their kind. False if `shrinkFor` or `for` ended the search.
   */
  readonly isMinimal: boolean;
  /** How many worlds were run to find it. */
  readonly runs: number;
  /** What the app received, and the app's state after each. */
  readonly received: readonly Received[];
}

/** All worlds that break the same property for the same reason. */
export interface ExploreFailure {
  /** The property's name, or the app's defect, such as `the app hangs`. */
  readonly property: string;
  /** What the property threw in the smallest world. */
  readonly message: string;
  /**
   * The first line of what it threw in the world that was found, if it is another one. Undefined for an app that does not
   * return or takes too much memory: it threw nothing.
   */
  readonly found: string | undefined;
  /** What an assertion of the property expected and received in the smallest world, if it says so. */
  readonly difference: ValueDifference | undefined;
  /** The class, place and stack of what was thrown in the smallest world; undefined if nothing was. */
  readonly thrown: Thrown | undefined;
  /** The property, and for an app that throws, the error's name and code. The message does not count. */
  readonly identity: string;
  /** The key that groups failing worlds before they are shrunk: the identity, and the families of deviations that cause it. */
  readonly fingerprint: string;
  /** How many worlds fail like this. */
  readonly worlds: number;
  /** The place of the first of them in the order of all worlds. */
  readonly order: readonly number[];
  /** The smallest world that fails like this. */
  readonly smallest: SmallestWorld;
  /** The forged requests that each bring it about; empty if no forged request does. The smallest world has the first. */
  readonly forged: readonly Forgery[];
  /** What happens in the smallest world, in one sentence. */
  readonly story: string;
  /**
   * What the property depends on although the documentation does not promise it, in plain words: one entry for each
   * assumption that the smallest world changes.
   */
  readonly dependsOn: readonly string[];
  /** The passing world that is nearest to the smallest; undefined if that has no deviations. */
  readonly nearest: NearestWorld | undefined;
  /** Other deviations with which the same smallest scenario breaks the property. */
  readonly also: readonly (readonly Deviation[])[];
  /** The file in the corpus that holds the smallest scenario; undefined without a corpus. */
  readonly kept: string | undefined;
  /** The files of the smallest world in `ringback-results/`; undefined if none were written. */
  readonly files: FailureFiles | undefined;
  /** The command that replays the smallest world. If its scenario is in no file yet, it says where to save it first. */
  readonly replay: string;
}

/** The files of a failure. Paths are relative to the folder in which the program runs. */
export interface FailureFiles {
  /** What the files are named after. `ringback keep` takes it. */
  readonly name: string;
  /** The journal of the smallest world. `ringback run` plays it again. */
  readonly journal: string;
  /** The inspector's page; undefined in a clone of ringback where the page is not built. */
  readonly page: string | undefined;
  /** The smallest scenario; undefined for a function that no scenario can express. */
  readonly scenario: string | undefined;
  /**
   * What `ringback keep` makes a regression test of: it writes the test, with the scenario, where your tests are. Undefined
   * if no test can play the scenario.
   */
  readonly test: string | undefined;
}

/** A failure that is marked as known: a property that the option `known` names. */
export interface KnownFailure {
  /** The property's name, or the app's defect. */
  readonly property: string;
  /** Why it is known, such as the number of an issue. */
  readonly reason: string;
  /** Its failures, one of each kind; empty if it held. */
  readonly failures: readonly ExploreFailure[];
}

/** A world that took many steps. */
export interface LongWorld {
  /** The world's place in the order of all worlds. */
  readonly order: readonly number[];
  /** The deviations of the world. */
  readonly deviations: readonly Deviation[];
  /** How many steps the simulator took. More steps make a world slower. */
  readonly steps: number;
}

/** The report as plain data. */
export interface ExploreResult {
  /** The scenario's title, or the function's name. */
  readonly title: string;
  /** The scenario's seed. */
  readonly seed: string | number;
  /** How many deviations a world had at most. */
  readonly atMost: number;
  /** The seeds of the worlds; undefined if all worlds up to the bound were explored. */
  readonly seeds: { readonly from: number; readonly to: number } | undefined;
  /** The stories that were played besides; undefined if people did what the scenario says. */
  readonly people?: ToldPeople | undefined;
  /** How many properties were given. Without any, only defects of the app can be found. */
  readonly properties: number;
  /** How many worlds were run. */
  readonly worlds: number;
  /** How many further worlds were left out, because the app would have seen the same as in one that was run. */
  readonly alike: number;
  /**
   * Whether every world of the bound was run, or left out because the app would have seen the same, and the world without
   * deviations did not end early.
   */
  readonly complete: boolean;
  /** Why not all worlds were run that were known; undefined if all were. */
  readonly leftOut: string | undefined;
  /**
   * What ended the world without deviations before its time, and when; undefined if nothing did. Nobody knows where later
   * deviations would have had their place.
   */
  readonly endsEarly: string | undefined;
  /**
   * Why planned worlds did not run although no limit ended the exploration: a thread could not run them, or a run
   * did not come where an earlier one did. Empty if all ran. With any, the exploration does not pass.
   */
  readonly notRun: readonly string[];
  /** Which of how many shards this is, from 1; 1 of 1 for a whole exploration. */
  readonly shard: { readonly index: number; readonly count: number };
  /** The failures, one of each kind, in the order in which they were found. */
  readonly failures: readonly ExploreFailure[];
  /** In how many worlds each property of `sometimes` held, without those of the corpus. */
  readonly held: readonly { readonly property: string; readonly worlds: number }[];
  /** What the ready-made properties compared with the records of the platform, and what they did not. */
  readonly compared: readonly ComparedRows[];
  /** The failures that `known` marks, which are not among `failures`. */
  readonly known: readonly KnownFailure[];
  /** The properties of `sometimes` that held in no world. */
  readonly neverHeld: readonly string[];
  /** How many scenarios of the corpus were played first; they are not counted as worlds. */
  readonly corpus: number;
  /** Scenarios of the corpus that no longer reach their deviations, with the reason. */
  readonly outdated: readonly string[];
  /** The worlds with the most steps, the longest first. */
  readonly longest: readonly LongWorld[];
  /** How many worlds reached each state and transition of the platform's machines. */
  readonly coverage: Coverage;
  /** The deviations that worlds had, by kind and by what they were about, and in how many worlds. */
  readonly tried: readonly DeviationCount[];
  /** The properties that deviations broke, and in how many worlds. */
  readonly breaks: readonly DeviationStatistics[];
  /** How many requests the app received in all worlds, plus how many it sent. */
  readonly requests: number;
  /** The URLs of requests for which the app had no route, so that it never saw them. */
  readonly unrouted: readonly string[];
  /**
   * With `clock: "real"`: the timers that the app had set while an answer of the REST API waited for virtual time. With the virtual
   * clock: the timer of a loop that began when the app's module was loaded, which runs in one world only.
   */
  readonly realTimers: readonly string[];
  /** What else was noticed of the app, a line each, such as a host that it asked for real. None of it fails. */
  readonly notes: readonly string[];
  /**
   * Whether the app was seen to work after it had answered a request, and restarts, which might lose that work, were not
   * tried: neither `durable` nor a command that restarts a server says how.
   */
  readonly untriedRestarts: boolean;
  /** What must be tried, as the option `require` says. */
  readonly required: readonly ("restarts" | "forged")[];
  /** Why restarts or forged requests were not tried, or not all, with what to do. Without those that were. */
  readonly untried: { readonly restarts?: string; readonly forged?: string };
  /** What was tried with forged requests; undefined if `forged` is false, or for a shard other than the first. */
  readonly forged: ForgedRequests | undefined;
  /** Platforms that were each changed in one way, and what noticed; undefined without the option `mutants`. */
  readonly mutants: readonly Mutant[] | undefined;
}

/** The report of an exploration. */
export class ExploreReport {
  constructor(
    /** The report as plain data. */
    readonly result: ExploreResult,
  ) {}

  /** How many worlds were run. */
  get worlds(): number {
    return this.result.worlds;
  }

  /**
   * Whether every world up to the bound was run, or left out because the app would have seen the same. Not if the world
   * without deviations ended early: where later deviations have their place is not known then.
   */
  get complete(): boolean {
    return this.result.complete;
  }

  /** How many worlds were left out, because the app would have seen the same as in one that was run. */
  get skipped(): number {
    return this.result.alike;
  }

  /** The failures, one of each kind, in the order in which they were found. Those that `known` marks are not among them. */
  get failures(): readonly ExploreFailure[] {
    return this.result.failures;
  }

  /** The failures that `known` marks. */
  get known(): readonly KnownFailure[] {
    return this.result.known;
  }

  /**
   * The properties that `known` marks although they hold in all worlds: take the mark away. Empty where only a part of the
   * worlds was run, or runs of one world differ, which cannot tell.
   */
  get gone(): readonly string[] {
    const isUncertain = this.failures.some(({ property }) => property === appDefects.unsteady);
    if (!this.complete || this.isPart || isUncertain) return [];
    return this.known.filter(({ failures }) => failures.length === 0).map(({ property }) => property);
  }

  /** The properties of `sometimes` that held in no world. Their situations were never tested. */
  get neverHeld(): readonly string[] {
    return this.result.neverHeld;
  }

  /** How many worlds reached each state and transition of the platform's machines. Those with 0 were not tested. */
  get coverage(): Coverage {
    return this.result.coverage;
  }

  /** Platforms that were each changed in one way, and which property noticed. Empty without the option `mutants`. */
  get mutants(): readonly Mutant[] {
    return this.result.mutants ?? [];
  }

  /**
   * Whether nothing failed but what is marked as known and still fails, every property of `sometimes` held, each world that
   * was planned ran or a limit left it out, everything that `require` names was tried, and a limit left time for at least one
   * world. One of several shards ignores `sometimes` and `require`, of which only all together can tell.
   */
  get passed(): boolean {
    const { failures, gone, neverHeld } = this;
    const isTold = (this.isPart || neverHeld.length === 0) && this.unmet.length === 0;
    const allRan = this.result.notRun.length === 0 && !this.isEmpty;
    return failures.length === 0 && gone.length === 0 && isTold && allRan;
  }

  /** @internal Whether the exploration ended before its first world. A shard that has none is complete. */
  get isEmpty(): boolean {
    return this.worlds === 0 && !this.complete;
  }

  /** @internal What `require` names and was not tried, in words. */
  get unmet(): string[] {
    const { required, untried } = this.result;
    return this.isPart || this.isEmpty ? [] : unmetTexts(required, untried);
  }

  private get isPart(): boolean {
    return this.result.shard.count > 1;
  }

  /**
   * The report as plain data.
   * @example
   * import { exploreReport } from "ringback/explore";
   *
   * const report = await exploreReport({
   *   scenario: (sim) => void sim.calls.inbound({ from: "+6421555001", to: "+6495550103" }),
   *   app: () => ({}),
   *   eventually: { "nobody is missed": (sim) => sim.events.ofType("call.not_answered").length === 0 },
   * });
   * JSON.parse(JSON.stringify(report)).failures.length; // => 1
   */
  toJSON(): ExploreResult {
    return this.result;
  }

  /** Warnings about what limits the exploration's meaning. */
  private get warnings(): string[] {
    const { requests, unrouted, realTimers } = this.result;
    if (realTimers.some((each) => each.startsWith(OF_MODULE)))
      return [`${realTimers.join("; ")}, runs in one world only: begin it in \`app\``];
    if (realTimers.length > 0)
      return [
        `while an answer was slow, the app waited for a real timer, which no world waits for: ${realTimers.join("; ")}. With the virtual clock it runs at its instant`,
      ];
    if (unrouted.length > 0)
      return [`requests to ${unrouted.join(", ")} had no route in the app, which never received them`];
    return requests === 0 ? [`${NO_REQUEST}, so the network could not affect it`] : [];
  }

  private get provenText(): string {
    const { properties, requests } = this.result;
    return properties === 0
      ? "no property was given: this only shows that the app does not throw, hang or leave a request behind in these worlds"
      : `every ${this.known.length === 0 ? "" : "other "}property holds in each of these worlds${requests === 0 ? `, and ${NO_REQUEST}` : ""}`;
  }

  /**
   * The report as text: first what is wrong, last what to do next.
   * @param options with `verbose`, also the nearest passing worlds, what breaks how often, the longest worlds, the machines,
   * and each change of the platform
   * @example
   * import { exploreReport } from "ringback/explore";
   *
   * const report = await exploreReport({
   *   scenario: (sim) => void sim.calls.inbound({ from: "+6421555001", to: "+6495550103" }),
   *   app: () => ({}),
   *   eventually: { "nobody is missed": (sim) => sim.events.ofType("call.not_answered").length === 0 },
   * });
   * report.toText().startsWith("FAILS nobody is missed: "); // => true
   */
  toText({ verbose = false }: { readonly verbose?: boolean } = {}): string {
    const { failures, result } = this;
    // whoever mends a failure need not know yet how much it proves that others hold
    const isLong = verbose || failures.length === 0;
    const blocks = [
      ...this.wrongTexts(verbose),
      this.boundLines(isLong).join("\n"),
      ...this.known.flatMap(knownFailureTexts),
      [
        ...(isLong ? [...triedLines(result), ...heldLines(result)] : []),
        ...comparedLines(result, isLong),
      ].join("\n"),
      ...(verbose ? verboseTexts(result) : []),
      [...this.untried, ...mutantLines(result.mutants, verbose)].join("\n"),
      (result.notes ?? []).join("\n"),
      ...this.warnings,
      ...(this.passed ? [[this.provenText, ...missedFailuresText(result)].join("\n")] : []),
      ...(isLong ? [summaryLine(result)] : []),
      ...failures.map((failure, index) => nextText(failure, failures.length > 1 ? index + 1 : undefined)),
    ];
    return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
  }

  /** What is wrong, each in a block. */
  private wrongTexts(verbose: boolean): string[] {
    const { notRun } = this.result;
    return [
      ...this.failures.map((failure) => failureText(failure, verbose)),
      ...this.gone.map(goneText),
      ...this.neverHeld.map((name) =>
        this.isPart
          ? `"${name}" held in none of these worlds: \`ringback merge\` tells whether it did in others`
          : `"${name}" held in no world: that situation was never tested. Add steps that lead to it`,
      ),
      ...this.unmet.map((each) => `FAILS: ${each}`),
      ...(notRun.length > 0 ? [notRunLine(notRun)] : []),
      ...(this.isEmpty ? [NO_WORLD] : []),
    ];
  }

  /** Which worlds were run. */
  private boundLines(isLong: boolean): string[] {
    const { corpus, outdated, people, title } = this.result;
    return [
      `${title}: ${boundText(this.result, isLong)}`,
      ...(people === undefined ? [] : [peopleText(people)]),
      ...(corpus > 0 ? [`first ${counted(corpus, "scenario")} of the corpus`] : []),
      ...outdated.map((each) => `out of date: ${each}`),
    ];
  }

  /** What was tried besides, and what was not. */
  private get untried(): string[] {
    const { forged, untriedRestarts } = this.result;
    return [
      ...(forged === undefined ? [] : forgedText(forged)),
      ...(untriedRestarts ? [UNTRIED_RESTARTS] : []),
    ];
  }
}

/** What only a verbose report says. */
function verboseTexts(result: ExploreResult): string[] {
  const { coverage, longest } = result;
  const steps = longest.map((each) => `  ${counted(each.steps, "step")}: ${deviationsText(each.deviations)}`);
  return [
    deviationStatisticsText(result).join("\n"),
    ...(steps.length === 0 ? [] : [["longest worlds:", ...steps].join("\n")]),
    coverageText(coverage),
  ];
}

/** What noticed the changes of the platform: each with `verbose`, else how many nothing noticed. */
function mutantLines(mutants: readonly Mutant[] | undefined, verbose: boolean): string[] {
  if (mutants === undefined) return [];
  if (verbose) return mutantsText(mutants);
  const unnoticed = mutants.filter((each) => each.noticedBy === undefined && each.recoveredBy === undefined);
  return [
    `nothing noticed ${unnoticed.length} of ${counted(mutants.length, "change")} of the platform: \`verbose\` (\`--verbose\`) names them`,
  ];
}

/** The line about an app that works after it has answered, and that no world restarts. */
const UNTRIED_RESTARTS =
  "the app works after it has answered, and restarts were not tried: give `durable`, or for a server `--restart <command>`";

/** What is said of planned worlds that did not run. */
export const NOT_RUN = "planned worlds did not run";

/** The line of a report about them. */
function notRunLine(notRun: readonly string[]): string {
  const more = notRun.length - 1;
  return `ERROR: ${NOT_RUN}: ${notRun[0]}${more > 0 ? ` (and ${more} more)` : ""}`;
}

/** The line of a report that ended before its first world. */
export const NO_WORLD = "no world was run, so nothing is proven";

/** Describes the bound: `1,284 worlds with at most 2 deviations, all of them (seed 1)`. */
function boundText(result: ExploreResult, isLong: boolean): string {
  const { worlds, alike, atMost, seeds, complete, leftOut, endsEarly, seed, shard } = result;
  const bound = `with at most ${counted(atMost, "deviation")}`;
  const of = seeds === undefined ? bound : `of the seeds ${seeds.from} to ${seeds.to}, ${bound}`;
  const part = shard.count === 1 ? "" : `, part ${shard.index} of ${shard.count}`;
  const why = [leftOut, endsEarly].filter((each) => each !== undefined).join("; ");
  const all = complete ? "all of them" : `not all of them: ${why}`;
  const same =
    alike === 0 || !isLong ? "" : `; ${alike.toLocaleString("en")} more would look the same to the app`;
  return `${counted(worlds, "world")} ${of}${part}, ${all}${same}${seeds === undefined ? ` (seed ${seed})` : ""}`;
}

/** `of them 26 stories with at most 1 act of alice, bob and callers; 38 more would look the same to the app`. */
function peopleText({ acts, deviations, stories, alike, who }: ToldPeople): string {
  const network = deviations === 0 ? "" : `, each with at most ${counted(deviations, "deviation")}`;
  const more = alike === 0 ? "" : `; ${alike.toLocaleString("en")} more would look the same to the app`;
  return `of them ${counted(stories, "story", "stories")} with at most ${counted(acts, "act")} of ${[...who, "callers"].join(", ")}${network}${more}`;
}

/** The probability with which worlds have missed a failure as common as the report says. */
const MISS_PROBABILITY = 0.05;

/** Says how common a failure may be that random worlds did not show: each missed it with one minus its share. */
function missedFailuresText({ seeds, worlds }: ExploreResult): string[] {
  if (seeds === undefined || worlds === 0) return [];
  const share = 1 - MISS_PROBABILITY ** (1 / worlds);
  const percent = (share * 100).toPrecision(2);
  return [
    `a failure that occurs in at least ${percent} % of such worlds would have been missed with a probability of at most ${MISS_PROBABILITY * 100} %`,
  ];
}

/** The kinds of deviations that worlds had, and what was left as it is. */
function triedLines({ tried, people }: ExploreResult): string[] {
  const kinds = [...new Set(tried.map(({ kind }) => kind))].sort();
  if (kinds.length === 0) return [];
  const not = variety.filter((kind) => !kinds.includes(kind));
  return [
    `tried: ${kinds.join(", ")}`,
    ...(not.length === 0 ? [] : [`not tried unless \`kinds\` names them: ${not.join(", ")}`]),
    ...(people === undefined ? [UNTRIED_PEOPLE] : []),
  ];
}

/** The line about people who do what the scenario says. */
const UNTRIED_PEOPLE =
  "not tried, as `people` (`--people 1`) is not given: that people do more or less than the scenario says";

/** The kinds that are no mishap of the network, but calls which an app gets one day. */
const variety: readonly string[] = ["caller", "calendar"] satisfies DeviationKind[];

/** Says how often each property of `sometimes` held that did at all. */
function heldLines({ held, worlds }: ExploreResult): string[] {
  const some = held.filter((each) => each.worlds > 0);
  if (some.length === 0) return [];
  const share = (count: number) => `${count.toLocaleString("en")} of ${counted(worlds, "world")}`;
  return some.map((each) => `"${each.property}" held in ${share(each.worlds)}`);
}

/** What ready-made properties compared; of a short report only if they could not compare something. */
function comparedLines({ compared }: ExploreResult, isLong: boolean): string[] {
  return compared.filter((each) => isLong || each.uncomparable.length > 0).map(comparedText);
}

/** Describes deviations: `lost(PT0S call.started) and late(PT6S call.answered)`. */
function deviationsText(deviations: readonly Deviation[]): string {
  return deviations.length === 0
    ? "without any deviation"
    : countedWithoutCopies(deviations).map(deviationText).join(" and ");
}

function failureText(failure: ExploreFailure, verbose: boolean): string {
  const { property, message, thrown, found, worlds, smallest, story, dependsOn, nearest, also, files, kept } =
    failure;
  const { deviations, scenario, isMinimal, runs } = smallest;
  // where runs of one world differ, none is looked for that is smaller
  const isSteady = property !== appDefects.unsteady && runs > 0;
  const [first, ...more] = failure.forged;
  const others = [...also.map(deviationsText), ...more.map(forgeryText)];
  const indent = (text: string) => text.trimEnd().replaceAll(/^/gm, "    ");
  const isInFile = kept !== undefined || files?.scenario !== undefined;
  const [says, ...saysMore] = shortMessage(message).trim().split("\n");
  return [
    `FAILS ${property}: ${says} (in ${counted(worlds, "world")})`,
    ...(saysMore.length === 0 ? [] : [indent(saysMore.join("\n"))]),
    ...(thrown?.place === undefined ? [] : [`    ${thrown.name} at ${thrown.place}`]),
    ...(found === undefined ? [] : [`    first found as: ${found}`]),
    `  ${story}`,
    `  ${isSteady ? "smallest" : "world"}: ${first === undefined ? deviationsText(deviations) : forgeryText(first)}`,
    ...(others.length === 0 ? [] : [`  also: ${others.join(", ")}`]),
    ...dependsOn.map((each) => `  depends on: ${each}`),
    ...(isMinimal || !isSteady ? [] : [`  not smallest: stopped after ${counted(runs, "run")}`]),
    ...(scenario === undefined ? [] : [indent(isInFile && !verbose ? stepsOf(scenario) : scenario)]),
    ...(verbose ? explanationLines(nearest) : []),
  ].join("\n");
}

/** The steps of a scenario, and what else its world consists of: the rest is in its file, and said before. */
function stepsOf(scenario: string): string {
  const sections = scenario.split(/^(?=\w)/m);
  return sections.filter((section) => !/^(?:scenario|description|deviations):/.test(section)).join("");
}

/** What to do next about a failure. @param number which of several it is, from 1 */
function nextText({ message, files, kept, replay }: ExploreFailure, number: number | undefined): string {
  return [
    number === undefined ? "next:" : `next, for failure ${number}:`,
    ...(kept === undefined ? [] : [`  kept in: ${kept}`]),
    `  replay: ${replay}`,
    ...(files?.page === undefined ? [] : [`  page: ${files.page}`]),
    ...(files?.test === undefined ? [] : [`  keep: npx ringback keep ${quoted(files.name)}`]),
    ...(message === RETURNED_FALSE ? [`  ${SAY_WHY}`] : []),
  ].join("\n");
}

/** The line of a mark that must go. */
export function goneText(property: string): string {
  return `GONE: "${property}" is marked as known, but holds in each of these worlds: take it out of \`known\``;
}

const firstLine = (text: string) => text.trim().split("\n", 1)[0] ?? "";

/** A known failure in short: its reason, what it says, and its deviations. */
function knownFailureTexts({ property, reason, failures }: KnownFailure): string[] {
  return failures.map(({ worlds, message, smallest }) =>
    [
      `KNOWN in ${counted(worlds, "world")}: ${property}`,
      `  because: ${reason}`,
      `  says: ${firstLine(message)}`,
      `  smallest: ${deviationsText(smallest.deviations)}`,
    ].join("\n"),
  );
}
