import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { namedWorldIn, shortWorld } from "../../src/explore/report/named-world.ts";
import { reproductionWithModule } from "../../src/explore/report/reproduce.ts";
import {
  argsForTest,
  nodeOptions,
  typedCommand,
  typedOptions,
  withoutChoice,
} from "../../src/explore/report/typed-command.ts";
import { folderWith } from "../cli/support.ts";

const worker = ["/usr/bin/node", "/app/node_modules/vitest/dist/workers/forks.js"];
const jestWorker = ["/usr/bin/node", "/app/node_modules/jest-worker/build/processChild.js"];

/** A system that tells the command lines of a process and its parent. */
function system(self: readonly string[] | undefined, parent?: readonly string[]) {
  return (id: number | "self") => (id === "self" ? self : parent);
}

describe("The command that was typed is read", () => {
  test.each<[string, "vitest" | "jest" | "node:test", string[], string[] | undefined, string]>([
    [
      "from the process that Vitest forks from",
      "vitest",
      worker,
      ["node", "/app/.bin/vitest", "run", "--config", "x y.mjs"],
      "npx vitest run --config x y.mjs",
    ],
    [
      "from Vitest's own process if it uses threads",
      "vitest",
      ["node", "/app/node_modules/vitest/vitest.mjs"],
      ["sh", "-c", "vitest"],
      "npx vitest",
    ],
    [
      "from the process that Jest's worker belongs to",
      "jest",
      jestWorker,
      ["node", "/app/.bin/jest", "--maxWorkers=2"],
      "npx jest --maxWorkers=2",
    ],
    [
      "with the options of Node",
      "jest",
      ["node", "--experimental-vm-modules", "/app/node_modules/jest/bin/jest.js", "it"],
      undefined,
      "node --experimental-vm-modules /app/node_modules/jest/bin/jest.js it",
    ],
    [
      "from the process of `node --test`",
      "node:test",
      ["node", "/app/it.test.mjs"],
      ["/usr/bin/node", "--import", "tsx", "--test", "it.test.ts"],
      "node --import tsx --test it.test.ts",
    ],
  ])("%s", (_, runner, self, parent, expected) => {
    const { program, args } = typedCommand(runner, 1, system(self, parent)) ?? { program: [], args: [] };
    expect([...program, ...args].join(" ")).toBe(expected);
  });

  test("nowhere if the system does not tell it, or another program started the test", () => {
    expect(typedCommand("vitest", 1, system(undefined))).toBeUndefined();
    expect(typedCommand("vitest", undefined, system(worker))).toBeUndefined();
    expect(typedCommand("vitest", 1, system(worker, ["node", "run-all.mjs"]))).toBeUndefined();
  });
});

test.each([
  ["run --shard=1/3 -t name --config x", "run --config x"],
  ["--testNamePattern=name list", "list"],
  ["--shard 1/3 list -t a", "list"],
])("options that choose other tests are left out of %s", (typed, kept) => {
  expect(withoutChoice(typed.split(" ")).join(" ")).toBe(kept);
});

test.each([
  ["--import tsx --test a.mjs b.mjs", "--import tsx --test"],
  ["--test --import ./x.mjs a.mjs", "--test --import ./x.mjs"],
  ["--test --test-reporter=tap a.mjs", "--test --test-reporter=tap"],
  ["--test", "--test"],
])("%s has its files behind its options", (typed, options) => {
  expect(nodeOptions(typed.split(" ")).join(" ")).toBe(options);
});

test.each([
  ["jest", "--runTestsByPath test/a.test.ts", "--runTestsByPath FILE"],
  ["jest", "test/b.ts --coverage ./test/a.ts", "--coverage --runTestsByPath FILE"],
  ["vitest", "run --coverage test/a.test.ts:12 b.spec.mts", "run --coverage FILE"],
  [
    "vitest",
    "--coverage --run a --config x.ts --project test -u",
    "run --coverage --config x.ts --project test -u FILE",
  ],
] as const)("%s %s runs another test's file without these", (runner, typed, expected) => {
  expect(argsForTest(runner, typed.split(" "), "test/a.ts").join(" ")).toBe(expected);
});

test("what Node itself gives to the process of a test file is not what somebody typed", () => {
  const given =
    "--stack-trace-limit=10 --secure-heap=0 --test-timeout=0 --network-family-autoselection-attempt-timeout=500";
  const typed = ["--import=tsx", "--stack-trace-limit=50", "--no-warnings"];
  expect(typedOptions([...given.split(" "), ...typed])).toEqual(typed);
});

const corpus = "ringback-results/corpus";

test.each([
  [`${corpus}/calls-each-call.yaml`, {}, "calls-each-call"],
  [
    `./${corpus}/apps-calls.test-a-long-name-of-a-file-and-a-test-that-says-a-lot-1x2y3z.yaml`,
    {},
    "file-and-a-test-that-says-a-lot-1x2y3z",
  ],
  // another file's test may have the same name, which no checksum tells apart
  [
    `${corpus}/a.test-my-app-survives-what-a-network-does-to-its-webhook.yaml`,
    {},
    "a.test-my-app-survives-what-a-network-does-to-its-webhook",
  ],
  [`${corpus}/calls.yaml`, { RINGBACK_RESULTS: "ringback-results" }, `${corpus}/calls.yaml`],
  ["test/kept.yaml", {}, "test/kept.yaml"],
])("the world %s with %j is named %s in a command", (file, env, named) => {
  expect(shortWorld(file, env)).toBe(named);
});

test("a named world whose failure left a damaged file is refused, and nothing of it is quoted", () => {
  const folder = folderWith({ "it.yaml": "", "it.keep.jsonl": '{ "secret": ' });
  const [file, about] = [join(folder, "it.yaml"), join(folder, "it.keep.jsonl")];
  expect(() => namedWorldIn(file, {})).toThrow(
    `scenario: ${about} is damaged: expected what a failure left; explore again`,
  );
});

test.each([
  ["vitest", "--import tsx", "--import tsx", "npx vitest run FILE"],
  ["jest", "--import tsx", "--import tsx --experimental-vm-modules", "npx jest --runTestsByPath FILE"],
  ["node:test", "--import tsx", "--import tsx", "node --test FILE"],
] as const)("a kept test of a module for %s loads it with %s", (runner, given, expected, words) => {
  vi.stubEnv("NODE_OPTIONS", given);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { kept } = reproductionWithModule({ module: "crm.ts", clock: undefined, isLocal: false }, runner);
  expect(kept?.command).toEqual({ variables: { NODE_OPTIONS: expected }, words: words.split(" ") });
});
