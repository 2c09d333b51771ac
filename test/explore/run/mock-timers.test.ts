import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { projectWith } from "../../cli/support.ts";

const program = `
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { exploreReport } from "ringback/explore";
import { createSimulator } from "ringback";
const { shareTime } = createRequire(import.meta.url)("ringback/jest");

const scenario = (sim) => {
  sim.webhooks.create({ url: "https://crm.test/", events: ["call.started", "call.not_answered"] });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
};
function subject(sim) {
  const log = [];
  const note = (what) => log.push((Date.now() - sim.startTimestamp) / 1_000 + " " + what);
  sim.network.route("https://crm.test/", async ({ body }) => {
    const { type } = JSON.parse(body);
    note(type);
    if (type === "call.started") setTimeout(note, 20_000, "rings for 20 s");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    note("slept");
    return 204;
  });
  return log;
}
const noted = ["0 call.started", "1 slept", "20 rings for 20 s", "30 call.not_answered", "31 slept"];

for (const apis of [["setTimeout", "setInterval", "setImmediate", "Date"], ["Date"], ["setTimeout"], ["setImmediate"]])
  test("enabled before, " + apis, async (t) => {
    t.mock.timers.enable({ apis });
    let rang = 0;
    if (apis.includes("setTimeout")) setTimeout(() => rang++, 1_000);
    let log;
    const eventually = { "is noted": (_, own) => void (log = own) };
    const { failures } = await exploreReport({ scenario, subject, deviations: 0, eventually });
    assert.deepEqual([failures, log], [[], noted]);
    if (apis.includes("Date")) assert.equal(Date.now(), 0);
    if (!apis.includes("setTimeout")) return;
    assert.equal(rang, 0);
    t.mock.timers.tick(1_000);
    assert.equal(rang, 1);
  });

test("enabled in an app", async (t) => {
  const { failures } = await exploreReport({
    ...{ scenario, deviations: 0, patience: 300 },
    subject(sim) {
      t.mock.timers.enable({ apis: ["setTimeout"] });
      return { app: subject(sim), [Symbol.dispose ?? Symbol.for("Symbol.dispose")]: () => t.mock.timers.reset() };
    },
  });
  assert.deepEqual(failures.map(({ property, message }) => property + ": " + message), [
    "the app hangs: nothing happened for 300 ms while the app was handling POST https://crm.test/. It began fake timers, which stand still: leave them out, as a world's timers are virtual anyway, or begin them before \`explore\`",
  ]);
});

test("shareTime refuses them", (t) => {
  assert.throws(() => shareTime(createSimulator(), t.mock.timers), /expected Vitest's .vi. or Jest's .jest.; .ringback.node-test. has/);
});

test("and then there are real timers and the real time again", async () => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  assert.ok(Date.now() > Date.UTC(2020));
});
`;

test("The timers of node:test's mock stay the test's beside a world, and those that an app begins are named", async () => {
  const cwd = projectWith({ "app.test.mjs": program });
  const own = { RINGBACK_RESULTS: "off", NODE_OPTIONS: "", NODE_TEST_CONTEXT: undefined };
  const env = { ...process.env, ...own };
  const said = await new Promise<string>((resolve) =>
    execFile(
      process.execPath,
      ["--test", "--test-reporter=tap", "app.test.mjs"],
      { cwd, env, timeout: 120_000 },
      (_, out) => resolve(out),
    ),
  );
  expect(said).toMatch(/# pass 7\n/);
  expect(said).toMatch(/# fail 0\n/);
});

test("A module keeps what it imported of Node's timers though explore is loaded while Sinon's are on", async () => {
  const loads = `
import { createRequire } from "node:module";
import { setTimeout } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
const { install } = createRequire(import.meta.url)(process.argv[2]);
const before = [setTimeout, sleep];
const clock = install({ toFake: ["setTimeout"] });
await import("ringback/explore");
clock.uninstall();
console.log(before[0] === setTimeout, before[1] === sleep, await sleep(1, "slept"));
`;
  const cwd = projectWith({ "loads.mjs": loads });
  const sinon = createRequire(import.meta.url).resolve("@sinonjs/fake-timers");
  const run = promisify(execFile)(process.execPath, ["loads.mjs", sinon], { cwd, timeout: 60_000 });
  expect((await run).stdout).toBe("true true slept\n");
});
