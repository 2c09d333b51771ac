import { existsSync, statSync } from "node:fs";
import { extname } from "node:path";
import { isRecord } from "../core/foundation/values.ts";
import { filesBelow, readTextFile } from "./disk.ts";
import { UsageError } from "./failures.ts";
import { loadExports } from "./modules.ts";

/** Finds files of fixtures, and the values in them. */

/** Files whose values are read; others are left out of a folder. */
const KINDS = /\.(json|jsonl|ndjson|[cm]?[jt]s)$/;
/** Folders in which nobody keeps fixtures. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/**
 * The files that patterns name, each once, in the order of the patterns. `**`, `*`, `?` and `{a,b}` are understood, so that
 * a pattern in quotes means the same in every shell.
 * @throws {UsageError} for a pattern that names no file
 */
export function filesFor(patterns: readonly string[]): string[] {
  return [...new Set(patterns.flatMap(matchFiles))];
}

function matchFiles(pattern: string): string[] {
  if (existsSync(pattern)) return statSync(pattern).isDirectory() ? filesIn(pattern) : [pattern];
  const [start] = /^[^*?{]*(?=[*?{])/.exec(pattern) ?? [];
  if (start === undefined) throw new UsageError("no such file or folder", pattern);
  const base = start.slice(0, start.lastIndexOf("/") + 1);
  const isWanted = makePattern(pattern);
  const files = existsSync(base || ".") ? filesIn(base || ".").filter((path) => isWanted.test(path)) : [];
  if (files.length === 0) throw new UsageError("no file has such a name", pattern);
  return files;
}

function filesIn(folder: string): string[] {
  return filesBelow(
    folder,
    (path) => KINDS.test(path),
    (name) => SKIPPED.has(name),
  );
}

/** A pattern as a regular expression. */
function makePattern(pattern: string): RegExp {
  const plain = pattern.replace(/^\.\//, "");
  const source = plain.replaceAll(/\*\*\/|\*\*|\*|\?|\{[^{}]*\}|[.+^$()|[\]\\]/g, (part) => {
    if (part === "**/") return "(?:[^/]+/)*";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.startsWith("{")) return `(?:${part.slice(1, -1).split(",").map(escaped).join("|")})`;
    return `\\${part}`;
  });
  return new RegExp(`^(?:\\./)?${source}$`);
}

const escaped = (text: string) => text.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");

/** A value in a file that may be a fixture. */
export interface InnerValue {
  /** The way to it from the file's value: keys and indices. Empty for the whole. */
  readonly keys: readonly (string | number)[];
  readonly value: object;
}

/** A file as it was read. */
export interface FixtureFile {
  readonly path: string;
  /** The value of the file: parsed, a list of the lines' values, or what the module exports. */
  readonly value: unknown;
  /** The text of a JSON file; undefined for others. */
  readonly text?: string;
}

/**
 * Reads a file of fixtures. A module is loaded, so what it does then is done.
 * @throws {UsageError} for what cannot be read
 */
export async function readFixtureFile(path: string): Promise<FixtureFile> {
  const kind = extname(path);
  if (/^\.[cm]?[jt]s$/.test(kind)) return { path, value: await loadExports(path) };
  const text = readTextFile(path);
  if (kind !== ".jsonl" && kind !== ".ndjson") return { path, text, value: parse(text, path) };
  const lines = text.split("\n").map((line, index) => ({ line, place: `${path}:${index + 1}` }));
  return {
    path,
    value: lines.flatMap(({ line, place }) => (line.trim() === "" ? [] : [parse(line, place)])),
  };
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // its message quotes the file
    throw new UsageError("expected JSON, got a text that is none", place);
  }
}

/** How far below the file's value fixtures are looked for. */
const MOST_LEVELS = 6;

/**
 * The values that may be fixtures, from the outside in: an event in a list, under a name, or as the body of a request.
 * @param isFixture says whether a value is one; what is below it is not looked at
 */
export function fixturesIn(value: unknown, isFixture: (value: object) => boolean): InnerValue[] {
  const found: InnerValue[] = [];
  const search = (each: unknown, keys: readonly (string | number)[]): void => {
    if (typeof each === "string" && keys.at(-1) === "body") {
      const body = bodyIn(each);
      if (body !== undefined && isFixture(body)) found.push({ keys, value: body });
      return;
    }
    if (typeof each !== "object" || each === null) return;
    if (isRecord(each) && isFixture(each)) found.push({ keys, value: each });
    else if (keys.length < MOST_LEVELS)
      for (const [key, below] of Object.entries(each))
        search(below, [...keys, Array.isArray(each) ? Number(key) : key]);
  };
  search(value, []);
  return found;
}

function bodyIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // a body of something else
    return undefined;
  }
}
