import { describe, expectTypeOf, test } from "vitest";
import {
  type BehaviourVariation,
  type CallLogRow,
  type Check,
  type ConditionsVariation,
  CounterexampleError,
  type Coverage,
  callBacks,
  callLog,
  type Deviation,
  type DeviationBound,
  type DeviationCount,
  type DeviationKind,
  type DeviationStatistics,
  type Difference,
  type ExploreBounds,
  type ExploreFailure,
  type ExploreModuleOptions,
  type ExploreOptions,
  ExploreReport,
  type ExploreResult,
  explore,
  exploreReport,
  type FailureFiles,
  type HttpSubject,
  type HttpSubjectOptions,
  httpSubject,
  type IncompleteError,
  type LongWorld,
  type MachineCoverage,
  type Mutant,
  type MutantKind,
  type NearestWorld,
  type PlatformTruth,
  type ReadyProperties,
  type Received,
  type ServerSubject,
  type Shard,
  type SmallestWorld,
  type SometimesCheck,
  type TrafficVariation,
  type ValueDifference,
  type Variation,
  wallboard,
} from "../../src/explore/index.ts";
import type { JournalDocument, Simulator } from "../../src/index.ts";

describe("The ready-made properties", () => {
  interface App {
    readonly rows: readonly CallLogRow[];
    readonly numbers: readonly string[];
    readonly people: Readonly<Record<string, string>>;
  }

  test("are spread into the options of the app that they read", () => {
    const log = callLog({ rows: ({ rows }: App) => rows });
    expectTypeOf(log).toEqualTypeOf<ReadyProperties<App>>();
    expectTypeOf({
      scenario: "a.yaml",
      subject: (): App => ({ rows: [], numbers: [], people: {} }),
      ...log,
    }).toExtend<ExploreOptions<App>>();
    expectTypeOf(callBacks({ numbers: async ({ numbers }: App) => numbers })).toEqualTypeOf<
      ReadyProperties<App>
    >();
    expectTypeOf(wallboard({ people: ({ people }: App) => people })).toEqualTypeOf<ReadyProperties<App>>();
  });

  test("take what an app keeps, and nothing of another form", () => {
    expectTypeOf<CallLogRow["seconds"]>().toEqualTypeOf<number | undefined>();
    // @ts-expect-error: a row names its call
    callLog({ rows: () => [{ seconds: 5 }] });
    // @ts-expect-error: a direction is inbound or outbound
    callBacks({ numbers: () => [], clearedBy: ["both"] });
  });
});

describe("explore", () => {
  test("passes the built subject to properties", () => {
    expectTypeOf(explore<{ count: number }>).returns.resolves.toEqualTypeOf<ExploreReport>();
    expectTypeOf(exploreReport<number>)
      .parameter(0)
      .toEqualTypeOf<ExploreOptions<number> | ExploreModuleOptions>();
    expectTypeOf<ExploreOptions<number>>().toExtend<ExploreBounds>();
    expectTypeOf<ExploreModuleOptions["with"]>().toEqualTypeOf<string>();
    expectTypeOf<Check<string>>().parameters.toEqualTypeOf<[simulator: Simulator, subject: string]>();
    expectTypeOf<SometimesCheck<string>>().returns.toEqualTypeOf<boolean>();
  });

  test("passes what is durable to the subject", () => {
    const scenario = "calls.yaml";
    void explore({
      scenario,
      durable: async () => new Set<string>(),
      subject: (_, stored) => ({ size: stored.size }),
      eventually: { "nothing is stored": (_, { size }) => size === 0 },
    });
    // @ts-expect-error: a set is not a map
    void explore({ scenario, durable: () => new Set<string>(), subject: (_, it: Map<string, number>) => it });
  });

  test("accepts deviations as a number or in parts", () => {
    expectTypeOf<ExploreOptions<number>["deviations"]>().toEqualTypeOf<number | DeviationBound | undefined>();
    expectTypeOf<Variation["conditions"]>().toEqualTypeOf<boolean | ConditionsVariation | undefined>();
    expectTypeOf<Variation["traffic"]>().toEqualTypeOf<boolean | TrafficVariation | undefined>();
    expectTypeOf<Variation["behaviour"]>().toEqualTypeOf<boolean | BehaviourVariation | undefined>();
    expectTypeOf<"lost">().toExtend<DeviationKind>();
    expectTypeOf<ExploreOptions<number>["shard"]>().toEqualTypeOf<Shard | "auto" | undefined>();
  });

  test("accepts a running server as the subject", () => {
    expectTypeOf(httpSubject).parameters.toEqualTypeOf<[options: HttpSubjectOptions]>();
    expectTypeOf<ReturnType<typeof httpSubject>>().toEqualTypeOf<ServerSubject>();
    expectTypeOf<PlatformTruth["now"]>().toEqualTypeOf<string>();
    expectTypeOf<HttpSubject["mustAnswer"]>().returns.resolves.toEqualTypeOf<void>();
    explore({
      scenario: "a.yaml",
      subject: httpSubject({ url: "http://127.0.0.1:8000", reset: "/reset" }),
      eventually: { "totals agree": (_, server) => server.mustAnswer("/totals") },
    }).catch(() => {});
  });

  test("reports failures with the smallest world of each", () => {
    expectTypeOf<CounterexampleError["report"]>().toEqualTypeOf<ExploreReport>();
    expectTypeOf<ExploreReport["failures"]>().toEqualTypeOf<readonly ExploreFailure[]>();
    expectTypeOf<ExploreFailure["smallest"]>().toEqualTypeOf<SmallestWorld>();
    expectTypeOf<ExploreFailure["files"]>().toEqualTypeOf<FailureFiles | undefined>();
    expectTypeOf<ExploreFailure["nearest"]>().toEqualTypeOf<NearestWorld | undefined>();
    expectTypeOf<ValueDifference>().toEqualTypeOf<{ readonly expected: string; readonly received: string }>();
    expectTypeOf<NearestWorld["difference"]>().toEqualTypeOf<Difference | undefined>();
    expectTypeOf<Difference["holds"]>().toEqualTypeOf<Received | undefined>();
    expectTypeOf<ExploreResult["tried"]>().toEqualTypeOf<readonly DeviationCount[]>();
    expectTypeOf<ExploreResult["breaks"]>().toEqualTypeOf<readonly DeviationStatistics[]>();
    expectTypeOf<SmallestWorld["deviations"]>().toEqualTypeOf<readonly Deviation[]>();
    expectTypeOf<SmallestWorld["journal"]>().toEqualTypeOf<JournalDocument>();
    expectTypeOf<ExploreResult["longest"]>().toEqualTypeOf<readonly LongWorld[]>();
    expectTypeOf<ExploreReport["mutants"]>().toEqualTypeOf<readonly Mutant[]>();
    expectTypeOf<Mutant["is"]>().toEqualTypeOf<MutantKind>();
    expectTypeOf<ExploreReport["coverage"]>().toEqualTypeOf<Coverage>();
    expectTypeOf<Coverage[string]>().toEqualTypeOf<MachineCoverage>();
    expectTypeOf<MachineCoverage["transitions"]>().toEqualTypeOf<Readonly<Record<string, number>>>();
    expectTypeOf<ReturnType<ExploreReport["toJSON"]>>().toEqualTypeOf<ExploreResult>();
    expectTypeOf(CounterexampleError).instance.toExtend<Error>();
    expectTypeOf<IncompleteError["report"]>().toEqualTypeOf<ExploreReport>();
    expectTypeOf(ExploreReport).instance.toHaveProperty("complete");
  });
});
