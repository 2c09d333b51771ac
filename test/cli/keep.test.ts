import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { folderWith, ringback } from "./support.ts";

/** `ringback keep`: what is written where, and what is refused. That the test runs is told by failure-files.test.ts. */

const name = "orders.test-one-activity-a-call";
beforeEach(() => void vi.stubEnv("RINGBACK_RESULTS", ""));
afterEach(() => void vi.unstubAllEnvs());

const vitestTest = 'import { test } from "vitest";\n';

/** A folder in which a test of explore has failed, as the current one. */
function project(more: Readonly<Record<string, string>> = {}): string {
  const folder = folderWith({
    [`ringback-results/corpus/${name}.yaml`]: "scenario: It\n",
    [`ringback-results/corpus/${name}.test.mjs.txt`]: vitestTest,
    ...more,
  });
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  return folder;
}

const entry = (file: string) => ({ [`ringback-results/${name}.failure.jsonl`]: JSON.stringify({ file }) });

test("keep writes the test and its scenario into the folder of the test that failed", () => {
  const folder = project(entry("src/orders/orders.test.ts"));
  const { code, out } = ringback("keep", name);
  expect(code).toBe(0);
  const test = `src/orders/${name}.test.mjs`;
  expect(out).toBe(
    `wrote  src/orders/${name}.yaml\nwrote  ${test}\n\nIt fails until the defect is mended:\n  npx vitest run ${test}\n`,
  );
  expect(readFileSync(join(folder, test), "utf8")).toBe(vitestTest);
  expect(ringback("keep", name).out).toContain(`kept   ${test}\n`);
});

test.each([
  ["a folder that is named", ["regressions"], {}, "regressions"],
  ["the folder that has tests", [], { "tests/a.txt": "" }, "tests"],
  ["a new folder, test, where nothing tells", [], {}, "test"],
])("keep writes into %s", (_, args, files, expected) => {
  const folder = project(files);
  const { out } = ringback("keep", `ringback-results/corpus/${name}.test.mjs.txt`, ...args, "--json");
  expect(JSON.parse(out)).toEqual({
    ...{ ok: true, failures: [] },
    files: [
      { path: `${expected}/${name}.yaml`, was: "wrote" },
      { path: `${expected}/${name}.test.mjs`, was: "wrote" },
    ],
    commands: [`npx vitest run ${expected}/${name}.test.mjs`],
  });
  expect(existsSync(join(folder, expected, `${name}.yaml`))).toBe(true);
});

test("keep lists the failures for a name that is none of them", () => {
  project();
  const { code, err } = ringback("keep", "orders.test-one-activity-a-cal");
  expect(code).toBe(2);
  expect(err).toContain(`no failure has this name; ringback-results has ${name}; did you mean "${name}"?`);
});

test("keep says so where no failure is", () => {
  const folder = folderWith();
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  expect(ringback("keep", "any")).toMatchObject({
    code: 2,
    err: "ringback: any: no failure is in ringback-results/corpus: `explore` writes them there\n",
  });
});

test("keep says so where RINGBACK_RESULTS is off", () => {
  vi.stubEnv("RINGBACK_RESULTS", "off");
  expect(ringback("keep", "any").err).toContain(
    "RINGBACK_RESULTS is off, so failures leave no files to keep",
  );
});

test("keep refuses a failure that has no regression test of its own", () => {
  project({ "ringback-results/it.journal.jsonl": "{}\n" });
  expect(ringback("keep", "it").err).toContain("this failure has no regression test");
});

test("keep overwrites no other file", () => {
  const folder = project({ [`test/${name}.yaml`]: "mine\n" });
  const { code, err } = ringback("keep", name);
  expect({ code, err }).toEqual({
    code: 2,
    err: `ringback: test/${name}.yaml: another file is here, and is not overwritten; name another folder\n`,
  });
  expect(readFileSync(join(folder, `test/${name}.yaml`), "utf8")).toBe("mine\n");
});
