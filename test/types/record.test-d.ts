import type { RequestHandler } from "express";
import { describe, expectTypeOf, test } from "vitest";
import { type CaptureWriter, captureMiddleware, captureTo } from "../../src/capture/index.ts";
import {
  type CommandError,
  type InputError,
  parseScenario,
  runScenario,
  type ScenarioRun,
  type Step,
} from "../../src/index.ts";

// parts without a name of their own
type RefusedStep = ScenarioRun["refused"][number];

describe("captureTo and captureMiddleware", () => {
  test("accept a function that receives a line", () => {
    const write: CaptureWriter = (line) => line.length;
    expectTypeOf(write).parameters.toEqualTypeOf<[line: string]>();
    // @ts-expect-error: a writer gets text
    captureTo((line: number) => line);
  });

  test("captureTo wraps a fetch-style handler with further arguments", () => {
    const handle = captureTo(() => {})((_: Request, env: { readonly key: string }) => new Response(env.key));
    expectTypeOf(handle).toEqualTypeOf<
      (request: Request, env: { readonly key: string }) => Promise<Response>
    >();
  });

  test("captureMiddleware is middleware for Express", () => {
    expectTypeOf(captureMiddleware(() => {})).toExtend<RequestHandler>();
  });
});

describe("runScenario", () => {
  test("lists refused steps with their errors", () => {
    const { refused } = runScenario(parseScenario(""), { refused: "collect" });
    expectTypeOf(refused).toEqualTypeOf<readonly RefusedStep[]>();
    expectTypeOf<RefusedStep["step"]>().toEqualTypeOf<Step>();
    expectTypeOf<RefusedStep["error"]>().toEqualTypeOf<CommandError | InputError>();
    // @ts-expect-error: one of two words
    runScenario(parseScenario(""), { refused: "ignore" });
  });
});
