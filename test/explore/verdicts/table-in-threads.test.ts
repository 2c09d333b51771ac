import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { projectWith, root, threadsAtOnce } from "../../cli/support.ts";
import { isWhole } from "../../counts.ts";
import { faulty } from "./cases.ts";
import { fileOf } from "./table.ts";

/** Two threads take longer to start than the worlds, so the whole table is for the whole proof. */
const some = ["meets only restartedAfter", "believes any signature"];
const names = isWhole ? faulty.map(({ name }) => name) : some;

const moduleOf = (name: string) => `
import { faulty } from "../cases.mjs";
const { app } = faulty.find(({ name }) => name === ${JSON.stringify(name)});
export const { subject, show, durable, always, eventually, sometimes } = {
  show: undefined, durable: undefined, ...app,
};
`;

/** An app with ids of events that outlive its worlds. */
const outliving = `
import { faulty } from "../cases.mjs";
const { app } = faulty.find(({ name }) => name === "meets only duplicated");
const seen = new Set();
export const { eventually } = app;
export function subject(sim) {
  const types = [];
  sim.network.route("https://crm.acme.test/hooks", ({ body }) => {
    const { id, type } = JSON.parse(body);
    if (!seen.has(id)) types.push(type);
    seen.add(id);
    return 204;
  });
  return types;
}
`;

/** An app that asks again later in one world only: where the REST API answers 503. */
const askingLater = `
export function subject(sim) {
  const stored = new Set();
  sim.network.route("https://crm.acme.test/hooks", async ({ body }) => {
    const { id } = JSON.parse(body).data.call;
    const work = async () => {
      const answer = await sim.fetch("/calls/" + id, { headers: { authorization: "Bearer " + sim.token() } });
      if (answer.ok) stored.add(id);
      else setTimeout(work, 60_000);
    };
    await work();
    return 204;
  });
  return stored;
}
`;

const program = `
import { exploreReport } from "ringback/explore";
import { faulty, rowsOf } from "./cases.mjs";
const rows = {};
for (const [index, name] of ${JSON.stringify(names)}.entries()) {
  const { bound } = faulty.find((each) => each.name === name);
  rows[name] = [];
  for (const workers of [1, 2])
    rows[name].push(rowsOf(await exploreReport({ ...bound, with: "apps/" + index + ".mjs", workers })));
}
const { bound } = faulty.find(({ name }) => name === "meets only duplicated");
for (const workers of [1, 2])
  rows["outlives " + workers] = rowsOf(await exploreReport({ ...bound, with: "apps/outliving-" + workers + ".mjs", workers }));
rows.untried = [];
for (const workers of [1, 2]) {
  const { result } = await exploreReport({ scenario: bound.scenario, with: "apps/asking-later.mjs", workers });
  rows.untried.push(result.untriedRestarts);
}
console.log(JSON.stringify(rows));
`;

test("An app has the verdict of the table with one thread and with two", async () => {
  const cwd = projectWith({
    "cases.mjs": await builtCases(),
    "run.mjs": program,
    // a process loads a module once
    ...{ "apps/outliving-1.mjs": outliving, "apps/outliving-2.mjs": outliving },
    "apps/asking-later.mjs": askingLater,
    ...Object.fromEntries(names.map((name, index) => [`apps/${index}.mjs`, moduleOf(name)])),
  });
  const env = { ...process.env, RINGBACK_RESULTS: "off", ...threadsAtOnce };
  const { stdout } = await promisify(execFile)(process.execPath, ["run.mjs"], { cwd, env });
  const { "outlives 1": withOne, "outlives 2": withTwo, untried, ...rows } = JSON.parse(stdout);
  for (const name of names) {
    const table = withoutMessages(readFileSync(fileOf(name), "utf8"));
    expect(rows[name].map(withoutMessages), name).toEqual([table, table]);
  }
  expect(withOne).toMatch(/^# breaks: deterministic\n# with: no deviation\n/);
  expect(untried).toEqual([true, true]);
  expect(withoutMessages(withTwo)).toBe(withoutMessages(withOne));
});

/** Rows without the messages of failures, which another `expect` words otherwise. */
function withoutMessages(rows: string): string {
  return rows.replaceAll(/^description: .*\n(?:(?: .*)?\n)*/gm, "");
}

/** The table as a module that imports the package. */
async function builtCases(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `export * from "./cases.ts"; export * from "./rows.ts";`,
      resolveDir: `${root}test/explore/verdicts`,
    },
    ...{ bundle: true, write: false, platform: "node", external: ["ringback", "ringback/*"], format: "esm" },
    // Vitest's own runs only in its tests
    alias: { vitest: "expect" },
    define: { __dirname: '"."' },
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return outputFiles[0]?.text ?? "";
}
