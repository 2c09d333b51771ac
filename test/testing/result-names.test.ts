import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";

/** Failures of different tests leave different files, whatever the tests, their files and projects are called. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const { folder: src, ending } = inject("sources");

/** A file of tests that all fail, each with a simulator of its own whose seed tells it. */
const failing = (titles: string) => `
import { expect, test, describe } from "vitest";
import "${src}/testing/vitest/index.${ending}";
import { createSimulator } from "${src}/index.${ending}";
const fails = (seed) => () => {
  createSimulator({ seed: (process.env.PROJECT ?? "") + seed });
  expect(1).toBe(2);
};
${titles}
`;

const files = {
  "a/same.test.js": failing('test("one title", fails("a"));'),
  "b/same.test.js": failing('test("one title", fails("b"));'),
  "titles.test.js": failing(`
    for (const seed of ["c1", "c2", "c3"]) test("each", fails(seed));
    for (const title of ["a: b", "a b", "A b", "日本語", "中文", "x".repeat(300), "x".repeat(300) + "y"]) test(title, fails(title));
    test("retried", { retry: 1 }, fails("r"));
  `),
  "vitest.config.js": `
    const named = (name) => ({ extends: true, test: { name, env: { PROJECT: name } } });
    export default { test: { projects: [named("unit"), named("dom")] } };
  `,
};

test("Tests of one title in files of one name, or in two projects, leave their own files, as do titles that only signs tell apart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringback-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await runVitest(folder);
  const results = join(folder, "ringback-results");
  const left = readdirSync(results);
  const journals = left.filter((name) => name.endsWith(".journal.jsonl"));
  const seeds = journals.map((name) => JSON.parse(readFileSync(join(results, name), "utf8")).options.seed);
  const own = ["a", "b", "c1", "c2", "c3", "a: b", "a b", "A b", "日本語", "中文"];
  const all = [...own, "x".repeat(300), `${"x".repeat(300)}y`, "r"]; // a retry is the same run
  const expected = ["unit", "dom"].flatMap((project) => all.map((seed) => project + seed));
  expect(seeds.sort()).toEqual(expected.sort());
  expect(left).toContain("unit-a-same.test-one-title.journal.jsonl");
  expect(left).toContain("dom-titles.test-日本語.journal.jsonl");
  // Jest watches such files, and vitest and others collect tests by these
  const watched = left.filter((name) => /\.([cm]?[jt]sx?|json|node)$/.test(name));
  expect(watched).toEqual(["ringback-viewer.js"]);
});

function runVitest(folder: string): Promise<void> {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const env = { ...process.env, RINGBACK_RESULTS: "", NO_COLOR: "1", VITEST: undefined };
  const flags = ["run", "--root", folder, "--testTimeout=180000", "--hookTimeout=180000"];
  return new Promise((resolve) => {
    execFile(process.execPath, [vitest, ...flags], { env, cwd: folder }, () => resolve());
  });
}
