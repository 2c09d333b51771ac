import crc32 from "crc-32";
import type { JournalEnd } from "../engine/journal.ts";
import { InputError } from "../foundation/errors.ts";

/**
 * A journal that is written line by line during a run: the options, then entries and positions. After a reset, a new
 * journal follows in the same file. Each line ends in its number and a checksum over itself and the checksum before.
 * Reading reports every changed, missing, duplicated or moved line.
 */

/** The longest file that is read, bytes: more than any journal that can be replayed. */
export const LONGEST_JOURNAL_BYTES = 256 << 20;

/** The end of a file's lines, which the next line continues. */
export interface Seal {
  /** The number of the last line; 0 if there is none. */
  readonly n: number;
  /** The checksum of the last line, in hex; empty if there is none. */
  readonly crc: string;
}

/** The seal of an empty file. */
export const noSeal: Seal = { n: 0, crc: "" };

/** One line of a journal file, without its line end, and its seal. */
export function sealedLine(line: object, before: Seal): { readonly text: string; readonly seal: Seal } {
  const body = JSON.stringify(line);
  const seal = makeSeal(body, before);
  return { text: `${body.slice(0, -1)},"n":${seal.n},"crc":"${seal.crc}"}`, seal };
}

function makeSeal(body: string, before: Seal): Seal {
  const n = before.n + 1;
  const crc = (crc32.str(`${before.crc}\n${n}\n${body}`) >>> 0).toString(16).padStart(8, "0");
  return { n, crc };
}

/** The first damaged line of a journal file. */
export interface Damage {
  /** Counted from 1. */
  readonly line: number;
  /** The predicate of a sentence about the line, such as `is not JSON`. */
  readonly problem: string;
}

/** The content of a journal file. */
export interface JournalLines {
  /** The lines before the damage, as text. */
  readonly texts: readonly string[];
  /** The same lines, parsed, without number and checksum. */
  readonly parts: readonly Readonly<Record<string, unknown>>[];
  /** The seal of the last whole line. */
  readonly seal: Seal;
  /** The first damaged line, if any. */
  readonly damage: Damage | undefined;
  /** How many lines are lost: the damaged one and those behind it. */
  readonly lost: number;
  /** The number of characters behind the last line end, from a write that was interrupted. */
  readonly torn: number;
}

/** Whether a text is a journal, possibly damaged: by its beginning, or by the checksum of a line. */
export function isJournalText(text: string): boolean {
  return /^\s*\{\s*"ringback"\s*:/.test(text) || hasSeals(text);
}

/** Whether any line ends in a checksum. */
function hasSeals(text: string): boolean {
  return /,"n":\d{1,15},"crc":"[0-9a-f]{8}"\}\r?$/m.test(text);
}

/**
 * Reads a journal file up to the first damaged line.
 * @returns undefined if the text is not a journal in lines
 */
export function journalLines(text: string): JournalLines | undefined {
  const end = text.lastIndexOf("\n") + 1;
  if (!isJournalText(text) || end === 0) return undefined;
  // editors and Git on Windows may add a byte order mark and change line ends
  const all = text
    .slice(0, end)
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .slice(0, -1);
  const head = parseObject(all[0] ?? "");
  if (!hasSeals(text) && (head === undefined || !("options" in head) || "entries" in head)) return undefined;
  const parts: Record<string, unknown>[] = [];
  let seal = noSeal;
  let damage: Damage | undefined;
  for (const [index, line] of all.entries()) {
    const read = readSealedLine(line, seal, all);
    if ("problem" in read) {
      damage = { line: index + 1, problem: read.problem };
      break;
    }
    parts.push(read.part);
    seal = read.seal;
  }
  return {
    texts: all.slice(0, parts.length),
    parts,
    seal,
    damage,
    lost: all.length - parts.length,
    torn: text.length - end,
  };
}

type ReadLine = { readonly part: Record<string, unknown>; readonly seal: Seal };
type Problem = { readonly problem: string };

const SEALED = /^(.*),"n":(\d{1,15}),"crc":"([0-9a-f]{8})"\}$/s;

function readSealedLine(line: string, before: Seal, all: readonly string[]): ReadLine | Problem {
  const [, body, digits, crc] = SEALED.exec(line) ?? [];
  const part = body === undefined ? undefined : parseObject(`${body}}`);
  if (body === undefined || part === undefined)
    return { problem: parseObject(line) === undefined ? "is not JSON" : "has no checksum" };
  const [n, expected] = [Number(digits), before.n + 1];
  if (n < expected) return { problem: `repeats line ${n}` };
  if (n > expected) {
    const isLater = all.some((other) => SEALED.exec(other)?.[2] === `${expected}`);
    const missing = n === expected + 1 ? `line ${expected} is` : `lines ${expected} to ${n - 1} are`;
    return {
      problem: `was written as line ${n}: ${isLater ? `line ${expected} is below it` : `${missing} missing`}`,
    };
  }
  const seal = makeSeal(`${body}}`, before);
  return seal.crc === crc ? { part, seal } : { problem: "was changed: its checksum differs" };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const part: unknown = JSON.parse(line);
    return typeof part === "object" && part !== null ? (part as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // the caller reports the line
  }
}

/**
 * Reads a journal in lines: the last one, after a reset. Drops a last line whose write was interrupted.
 * @returns the document that `journal()` would have returned; undefined if the text is not such a journal
 * @throws {InputError} naming the first line that is damaged
 */
export function readJournalLines(text: string): object | undefined {
  const lines = journalLines(text);
  if (lines === undefined) return undefined;
  if (lines.damage !== undefined) throw new InputError(["journal"], damageText(lines.damage));
  return lastRun(lines.parts);
}

function damageText({ line, problem }: Damage): string {
  const help = ". `ringback journal salvage <file> -o <file>` keeps the lines before it";
  return `line ${line} ${problem}${line === 1 ? "" : help}`;
}

/** The last run of a file: its head, its entries and its end. */
export function lastRun(parts: readonly Readonly<Record<string, unknown>>[]): object {
  const head = parts.findLastIndex((part) => "ringback" in part);
  const entries: object[] = [];
  let end: unknown = startIn(parts[head] ?? {});
  for (const part of parts.slice(head + 1)) {
    if ("end" in part) end = part.end;
    else {
      entries.push(part);
      const { atMs, step } = part as Partial<JournalEnd>;
      end = { atMs, step };
    }
  }
  return { ...parts[head], entries, end };
}

/** The start of a run, from its first line: a server that is killed at once writes no other. */
function startIn(head: Readonly<Record<string, unknown>>): JournalEnd | undefined {
  const { options, snapshot } = head as {
    readonly options?: { readonly start?: unknown };
    readonly snapshot?: JournalEnd;
  };
  const atMs = snapshot?.atMs ?? Date.parse(String(options?.start));
  return Number.isNaN(atMs) ? undefined : { atMs, step: snapshot?.step ?? 0 };
}
