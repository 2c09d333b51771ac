import type { Bound } from "../../findings/bound.ts";
import type { People } from "../../stories/people-options.ts";
import type { StoriesPart } from "../../stories/told-stories.ts";
import type { CorpusFile, ScenarioText } from "../run/files.ts";
import type { CausedFailure, WorldOutcome } from "../run/outcome.ts";
import type { Prepared } from "../run/prepare.ts";
import type { WorldsPart } from "./frontier.ts";
import type { Seeds } from "./limits.ts";
import type { ShardContents } from "./sharding.ts";

/** Worlds that one thread runs together. */
export type Part = WorldsPart | { readonly corpus: number } | SeedsPart | StoriesPart;

/** Some of the seeds. */
export interface SeedsPart {
  readonly seeds: { readonly from: number; readonly to: number; readonly step: number };
}

/** What to explore, and how far. */
export interface Task {
  readonly prepared: Prepared;
  /** Scenarios that failed before, which are played first. */
  readonly corpus: readonly CorpusFile[];
  readonly bound: Bound;
  /** The seeds of the worlds; undefined to run all worlds up to the bound. */
  readonly seeds: Seeds | undefined;
  /** What people may do besides what the scenario says. */
  readonly people?: People | undefined;
  /** Whether the app's clock and timers follow the virtual time. */
  readonly clock: "virtual" | "real";
  /** How long a world goes on after the last thing that was new, in virtual ms. */
  readonly horizonMs: number;
  /** The worlds of this shard; undefined for all. */
  readonly shardContents?: ShardContents | undefined;
  /** Whether the app's states are left out, since what shows them does not return. */
  readonly leavesOutStates?: boolean;
}

/** Receives the outcomes of a part's worlds, in order. */
export interface OutcomeSink {
  /** Called before each world. Returns why no further world may be run, or undefined. */
  whyToStop(): string | undefined;
  /** Whether the allowed number of worlds has been taken. */
  isFull(): boolean;
  add(outcome: WorldOutcome): void;
}

/** A failing world that is to be shrunk. */
export interface Failing {
  readonly failure: CausedFailure;
  /** Its scenario, if it is not the one that is explored. */
  readonly scenario: ScenarioText | undefined;
  /** How much wall-clock time shrinking may take, ms. */
  readonly forMs: number;
  /** Whether it is a story, of which the sentence tells what people do. */
  readonly isStory: boolean;
}
