import * as ringback from "../../../src/index.ts";
import type { PageData } from "../../../src/inspector/data.ts";
import { type FailureDetails, lastFailure } from "../../../src/testing/explain.ts";
import { matchers } from "../../../src/testing/matchers.ts";
import type { MatcherContext, MatcherResult } from "../../../src/testing/matching.ts";

/** What a program's test led to. */
export interface Ran {
  readonly title: string;
  /** What the test threw, as a runner prints it; undefined if it passed. */
  readonly problem: string | undefined;
  /** Its first simulator, and the page of it; undefined if it made none. */
  readonly simulator: ringback.Simulator | undefined;
  readonly page: PageData | undefined;
}

type Test = readonly [title: string, run: () => unknown];

/** Where `createSimulator` says what it made. */
const creationHook = Symbol.for("ringback.made");

/**
 * Runs a test file for Vitest, Jest or `node:test`, in a browser too: its `test` and `expect` are this module's.
 * @throws {Error} if the program has no test, or imports something else
 */
export async function runProgram(text: string): Promise<Ran> {
  const [first] = await evaluateProgram(text);
  if (first === undefined) throw new Error("the program has no test");
  const [title, run] = first;
  const made: ringback.Simulator[] = [];
  const heard = globalThis as { [creationHook]?: (simulator: ringback.Simulator) => void };
  heard[creationHook] = (simulator) => made.push(simulator);
  let problem: string | undefined;
  try {
    await run();
  } catch (error) {
    problem = (error as Error).message;
  } finally {
    delete heard[creationHook];
  }
  const [simulator] = made;
  return { title, problem, simulator, page: simulator && pageOf(title, simulator, problem) };
}

/**
 * Evaluates a test file, and returns its tests without running them.
 * @param more modules that it may import besides
 * @throws {Error} if the program imports something else
 */
export async function evaluateProgram(
  text: string,
  more: Readonly<Record<string, object>> = {},
): Promise<readonly Test[]> {
  const tests: Test[] = [];
  const given = { expect: withExtend, test: (...each: Test) => tests.push(each) };
  const modules: Readonly<Record<string, object>> = {
    ringback,
    "ringback/vitest": {},
    "ringback/jest": { matchers },
    expect: given,
    "node:test": given,
    vitest: given,
    ...more,
  };
  const body = text.replaceAll(
    /^import (?:(\{[^}]*\}) from )?"([^"]+)";$/gm,
    (_, names: string | undefined, from: string) => {
      if (!(from in modules))
        throw new Error(`this page has no module "${from}"; it has: ${Object.keys(modules).join(", ")}`);
      return names === undefined ? "" : `const ${names} = modules[${JSON.stringify(from)}];`;
    },
  );
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...given: object[]) => unknown;
  // in Jest they are global; an import of the same name hides them
  await new AsyncFunction("modules", "{ test, expect }", `{ ${body}\n}`)(modules, given);
  return tests;
}

function pageOf(title: string, simulator: ringback.Simulator, problem: string | undefined): PageData {
  const journal = simulator.journal();
  if (problem === undefined) return { version: 1, mode: "inspect", title, runs: [{ name: title, journal }] };
  const failed: FailureDetails = lastFailure(simulator) ?? { problem };
  const run = {
    ...{ name: title, journal, problems: [failed.problem] },
    failure: { message: failed.problem, place: failed.eventIndex },
  };
  return { version: 1, mode: "inspect", title, runs: [run] };
}

type Matcher = (this: MatcherContext, ...given: readonly unknown[]) => MatcherResult;

/** The matchers of ringback; a runner has more. */
function expect(value: unknown): object {
  // each checks what it is given
  const all = Object.entries(matchers as unknown as Readonly<Record<string, Matcher>>);
  const judging = (isNot: boolean) =>
    all.map(([name, matcher]) => {
      const judge = (...given: unknown[]) => {
        const { pass, message } = matcher.call({}, value, ...given);
        if (pass === isNot) throw new Error(message());
      };
      return [name, judge] as const;
    });
  return { ...Object.fromEntries(judging(false)), not: Object.fromEntries(judging(true)) };
}

/** In `node:test`, a program adds the matchers itself. */
const withExtend = Object.assign(expect, { extend: () => {} });
