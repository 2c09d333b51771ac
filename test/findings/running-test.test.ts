import { createRequire } from "node:module";
import { expect, type TestContext, test } from "vitest";
import { explore, exploreReport, IncompleteError } from "../../src/explore/index.ts";
import { realInstantMs } from "../../src/findings/real-time.ts";
import { runningTest } from "../../src/findings/running-test.ts";
import type { Simulator } from "../../src/index.ts";

/** How an exploration finds out how long its test may take. */

const endless = Number.POSITIVE_INFINITY;
// by the clock that never steps: the system's may, while the tests run
const secondsAgo = (seconds: number) => realInstantMs() - seconds * 1_000;

test("runningTest returns this test, with its file and the time that it has left", {
  timeout: 77_000,
}, () => {
  const running = runningTest();
  expect(running).toMatchObject({ runner: "vitest", timeoutMs: 77_000 });
  expect(running?.file).toMatch(/running-test\.test\.ts$/);
  expect(running?.names?.at(-1)).toContain("runningTest returns this test");
  expect(running?.leftMs).toBeGreaterThan(0);
  expect(running?.leftMs).toBeLessThanOrEqual(77_000);
});

test.each([
  ["vitest", "4.1."],
  ["jest", "30.5."],
])("the private state of %s was tried with version %s", (runner, tried) => {
  const { version } = createRequire(import.meta.url)(`${runner}/package.json`) as {
    readonly version: string;
  };
  // for another version, look at what src/findings/vitest-state.ts and jest-state.ts read, then name it here and there
  expect(version.startsWith(tried)).toBe(true);
});

test("Vitest tells when a test began, but not when its second try did", () => {
  const suite = { name: "outer", suite: { name: "" } };
  const current = { name: "it", suite, timeout: 5_000, result: { startTime: secondsAgo(2) } };
  const found = runningTest({ __vitest_worker__: { filepath: "/a.test.ts", current } });
  expect(found).toMatchObject({ file: "/a.test.ts", names: ["outer", "it"], timeoutMs: 5_000 });
  expect(found?.leftMs).toBeLessThanOrEqual(3_000);
  const retried = { ...current, result: { ...current.result, retryCount: 1 } };
  expect(runningTest({ __vitest_worker__: { current: retried } })?.leftMs).toBe(5_000);
});

test("Jest tells the time of a test, or of all tests", () => {
  const state = Symbol("JEST_STATE_SYMBOL");
  const parent = { name: "outer", parent: { name: "ROOT_DESCRIBE_BLOCK" } };
  const test = { name: "it", parent, timeout: undefined, startedAt: secondsAgo(1) };
  const matchers = { state: { testPath: "/a.test.js" } };
  const found = runningTest({
    [state]: { testTimeout: 9_000, currentlyRunningTest: test },
    [Symbol.for("$$jest-matchers-object")]: matchers,
  });
  expect(found).toMatchObject({
    runner: "jest",
    file: "/a.test.js",
    names: ["outer", "it"],
    timeoutMs: 9_000,
  });
  expect(found?.leftMs).toBeLessThanOrEqual(8_000);
  const own = runningTest({
    [state]: { testTimeout: 9_000, currentlyRunningTest: { ...test, timeout: 2_000 } },
  });
  expect(own?.timeoutMs).toBe(2_000);
});

test("A test without a limit, one of node:test, and code outside of tests have no limit", () => {
  const current = { name: "it", timeout: 0 };
  expect(runningTest({ __vitest_worker__: { current } })?.leftMs).toBe(endless);
  const process = { env: { NODE_TEST_CONTEXT: "child-v8" }, argv: ["node", "/a.test.mjs"] };
  expect(runningTest({ process })).toMatchObject({
    runner: "node:test",
    file: "/a.test.mjs",
    leftMs: endless,
  });
  expect(runningTest({ process: { env: {}, argv: [] } })).toBeUndefined();
});

test("Data of a runner in an unknown form is ignored", () => {
  const current = { name: 3, timeout: "5 s", result: { startTime: {} } };
  expect(runningTest({ __vitest_worker__: { current } })).toMatchObject({
    names: undefined,
    leftMs: endless,
  });
  expect(runningTest({ [Symbol("JEST_STATE_SYMBOL")]: undefined })).toBeUndefined();
});

/** Says to explorations that the running test began now, and how long it may take, ms; the runner lets it run on. */
const letTake = ({ task }: TestContext, timeoutMs: number): void => {
  Object.assign(task, { timeout: timeoutMs, result: { ...task.result, startTime: realInstantMs() } });
};

const url = "https://crm.acme.test/hooks";
const options = {
  scenario: (sim: Simulator) => {
    for (let index = 0; index < 3; index++)
      sim.calls.inbound({ from: `+642155500${index}`, to: "+6495550100" });
  },
  subject: (sim: Simulator) => {
    sim.webhooks.create({ url, events: ["*"] });
    sim.network.route(url, () => 204);
  },
  // far more than can be run
  deviations: 4,
};

test("An exploration that the time of a test ends fails as incomplete", async (context) => {
  letTake(context, 500);
  const error = await explore(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(IncompleteError);
  const { message, report } = error as IncompleteError;
  expect(message).toContain("not all worlds were run, so nothing is proven");
  expect(message).toMatch(/not all of them: stopped after 3\d\dms, because the test may take 500ms/);
  expect(report).toMatchObject({ complete: false, failures: [] });
  expect(report.worlds).toBeGreaterThan(0);
});

test.for([{ for: "PT0.2S" }, { within: "PT0.2S" }, { worlds: 1_000_000 }])(
  "An exploration passes without all worlds if %o asks for fewer",
  async (few, context) => {
    letTake(context, 500);
    const report = await explore({ ...options, ...few });
    expect(report).toMatchObject({ complete: false, passed: true });
  },
);

test("`within` is the former name of `for`, and both are refused", async () => {
  const report = await exploreReport({ ...options, within: 20 });
  expect(report.toText()).toContain("not all of them: stopped after 20ms, as `for` says");
  await expect(explore({ ...options, for: 20, within: 20 })).rejects.toThrow(
    "within: expected `for` or `within`, its former name, and not both",
  );
});

test("An exploration whose first world takes longer than `for` has run that world", async () => {
  const report = await explore({
    ...options,
    subject: (sim) => {
      options.subject(sim);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    },
    for: 20,
  });
  expect(report.worlds).toBe(1);
  expect(report).toMatchObject({ complete: false, passed: true });
});

test.each([{ for: 0 }, { within: 0 }])(
  "An exploration that %o ends before its first world fails",
  async (none) => {
    const sometimes = { "a call is heard of": () => true };
    const error = await explore({ ...options, ...none, sometimes }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(IncompleteError);
    expect((error as IncompleteError).report).toMatchObject({ worlds: 0, complete: false, passed: false });
  },
);

test("exploreReport only says that worlds were left out", async (context) => {
  letTake(context, 300);
  const report = await exploreReport(options);
  expect(report).toMatchObject({ complete: false, passed: true });
});

test("An app that hangs may take a quarter of the time that is left", async (context) => {
  // a machine that is too busy for its first world within 70 % of it would prove nothing
  letTake(context, 4_000);
  const error = await explore({
    ...options,
    subject: (sim) => {
      options.subject(sim);
      sim.network.route(url, () => new Promise<number>(() => {}));
    },
    deviations: 0,
  }).catch((thrown: unknown) => thrown);
  const [, ms] = /nothing happened for (\d+) ms/.exec((error as Error).message) ?? [];
  expect(Number(ms)).toBeLessThanOrEqual(1_000);
});
