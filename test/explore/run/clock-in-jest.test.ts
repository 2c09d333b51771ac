import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { projectWith } from "../../cli/support.ts";

const program = `
const { once } = require("node:events");
const { connect, createServer } = require("node:net");
const { setTimeout: sleep } = require("node:timers/promises");
const { exploreReport } = require("ringback/explore");
const { createSimulator } = require("ringback");
const { shareTime } = require("ringback/jest");

const call = (sim) => {
  sim.webhooks.create({ url: "https://crm.test/", events: ["call.started"] });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
};

test("explore gives the app the virtual time, also by functions that it took before", async () => {
  let noted;
  const subject = (sim) => {
    const log = [];
    const note = (what) => log.push((Date.now() - sim.startTimestamp) / 1_000 + " " + what);
    sim.network.route("https://crm.test/", async () => {
      await new Promise((resolve) => setImmediate(() => process.nextTick(() => queueMicrotask(resolve))));
      await sleep(100);
      setTimeout(note, 20_000, "later");
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      note("slept");
      return 204;
    });
    return log;
  };
  const eventually = { "is noted": (_, log) => void (noted = log) };
  const { failures } = await exploreReport({ scenario: call, subject, deviations: 0, eventually });
  expect(failures).toEqual([]);
  expect(noted).toEqual(["1.1 slept", "20.1 later"]);
}, 60_000);

test("then shareTime gives it the time of a simulator", async () => {
  const sim = createSimulator();
  const time = shareTime(sim, jest);
  let at;
  setTimeout(() => {
    at = Date.now() - sim.startTimestamp;
  }, 20_000);
  sim.network.route("https://crm.test/", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return 204;
  });
  call(sim);
  await time.advance("PT1M");
  expect(at).toBe(20_000);
  expect(sim.network.requests).toHaveLength(1);
}, 60_000);

test("explore waits for no answer of a server of the test, over a connection from before", async () => {
  const server = createServer((end) => end.resume()).listen(0);
  await once(server, "listening");
  const socket = connect(server.address().port);
  await once(socket, "connect");
  const app = (sim) => sim.network.route("https://crm.test/", () => (socket.write("came") ? 204 : 500));
  const { failures } = await exploreReport({ scenario: call, app, deviations: 0, forged: false });
  socket.destroy();
  server.close();
  expect(failures).toEqual([]);
}, 60_000);

test.concurrent("a test beside others has its own time", async () => {
  const { failures } = await exploreReport({ scenario: call, subject: () => {}, deviations: 0 });
  expect(failures).toEqual([]);
}, 60_000);
`;

test.each(["real timers", "fake timers everywhere"])(
  "In Jest with %s, virtual time works",
  async (timers) => {
    const config = {
      testMatch: ["**/*.test.cjs"],
      fakeTimers: { enableGlobally: timers !== "real timers" },
    };
    const cwd = projectWith({ "package.json": JSON.stringify({ jest: config }), "app.test.cjs": program });
    const env = { ...process.env, RINGBACK_RESULTS: "off" };
    const said = await new Promise<string>((resolve) =>
      execFile(process.execPath, ["node_modules/jest/bin/jest.js"], { cwd, env }, (_, _out, err) =>
        resolve(err),
      ),
    );
    expect(said).toMatch(/Tests: +4 passed, 4 total/);
  },
);
