import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { expectNone } from "./lists.ts";

/** `docs/architecture.md` ends with a map of every source file, with the reason for it. */

const root = fileURLToPath(new URL("..", import.meta.url));
const TITLE = "## Every file, folder by folder\n";

describe("the map of the sources", () => {
  test("gives the reason for every file, and lists no missing file", () => {
    const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
    const problems = problemsOf(page, [...filesIn("machines"), ...filesIn("src")]);
    expectNone(problems);
  });

  const files = ["src/a/one.ts", "src/a/b/b.ts", "src/a/b/commands.ts"];
  const page = [
    TITLE,
    "### `src/a/`",
    "| file | why |",
    "|---|---|",
    "| `one.ts` | the first |",
    "| `b/` | the other |",
    "| `NAME/NAME.ts` | the capability |",
    "| `*/commands.ts` | its commands |",
  ].join("\n");

  test("accepts a map whose names and rules cover all files", () => {
    expect(problemsOf(page, files)).toEqual([]);
  });

  test.each([
    ["a file that no row covers", page, [...files, "src/a/two.ts"], "src/a/two.ts: has no row"],
    ["a file that a rule does not fit", page, [...files, "src/a/b/c.ts"], "src/a/b/c.ts: has no row"],
    ["a folder without a word", page, [...files, "src/a/c/c.ts"], "src/a/c/: has no row and no heading"],
    ["a row without a file", page, files.slice(1), "src/a/one.ts: has a row, and there is none"],
    ["a rule without a file", page, files.slice(0, 2), "src/a/*/commands.ts: has a row, and there is none"],
    ["a file with two rows", `${page}\n| \`one.ts\` | again |`, files, "src/a/one.ts: has two rows"],
    ["a row without a reason", page.replace("the first", ""), files, "src/a/one.ts: its row says nothing"],
    [
      "a file that only a reason names",
      page.replace("the first", "before `two.ts`"),
      files,
      "src/a/two.ts: is named, and there is none",
    ],
  ])("rejects a map with %s", (_, text, paths, problem) => {
    expect(problemsOf(text, paths).map((line) => line.split(";")[0])).toEqual([problem]);
  });
});

interface Row {
  /** A path from the root. In a rule, `*` stands for any name, and `NAME` for the same name each time. */
  readonly path: string;
  readonly reason: string;
}

function problemsOf(page: string, files: readonly string[]): string[] {
  const { rows, folders, named } = readMap(page);
  const paths = rows.map(({ path }) => path);
  const isRow = new Set(paths);
  const patterns = paths.map(patternOf);
  const known = new Set([...files, ...files.flatMap(foldersOf)]);
  const isThere = (path: string) => known.has(path) || existsSync(join(root, path));
  const fits = (pattern: RegExp) => [...known].some((path) => pattern.test(path));
  return [
    ...files
      .filter((path) => !patterns.some((pattern) => pattern.test(path)))
      .map((path) => `${path}: has no row; say in docs/architecture.md why it is there`),
    ...[...new Set(files.map(folderOf))]
      .filter((folder) => !folders.has(folder) && !isRow.has(folder))
      .map((folder) => `${folder}: has no row and no heading; say in docs/architecture.md what it is about`),
    ...paths
      .filter((_, index) => !fits(patterns[index] as RegExp))
      .map((path) => `${path}: has a row, and there is none; take it out of docs/architecture.md`),
    ...paths.filter((path, index) => paths.indexOf(path) < index).map((path) => `${path}: has two rows`),
    ...rows.filter(({ reason }) => reason === "").map(({ path }) => `${path}: its row says nothing`),
    ...named.filter((path) => !isThere(path)).map((path) => `${path}: is named, and there is none`),
  ];
}

/** @returns the rows, the folders that have a heading, and other files that the text names */
function readMap(page: string): { rows: Row[]; folders: Set<string>; named: string[] } {
  const rows: Row[] = [];
  const folders = new Set<string>();
  const named: string[] = [];
  let folder = "";
  for (const line of page.slice(page.indexOf(TITLE) + TITLE.length).split("\n")) {
    const [, heading] = /^### `(.+\/)`$/.exec(line) ?? [];
    if (heading !== undefined) {
      folder = heading;
      folders.add(folder);
      continue;
    }
    const [, first = "", reason = line] = /^\| (.*?) \| (.*?) ?\|$/.exec(line) ?? [];
    rows.push(...pathsIn(first, folder).map((path) => ({ path, reason })));
    named.push(...pathsIn(reason, folder).filter((path) => !isRule(path)));
  }
  return { rows, folders, named };
}

/** Files and folders in backticks. Those that begin with a folder of the root are paths from there. */
function pathsIn(text: string, folder: string): string[] {
  return [...text.matchAll(/`([\w*][\w./*-]*(?:\/|\.tsx?|\.css))`/g)].map(([, path = ""]) =>
    /^(src|machines|test|docs)\//.test(path) ? path : folder + path,
  );
}

function isRule(path: string): boolean {
  return /\*|NAME/.test(path);
}

function patternOf(path: string): RegExp {
  const [first = "", ...more] = path.replaceAll(".", "\\.").replaceAll("*", "[^/]+").split("NAME");
  return new RegExp(
    `^${more.reduce((text, part, index) => text + (index === 0 ? "([^/]+)" : "\\1") + part, first)}$`,
  );
}

function folderOf(path: string): string {
  return `${dirname(path)}/`;
}

/** All folders that contain a file, the root's first. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).split("\\").join("/"));
}
