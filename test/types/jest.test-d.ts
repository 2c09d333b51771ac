import { expect, expectTypeOf, test } from "vitest";
import { createSimulator, type Simulator } from "../../src/index.ts";
import {
  type DataMatch,
  type FakeTimers,
  type JestMatchers,
  matchers,
  type RingbackMatchers,
  type SharedTime,
  type SilenceOptions,
  type StreamLine,
  shareTime,
  snapshotSerializer,
} from "../../src/testing/jest/index.ts";
import type * as inVitest from "../../src/testing/vitest/index.ts";

const sim = createSimulator();

test("ringback/jest exports the same as ringback/vitest", () => {
  expectTypeOf<RingbackMatchers>().toEqualTypeOf<inVitest.RingbackMatchers>();
  expectTypeOf<StreamLine>().toEqualTypeOf<inVitest.StreamLine>();
  expectTypeOf<SilenceOptions>().toEqualTypeOf<inVitest.SilenceOptions>();
  expectTypeOf<SharedTime>().toEqualTypeOf<inVitest.SharedTime>();
  expectTypeOf<DataMatch<"call.ended">>().toEqualTypeOf<inVitest.DataMatch<"call.ended">>();
  expectTypeOf(shareTime).parameters.toEqualTypeOf<[Simulator, FakeTimers]>();
});

test("its matchers are part of what Jest's expect returns", () => {
  expectTypeOf<JestMatchers<void, Simulator>>().toExtend<RingbackMatchers>();
});

test("its matchers work with any expect.extend", () => {
  const context = { currentTestName: "a test", equals: Object.is };
  expectTypeOf(matchers.toBeIdle.call(context, sim).message).returns.toBeString();
  expect.extend(matchers);
  expectTypeOf(snapshotSerializer.test).returns.toBeBoolean();
});

test("a partial value has some keys or a matcher", () => {
  const matcher = { asymmetricMatch: (value: unknown) => value === 1 };
  expectTypeOf<{ call: { id: string } }>().toExtend<DataMatch<"call.ended">>();
  expectTypeOf<{ call: { id: typeof matcher } }>().toExtend<DataMatch<"call.ended">>();
  expectTypeOf<{ call: { id: number } }>().not.toExtend<DataMatch<"call.ended">>();
});
