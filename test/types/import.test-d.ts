import { describe, expectTypeOf, test } from "vitest";
import {
  type Capture,
  type CapturedDifference,
  type CapturedEvent,
  type CapturedRequest,
  CaptureError,
  type CaptureFormat,
  type CaptureInput,
  type Drift,
  drift,
  type ImportOptions,
  type ImportResult,
  importCapture,
  type ReadOptions,
  readCapture,
  type Unexplained,
} from "../../src/capture/index.ts";
import type { DialectInput } from "../../src/index.ts";

describe("ringback/import", () => {
  test("readCapture accepts a text or its pieces", () => {
    expectTypeOf(readCapture).parameter(0).toEqualTypeOf<CaptureInput>();
    expectTypeOf<string>().toExtend<CaptureInput>();
    expectTypeOf<NodeJS.ReadableStream & AsyncIterable<string>>().toExtend<CaptureInput>();
    expectTypeOf(readCapture).returns.resolves.toEqualTypeOf<Capture>();
    expectTypeOf<ReadOptions["format"]>().toEqualTypeOf<CaptureFormat | undefined>();
    expectTypeOf<ReadOptions["dialect"]>().toEqualTypeOf<DialectInput | undefined>();
    // @ts-expect-error a capture is not bytes as a whole
    readCapture(new Uint8Array());
  });

  test("a capture has events with requests, and problems with lines", () => {
    expectTypeOf<Capture["events"]>().toEqualTypeOf<readonly CapturedEvent[]>();
    expectTypeOf<CapturedEvent["requests"]>().toEqualTypeOf<readonly CapturedRequest[]>();
    expectTypeOf<Capture["problems"]>().toEqualTypeOf<
      readonly { readonly line: number; readonly message: string }[]
    >();
    expectTypeOf(CaptureError).instance.toExtend<Error>();
  });

  test("importCapture accepts a text or the result of readCapture", () => {
    expectTypeOf(importCapture).parameter(0).toEqualTypeOf<CaptureInput | Capture>();
    expectTypeOf(importCapture).parameter(1).toEqualTypeOf<ImportOptions | undefined>();
    expectTypeOf(importCapture).returns.resolves.toEqualTypeOf<ImportResult>();
    expectTypeOf<ImportResult["verdict"]>().toEqualTypeOf<
      "possible" | "differs" | "impossible" | "undecided"
    >();
    expectTypeOf<ImportResult["differences"]>().toEqualTypeOf<readonly CapturedDifference[]>();
    expectTypeOf<ImportResult["unexplained"]>().toEqualTypeOf<readonly Unexplained[]>();
  });

  test("drift accepts a text or the result of readCapture", () => {
    expectTypeOf(drift).parameter(0).toEqualTypeOf<CaptureInput | Capture>();
    expectTypeOf(drift).returns.resolves.toEqualTypeOf<Drift>();
    expectTypeOf<Drift["fields"][number]>().toHaveProperty("count");
  });
});
