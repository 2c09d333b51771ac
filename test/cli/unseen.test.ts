import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "./bundle.ts";
import { projectWith, root } from "./support.ts";

const url = "https://crm.test/hooks";
const env = {
  ...process.env,
  RINGBACK_RESULTS: undefined,
  NODE_OPTIONS: "",
  NODE_TEST_CONTEXT: undefined,
  VITEST: undefined,
};

function run(cwd: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd, env, timeout: 60_000 }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    ),
  );
}

const ofNode = `import { test } from "node:test";\nimport "ringback/node-test";\nimport { createSimulator } from "ringback";`;
/** A test file: a call to Carol that ends so. */
const testFile = (ends: string, head = ofNode) => `${head}
test("a call", () => {
  const sim = createSimulator();
  sim.network.route("${url}", () => 204);
  sim.webhooks.create({ url: "${url}", events: ["call.ended", "call.not_answered"] });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
  ${ends}
  sim.runUntilIdle();
});
`;
const answered = `sim.advance("PT5S"); call.answer("carol"); sim.advance("PT1M"); call.hangup("caller");`;
const unseen = (cwd: string, ...args: string[]) => run(cwd, bundle, "unseen", ...args);

test("merges the test files of node --test, and refuses a run of one of them", async () => {
  // names that differ only in what a name of a file cannot have
  const built = { "dist/a-b.test.js": ofNode, "coverage/a-b.test.js": ofNode };
  const cwd = projectWith({ "a/b.test.mjs": testFile(answered), "a-b.test.mjs": testFile(""), ...built });
  expect(await run(cwd, "--test", "a-b.test.mjs", "a/b.test.mjs")).toMatchObject({ code: 0 });
  const { code, out } = await unseen(cwd);
  expect(code).toBe(0);
  expect(out).toMatch(/^the last run: 20\S+Z, 2 test files, 2 simulators\n/);
  // each was received in one of the files
  expect(out).not.toMatch(/^never: call\.ended inbound answered at/m);
  expect(out).not.toMatch(/^never: call\.not_answered inbound missed \(timeout\) at/m);

  writeFileSync(join(cwd, "c.test.tsx"), ofNode);
  await run(cwd, "--test", "a-b.test.mjs");
  expect(await unseen(cwd)).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      "the last run had 1 test file, and not a/b.test.mjs, c.test.tsx: run all of them, or add --partial",
    ),
  });
});

test("keeps the notes of a run while another begins and ends beside it", async () => {
  const other = `import { execFileSync } from "node:child_process";
import { test } from "node:test";
test("another run", () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  execFileSync(process.execPath, ["--test", "other.mjs"], { env });
});
`;
  const cwd = projectWith({
    "a.test.mjs": testFile(answered),
    "b.test.mjs": other,
    "other.mjs": testFile(""),
  });
  expect(await run(cwd, "--test", "--test-concurrency=1")).toMatchObject({ code: 0 });
  expect(readdirSync(join(cwd, "ringback-results/notes"))).toHaveLength(2);
  // the next one deletes both
  expect(await run(cwd, "--test", "a.test.mjs")).toMatchObject({ code: 0 });
  expect(readdirSync(join(cwd, "ringback-results/notes"))).toHaveLength(1);
});

const ofJest = `require("ringback/jest");\nconst { createSimulator } = require("ringback");`;
const ofVitest = `import { test } from "vitest";\nimport "${root}/src/testing/vitest/index.ts";\nimport { createSimulator } from "${root}/src/index.ts";`;

test.each([
  { runner: "Jest", head: ofJest, args: [join(root, "node_modules/jest/bin/jest.js")], ending: "js" },
  // its files share one process, and the module that takes notes
  {
    ...{ runner: "Vitest", head: ofVitest, ending: "mjs" },
    args: [join(root, "node_modules/vitest/vitest.mjs"), "run", "--no-isolate", "--maxWorkers", "1"],
  },
])("reads the notes of $runner, and refuses a run of some tests", async ({ head, args, ending }) => {
  const cwd = projectWith({
    [`日本.test.${ending}`]: testFile(answered, head),
    [`中国.test.${ending}`]: testFile("", head),
    "package.json": "{}",
  });
  expect(await run(cwd, ...args, "-t", "call")).toMatchObject({ code: 0 });
  expect((await unseen(cwd)).err).toContain("the last run had only tests of some names");
  const { out } = await unseen(cwd, "--partial");
  expect(out).toContain("2 test files, 2 simulators\n");
  expect(out).not.toMatch(
    /^never: call\.(ended inbound answered|not_answered inbound missed \(timeout\)) at/m,
  );
});
