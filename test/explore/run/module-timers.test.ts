import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { missedLater as scenario, url } from "../missed-call.ts";

const folder = mkdtempSync(join(tmpdir(), "module-timers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** The report of a module whose worker begins when the module is loaded. */
function reportOf(worker: string, more: { dispose?: string; durable?: boolean } = {}) {
  const file = join(folder, `app-${++files}.mjs`);
  writeFileSync(
    file,
    `import { setTimeout as sleep } from "node:timers/promises";
    let jobs = [], rows = [];
    const work = () => { for (const id of jobs.splice(0)) if (!rows.includes(id)) rows.push(id); };
    ${worker}
    ${more.durable ? "export const durable = () => ({ jobs: [], rows: [] });" : ""}
    export function subject(sim, outside = { jobs: [], rows: [] }) {
      ({ jobs, rows } = outside);
      sim.network.route("${url}", ({ body }) => (jobs.push(JSON.parse(body).data.call.id), 204));
      return { rows, [Symbol.dispose]() { ${more.dispose ?? ""} } };
    }
    export const eventually = { "is stored": (sim, { rows }) => rows.length === 1 };`,
  );
  return exploreReport({ scenario, with: file });
}

describe("A timer that a module sets while `explore` loads it runs in virtual time, anew in each world", () => {
  test.each([
    ["an interval", "setInterval(work, 60_000);"],
    ["an interval that is unref'd", "setInterval(work, 60_000).unref();"],
    [
      "a timer that sets the next",
      "setTimeout(function again() { work(); setTimeout(again, 5_000); }, 5_000);",
    ],
    ["one beside a sleep that the module awaits", "setInterval(work, 60_000); await sleep(5);"],
  ])("%s", async (_, worker) => {
    const report = await reportOf(worker);
    expect(report.failures).toEqual([]);
    expect(report.worlds).toBeGreaterThan(3);
  });

  test("also if the app clears it when it is disposed of", async () => {
    const report = await reportOf("const timer = setInterval(work, 60_000);", {
      dispose: "clearInterval(timer);",
    });
    expect(report.failures).toEqual([]);
  });

  test("and after each restart", async () => {
    const report = await reportOf("setInterval(work, 60_000);", { durable: true });
    expect(report.failures).toEqual([]);
    expect(JSON.stringify(report.result.tried)).toContain("restartedAfter");
  });

  test("but not once the app has cleared it", async () => {
    const report = await reportOf(
      "const timer = setInterval(work, 60_000); setTimeout(() => clearInterval(timer), 1);",
    );
    expect(report.failures[0]).toMatchObject({ property: "is stored", worlds: report.worlds });
  });
});

test.each([
  ["sleep(1_000)", "node:timers/promises"],
  ["new Promise((done) => setTimeout(done, 1_000))", "a promise of a timer"],
])("A module's loop that awaits %s runs in one world only: the report names its timer", async (sleep) => {
  const report = await reportOf(`(async () => { for (;;) { await ${sleep}; work(); } })();`);
  expect(report.failures[0]?.property).toBe("deterministic");
  expect(report.toText()).toContain(
    `a loop that began when the app's module was loaded, with a timer of 1000 ms, set at app-${files}.mjs:4, runs in one world only: begin it in \`app\``,
  );
});
