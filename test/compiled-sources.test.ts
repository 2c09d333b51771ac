import { cpSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "./cli/support.ts";
import { compileSources } from "./compiled-sources.ts";

const files = {
  "src/core/name.ts": 'export const name: string = "first";',
  "machines/call.ts": 'export * from "../src/core/name.ts";',
  "src/old.ts": "export const old = 1;",
  "scenarios/01.yaml": "scenario: One",
  "dist/inspect.html": "first",
  "test/compiled-sources.ts": "",
  ...{ "tsconfig.json": "{}", "package.json": '{ "type": "module" }', "package-lock.json": "{}" },
};

/** A folder with sources, compiled. */
async function compiled(): Promise<string> {
  const named = Object.entries(files).map(([path, text]) => [`tree/${path}`, text]);
  const folder = join(folderWith(Object.fromEntries(named)), "tree");
  await compileSources(folder);
  return folder;
}

const at = (folder: string, path: string) => join(folder, "node_modules/.cache/compiled-sources", path);

test.each(["copied", "moved"])(
  "A folder that is %s after its tests reads its own sources and builds",
  async (how) => {
    const first = await compiled();
    const second = join(first, `../${how}`);
    if (how === "copied") cpSync(first, second, { recursive: true });
    else renameSync(first, second);
    writeFileSync(join(second, "dist/inspect.html"), "second");
    writeFileSync(join(second, "src/core/name.ts"), 'export const name: string = "second";');
    rmSync(join(second, "src/old.ts"));
    await compileSources(second);
    expect(realpathSync(at(second, "dist"))).toBe(join(second, "dist"));
    expect(readFileSync(at(second, "dist/inspect.html"), "utf8")).toBe("second");
    expect(await import(at(second, "machines/call.js"))).toMatchObject({ name: "second" });
    expect(readdirSync(at(second, "src"))).toEqual(["core"]);
  },
);

test("What was compiled of other sources is compiled again, even if it is newer", async () => {
  const [first, second] = [await compiled(), await compiled()];
  writeFileSync(join(first, "src/core/name.ts"), 'export const name: string = "other";');
  rmSync(join(first, "node_modules"), { recursive: true });
  await compileSources(first);
  // as somebody who copies the packages of one clone into another
  rmSync(join(second, "node_modules"), { recursive: true });
  cpSync(join(first, "node_modules"), join(second, "node_modules"), { recursive: true });
  await compileSources(second);
  expect(await import(at(second, "src/core/name.js"))).toMatchObject({ name: "first" });
  expect(realpathSync(at(second, "scenarios"))).toBe(join(second, "scenarios"));
});
