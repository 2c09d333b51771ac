import { createHash } from "node:crypto";

/**
 * Two signs for each line of a text of which otherwise only a digest is kept. One line in 4,096 has the marks of another, so
 * the digest says whether texts differ, and these say where.
 */
const SIGNS = 2;

const markOf = (line: string) => createHash("sha256").update(line).digest("base64url").slice(0, SIGNS);

export const lineMarks = (lines: readonly string[]): string => lines.map(markOf).join("");

/** How much of a line is shown, characters. */
const SHOWN = 300;

/** The number of the first line that is not the marked one, and what it is now; nothing if all marks are the same. */
export function firstOtherLine(marks: string, lines: readonly string[]): string | undefined {
  const at = lines.findIndex(
    (line, index) => markOf(line) !== marks.slice(index * SIGNS, (index + 1) * SIGNS),
  );
  const [number, line] = at < 0 ? [lines.length, undefined] : [at, lines[at]];
  if (line === undefined)
    return marks.length > lines.length * SIGNS ? `line ${number + 1} is missing` : undefined;
  return `line ${number + 1} is now: ${line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line}`;
}
