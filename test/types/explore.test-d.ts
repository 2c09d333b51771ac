import { describe, expectTypeOf, test } from "vitest";
import {
  type CallLogRow,
  type Check,
  CounterexampleError,
  type Coverage,
  callBacks,
  callLog,
  type Deviation,
  type DeviationBound,
  type DeviationKind,
  type ExploreBounds,
  type ExploreFailure,
  type ExploreModuleOptions,
  type ExploreOptions,
  ExploreReport,
  type ExploreResult,
  explore,
  exploreReport,
  type HttpApp,
  type HttpAppOptions,
  type HttpSubject,
  type HttpSubjectOptions,
  httpApp,
  httpSubject,
  type IncompleteError,
  type Mutant,
  type NearestWorld,
  type PlatformTruth,
  type ReadyProperties,
  type ServerApp,
  type ServerSubject,
  type Shard,
  type SometimesCheck,
  type Variation,
  type WorldDifference,
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

  test("passes what is durable to the app, by either name", () => {
    void explore({
      scenario: "calls.yaml",
      durable: async () => new Set<string>(),
      app: (_, stored) => ({ size: stored.size }),
      eventually: { "nothing is stored": (_, { size }) => size === 0 },
    });
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
    expectTypeOf<true>().toExtend<Variation["conditions"]>();
    expectTypeOf<true>().toExtend<Variation["traffic"]>();
    expectTypeOf<true>().toExtend<Variation["behaviour"]>();
    expectTypeOf<"lost">().toExtend<DeviationKind>();
    expectTypeOf<ExploreOptions<number>["shard"]>().toEqualTypeOf<Shard | "auto" | undefined>();
  });

  test("accepts a running server as the app", () => {
    expectTypeOf(httpSubject).parameters.toEqualTypeOf<[options: HttpSubjectOptions]>();
    expectTypeOf<ReturnType<typeof httpSubject>>().toEqualTypeOf<ServerSubject>();
    expectTypeOf(httpApp).toEqualTypeOf<typeof httpSubject>();
    expectTypeOf<[HttpApp, HttpAppOptions, ServerApp]>().toEqualTypeOf<
      [HttpSubject, HttpSubjectOptions, ServerSubject]
    >();
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
    expectTypeOf<ExploreFailure["nearest"]>().toEqualTypeOf<NearestWorld | undefined>();
    expectTypeOf<ExploreFailure["difference"]>().toEqualTypeOf<
      { readonly expected: string; readonly received: string } | undefined
    >();
    expectTypeOf<NearestWorld["difference"]>().toEqualTypeOf<WorldDifference | undefined>();
    expectTypeOf<WorldDifference["holds"]>().toEqualTypeOf<NearestWorld["received"][number] | undefined>();
    expectTypeOf<ExploreFailure["smallest"]["deviations"]>().toEqualTypeOf<readonly Deviation[]>();
    expectTypeOf<ExploreFailure["smallest"]["journal"]>().toEqualTypeOf<JournalDocument>();
    expectTypeOf<ExploreReport["mutants"]>().toEqualTypeOf<readonly Mutant[]>();
    expectTypeOf<ExploreReport["coverage"]>().toEqualTypeOf<Coverage>();
    expectTypeOf<Coverage[string]["transitions"]>().toEqualTypeOf<Readonly<Record<string, number>>>();
    expectTypeOf<ReturnType<ExploreReport["toJSON"]>>().toEqualTypeOf<ExploreResult>();
    expectTypeOf(CounterexampleError).instance.toExtend<Error>();
    expectTypeOf<IncompleteError["report"]>().toEqualTypeOf<ExploreReport>();
    expectTypeOf(ExploreReport).instance.toHaveProperty("complete");
  });
});
