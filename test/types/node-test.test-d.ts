import type { TestContext } from "node:test";
import { expectTypeOf, test } from "vitest";
import { createSimulator, type Simulator } from "../../src/index.ts";
import {
  type MockTimers,
  type RingbackAssertions,
  type SharedTime,
  shareTime,
} from "../../src/testing/node-test/index.ts";
import type * as inVitest from "../../src/testing/vitest/index.ts";

const sim = createSimulator();
declare const t: TestContext;

test("t.assert of node:test has each matcher of ringback/vitest, and its opposite", () => {
  expectTypeOf<TestContext["assert"]>().toExtend<RingbackAssertions>();
  expectTypeOf<keyof RingbackAssertions>().toEqualTypeOf<
    keyof inVitest.RingbackMatchers | `not${Capitalize<keyof inVitest.RingbackMatchers>}`
  >();
  t.assert.toBeIdle(sim);
  t.assert.notToBeSilentFor(sim, "PT1M", { except: "call.ended" });
  t.assert.toHaveEmittedStream(sim, ["PT0S call.started"]);
});

test("they take events by their types", () => {
  t.assert.toHaveEmitted(sim, "call.ended", { call: { contactNumber: "+6421555001" } });
  t.assert.toHaveDelivered(sim, "https://crm.test/", "call.ended");
  // @ts-expect-error no event has this name
  t.assert.toHaveEmitted(sim, "call.vanished");
  // @ts-expect-error a call has no such field
  t.assert.notToHaveEmitted(sim, "call.ended", { call: { contactNummer: "+6421555001" } });
  // @ts-expect-error another type of event has this data
  t.assert.toHaveEmitted(sim, "user.availability.updated", { call: {} });
});

test("shareTime takes the fake timers of a test", () => {
  expectTypeOf(shareTime).parameters.toEqualTypeOf<[Simulator, MockTimers?]>();
  expectTypeOf(shareTime).returns.toEqualTypeOf<SharedTime>();
  expectTypeOf(t.mock.timers).toExtend<MockTimers>();
});
