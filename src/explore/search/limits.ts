import * as v from "valibot";
import { InputError } from "../../core/foundation/errors.ts";
import {
  anyObject,
  callback,
  duration,
  either,
  flag,
  list,
  object,
  oneOf,
  readInput,
  text,
  wholeNumber,
} from "../../core/foundation/input-schemas.ts";
import { exactDurationText } from "../../core/foundation/instants.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { show } from "../../core/foundation/show.ts";
import { profileNames } from "../../core/platform/declare/profile.ts";
import { dialectSchema } from "../../core/platform/declare/settings.ts";
import type { Bound } from "../../findings/bound.ts";
import { appDefects } from "../../findings/property-failure.ts";
import { realTimeMs } from "../../findings/real-time.ts";
import { type RunningTest, runningTest } from "../../findings/running-test.ts";
import { type People, peopleSchema } from "../../stories/people-options.ts";
import { propertyProblems } from "../run/explored-app.ts";
import { HANGING_SHARE } from "../sandbox/supervision.ts";
import { type Environment, shardOfEnvironment } from "./ci-shard.ts";
import { deviationKinds, type ExploreModuleOptions, type ExploreOptions, requirable } from "./options.ts";
import type { Shard } from "./sharding.ts";

/** The options after they were read. */
export interface Limits {
  readonly bound: Bound;
  readonly worlds: number;
  readonly forMs: number;
  /** Why exploring ends after that time, for the report. */
  readonly whyUntil: string;
  /** When the test must be over in which this runs, as `realTimeMs` counts; `Infinity` outside of tests. */
  readonly untilMs: number;
  readonly shrinkForMs: number;
  readonly patienceMs: number;
  /** Whether the app's clock and timers follow the virtual time. */
  readonly clock: "virtual" | "real";
  /** How long a world goes on after the last thing that was new, in virtual ms. */
  readonly horizonMs: number;
  /** How many steps a world may take. */
  readonly steps: number;
  readonly shard: Shard;
  readonly workers: number;
  readonly seeds: Seeds | undefined;
  readonly people: People | undefined;
}

/** The seeds of an exploration, and what varies with them. */
export interface Seeds {
  readonly from: number;
  readonly to: number;
  /** The largest part of the deviation points at which something happens. */
  readonly rate: number;
  /** How many further calls; 0 for none. */
  readonly calls: number;
  readonly withinMs: number;
  /** The users who act by themselves; undefined for all. */
  readonly users: readonly string[] | undefined;
}

/** How many deviations a seed's world has at most, by default. */
const DEVIATIONS_OF_A_SEED = 10;

const optional = v.optional;

/** A number, or an object that says more. */
function numberOrObject<const E extends v.ObjectEntries>(least: number, entries: E) {
  const keys = Object.keys(entries).join(", ");
  const problem = (issue: { input: unknown }) =>
    `expected a whole number from ${least} on, or { ${keys} }, got ${show(issue.input)}`;
  return either([wholeNumber(least), object(entries)], problem);
}

/** An option that says whether something varies, or how. */
function variation<const E extends v.ObjectEntries>(entries: E) {
  const keys = Object.keys(entries).join(", ");
  const problem = (issue: { input: unknown }) =>
    `expected true, false or { ${keys} }, got ${show(issue.input)}`;
  return optional(either([flag(), object(entries)], problem));
}

const rateProblem = (issue: { input: unknown }) => `expected a number from 0 to 1, got ${show(issue.input)}`;
const rate = v.pipe(v.number(rateProblem), v.minValue(0, rateProblem), v.maxValue(1, rateProblem));

const scenarioProblem = (issue: { input: unknown }) =>
  `expected the path of a file, what parseScenario returns, or a function, got ${show(issue.input)}`;

/** Names of properties with the reasons why they fail. */
const reasons = v.pipe(
  anyObject("expected an object of properties with reasons"),
  v.check(
    (given) => Object.values(given).every((reason) => typeof reason === "string" && reason !== ""),
    "expected a reason for each property, as text",
  ),
  v.check(
    (given) => !Object.hasOwn(given, appDefects.unsteady),
    `expected other properties than \`${appDefects.unsteady}\`: where runs of one world differ, no other verdict is certain`,
  ),
);

/** The options that say what to explore, and how far. */
const boundsEntries = {
  scenario: either([text(), callback(), anyObject()], scenarioProblem),
  deviations: optional(
    numberOrObject(0, {
      atMost: optional(wholeNumber(0)),
      kinds: optional(list(oneOf(deviationKinds))),
      on: optional(list(text())),
    }),
  ),
  seeds: optional(numberOrObject(1, { from: wholeNumber(0), to: wholeNumber(0) })),
  vary: optional(
    object({
      conditions: variation({ rate: optional(rate) }),
      traffic: variation({ calls: optional(wholeNumber(0)), within: optional(duration()) }),
      behaviour: variation({ users: optional(list(text())) }),
    }),
  ),
  worlds: optional(wholeNumber(1)),
  for: optional(duration()),
  within: optional(duration()),
  shrinkFor: optional(duration()),
  clock: optional(oneOf(["virtual", "real"])),
  horizon: optional(duration()),
  patience: optional(duration()),
  steps: optional(wholeNumber(1)),
  workers: optional(wholeNumber(1)),
  shard: optional(
    either(
      [oneOf(["auto"]), object({ index: wholeNumber(1), count: wholeNumber(1) })],
      (issue) => `expected { index, count } or "auto", got ${show(issue.input)}`,
    ),
  ),
  corpus: optional(text()),
  people: optional(peopleSchema),
  mutants: optional(flag()),
  known: optional(reasons),
  forged: optional(flag()),
  require: optional(list(oneOf(requirable))),
  explain: optional(flag()),
  allowLocal: optional(flag()),
  phoneNumbers: optional(callback()),
  dialect: optional(dialectSchema),
  profile: optional(oneOf(profileNames)),
  replay: optional(text()),
};

/** `propertyProblems` checks them. */
const properties = optional(v.unknown());

const functionEntries = {
  ...{ always: properties, settled: properties, eventually: properties, sometimes: properties },
  ...{ show: optional(callback()), durable: optional(callback()) },
  ...boundsEntries,
};

const once = optional(v.undefined("expected `app` or `subject`, its old name, got both"));
const functionsSchema = object({ app: callback(), subject: once, ...functionEntries });
/** The options with the app by its old name. */
const formerSchema = object({ app: once, subject: callback(), ...functionEntries });

const inModule = optional(v.undefined("expected nothing here: it comes from the module that `with` names"));

const moduleSchema = object({
  ...{
    with: text(),
    app: inModule,
    subject: inModule,
    always: inModule,
    settled: inModule,
    eventually: inModule,
    sometimes: inModule,
    show: inModule,
    durable: inModule,
  },
  ...boundsEntries,
});

type Bounds =
  | v.InferOutput<typeof formerSchema>
  | v.InferOutput<typeof functionsSchema>
  | v.InferOutput<typeof moduleSchema>;

/** The part of a test's remaining time in which worlds may start. Minimizing failures and writing files takes the rest. */
const EXPLORING_PART = 0.7;

/** When exploring and everything ends because of the test in which it runs. */
function testLimits(
  { leftMs, timeoutMs }: Pick<RunningTest, "leftMs" | "timeoutMs"> = runningTest() ?? endless,
): Pick<Limits, "forMs" | "untilMs" | "whyUntil"> & { readonly leftMs: number } {
  return {
    // whole milliseconds, as durations are
    forMs: leftMs === Number.POSITIVE_INFINITY ? leftMs : Math.ceil(leftMs * EXPLORING_PART),
    untilMs: realTimeMs() + leftMs,
    leftMs,
    whyUntil: `because the test may take ${exactDurationText(Math.round(timeoutMs))}; raise that time, or give \`worlds\` or \`for\` if fewer worlds are enough`,
  };
}

const endless = { leftMs: Number.POSITIVE_INFINITY, timeoutMs: Number.POSITIVE_INFINITY };

/** Whether options give the app by its old name alone. */
const isFormer = (options: { readonly app?: unknown; readonly subject?: unknown } | undefined) =>
  options?.app === undefined && options?.subject !== undefined;

/** @throws {InputError} naming the wrong options, and what was expected */
export function readLimits<T>(options: ExploreOptions<T> | ExploreModuleOptions): Limits {
  const read: Bounds = isOfModule(options)
    ? readInput(moduleSchema, options)
    : readInput(isFormer(options) ? formerSchema : functionsSchema, options, [], (given) =>
        propertyProblems(given),
      );
  const {
    clock = "virtual",
    horizon = 900_000,
    patience = 5_000,
    steps = 10_000,
    shrinkFor = 30_000,
    workers = 1,
    worlds,
  } = read;
  if (read.for !== undefined && read.within !== undefined)
    throw new InputError(["within"], "expected `for` or `within`, its former name, and not both");
  const forMs = read.for ?? read.within ?? Number.POSITIVE_INFINITY;
  const test = testLimits();
  return {
    bound: readBound(read),
    worlds: worlds ?? Number.POSITIVE_INFINITY,
    untilMs: test.untilMs,
    // with another reason to stop first
    ...(forMs <= test.forMs
      ? { forMs, whyUntil: "as `for` says" }
      : { forMs: test.forMs, whyUntil: test.whyUntil }),
    shrinkForMs: shrinkFor,
    patienceMs: Math.min(patience, Math.ceil(test.leftMs * HANGING_SHARE)),
    clock,
    horizonMs: horizon,
    steps,
    shard: readShard(read),
    workers,
    seeds: readSeeds(read),
    people: read.people,
  };
}

/** Whether the options name a module. */
export function isOfModule<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
): options is ExploreModuleOptions {
  return typeof options === "object" && options !== null && "with" in options;
}

/** The shard that is asked for; all worlds if none is, or nothing says which this is. */
function readShard({ shard = WHOLE }: Bounds): Shard {
  if (shard === "auto") {
    const env = nodeModule<{ readonly env: Environment }>("node:process")?.env ?? {};
    const { index, count } = shardOfEnvironment(env) ?? WHOLE;
    return { index, count };
  }
  if (shard.index <= shard.count) return shard;
  throw new InputError(["shard", "index"], `expected 1 to ${shard.count}, got ${shard.index}`);
}

const WHOLE: Shard = { index: 1, count: 1 };

function readBound({ deviations = {}, seeds }: Bounds): Bound {
  const given = typeof deviations === "number" ? { atMost: deviations } : deviations;
  const { atMost = seeds === undefined ? 1 : DEVIATIONS_OF_A_SEED, kinds, on } = given;
  return { atMost, kinds: kinds && new Set(kinds), on, restarts: false };
}

function readSeeds({
  seeds,
  vary = { conditions: true, traffic: true, behaviour: true },
}: Bounds): Seeds | undefined {
  if (seeds === undefined) return undefined;
  const { from, to } = typeof seeds === "number" ? { from: 1, to: seeds } : seeds;
  if (to < from)
    throw new InputError(["seeds", "to"], `expected a whole number from ${from} on, got ${show(to)}`);
  const { rate: most = 0.3 } = variationOptions(vary.conditions) ?? { rate: 0 };
  const { calls = 5, within = 300_000 } = variationOptions(vary.traffic) ?? { calls: 0 };
  const { users } = variationOptions(vary.behaviour) ?? { users: [] };
  return { from, to, rate: most, calls, withinMs: within, users };
}

/** The options of a part that varies; undefined if it does not. */
function variationOptions<T extends object>(part: boolean | T | undefined): Partial<T> | undefined {
  if (part === undefined || part === false) return undefined;
  return part === true ? {} : part;
}
