import type { DurationInput } from "../engine/instants.ts";
import { restDeviations } from "../network/deviations.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Simulator } from "../simulator.ts";
import type { Check, Wish } from "./integration.ts";
import type { Share } from "./worlds.ts";

/** What a world may have of what is unusual, as `kinds` names it. */
export const deviationKinds = [
  "lost",
  "unanswered",
  "duplicated",
  "late",
  "overlapping",
  "refused",
  "rejected",
  "timers",
  ...restDeviations,
  "answers",
] as const;
/** The name of one kind of deviation. */
export type DeviationKind = (typeof deviationKinds)[number];

/** Which deviations are explored, systematically. */
export interface DeviationBound {
  /** How many a world may have at most. Default 1. */
  readonly atMost?: number;
  /** Default: all. */
  readonly kinds?: readonly DeviationKind[];
  /** Only requests to URLs that start like one of these deviate. Default: all. */
  readonly on?: readonly string[];
}

/** What the seeds of an exploration vary. What is left out stays as the scenario has it; without `vary`, all of it varies. */
export interface Variation {
  /** The network and the REST API: each seed draws which kinds of deviation there are, and how often. */
  readonly conditions?: boolean | ConditionsVariation;
  /** Further calls from outside, to numbers of the organisation. */
  readonly traffic?: boolean | TrafficVariation;
  /** What people do by themselves: whether and when they answer, decline, hang up. */
  readonly behaviour?: boolean | BehaviourVariation;
}

/** How the network and the REST API vary. Which kinds and URLs there are, `deviations` says. */
export interface ConditionsVariation {
  /** The share of choice points at which something happens, at most: 0 to 1. Default 0.3. */
  readonly rate?: number;
}

/** How traffic varies. */
export interface TrafficVariation {
  /** How many further calls there are at most. Default 5. */
  readonly calls?: number;
  /** They begin within this time of the start. Default `PT5M`. */
  readonly within?: DurationInput;
}

/** How people vary. */
export interface BehaviourVariation {
  /** The ids of the users who act by themselves. Default: all. */
  readonly users?: readonly string[];
}

/** What is explored, and how far. */
export interface ExploreBounds {
  /** What happens in each world: a scenario, the path of its file, or a function that gives commands and lets time pass. */
  readonly scenario: string | Scenario | ((simulator: Simulator) => void | Promise<void>);
  /** How many deviations a world has at most, or more of a bound. Default 1. */
  readonly deviations?: number | DeviationBound;
  /**
   * Instead of all worlds up to a bound: one world for each of these seeds, which is drawn from it; a number stands for those
   * from 1 on. `deviations` is then how many a world has at most, default 10.
   */
  readonly seeds?: number | { readonly from: number; readonly to: number };
  /** What the seeds vary. Default: everything. */
  readonly vary?: Variation;
  /** Runs at most so many worlds. */
  readonly worlds?: number;
  /** Begins no world after so much wall-clock time. */
  readonly for?: DurationInput;
  /** How long a promise of the subject may stay open, wall clock. Default 5 s. */
  readonly patience?: DurationInput;
  /**
   * How many threads run worlds; the report is the same for any number. Default 1: the thread that calls. Functions cannot be
   * handed to another thread, so for more than one the integration must be a module, named by `with`.
   */
  readonly workers?: number;
  /** Runs one of several parts of the worlds; together they are all of them. `index` counts from 1. */
  readonly shard?: Share;
  /**
   * A folder of scenarios that failed once. They are played before all else, and the smallest scenario of each failure is
   * written there.
   */
  readonly corpus?: string;
  /**
   * Also plays the scenario on platforms that drop, duplicate or delay every event of one type, and reports which of them no
   * property noticed. Default false.
   */
  readonly mutants?: boolean;
  /**
   * Webhooks, data actions and returns of scenarios that are read from files may be at local and private hosts, also by http.
   * A scenario that was parsed has been told. Default false.
   */
  readonly allowLocal?: boolean;
  /** The command that the report says replays a failure. `FILE` stands for the scenario's file. */
  readonly replay?: string;
}

/** What `explore` takes: what is explored, and the integration as functions. */
export interface ExploreOptions<T> extends ExploreBounds {
  /** The integration, built anew for each world. One with `Symbol.dispose` or `Symbol.asyncDispose` is disposed after it. */
  subject(simulator: Simulator): T | Promise<T>;
  /** What must hold after each step in which the subject received something: return `false`, or throw as `expect` does, to say it does not. */
  readonly always?: Readonly<Record<string, Check<T>>>;
  /** What must hold when nothing is left to do, retries included; says that it does not like `always`. */
  readonly eventually?: Readonly<Record<string, Check<T>>>;
  /** What must hold in at least one world: if it never does, that situation was never tested. */
  readonly sometimes?: Readonly<Record<string, Wish<T>>>;
}

/** The same with the integration in a module of its own, which other threads can load. */
export interface ExploreModuleOptions extends ExploreBounds {
  /** The path of a module that exports `subject` and, if it likes, `always`, `eventually` and `sometimes`. */
  readonly with: string;
}
