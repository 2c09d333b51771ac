import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectWith } from "../../cli/support.ts";

/** Node 20 has no snapshots, and no `t.assert.register`: there the assertions come by a hook. */
const [major = 0] = process.versions.node.split(".").map(Number);
const hasSnapshots = major >= 22;

/** Runs a file of tests, and tells what `node --test` prints. */
async function run(
  program: string,
  { args = [], more = {} }: Readonly<{ args?: string[]; more?: Record<string, string> }> = {},
) {
  const cwd = projectWith({ "calls.test.mjs": program, ...more });
  const own = { RINGBACK_RESULTS: undefined, NODE_OPTIONS: "", NODE_TEST_CONTEXT: undefined };
  const env = { ...process.env, ...own };
  const out = await new Promise<string>((resolve) =>
    execFile(
      process.execPath,
      ["--test", "--test-reporter=tap", ...args, "calls.test.mjs"],
      { cwd, env, timeout: 60_000 },
      (_, stdout, stderr) => resolve(stdout + stderr),
    ),
  );
  const results = join(cwd, "ringback-results");
  const names = existsSync(results) ? readdirSync(results) : [];
  return { cwd, out, journals: names.filter((name) => name.endsWith(".journal.jsonl")).sort() };
}

const head = `
import assert from "node:assert/strict";
import { before, describe, it, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createSimulator } from "ringback";
import { shareTime } from "ringback/node-test";
const url = "https://crm.test/hooks";
const missed = { from: "+6421555001", to: "+6495550103" };
`;

test("Its assertions pass and fail as the matchers do, and each has an opposite", async () => {
  const { out } = await run(`${head}
    test("an assertion that holds", (t) => {
      const sim = createSimulator();
      sim.network.route(url, () => 204);
      sim.webhooks.create({ url, events: ["call.started"] });
      t.assert.notToHaveEmitted(sim, "call.started");
      sim.calls.inbound(missed);
      t.assert.notToBeIdle(sim);
      t.assert.toBeSilentFor(sim, "PT29S");
      t.assert.notToBeSilentFor(sim, "PT31S");
      t.assert.toHaveEmitted(sim, "call.started", { call: { contactNumber: "+6421555001" } });
      sim.runUntilIdle();
      t.assert.toBeIdle(sim);
      t.assert.toHaveDelivered(sim, url, "call.started");
      t.assert.toHaveEmittedStream(sim, ["PT0S call.started", "PT30S call.not_answered", "PT30S voicemail.started"].slice(0, sim.events.length));
      t.assert.toBePossible(sim.events[0]);
      t.assert.notToBePossible({ ...sim.events[0], type: "call.ended" });
      assert.throws(() => t.assert.toHaveEmitted(sim, "call.vanished"), /call.vanished/);
      assert.throws(() => t.assert.toBeIdle({}), /expected a simulator/);
    });
    describe("a suite", () => {
      it("has them too", async (t) => {
        const sim = createSimulator();
        assert.throws(() => t.assert.toHaveEmitted(sim, "call.started"), (error) => {
          assert.equal(error.name, "AssertionError");
          assert.equal(error.operator, "toHaveEmitted");
          assert.match(error.message, /^expected call.started, but no event of this type was emitted\\n  call.started never came: no call began\\n/);
          assert.match(error.stack, /^    at .*calls.test.mjs/m);
          return true;
        });
        await t.test("and so has a part of a test", (part) => part.assert.toBeIdle(sim));
      });
    });
  `);
  expect(out).toMatch(/# fail 0\n/);
  expect(out).toMatch(/# pass 3\n/);
});

test("A failed test names the page of its run, by its own name, and each run once", async () => {
  const { cwd, out, journals } = await run(`${head}
    let shared;
    before(() => { shared = createSimulator({ seed: 99 }); });
    test("fails by an assertion of ours", (t) => {
      const sim = createSimulator({ seed: 1 });
      sim.calls.inbound(missed);
      t.assert.toHaveEmitted(sim, "call.ended");
    });
    describe("a suite", () => {
      test("fails by another", () => {
        const sim = createSimulator({ seed: 2 });
        sim.calls.inbound(missed);
        assert.equal(sim.events.length, 7);
      });
    });
    test("has parts", async (t) => {
      const outer = createSimulator({ seed: 3 });
      await t.test("that fail", () => {
        createSimulator({ seed: 4 }).calls.inbound(missed);
        assert.equal(outer.events.length, 7);
      });
    });
    test("throws what is no error", () => {
      createSimulator({ seed: 5 });
      throw "a text";
    });
    test("passes", () => void createSimulator({ seed: 6 }));
    test("has none", () => assert.fail("nothing to do with calls"));
  `);
  expect(out).toMatch(/# pass 1\n/);
  expect(journals).toEqual(
    [
      ...["a-suite-fails-by-another", "a-suite-fails-by-another-2"],
      ...["fails-by-an-assertion-of-ours", "fails-by-an-assertion-of-ours-2", "has-none"],
      ...["has-parts-that-fail", "has-parts-that-fail-2", "has-parts-that-fail-3"],
      ...["throws-what-is-no-error", "throws-what-is-no-error-2"],
    ]
      .map((name) => `calls.test-${name}.journal.jsonl`)
      .sort(),
  );
  const failedIn = (name: string) =>
    JSON.parse(readFileSync(join(cwd, `ringback-results/calls.test-${name}.journal.jsonl`), "utf8")).failed;
  // by the assertion, and by what the runner tells
  for (const name of ["fails-by-an-assertion-of-ours", "a-suite-fails-by-another"])
    expect(failedIn(name)).toMatchObject({ file: "calls.test.mjs", line: expect.any(Number) });
  expect(failedIn("a-suite-fails-by-another").test).toBe("a suite > fails by another");
  // the timeline, once, and behind it what was made in `before`
  expect(out.match(/calls \+6495550103 \(Carol Diaz, 103\)/g)).toHaveLength(1);
  expect(out.match(/Seed: 1[.]/g)).toHaveLength(1);
  expect(out.match(/Made outside of tests:(\\\\n|\n\s*)Seed: 99[.]/g)).toHaveLength(5);
  expect(out).toContain(
    "npx ringback run ringback-results/calls.test-a-suite-fails-by-another.journal.jsonl",
  );
  for (const seed of [2, 3, 4, 5]) expect(out).toContain(`Seed: ${seed}. This runs it again:`);
  expect(out).not.toContain("Seed: 6");
});

test.skipIf(!hasSnapshots)(
  "Snapshots show simulators as timelines and events with their keys in a fixed order (not in Node 20)",
  async () => {
    const program = `${head}
    test("a call", (t) => {
      const sim = createSimulator({ ids: "counter" });
      sim.calls.inbound(missed);
      t.assert.snapshot(sim);
      t.assert.snapshot(sim.events[0]);
      t.assert.snapshot({ b: 1 });
    });
  `;
    const { cwd, out } = await run(program, { args: ["--test-update-snapshots"] });
    expect(out).toMatch(/# pass 1\n/);
    const text = readFileSync(join(cwd, "calls.test.mjs.snapshot"), "utf8");
    expect(text).toContain("* call.started                   inbound from Jane Smith");
    expect(text).toMatch(/\n[{]\n {2}"id": "[^"]+",\n {2}"type": "call.started",\n {2}"createdAt"/);
    expect(text).toContain('"b": 1');
  },
);

test("shareTime gives an app the simulator's time by the fake timers of the test, until it ends", async () => {
  const { out } = await run(`${head}
    test("timers, and what waits for them", async (t) => {
      const sim = createSimulator();
      const time = shareTime(sim);
      assert.throws(() => shareTime(sim), /fake timers are on already/);
      const log = [];
      const note = (what) => log.push((Date.now() - sim.startTimestamp) / 1_000 + " " + what);
      sim.network.route(url, async ({ body }) => {
        const { type } = JSON.parse(body);
        note(type);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        await sleep(500);
        note("slept");
        return 204;
      });
      sim.webhooks.create({ url, events: ["call.started", "call.not_answered"] });
      sim.calls.inbound(missed);
      setTimeout((what) => note(what), 20_000, "once");
      clearTimeout(setTimeout(note, 1_000, "never"));
      const every = setInterval(() => {
        note("tick");
        if (Date.now() - sim.startTimestamp >= 24_000) clearInterval(every);
      }, 12_000);
      const aborted = AbortSignal.timeout(40_000);
      await time.advance("PT39.999S");
      assert.equal(aborted.aborted, false);
      await time.advance("PT0.001S");
      assert.equal(aborted.aborted, true);
      assert.deepEqual(log, [
        "0 call.started", "1.5 slept", "12 tick", "20 once", "24 tick", "30 call.not_answered", "31.5 slept",
      ]);
      await time.advance("P30D");
      assert.equal(Date.now(), sim.timestamp);
      if ("Temporal" in globalThis) assert.equal(Temporal.Now.instant().epochMilliseconds, sim.timestamp);
      const answer = await time.fetch(sim.urls.api + "/users", { headers: { authorization: "Bearer " + sim.token() } });
      assert.equal(answer.status, 200);
    });
    test("the next test has the real time", async (t) => {
      assert.ok(Date.now() > Date.UTC(2020) && !("isMock" in Date) && !("clock" in setTimeout));
      await sleep(1);
      await new Promise((resolve) => setTimeout(resolve, 1));
      const time = shareTime(createSimulator(), t.mock.timers);
      let rang = false;
      sleep(2_000).then(() => (rang = true));
      await time.advance("PT2S");
      assert.equal(rang, true);
    });
    test("a handler that waits for a timer that repeats", async (t) => {
      const sim = createSimulator();
      const time = shareTime(sim);
      sim.network.route(url, () => new Promise((resolve) => setInterval(() => resolve(204), 1_000)));
      sim.webhooks.create({ url, events: ["call.started"] });
      sim.calls.inbound(missed);
      await assert.rejects(time.advance("PT1M"), /waits for a timer that repeats/);
    });
    test("timers that somebody turned on", (t) => {
      t.mock.timers.enable({ apis: ["Date"] });
      assert.throws(() => shareTime(createSimulator()), /leave .mock.timers.enable. to .shareTime./);
    });
    test("several tests at once", { concurrency: true }, async (t) => {
      const both = ["one", "two"].map((name) => t.test(name, async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (name === "one") assert.throws(() => shareTime(createSimulator()), /expected fake timers as the second argument/);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }));
      await Promise.all(both);
    });
  `);
  expect(out).toMatch(/# fail 0\n/);
  expect(out).toMatch(/# pass 7\n/);
});
