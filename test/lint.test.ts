import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { folderWith, root } from "./cli/support.ts";

/**
 * The house rules in biome.json, .dependency-cruiser.cjs and .knip.jsonc: code that each must refuse, and code that it must let
 * pass.
 */

const long = (lines: number) => `export function long() {\n${"  f();\n".repeat(lines)}}\n`;

const refused: Readonly<Record<string, readonly (readonly [path: string, code: string])[]>> = {
  "lint/nursery/noJsRestrictedProperties": [
    ["src/a.ts", "Math.random()"],
    ["src/a.ts", "pick(Math.random)"],
    ["machines/a.ts", "const { random: draw } = Math"],
    ["src/a.ts", "crypto.randomUUID()"],
    ["src/a.ts", "globalThis.crypto.getRandomValues(bytes)"],
    ["src/a.ts", "const { randomBytes } = crypto"],
  ],
  "lint/style/noRestrictedImports": [
    ["src/core/engine/a.ts", 'import { nanoid } from "nanoid"'],
    ["src/a.ts", 'import { customAlphabet as some } from "nanoid"'],
    ["src/a.ts", 'import { Settings } from "luxon"'],
    ["src/a.ts", 'import { setAutoFreeze } from "immer"'],
  ],
  "lint/complexity/noExcessiveLinesPerFunction": [["src/a.ts", long(71)]],
};

const passed = [
  ["src/a.ts", "Math.min(1, 2)"],
  ["src/a.ts", "this.randomness.uniform('x')"],
  ["src/a.ts", 'import { customRandom, urlAlphabet } from "nanoid"'],
  ["src/a.ts", 'import { DateTime } from "luxon"'],
  ["src/a.ts", "crypto.subtle"],
  ["src/a.ts", long(60)],
  ["test/a.ts", "Math.random()"],
] as const;

/** What a tool prints about a folder, as JSON. */
function reportOf<Report>(tool: string, cwd: string, ...args: string[]): Report {
  const { stdout } = spawnSync(process.execPath, [join(root, "node_modules", tool), ...args], {
    cwd,
    encoding: "utf8",
  });
  return JSON.parse(stdout);
}

/** Biome's messages by file. Each file holds one case. */
function complaints(cases: readonly (readonly [path: string, code: string])[]): string[][] {
  const folder = folderWith();
  cpSync(join(root, "biome.json"), join(folder, "biome.json"));
  const paths = cases.map(([path], index) => path.replace("a.ts", `a${index}.ts`));
  for (const [index, path] of paths.entries()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${cases[index]?.[1]}\n`);
  }
  const flags = ["--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none"];
  const { diagnostics } = reportOf<{ diagnostics: { category: string; location: { path: string } }[] }>(
    "@biomejs/biome/bin/biome",
    folder,
    ...["lint", ...flags, folder],
  );
  return paths.map((path) =>
    diagnostics.filter(({ location }) => location.path.endsWith(path)).map(({ category }) => category),
  );
}

test("Each house rule in biome.json rejects exactly what it is for", () => {
  const wrong = Object.entries(refused).flatMap(([rule, cases]) =>
    cases.map((each) => [rule, each] as const),
  );
  const said = complaints([...wrong.map(([, each]) => each), ...passed]);
  const missed = wrong.filter(([rule], index) => !said[index]?.includes(rule));
  expect(missed).toEqual([]);
  const rules = Object.keys(refused);
  const overdone = passed.filter((_, index) =>
    said[wrong.length + index]?.some((each) => rules.includes(each)),
  );
  expect(overdone).toEqual([]);
});

/** A file of each layer, from the bottom up. */
const layers = [
  "machines/layer.ts",
  ...["foundation", "statecharts", "engine", "generated", "records", "network", "platform", "rest"].map(
    (room) => `src/core/${room}/layer.ts`,
  ),
  ...["src/core/simulator/layer.ts", "src/core/scenario/layer.ts", "src/index.ts", "src/findings/layer.ts"],
  ...["src/inspector/layer.ts", "src/testing/layer.ts", "src/server/layer.ts", "src/cli/layer.ts"],
  "test/layer.ts",
];

function importing(from: string, to: string): string {
  return `import ${JSON.stringify(`./${relative(dirname(from), to)}`)};\n`;
}

/** The violations that dependency-cruiser reports, as `rule: file`, and the rules of which it reports none. */
function cruised(files: Readonly<Record<string, string>>): { said: string[]; silent: string[] } {
  const stub = { "package.json": '{ "main": "index.js" }', "index.js": "" };
  const stubs = ["xstate", "luxon"].flatMap((name) =>
    Object.entries(stub).map(([file, text]) => [`node_modules/${name}/${file}`, text]),
  );
  const folder = folderWith({ ...files, ...Object.fromEntries(stubs) });
  for (const name of [".dependency-cruiser.cjs", "tsconfig.json"])
    cpSync(join(root, name), join(folder, name));
  const {
    summary: { violations, ruleSetUsed },
  } = reportOf<{
    summary: {
      violations: { rule: { name: string }; from: string }[];
      ruleSetUsed: { forbidden: { name: string }[] };
    };
  }>("dependency-cruiser/bin/dependency-cruise.mjs", folder, ...["--output-type", "json", "src", "machines"]);
  const broken = violations.map(({ rule }) => rule.name);
  return {
    said: violations.map(({ rule, from }) => `${rule.name.replace(/: .*/, "")}: ${from}`).sort(),
    silent: ruleSetUsed.forbidden.map(({ name }) => name).filter((name) => !broken.includes(name)),
  };
}

test("Each rule in .dependency-cruiser.cjs rejects exactly what it is for", () => {
  const upward = layers.slice(0, -1);
  const wrong: Readonly<Record<string, readonly string[]>> = {
    "imports-run-downward": upward,
    "no-ring-of-files": ["src/capture/ring-a.ts"],
    "no-ring-of-folders": ["src/capture/left", "src/capture/right"],
    "every-file-has-a-layer": ["src/elsewhere/a.ts"],
    "machines-import-only-xstate": ["machines/layer.ts", "machines/node.ts", "machines/other.ts"],
    "no-node-in-a-browser": ["machines/node.ts", "src/core/engine/node.ts", "src/testing/node.ts"],
  };
  const { said, silent } = cruised({
    ...Object.fromEntries(upward.map((path, index) => [path, importing(path, layers[index + 1] ?? "")])),
    "test/layer.ts": "",
    "src/capture/ring-a.ts": 'import type { B } from "./ring-b.ts";\nexport type A = B;\n',
    "src/capture/ring-b.ts": 'export type B = import("./ring-a.ts").A;\n',
    "src/capture/left/a.ts": 'import "../right/a.ts";\n',
    "src/capture/left/b.ts": "",
    "src/capture/right/a.ts": "",
    "src/capture/right/b.ts": 'import "../left/b.ts";\n',
    "src/elsewhere/a.ts": 'import "../core/engine/node.ts";\n',
    "machines/other.ts": 'import "luxon";\n',
    "machines/node.ts": 'import "node:path";\n',
    "src/core/engine/node.ts": 'import { readFileSync } from "fs";\nreadFileSync("a");\n',
    "src/testing/node.ts": 'await import("node:crypto");\n',
    // and what the rules let pass
    "machines/fine.ts": 'import "xstate";\nimport "./other.ts";\n',
    "src/core/engine/fine.ts":
      'import type { EventEmitter } from "node:events";\nexport type A = EventEmitter;\n',
    "src/cli/fine.ts": 'import "node:fs";\nimport "../core/engine/fine.ts";\n',
    "src/inspector/build/fine.ts": 'import "node:fs";\n',
  });
  const expected = Object.entries(wrong).flatMap(([rule, from]) => from.map((each) => `${rule}: ${each}`));
  expect(said).toEqual(expected.sort());
  expect(silent).toEqual([]);
});

/** What knip reports of each kind, as `file` or `name`. */
function unusedIn(folder: string, ...args: string[]): Record<string, string[]> {
  const { issues } = reportOf<{ issues: ({ file: string } & Record<string, { name: string }[]>)[] }>(
    "knip/bin/knip.js",
    folder,
    ...["--reporter", "json", "--no-config-hints", ...args],
  );
  const kinds = ["files", "exports", "types", "dependencies", "unlisted", "unresolved"];
  return Object.fromEntries(
    kinds.map((kind) => [kind, issues.flatMap((issue) => (issue[kind] ?? []).map(({ name }) => name))]),
  );
}

test("knip finds the files, exports and dependencies that nothing uses", () => {
  const folder = folderWith({
    "package.json": JSON.stringify({
      name: "sample",
      scripts: { test: "node test/a.test.ts" },
      dependencies: { listed: "1", spare: "1" },
    }),
    "src/index.ts": 'import "listed";\nimport "forgotten";\nexport { used } from "./used.ts";\n',
    "src/used.ts": "export const used = 1;\nexport const unused = 2;\nexport type Unused = 3;\n",
    "src/orphan.ts": "export const orphan = 1;\n",
    "src/tested.ts": "export const tested = 1;\n",
    "test/a.test.ts": 'import { tested } from "../src/tested.ts";\ntested;\n',
  });
  cpSync(join(root, ".knip.jsonc"), join(folder, ".knip.jsonc"));
  expect(unusedIn(folder)).toEqual({
    files: ["src/orphan.ts"],
    exports: ["unused"],
    types: ["Unused"],
    dependencies: ["spare"],
    unlisted: ["forgotten"],
    unresolved: [],
  });
  expect(unusedIn(folder, "--production", "--include", "files").files).toEqual([
    "src/orphan.ts",
    "src/tested.ts",
  ]);
});
