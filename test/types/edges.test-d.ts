import type { HttpHandler } from "msw";
import { describe, expect, expectTypeOf, test } from "vitest";
import { createSimulator, type Simulator } from "../../src/index.ts";
import { handlers } from "../../src/msw/index.ts";
import { type RingbackMatchers, type SharedTime, shareTime } from "../../src/vitest/index.ts";

const sim = createSimulator();

describe("the matchers", () => {
  test("are part of what expect returns", () => {
    expectTypeOf(expect(sim)).toExtend<RingbackMatchers>();
    expectTypeOf(expect(sim).not).toExtend<RingbackMatchers>();
  });

  test("take only types of events that there are", () => {
    expect(sim).toHaveEmitted("call.ended", { call: { id: expect.any(String) } });
    // @ts-expect-error no event has this name
    expect(sim).toHaveEmitted("call.vanished");
    // @ts-expect-error no event has this name
    expect(sim).toBeSilentFor("PT1S", { except: ["call.vanished"] });
  });

  test("take lines like those of a scenario", () => {
    expect(sim).toHaveEmittedStream(["PT0S call.started", { event: "PT6S call.answered", match: {} }]);
    // @ts-expect-error a line is text or { event, match }
    expect(sim).toHaveEmittedStream([0]);
  });
});

test("handlers of ringback/msw take a simulator, or the time that it shares", () => {
  expectTypeOf(handlers).returns.toEqualTypeOf<HttpHandler[]>();
  expectTypeOf<Simulator>().toExtend<Parameters<typeof handlers>[0]>();
  expectTypeOf<SharedTime>().toExtend<Parameters<typeof handlers>[0]>();
});

test("shareTime gives a time for both", () => {
  expectTypeOf(shareTime).parameters.toEqualTypeOf<[typeof sim]>();
  expectTypeOf(shareTime).returns.toEqualTypeOf<SharedTime>();
});
