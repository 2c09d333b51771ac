import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, root } from "./cli/support.ts";

/** The house rules in biome.json: code that each must refuse, and code that it must let pass. */

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
    ["machines/a.ts", 'import { iso } from "../src/engine/instants.ts"'],
    ["machines/a.ts", 'import { DateTime } from "luxon"'],
  ],
  "lint/correctness/noNodejsModules": [
    ["src/core/engine/a.ts", 'import { readFileSync } from "node:fs"'],
    ["src/testing/vitest/a.ts", 'import { randomUUID as id } from "node:crypto"'],
    ["machines/a.ts", 'import { join } from "path"'],
  ],
  "lint/complexity/noExcessiveLinesPerFunction": [["src/a.ts", long(71)]],
};

const passed = [
  ["src/a.ts", "Math.min(1, 2)"],
  ["src/a.ts", "this.randomness.uniform('x')"],
  ["src/a.ts", 'import { customRandom, urlAlphabet } from "nanoid"'],
  ["src/a.ts", 'import { DateTime } from "luxon"'],
  ["src/a.ts", "crypto.subtle"],
  ["src/cli/a.ts", 'import { readFileSync } from "node:fs"'],
  ["src/server/a.ts", 'import { createServer } from "node:http"'],
  ["machines/a.ts", 'import { setup } from "xstate"'],
  ["machines/a.ts", 'import { type Call } from "./call.ts"'],
  ["src/a.ts", long(60)],
  ["test/a.ts", "Math.random()"],
] as const;

/** Biome's messages by file. Each file holds one case. */
function complaints(cases: readonly (readonly [path: string, code: string])[]): string[][] {
  const folder = folderWith();
  cpSync(join(root, "biome.json"), join(folder, "biome.json"));
  const paths = cases.map(([path], index) => path.replace("a.ts", `a${index}.ts`));
  for (const [index, path] of paths.entries()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${cases[index]?.[1]}\n`);
  }
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const flags = ["--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none"];
  const { stdout } = spawnSync(process.execPath, [biome, "lint", ...flags, folder], {
    cwd: folder,
    encoding: "utf8",
  });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { category: string; location: { path: string } }[];
  };
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
