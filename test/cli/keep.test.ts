import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { AppInCode, KeptTest } from "../../src/explore/report/kept-test.ts";
import { folderWith, ringback } from "./support.ts";

/** `ringback keep`: what is written where, and what is refused. That the test runs is told by failure-files.test.ts. */

const name = "orders.test-one-activity-a-call";
beforeEach(() => void vi.stubEnv("RINGBACK_RESULTS", ""));
afterEach(() => void vi.unstubAllEnvs());

const failure: KeptTest = {
  ...{ title: "one activity a call", story: "When x, y.", isForged: false, isLocal: false },
  ...{ runner: "vitest", command: undefined },
  app: { lines: ['with: "./crm.mjs",'], names: [], module: "./crm.mjs" },
};
const vitestTest = `// When x, y.
import { fileURLToPath } from "node:url";
import { explore } from "ringback/explore";
import { test } from "vitest";

test("one activity a call", () =>
  explore({
    scenario: fileURLToPath(new URL("${name}.yaml", import.meta.url)),
    deviations: 0,
    forged: false,
    with: "./crm.mjs",
  }));
`;

/** A folder in which a test of explore has failed, as the current one. */
function project(more: Readonly<Record<string, string>> = {}): string {
  const folder = folderWith({
    [`ringback-results/corpus/${name}.yaml`]: "scenario: It\n",
    [`ringback-results/corpus/${name}.keep.jsonl`]: JSON.stringify(failure),
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
  const { out } = ringback("keep", `ringback-results/corpus/${name}.keep.jsonl`, ...args, "--json");
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

/** What a failure says whose app is in code. */
const inCode = (app: Partial<AppInCode>, more: Partial<KeptTest> = {}) => ({
  [`ringback-results/corpus/${name}.keep.jsonl`]: JSON.stringify({
    ...{ ...failure, ...more },
    app: { file: "./test/it.test.ts", line: 1, given: ["scenario", "app"], ...app },
  }),
});

/** What is written for the app of a file. */
function keptOf(source: string, app: Partial<AppInCode> = {}, more: Partial<KeptTest> = {}, to = "test") {
  const file = app.file ?? "./test/it.test.ts";
  const folder = project({ [file]: source, ...inCode(app, more) });
  const { code, err } = ringback("keep", name, to);
  const left = existsSync(join(folder, to)) ? readdirSync(join(folder, to)).sort() : [];
  const test = left.find((each) => /\.(test|spec)\./.test(each) && each.startsWith(name));
  return { code, err, test, text: test && readFileSync(join(folder, to, test), "utf8"), left };
}

test("a kept test imports what the call of explore needs, and plays its one world", () => {
  const { test: file, text } = keptOf(
    `import { callLog, explore as search } from "ringback/explore";
import type { Crm } from "../src/crm.js";
import { crm, type Row as Line, table as rowsOf } from "../src/crm.js";
import unused from "../src/unused.js";
import express from "express";
import * as store from "../src/store.js";

export async function scenario() {}
export const [durable, other] = [() => store.open(), 1];
const db = 1;

test("x", () =>
  search<Crm>({
    scenario,
    durable,
    app: (sim, db) => crm(sim, { db, express }),
    deviations: { atMost: 2, kinds: ["lost", "late"] },
    seeds: 5, // many
    eventually: {
      // a comment's "quote
      "no two's": (_: unknown, { rows }: { rows: Map<string, Line> }) => {
        const unique = new Set(rowsOf(rows).map(({ id: callId }) => \`\${callId} of \${store.name}\`));
        for (const each of unique) if (/[/"]x/.test(each)) throw new Error(each);
      },
    },
    sometimes: { some: () => other },
    patience: 500,
  }));
`,
    { line: 12 },
  );
  expect(file).toBe(`${name}.test.ts`);
  expect(text).toBe(`// When x, y.
import { fileURLToPath } from "node:url";
import express from "express";
import { explore } from "ringback/explore";
import { test } from "vitest";
import { crm, type Row as Line, table as rowsOf } from "../src/crm.js";
import * as store from "../src/store.js";
import { durable } from "./it.test.js";

test("one activity a call", () =>
  explore({
    scenario: fileURLToPath(new URL("${name}.yaml", import.meta.url)),
    deviations: 0,
    forged: false,
    durable,
    app: (sim, db) => crm(sim, { db, express }),
    eventually: {
      // a comment's "quote
      "no two's": (_: unknown, { rows }: { rows: Map<string, Line> }) => {
        const unique = new Set(rowsOf(rows).map(({ id: callId }) => \`\${callId} of \${store.name}\`));
        for (const each of unique) if (/[/"]x/.test(each)) throw new Error(each);
      },
    },
    patience: 500,
  }));
`);
});

const withExplore = (text: string) => `import { explore } from "ringback/explore";\n${text}`;

test.each([
  ["options in a variable", "export const options = {};\nexplore(options);\n", "...options,"],
  ["options that others complete", "export const base = {};\nexplore({ ...base, seeds: 1 });\n", "...base,"],
])("the world of a kept test is behind %s", (_, source, first) => {
  const { text } = keptOf(withExplore(source), {
    line: 3,
    given: ["scenario", "app", "sometimes", "people"],
  });
  expect(text).toContain(`  explore({
    ${first}
    people: undefined,
    sometimes: {},
    scenario: fileURLToPath(`);
});

test("a kept test in another folder imports the same files, and a forged request is sent again", () => {
  const source = `import { explore } from "ringback/explore";\nimport { app } from "./app.ts";\nexplore({ app });\n`;
  const { text } = keptOf(source, { line: 3 }, { isForged: true, isLocal: true }, "kept/here");
  expect(text).toContain('import { app } from "../../test/app.ts";\n');
  expect(text).toContain("    forged: true,\n    allowLocal: true,\n    app,\n");
});

test.each<[file: string, runner: KeptTest["runner"], source: string, ending: string, expected: string[]]>([
  [
    ...(["./test/it.test.js", "jest"] as const),
    'const { explore } = require("ringback/explore");\nconst { start: app } = require("./app");\ntest("x", () => explore({ app }));\n',
    ".test.js",
    [
      'const { join } = require("node:path");\nconst { explore } = require("ringback/explore");\n',
      'const { start: app } = require("./app");\n',
      `scenario: join(__dirname, "${name}.yaml"),`,
    ],
  ],
  [
    ...(["./test/it.spec.tsx", "jest"] as const),
    withExplore('import { app } from "./app";\ntest("x", () => explore({ app }));\n'),
    ".spec.ts",
    [
      'import { expect, test } from "@jest/globals";\n',
      'import { app } from "./app";\n',
      `scenario: join(expect.getState().testPath ?? "", "..", "${name}.yaml"),`,
    ],
  ],
  [
    ...(["./program.mjs", "node:test"] as const),
    withExplore("function app() {}\nawait explore({ app });\nexport { app as crm };\n"),
    ".test.mjs",
    ['import { test } from "node:test";\n', 'import { crm as app } from "../program.mjs";\n'],
  ],
])("a test is kept in the language and the runner of %s, %s", (file, runner, source, ending, expected) => {
  const { test: written, text } = keptOf(source, { file, line: 3 }, { runner });
  expect(written).toBe(`${name}${ending}`);
  for (const each of expected) expect(text).toContain(each);
});

test("a kept test calls what it needs by another name if the app has that name", () => {
  const source =
    'import { explore as search } from "ringback/explore";\nimport { explore, fileURLToPath, test } from "./app.ts";\n';
  const call = "search({ app: () => test(explore, fileURLToPath) });\n";
  const { text } = keptOf(`${source}${call}`, { line: 3 });
  expect(text).toBe(`// When x, y.
import { fileURLToPath as fileURLToPath2 } from "node:url";
import { explore as explore2 } from "ringback/explore";
import { test as test2 } from "vitest";
import { explore, fileURLToPath, test } from "./app.ts";

test2("one activity a call", () =>
  explore2({
    scenario: fileURLToPath2(new URL("${name}.yaml", import.meta.url)),
    deviations: 0,
    forged: false,
    app: () => test(explore, fileURLToPath),
  }));
`);
});

test("a kept test of Jest imports `test` if the app has that name", () => {
  const source =
    'const { explore } = require("ringback/explore");\nconst { join, test } = require("./app");\nexplore({ app: () => test(join) });\n';
  const { text } = keptOf(source, { file: "./test/it.test.js", line: 3 }, { runner: "jest" });
  expect(text).toContain('const { test: test2 } = require("@jest/globals");\n');
  expect(text).toContain(`test2("one activity a call", () =>
  explore({
    scenario: join2(__dirname, `);
});

test.each([
  ["vitest", ".test.ts", "npx vitest run"],
  ["node:test", ".test.mjs", "node --test"],
] as const)("in a project in TypeScript, a server's test for %s ends with %s", (runner, ending, command) => {
  const app = { lines: ["app: httpApp({}),"], names: ["httpApp"] };
  const kept = { ...failure, runner, app };
  project({
    "tsconfig.json": "{}",
    [`ringback-results/corpus/${name}.keep.jsonl`]: JSON.stringify(kept),
  });
  expect(ringback("keep", name).out).toContain(`  ${command} test/${name}${ending}\n`);
});

test.each([
  ["corpus/", "keep", "of the test", '{ "secret": '],
  ["corpus/", "keep", "of the test", "null"],
  ["corpus/", "keep", "of the test", "{}"],
  ["", "failure", "of the list", '{ "secret": '],
])("keep names the damaged file %s….%s.jsonl %s with %s, and quotes nothing of it", (to, kind, _, text) => {
  const file = `ringback-results/${to}${name}.${kind}.jsonl`;
  project({ [file]: text });
  expect(ringback("keep", name)).toMatchObject({
    code: 2,
    err: `ringback: ${file}: this file is damaged: expected what a failure left; explore again\n`,
  });
});

const why = "the test that is kept imports the app, and nothing was written";
const toExport = "give it a name at the top of a module, with `export`";

test.each([
  [
    "names without export",
    "const durable = () => [];\nfunction app() {}\nexplore({ app, durable });\n",
    [`test/it.test.ts:3: \`app\` lacks \`export\`; ${why}`, "test/it.test.ts:2: `durable` lacks `export`"],
  ],
  [
    "an app that is written in the call",
    "explore({\n  scenario,\n  app(sim) {\n    return [];\n  },\n  durable: () => new Map(),\n});\n",
    [
      `test/it.test.ts:4: \`app\` is written in the call of \`explore\`: ${toExport}; ${why}`,
      `test/it.test.ts:7: \`durable\` is written in the call of \`explore\`: ${toExport}`,
    ],
  ],
  [
    "what only a function knows",
    'test("x", () => {\n  const app = () => {};\n  return explore({ app });\n});\n',
    [`test/it.test.ts:3: \`app\` is known only in a function: ${toExport}; ${why}`],
  ],
  [
    "a call with a bracket that it cannot match",
    "export const app = () => {};\n\nexplore({ app, title: <p>it isn't</p> });\nexport const other = 1;\n",
    [
      "test/it.test.ts:4: a bracket of this call of `explore` has no partner, as `keep` reads it; give what is long in it a name of its own",
    ],
  ],
  [
    "a file in which nothing explores any more",
    'test("x", () => {});\n',
    [
      "test/it.test.ts:4: expected a call of `explore` of ringback/explore here, as when it failed; explore again",
    ],
  ],
])("keep names file and line of %s, and writes nothing", (_, source, lines) => {
  const { code, err, left } = keptOf(withExplore(source), { line: 4 });
  expect({ code, err }).toEqual({ code: 2, err: `ringback: ${lines.join("\n")}\n` });
  expect(left).toEqual(["it.test.ts"]);
});
