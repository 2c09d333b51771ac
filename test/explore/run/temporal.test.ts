import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { projectWith } from "../../cli/support.ts";

/**
 * Node 26 has `Temporal`. Node 20 to 24 have an early one behind a flag, which lacks `timeZoneId` and some of which ends the
 * process; what is used here works there too.
 */
const flags = "Temporal" in globalThis ? [] : ["--harmony-temporal"];

const app = `
const { Now } = Temporal;
const { instant, plainTimeISO } = Temporal.Now;
const { now } = Date;
const { now: sinceStart } = performance;
const EarlyDate = Date;
class AppDate extends Date {}
const ms = (at) => at.epochMilliseconds;
const ofDay = (time) => ((time.hour * 60 + time.minute) * 60 + time.second) * 1_000 + time.millisecond;
const startOfDay = (dateMs) => dateMs - (dateMs % 86_400_000);
const inUtc = (date, time) => startOfDay(Date.UTC(date.year, date.month - 1, date.day)) + ofDay(time);
export const reads = {
  "Temporal.Now.instant": () => ms(Temporal.Now.instant()),
  "a copy of Temporal.Now": () => ms(Now.instant()),
  "a copy of Temporal.Now.instant": () => ms(instant()),
  "zonedDateTimeISO": () => ms(Temporal.Now.zonedDateTimeISO("UTC")),
  "plainDateTimeISO": () => inUtc(Temporal.Now.plainDateTimeISO("UTC"), Temporal.Now.plainDateTimeISO("UTC")),
  "plainDateISO": () => inUtc(Temporal.Now.plainDateISO("UTC"), Temporal.Now.plainTimeISO("UTC")),
  "a copy of plainTimeISO, in the zone of the process": () => inUtc(Temporal.Now.plainDateISO(), plainTimeISO()),
  "a copy of Date.now": () => now(),
  "a copy of Date": () => new EarlyDate().getTime(),
  "a class of Date": () => new AppDate().getTime(),
  "the constructor of a date": () => Number(new (new Date(0).constructor)()),
};
export const copies = { sinceStart };
`;

const program = `
import assert from "node:assert/strict";
import { test } from "node:test";
import { exploreReport } from "ringback/explore";
import { copies, reads } from "./app.mjs";

const scenario = (sim) => {
  sim.webhooks.create({ url: "https://crm.test/", events: ["call.started"] });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
};
const names = Object.keys(reads);

for (const name of names)
  test(name + " is the world's", async () => {
    let noted;
    const subject = (sim) => {
      const log = [];
      const note = () => log.push(reads[name]() - sim.startTimestamp);
      sim.network.route("https://crm.test/", async () => {
        note();
        const before = copies.sinceStart.call(performance);
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        log.push(copies.sinceStart.call(performance) - before);
        note();
        return 204;
      });
      return log;
    };
    const eventually = { "is noted": (_, log) => void (noted = log) };
    const { failures } = await exploreReport({ scenario, subject, deviations: 0, forged: false, eventually });
    assert.deepEqual([failures.map(({ message }) => message), noted], [[], [0, 1_500, 1_500]]);
    assert.ok(Math.abs(reads[name]() - Date.now()) < 60_000, "real beside worlds");
  });

test("a date keeps its constructor, and Date its text", () => {
  assert.equal(new Date().constructor, Date);
  assert.match(String(Date), /\\[native code\\]/);
  assert.equal(Date.name + Date.length, "Date7");
});
`;

const inJest = `
const { createSimulator } = require("ringback");
const { shareTime } = require("ringback/jest");
const { reads } = require("./app.cjs");
// Jest's own fake timers leave that of the runtime
delete reads["the constructor of a date"];
// they ask for what the early Temporal lacks
if (!("timeZoneId" in Temporal.Now)) delete reads["a copy of plainTimeISO, in the zone of the process"];

test("what reads the clock has the time of the simulator", async () => {
  const sim = createSimulator();
  const time = shareTime(sim, jest);
  const all = () => Object.entries(reads).map(([name, read]) => name + ": " + (read() - sim.startTimestamp));
  const allAre = (ms) => Object.keys(reads).map((name) => name + ": " + ms);
  expect(all()).toEqual(allAre(0));
  let seen;
  setTimeout(() => void (seen = all()), 1_500);
  await time.advance("PT1M");
  expect(seen).toEqual(allAre(1_500));
  jest.useRealTimers();
  for (const read of Object.values(reads)) expect(Math.abs(read() - Date.now())).toBeLessThan(60_000);
});
`;

async function run(files: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const cwd = projectWith(files);
  const own = { RINGBACK_RESULTS: "off", NODE_OPTIONS: "", NODE_TEST_CONTEXT: undefined, TZ: "UTC" };
  const env = { ...process.env, ...own };
  return await new Promise<string>((resolve) =>
    execFile(process.execPath, [...flags, ...args], { cwd, env, timeout: 120_000 }, (_, out, err) =>
      resolve(out + err),
    ),
  );
}

test("What reads the clock is virtual in worlds, also through copies that a module took", async () => {
  const said = await run(
    { "app.mjs": app, "app.test.mjs": program },
    "--test",
    "--test-reporter=tap",
    "app.test.mjs",
  );
  expect(said).toMatch(/# fail 0\n/);
  expect(said).toMatch(/# pass 12\n/);
});

test("With shareTime in Jest it has the time of the simulator", async () => {
  const files = {
    "app.cjs": app.replace("export const reads =", "exports.reads =").replace(/export const copies.*/, ""),
    "app.test.cjs": inJest,
    "package.json": '{ "jest": { "testMatch": ["**/*.test.cjs"] } }',
  };
  expect(await run(files, "node_modules/jest/bin/jest.js")).toContain("1 passed");
});
