import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path/posix";
import { expect, test } from "vitest";
import { folderWith, ringback, root } from "../../cli/support.ts";

/** How editors find the schema of scenarios without a setting. */

const entry = JSON.parse(readFileSync(join(root, "scenarios/catalog-entry.json"), "utf8"));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("the entry for SchemaStore's catalogue has what the catalogue takes, and the packed schema's address", () => {
  expect(Object.keys(entry)).toEqual(["name", "description", "fileMatch", "url"]);
  expect(entry.name).toMatch(/^\S.{3,}$/);
  expect(entry.description).toMatch(/[^.]$/);
  const { pathname, protocol } = new URL(entry.url);
  expect([protocol, pathname]).toEqual([
    "https:",
    `/${manifest.name}${manifest.exports["./scenario.schema.json"].slice(1)}`,
  ]);
  expect(manifest.files).toContain("scenarios");
});

test("the entry matches ringback's files only", () => {
  const parts: Readonly<Record<string, string>> = { "**/": "(?:.*/)?", "*": "[^/]*", ".": "\\." };
  // a pattern without a folder is for files in any
  const patterns = entry.fileMatch.map((glob: string) => {
    const anywhere = glob.includes("/") ? glob : `**/${glob}`;
    return new RegExp(`^${anywhere.replaceAll(/\*\*\/|[*.]/g, (part) => parts[part] ?? part)}$`);
  });
  const isMatched = (path: string) => patterns.some((pattern: RegExp) => pattern.test(path));
  const paths = [
    "a/missed.ringback.yaml",
    "missed.ringback.yml",
    "a/ringback-results/corpus/b.yaml",
    "scenarios/a.yaml",
  ];
  expect(paths.map(isMatched)).toEqual([true, true, true, false]);
});

test("the file that init writes names the schema of the installed package in its first line", () => {
  const folder = folderWith();
  expect(ringback("init", folder).code).toBe(0);
  const path = "scenarios/calls-of-my-app.yaml";
  const [head = ""] = readFileSync(join(folder, path), "utf8").split("\n");
  const [, named = ""] = /^# yaml-language-server: \$schema=(\S+)$/.exec(head) ?? [];
  const inPackage = join("scenarios", named).replace(`node_modules/${manifest.name}/`, "");
  expect(inPackage).toBe("scenarios/scenario.schema.json");
  expect(existsSync(join(root, inPackage))).toBe(true);
});
