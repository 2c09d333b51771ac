import type { DurationInput } from "../../core/foundation/instants.ts";
import { restartDeviations, restDeviations } from "../../core/network/request-deviations.ts";
import type { ProfileName } from "../../core/platform/declare/profile.ts";
import type { DialectInput } from "../../core/platform/declare/settings.ts";
import type { PhoneNumberReader } from "../../core/platform/organisation/contact-numbers.ts";
import type { Scenario } from "../../core/scenario/scenario.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { People } from "../../stories/people-options.ts";
import type { Check, SometimesCheck } from "../run/explored-app.ts";
import type { Shard } from "./sharding.ts";

/** The kinds of deviations that a world may have, as `kinds` names them. */
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
  "never",
  "outage",
  ...restartDeviations,
  "assumption",
  "unspecified",
  "caller",
  "calendar",
] as const;

/** What an exploration may leave untried, as `require` names it. */
export const requirable = ["restarts", "forged"] as const;

/** The name of one kind of deviation. */
export type DeviationKind = (typeof deviationKinds)[number];

/** Which deviations an exploration tries. */
export interface DeviationBound {
  /** How many deviations a world may have at most. Default 1. */
  readonly atMost?: number;
  /**
   * The kinds of deviations. Default: all but `never`, `outage`, `behind`, `assumption`, `unspecified`, `caller` and `calendar`,
   * which happen only where they are named. `restarted` and `restartedAfter` need `durable`, or a server that can be restarted.
   */
  readonly kinds?: readonly DeviationKind[];
  /** The starts of URLs; only requests to these deviate. Default: all. */
  readonly on?: readonly string[];
}

/** What varies with the seed. Parts left out stay as the scenario has them; without `vary`, all of them vary. */
export interface Variation {
  /**
   * Whether, or how, the network and the REST API vary: each seed decides which kinds of deviations happen, and how
   * often.
   */
  readonly conditions?: boolean | ConditionsVariation;
  /** Whether, or how, further calls from outside come to the organisation's numbers. */
  readonly traffic?: boolean | TrafficVariation;
  /** Whether, or how, people act by themselves: whether and when they answer, decline or hang up. */
  readonly behaviour?: boolean | BehaviourVariation;
}

/** How the network and the REST API vary. `deviations` says which kinds and URLs. */
export interface ConditionsVariation {
  /** The largest part of the deviation points at which something happens, 0 to 1. Default 0.3. */
  readonly rate?: number;
}

/** How traffic varies. */
export interface TrafficVariation {
  /** How many further calls there are at most. Default 5. */
  readonly calls?: number;
  /** Within which time from the start the calls begin. Default `PT5M`. */
  readonly within?: DurationInput;
}

/** How people vary. */
export interface BehaviourVariation {
  /** The ids or e-mail addresses of the users who act by themselves. Default: all. */
  readonly users?: readonly string[];
}

/** What to explore, and how far. */
export interface ExploreBounds {
  /** What happens in each world: a scenario, the path of its file, or a function that gives commands and lets time pass. */
  readonly scenario: string | Scenario | ((simulator: Simulator) => void | Promise<void>);
  /** How many deviations a world has at most, or a bound that says more. Default 1. */
  readonly deviations?: number | DeviationBound;
  /**
   * Runs one random world for each of these seeds, instead of all worlds up to a bound. A number means the seeds
   * from 1. `deviations` is then how many a world has at most, default 10.
   */
  readonly seeds?: number | { readonly from: number; readonly to: number };
  /**
   * Also plays all stories in which people do so many things more than the scenario says, or leave a step undone: answer,
   * decline, hang up, transfer, add, move, leave a voicemail, go busy, log out, call. Default: they do what it says.
   */
  readonly people?: People;
  /** What varies with the seed. Default: everything. */
  readonly vary?: Variation;
  /** How many worlds to run at most. Default: no limit. */
  readonly worlds?: number;
  /**
   * After how much wall-clock time no further world begins; unless it is 0, one is run in any case. Shrinking ends then too,
   * but may take a fifth of this time in any case. In Vitest and Jest worlds also begin only within 70 % of what the test
   * has left. If not all are run by then, and neither `for` nor `worlds` is given, `explore` throws an `IncompleteError`.
   * Default: no limit but the test's.
   */
  readonly for?: DurationInput;
  /**
   * The former name of `for`.
   * @deprecated
   */
  readonly within?: DurationInput;
  /**
   * How much wall-clock time it may take to find the smallest world of one failure. Then the smallest one so far is
   * reported. Default PT30S.
   */
  readonly shrinkFor?: DurationInput;
  /**
   * Was: when a failure becomes certain. Has no effect, and a line on the standard error says so.
   * @deprecated
   */
  readonly explain?: boolean;
  /**
   * How much wall-clock time may pass without anything happening, as when a promise stays open or a loop does not end.
   * Default 5 s. After the first hang it falls to ten times the slowest world that passed, at least 100 ms. It is never
   * longer than a quarter of what is left of the test's time.
   */
  readonly patience?: DurationInput;
  /**
   * Whether the app's `Date` and timers follow the virtual time of its world: `setTimeout(…, 1_800_000)` then runs half an
   * hour later in the world, at once for you. So do `setInterval`, `timers/promises`, `AbortSignal.timeout` and
   * `performance.now()`. Timers that repeat go on until the `horizon`; a scenario's `until` ends them. Other code of the process, such as another test, has its own time. With
   * `real`, no world waits for the app's timers. Default: virtual.
   */
  readonly clock?: "virtual" | "real";
  /**
   * How long a world goes on, in virtual time, after the last thing that changed or was new: a step, an event, a timer that was
   * set for the first time, a request of the app that is asked or answered otherwise than the one before. Timers that repeat,
   * such as intervals, run until then, at least once, and become rarer meanwhile: none is late by more than a sixteenth of
   * that time. Everything else that the app has set runs in any case. Default PT15M.
   * @example
   * import { exploreReport } from "ringback/explore";
   *
   * const report = await exploreReport({
   *   scenario(sim) {
   *     sim.webhooks.create({ url: "https://crm.test/", events: ["call.not_answered"] });
   *     sim.calls.inbound({ from: "+6421555001", to: "+6495550104" });
   *   },
   *   horizon: "PT1H",
   *   app(sim) {
   *     let looks = 0;
   *     setInterval(() => looks++, 1_800_000);
   *     return { looked: () => looks };
   *   },
   *   eventually: { "it has looked twice": (_, app) => app.looked() === 2 },
   * });
   * report.passed; // => true
   */
  readonly horizon?: DurationInput;
  /**
   * How many steps a world may take: items of the agenda and steps of the scenario. An app that schedules without
   * end reaches it. Timers that only repeat do not count. For each of them, but at least 1,000, the bodies of webhooks may have 6,400 characters. Default 10,000.
   */
  readonly steps?: number;
  /**
   * How many threads may run worlds. They start when they save time and each finds a free core. The report is the same
   * for any number. Default 1: the calling thread. With more, the app must be in a module, named by `with`, since
   * functions cannot be passed to another thread.
   */
  readonly workers?: number;
  /**
   * Runs one of several shards, which together run all worlds. `auto` takes what the variables of GitLab, GitHub,
   * Kubernetes or Slurm say, and is all worlds where they say nothing. Without this option they do not matter.
   * @default all worlds
   */
  readonly shard?: Shard | "auto";
  /**
   * A folder of scenarios that failed before. They are played first, and the smallest scenario of each failure is
   * written there.
   */
  readonly corpus?: string;
  /**
   * Properties that fail for a reason that is known, with the reason, such as `{ "one activity a call": "CRM-12" }`. Their
   * failures do not count; once they hold in all worlds, the exploration fails until the mark is taken away.
   */
  readonly known?: Readonly<Record<string, string>>;
  /**
   * Whether to play the scenario also on platforms that drop, duplicate or delay every event of one type, and report
   * which of them no property noticed. Default false.
   */
  readonly mutants?: boolean;
  /**
   * Whether to send the apps behind webhooks forged requests: without a signature, signed with another secret, with a changed
   * body, or too old. Each is tried in a world of its own, beside the bound, and must not change the app's state in the
   * end. Default: where the app asks for the header of the signature or of the timestamp by name, or calls
   * `verifySignature`, and wherever a server gets them over HTTP. `true` forges everywhere, `false` nowhere.
   */
  readonly forged?: boolean;
  /**
   * What must be tried: `restarts` of the app, `forged` requests. Where one of them was not, the exploration fails and says
   * what to do, such as to give `durable`. One of several shards does not fail by it; all together do.
   * @default nothing
   */
  readonly require?: readonly ("restarts" | "forged")[];
  /**
   * Whether webhooks, data actions and returns of scenarios read from files may be at local and private hosts, by
   * http too. A parsed scenario was read with its own option. Default false.
   */
  readonly allowLocal?: boolean;
  /**
   * Reads contacts' numbers that are not E.164, as the option of `createSimulator` does. With several `workers` it must be
   * `readPhoneNumber` of `ringback/phone-numbers`, which every thread loads by itself. A parsed scenario has its own
   * reader. Default: none, so such numbers stay as they are.
   */
  readonly phoneNumbers?: PhoneNumberReader;
  /**
   * How the service writes, as the option of `createSimulator`: an app that is made for a service with other bodies gets
   * those. Its functions run in this thread, whatever `workers` says.
   * @default none
   */
  readonly dialect?: DialectInput | undefined;
  /**
   * The profile, as the option of `createSimulator`, of scenarios that name none. A parsed scenario has its own.
   * @default none
   */
  readonly profile?: ProfileName | undefined;
  /** The command that the report names to replay a failure. `FILE` stands for the scenario's file. */
  readonly replay?: string;
}

/** The options of `explore`, with the app and its properties as functions. `app` or its former name must be given. */
export interface ExploreOptions<T, D = unknown> extends ExploreBounds {
  /**
   * Builds the app for each world, and again when it restarts. If it has `Symbol.dispose` or
   * `Symbol.asyncDispose`, it is disposed after its world and when it restarts. Disposing frees what it holds; it must not
   * save it, since a process that is killed saves nothing.
   * @param simulator the simulator of the world
   * @param durable what `durable` made for this world
   */
  app?(simulator: Simulator, durable: D): T | Promise<T>;
  /**
   * The former name of `app`.
   * @param simulator the simulator of the world
   * @param durable what `durable` made for this world
   * @deprecated Now `app`.
   */
  subject?(simulator: Simulator, durable: D): T | Promise<T>;
  /**
   * Makes what outlives a restart of your app, such as a database, anew for each world. With it, explorations also
   * restart your app: while it handles a request (`restarted`), once it has answered (`restartedAfter`), and before and after it asks
   * the REST API or a dependency. All that the app has
   * in memory is lost then, and `app` builds it again. Disposed after its world, as the app is.
   * @example
   * import { explore } from "ringback/explore";
   *
   * const report = await explore({
   *   scenario(sim) {
   *     sim.webhooks.create({ url: "https://crm.test/", events: ["call.ended"] });
   *     sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   *   },
   *   durable: () => new Set<string>(),
   *   app(sim, stored) {
   *     sim.network.route("https://crm.test/", ({ body }) => stored.add(JSON.parse(body).data.call.id) && 204);
   *     return stored;
   *   },
   *   eventually: { "each call is stored": (sim, stored) => stored.size === sim.calls.list().length },
   * });
   * report.passed; // => true
   */
  durable?(): D | Promise<D>;
  /**
   * Properties that must hold after each step in which the app received something, and at the end of a world in which
   * it received nothing. A property fails by returning `false` or by throwing, as `expect` does.
   */
  readonly always?: Readonly<Record<string, Check<T>>>;
  /**
   * Properties that must hold whenever the app received something, nothing more is due at that instant, and none of
   * its handlers is busy; and at the end of a world in which it received nothing. They fail like those of `always`.
   */
  readonly settled?: Readonly<Record<string, Check<T>>>;
  /** Properties that must hold when nothing is left to do, retries included. They fail like those of `always`. */
  readonly eventually?: Readonly<Record<string, Check<T>>>;
  /** Properties that must hold in at least one world. If one never does, its situation was never tested. */
  readonly sometimes?: Readonly<Record<string, SometimesCheck<T>>>;
  /**
   * Returns the app's state, which explanations of failures show. Default: the app itself, if `structuredClone` can
   * clone it. At most 2,000 characters of it are shown. It may be asynchronous, such as to ask a database: no time passes meanwhile.
   * @param app what `app` returned in this world
   */
  show?(app: T): unknown;
}

/** The options of `explore`, with the app in a module that other threads can load. */
export interface ExploreModuleOptions extends ExploreBounds {
  /** The path of a module that exports `app` and, optionally, `durable`, `always`, `settled`, `eventually`, `sometimes` and `show`. */
  readonly with: string;
}
