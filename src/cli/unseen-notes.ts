import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { counted } from "../core/platform/declare/words.ts";
import { resultsFolder } from "../testing/failure-page.ts";
import { NOTES_ENDING, NOTES_FOLDER } from "../testing/notes-files.ts";
import type { EndpointNotes, ReceivedNotes } from "../testing/received-notes.ts";
import { filesBelow } from "./disk.ts";
import { UsageError } from "./failures.ts";

/** Reads the notes that a test run has left. */

/** The notes of one run. */
export interface NotedRun {
  /** When the last of them was written. */
  readonly atMs: number;
  readonly notes: readonly ReceivedNotes[];
}

/** @throws {UsageError} if no run left notes */
export function lastNotedRun(): NotedRun {
  const results = resultsFolder(process.env);
  if (results === "off") throw new UsageError("RINGBACK_RESULTS is off, so test runs leave no notes");
  const folder = join(results, NOTES_FOLDER);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const runs = names.map((name) => readRun(join(folder, name)));
  const [last] = runs.filter(({ notes }) => notes.length > 0).sort((a, b) => b.atMs - a.atMs);
  if (last === undefined)
    throw new UsageError(
      'no test run has left notes: import "ringback/vitest", "ringback/jest" or "ringback/node-test" in your tests, or give `ringback serve` --note, and run them',
      folder,
    );
  return last;
}

function readRun(folder: string): NotedRun {
  const names = readdirSync(folder).filter((file) => file.endsWith(NOTES_ENDING));
  const paths = names.sort().map((file) => join(folder, file));
  return {
    atMs: Math.max(0, ...paths.map((path) => Math.floor(statSync(path).mtimeMs))),
    notes: paths.map(readNotes),
  };
}

function readNotes(path: string): ReceivedNotes {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as ReceivedNotes;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError("expected the notes of a test run, got a text that is no JSON", path);
  }
}

/** How test files are called, and what they import to leave notes, themselves or in a setup file. */
const TESTS = /(\.(test|spec)\.[cm]?[jt]sx?|[\\/]__tests__[\\/].*\.[cm]?[jt]sx?)$/;
const ENTRY = /["']ringback\/(vitest|jest|node-test)["']/;
const PACKAGE = /["']ringback(\/[\w-]+)?["']/;
/** Folders in which nobody keeps test files: what was built of them is no second test. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git", "dist", "build", "coverage"]);

/** @throws {UsageError} for a run of only some tests or test files */
export function mustBeWhole({ notes }: NotedRun): void {
  if (notes.some(({ isFiltered }) => isFiltered))
    throw new UsageError("the last run had only tests of some names: run all of them, or add --partial");
  const noted = new Set(notes.flatMap(({ file }) => file ?? []));
  // a server's notes are of the tests of another language
  if (noted.size === 0) return;
  const text = (path: string) => readFileSync(path, "utf8");
  const isSetUp = [...noted].some((path) => existsSync(path) && !ENTRY.test(text(path)));
  const leavesNotes = isSetUp ? PACKAGE : ENTRY;
  const missing = testFiles().filter((path) => !noted.has(path) && leavesNotes.test(text(path)));
  if (missing.length === 0) return;
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : "";
  throw new UsageError(
    `the last run had ${counted(noted.size, "test file")}, and not ${missing.slice(0, 3).join(", ")}${more}: run all of them, or add --partial`,
  );
}

function testFiles(): string[] {
  const results = resolve(resultsFolder(process.env));
  return filesBelow(
    ".",
    (path) => TESTS.test(path),
    (name, path) => SKIPPED.has(name) || resolve(path) === results,
  );
}

/** The step of a scenario by which a call of an organisation begins. */
export interface FirstStep {
  readonly organisation: object;
  readonly step: object;
}

/** What an endpoint got in all test files. */
export interface MergedEndpoint extends Pick<EndpointNotes, "url" | "got" | "again" | "types"> {
  readonly begins: readonly FirstStep[];
}

/** Merges what the workers of a run noted, sorted by URL. */
export function mergedEndpoints(notes: readonly ReceivedNotes[]): MergedEndpoint[] {
  const merged = new Map<string, MergedEndpoint>();
  for (const { endpoints, organisations } of notes)
    for (const { url, types, begins, got, again, organisation: place } of endpoints) {
      const organisation = organisations[place] ?? {};
      const before = merged.get(url);
      merged.set(url, {
        url,
        types: [...new Set([...(before?.types ?? []), ...types])],
        begins: distinct([...(before?.begins ?? []), ...begins.map((step) => ({ organisation, step }))]),
        got: sums(before?.got, got),
        again: sums(before?.again, again),
      });
    }
  return [...merged.values()].sort((a, b) => (a.url < b.url ? -1 : 1));
}

function sums(before: EndpointNotes["got"] = {}, more: EndpointNotes["got"]): EndpointNotes["got"] {
  const added = Object.entries(more).map(([key, count]) => [key, count + (before[key] ?? 0)]);
  return { ...before, ...Object.fromEntries(added) };
}

function distinct<T extends object>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
