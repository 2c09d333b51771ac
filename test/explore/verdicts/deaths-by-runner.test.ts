import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { projectWith } from "../../cli/support.ts";
import { isWhole } from "../../counts.ts";

/** Subjects that do not return, by the place of their loop. */
const loops = `
import { AsyncLocalStorage, AsyncResource, createHook } from "node:async_hooks";
import fs from "node:fs";
import { exploreReport } from "ringback/explore";

export const storage = new AsyncLocalStorage();
export const hooks = createHook({ init() {}, before() {}, after() {}, destroy() {}, promiseResolve() {} });
const loop = () => { for (;;); };
const never = new Promise(() => {});
const places = {
  "a handler": () => loop(),
  "a handler that waited": async () => { await null; loop(); },
  "a handler that waited for an immediate": async () => { await new Promise((go) => setImmediate(go)); loop(); },
  "an immediate": () => (setImmediate(loop), never),
  "a tick": () => (process.nextTick(loop), never),
  "a timer": () => (setTimeout(loop, 1), never),
  "a microtask": () => (queueMicrotask(loop), never),
  "a file's callback": () => (fs.stat("/", loop), never),
  "a file's promise": async () => { await fs.promises.stat("/"); loop(); },
  "an async resource": () => new AsyncResource("OWN").runInAsyncScope(loop),
  "an async storage": () => storage.run({}, async () => { await null; loop(); }),
  "an expression": () => { /^(a+)+$/.test("a".repeat(40) + "b"); return 204; },
  "ticks without end": () => { const again = () => process.nextTick(again); again(); return never; },
  "promises without end": async () => { for (;;) await null; },
};
const scenario = (sim) => {
  sim.webhooks.create({ url: "https://crm.test/", events: ["call.not_answered"] });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
};
export async function verdicts(names) {
  const said = {};
  for (const name of names) {
    const subject = (sim) => void sim.network.route("https://crm.test/", places[name]);
    const report = await exploreReport({ scenario, subject, deviations: 0, shrinkFor: 0, patience: 150 });
    said[name] = report.failures.map(({ property, message }) => property + ": " + message.split("\\n")[0]);
  }
  return said;
}
`;

const places = [...loops.matchAll(/^ {2}"(.*)": /gm)].map(([, name]) => name);
const isEverySixth = (from: number) => (_: unknown, index: number) => index % 6 === from;

/** The programs, by what they have switched on, and the places that each tries in `npm test`: no place twice. */
const programs = [
  ["nothing", "verdicts(names)", places.filter((_, index) => index % 3 === 0)],
  ["AsyncLocalStorage", "storage.run({ trace: 1 }, () => verdicts(names))", places.filter(isEverySixth(1))],
  ["async hooks", "(hooks.enable(), verdicts(names))", places.filter(isEverySixth(4))],
] as const;

test.each(programs)("A loop is stopped wherever it is, with %s switched on", async (_, program, some) => {
  const names = isWhole ? places : some;
  const files = {
    "loops.mjs": loops,
    "run.mjs": `
        import { hooks, storage, verdicts } from "./loops.mjs";
        const names = ${JSON.stringify(names)};
        console.log(JSON.stringify(await ${program}));`,
  };
  const { out, err } = await run(files, ["run.mjs"]);
  expect(err).toBe("");
  const says = /^the app does not return: loops\.mjs:\d+ ran for 150 ms$/;
  expect(JSON.parse(out)).toEqual(
    Object.fromEntries(names.map((name) => [name, [expect.stringMatching(says)]])),
  );
});

test("A loop is stopped in node:test, and each exploration is told with the line that explores", async () => {
  const files = {
    "loops.mjs": loops,
    "app.test.mjs": `
      import assert from "node:assert/strict";
      import { test } from "node:test";
      import { verdicts } from "./loops.mjs";
      process.env.RINGBACK_SUMMARY = "";
      test("is stopped", async () => {
        const said = await verdicts(["a handler that waited", "a tick"]);
        for (const [message] of Object.values(said)) assert.match(message, /^the app does not return/);
      });
      test("and the next test runs", () => {});`,
  };
  const { code, out, err } = await run(files, ["--test", "app.test.mjs"]);
  expect(out).toMatch(/# pass 2\n/);
  // the runner tells no test's name
  expect(`${out}${err}`).toMatch(/ringback: the script \(loops\.mjs:\d+\): 1 world, 1 failure/);
  expect(code).toBe(0);
});

test("In Jest, a loop is stopped, and a promise that rejects later is a failure of its world", async () => {
  const files = {
    "package.json": '{ "jest": { "testMatch": ["**/*.test.cjs"] } }',
    "app.test.cjs": `
      const { exploreReport } = require("ringback/explore");
      const scenario = (sim) => {
        sim.webhooks.create({ url: "https://crm.test/", events: ["call.not_answered"] });
        sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
      };
      const verdict = async (does) => {
        const subject = (sim) => void sim.network.route("https://crm.test/", does);
        const { failures } = await exploreReport({ scenario, subject, deviations: 0, shrinkFor: 0, patience: 300 });
        return failures.map(({ property, message }) => property + ": " + message.split("\\n")[0]);
      };
      test.each([
        [async () => { await null; for (;;); }, /^the app does not return: app.test.cjs:\\d+ ran for 300 ms$/],
        [() => { Promise.reject(new Error("nobody catches this")); return 204; }, /^the app leaves a rejected promise behind: nobody/],
        [() => { setImmediate(() => { throw new Error("too late"); }); return 204; }, /^the app throws where nothing catches it: too late$/],
        [() => process.exit(3), /^the app ends the process: process.exit.3. at app.test.cjs/],
      ])("%s", async (does, says) => {
        expect(await verdict(does)).toEqual([expect.stringMatching(says)]);
      }, 60_000);`,
  };
  const { code, err } = await run(files, ["node_modules/jest/bin/jest.js"]);
  expect(err).toMatch(/Tests: +4 passed, 4 total/);
  expect(code).toBe(0);
});

/** Under these permissions no thread can reach another. */
const permissions = ["--allow-fs-read=*", "--allow-fs-read=* --allow-worker"];

test.each(isWhole ? permissions : permissions.slice(0, 1))(
  "Under Node's permissions %s, explore runs, says once what it cannot stop, and names what returns too late",
  async (allowed) => {
    const files = {
      "run.mjs": `
        import { exploreReport } from "ringback/explore";
        const scenario = (sim) => {
          sim.webhooks.create({ url: "https://crm.test/", events: ["call.not_answered"] });
          sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
        };
        const failuresOf = async (does) => {
          const subject = (sim) => void sim.network.route("https://crm.test/", does);
          const { failures, worlds } = await exploreReport({ scenario, subject, deviations: 0, shrinkFor: 0, patience: 1_000 });
          return [worlds, ...failures.map(({ property, message }) => property + ": " + message.split("\\n")[0])];
        };
        const busy = () => {
          for (const end = process.hrtime.bigint() + 1_200_000_000n; process.hrtime.bigint() < end; );
          return 204;
        };
        console.log(JSON.stringify([await failuresOf(() => 204), await failuresOf(busy), await failuresOf(() => new Promise(() => {}))]));`,
    };
    const [major = 0] = process.versions.node.split(".").map(Number);
    const model = major < 23 ? "--experimental-permission" : "--permission";
    const { code, out, err } = await run(files, [model, ...allowed.split(" "), "run.mjs"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([
      [1],
      [1, "the app does not return: it ran for more than 1000 ms"],
      [1, expect.stringMatching(/^the app hangs: nothing happened for 1000 ms while/)],
    ]);
    expect(err.match(/RingbackWarning: .*/g)).toEqual([
      expect.stringMatching(
        /^RingbackWarning: an app that does not return cannot be stopped: Node's permissions deny it: /,
      ),
    ]);
  },
);

/** Runs Node in a project of its own. */
function run(files: Readonly<Record<string, string>>, args: readonly string[]) {
  const cwd = projectWith(files);
  const env = { ...process.env, RINGBACK_RESULTS: "off", NODE_OPTIONS: "", NODE_TEST_CONTEXT: undefined };
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) =>
    execFile(process.execPath, args, { cwd, env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out, err }),
    ),
  );
}
