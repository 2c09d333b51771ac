import type { HttpHandler } from "msw";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { ImportResult } from "../../src/capture/index.ts";
import type { ExploreFailure, ExploreReport } from "../../src/explore/index.ts";
import {
  createSimulator,
  type JournalDocument,
  type Scenario,
  type Simulator,
  type Urls,
} from "../../src/index.ts";
import {
  type Inspectable,
  type InspectableFailure,
  type InspectableReport,
  type InspectOptions,
  inspectHtml,
  playgroundHtml,
} from "../../src/inspector/index.ts";
import {
  type Pace,
  type Page,
  type PageContent,
  type ServedRequest,
  type ServeOptions,
  type SimulatorServer,
  serve,
  serveNew,
} from "../../src/server/index.ts";
import { type Answering, handlers } from "../../src/testing/msw/index.ts";
import {
  type DataMatch,
  type FixtureOptions,
  type RingbackMatchers,
  type SharedTime,
  type SilenceOptions,
  type StreamLine,
  shareTime,
} from "../../src/testing/vitest/index.ts";

const sim = createSimulator();

describe("the matchers", () => {
  test("are part of what expect returns", () => {
    expectTypeOf(expect(sim)).toExtend<RingbackMatchers>();
    expectTypeOf(expect(sim).not).toExtend<RingbackMatchers>();
  });

  test("are promises where expect waits", () => {
    expectTypeOf(expect(Promise.resolve(sim)).resolves.toBeIdle()).toEqualTypeOf<Promise<void>>();
    expectTypeOf(expect.poll(() => sim).toHaveEmitted("call.ended")).toEqualTypeOf<Promise<void>>();
    expectTypeOf(expect.soft(sim).toBeIdle()).toEqualTypeOf<void>();
  });

  test("accept only known event types", () => {
    expect(sim).toHaveEmitted("call.ended", { call: { id: expect.any(String) } });
    // @ts-expect-error no event has this name
    expect(sim).toHaveEmitted("call.vanished");
    // @ts-expect-error no event has this name
    expect(sim).toBeSilentFor("PT1S", { except: ["call.vanished"] });
  });

  test("accept lines like those of a scenario", () => {
    expect(sim).toHaveEmittedStream(["PT0S call.started", { event: "PT6S call.answered", match: {} }]);
    // @ts-expect-error a line is text or { event, match }
    expect(sim).toHaveEmittedStream([0]);
    const lines: StreamLine[] = sim.events.map(({ type }) => `PT0S ${type}` as const);
    expect(sim).toHaveEmittedStream(lines);
    // @ts-expect-error what is matched is a part of the data
    ({ event: "PT6S call.answered", match: "alice" }) satisfies StreamLine;
    // @ts-expect-error no event has this name
    expect(sim).toHaveEmittedStream(["PT0S call.startet"]);
    // @ts-expect-error no event has this name
    expect(sim).toHaveEmittedStream([{ event: "PT0S call.startet" }]);
  });

  test("accept parts of the event's data", () => {
    expect(sim).toHaveEmitted("call.answered", { call: { parties: [{ type: "user" }, expect.anything()] } });
    expect(sim).toHaveEmitted("call.hungup", { party: expect.objectContaining({ type: "user" }) });
    ({ call: { status: "accepted" } }) satisfies DataMatch<"call.answered">;
    // @ts-expect-error a call has no such field
    expect(sim).toHaveEmitted("call.answered", { call: { statuz: "accepted" } });
    // @ts-expect-error no call has this status
    expect(sim).toHaveEmitted("call.answered", { call: { status: "busy" } });
    // @ts-expect-error the end of a call has no party
    expect(sim).toHaveDelivered("https://crm.test/", "call.ended", { party: {} });
    // @ts-expect-error the event of this line has no party
    ({ event: "PT6S call.ended", match: { party: {} } }) satisfies StreamLine;
  });

  test("accept one or several types to ignore", () => {
    const options: SilenceOptions = { except: "user.availability.updated" };
    expect(sim).toBeSilentFor({ seconds: 1 }, options);
    expect(sim).toBeSilentFor("PT1S", { except: ["call.hungup", "call.ended"] as const });
    // @ts-expect-error the duration is required
    expect(sim).toBeSilentFor();
  });

  test("judge an event by the platform that sends it", () => {
    const options: FixtureOptions = { profile: "observed", assume: { answeredStatus: "started" } };
    expect({}).toBePossible();
    expect({}).not.toBePossible(options);
    // @ts-expect-error no assumption has this name
    expect({}).toBePossible({ assume: { answered: "started" } });
  });
});

test("handlers of ringback/msw accept a simulator or its shared time", () => {
  expectTypeOf(handlers).returns.toEqualTypeOf<HttpHandler[]>();
  expectTypeOf(handlers).parameters.toEqualTypeOf<[Answering]>();
  expectTypeOf<Simulator>().toExtend<Answering>();
  expectTypeOf<SharedTime>().toExtend<Answering>();
  // @ts-expect-error an app is no simulator
  handlers({ fetch });
});

test("shareTime returns a shared time", () => {
  expectTypeOf(shareTime).parameters.toEqualTypeOf<[typeof sim]>();
  expectTypeOf(shareTime).returns.toEqualTypeOf<SharedTime>();
  expectTypeOf<SharedTime["advance"]>().returns.resolves.toBeVoid();
});

test("a server has its simulator and a pace", () => {
  expectTypeOf(serve).toEqualTypeOf<
    (simulator: Simulator | ((urls: Urls) => Simulator), options?: ServeOptions) => Promise<SimulatorServer>
  >();
  expectTypeOf<Pace>().toEqualTypeOf<"virtual" | "realtime" | number>();
  expectTypeOf<SimulatorServer["simulator"]>().toEqualTypeOf<Simulator>();
  const options: ServeOptions = { port: 0, pace: 10, onError: (error) => expectTypeOf(error).toBeUnknown() };
  expectTypeOf(serve(sim, options)).resolves.toEqualTypeOf<SimulatorServer>();
  expectTypeOf<SimulatorServer["close"]>().returns.resolves.toBeVoid();
  expectTypeOf(serveNew).parameter(0).returns.toEqualTypeOf<Simulator>();
  expectTypeOf<Page>().parameters.toEqualTypeOf<[PageContent]>();
  expectTypeOf<ServeOptions["page"]>().toEqualTypeOf<Page | undefined>();
  expectTypeOf<ServedRequest["status"]>().toEqualTypeOf<number>();
  // @ts-expect-error no such pace
  serve(createSimulator(), { pace: "slow" });
});

describe("the inspector", () => {
  test("makes a page of a simulator, a journal, a scenario, a report or a capture that was imported", () => {
    type Each = Simulator | JournalDocument | Scenario | InspectableReport | ImportResult;
    expectTypeOf<Each>().toEqualTypeOf<Inspectable>();
    expectTypeOf(inspectHtml).toEqualTypeOf<(subject: Inspectable, options?: InspectOptions) => string>();
    inspectHtml(sim, { title: "A run", compare: sim.journal() });
    // @ts-expect-error the first argument is required
    inspectHtml();
  });

  test("accepts the failures of an exploration report", () => {
    expectTypeOf<ExploreReport>().toExtend<InspectableReport>();
    expectTypeOf<ExploreFailure>().toExtend<InspectableFailure>();
  });

  test("makes the playground with or without a scenario", () => {
    expectTypeOf(playgroundHtml("scenario: x")).toBeString();
    expectTypeOf(playgroundHtml()).toBeString();
  });
});
