/**
 * The code at the end of a lesson, such as `YGM8-21-G`: which lesson it was, at which try each question was right (0 if the
 * answer was shown), and a sign by which a slip of the pen is found. It is no secret: whoever wants to can make one up.
 */

/** Without I, O, 0 and 1, which look alike. */
const SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** What a code says. */
export interface LessonResult {
  /** Four signs that follow from the questions. */
  readonly lesson: string;
  /** For each question the try at which it was right, 1 for the first; 0 if its answer was shown. */
  readonly tries: readonly number[];
}

/** @param questions what was asked, in order. @param tries at which try each was right, at most 9 */
export function lessonCode(questions: readonly string[], tries: readonly number[]): string {
  const lesson = makeSigns(questions.join("\n"), 4);
  const digits = tries.map((each) => Math.min(each, 9)).join("");
  return `${lesson}-${digits}-${makeCheck(lesson, digits)}`;
}

/**
 * A word processor may have written other dashes, and a sentence may end behind the code.
 * @returns undefined for what is no code, or has a slip in it
 */
export function readLessonCode(text: string): LessonResult | undefined {
  const plain = text
    .trim()
    .replace(/\.$/, "")
    .replace(/[\u2010-\u2015]/g, "-")
    .toUpperCase();
  const [, lesson = "", digits = "", check = ""] =
    /^([2-9A-HJ-NP-Z]{4})-(\d+)-([2-9A-HJ-NP-Z])$/.exec(plain) ?? [];
  if (check === "" || makeCheck(lesson, digits) !== check) return undefined;
  return { lesson, tries: [...digits].map(Number) };
}

/** A slip in one sign changes it: each place has an odd weight, and two signs differ by less than 32. */
function makeCheck(lesson: string, digits: string): string | undefined {
  const values = [...[...lesson].map((sign) => SIGNS.indexOf(sign)), ...[...digits].map(Number)];
  return SIGNS[values.reduce((sum, value, place) => sum + (2 * place + 1) * value, 0) % 32];
}

function makeSigns(text: string, count: number): string {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return Array.from({ length: count }, (_, place) => SIGNS[(hash >>> (27 - 5 * place)) & 31]).join("");
}

/** A line of what a class hands in: somebody's name and their code. */
export interface ResultLine extends LessonResult {
  readonly name: string;
}

/** What a class handed in. */
export interface ClassResults {
  readonly lines: readonly ResultLine[];
  /** The lines that have no code, or one with a slip, counted from 1. */
  readonly problems: readonly { readonly line: number; readonly text: string }[];
}

/** Reads one code a line, with a name before it if there is one. */
export function readClassResults(text: string): ClassResults {
  const lines: ResultLine[] = [];
  const problems: { line: number; text: string }[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const words = line.trim();
    if (words === "") continue;
    let from = words.length;
    while (from > 0 && !isBetween(words[from - 1])) from--;
    let to = from;
    while (to > 0 && isBetween(words[to - 1])) to--;
    const [name, code] = [words.slice(0, to), words.slice(from)];
    const result = readLessonCode(code);
    if (result === undefined) problems.push({ line: index + 1, text: words });
    else lines.push({ name, ...result });
  }
  return { lines, problems };
}

/** Whether a sign stands between a name and its code. */
const isBetween = (sign = "") => /[\s,;:]/.test(sign);

/** The same as CSV: a row for each code, a column for each question. */
export function classCsv({ lines }: ClassResults): string {
  const most = Math.max(0, ...lines.map(({ tries }) => tries.length));
  const head = ["name", "lesson", ...Array.from({ length: most }, (_, index) => `question ${index + 1}`)];
  const rows = lines.map(({ name, lesson, tries }) => [csvText(name), lesson, ...tries.map(String)]);
  return `${[head, ...rows].map((row) => row.join(",")).join("\r\n")}\r\n`;
}

/** A spreadsheet takes a cell that begins like a formula for one. */
function csvText(text: string): string {
  const plain = /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
