import { unprintable } from "../core/foundation/printable.ts";
import type { TextRange } from "../core/scenario/scenario.ts";
import { coloursIf } from "./colours.ts";

/** The most characters of a line to show, so that a file of one long line is still readable. */
const MAX_WIDTH = 110;

/**
 * The lines around a part of a text, with the part marked.
 * @param isColoured for a terminal
 */
export function codeFrame(text: string, range: TextRange, isColoured: boolean): string {
  const colours = coloursIf(isColoured);
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const [first, last] = [Math.max(1, range.line - 1), Math.min(lines.length, range.line + 1)];
  const from = Math.max(0, range.column - MAX_WIDTH + 30);
  const shown = (line: string) => line.slice(from, from + MAX_WIDTH).replaceAll(unprintable, " ");
  const width = String(last).length;
  const rows: string[] = [];
  for (let number = first; number <= last; number++) {
    const line = lines[number - 1] ?? "";
    // an empty last line is the end of the file
    if (number > range.line && line.trim() === "") continue;
    const gutter = `${String(number).padStart(width)} | `;
    rows.push(`${number === range.line ? colours.red(">") : " "} ${colours.dim(gutter)}${shown(line)}`);
    if (number !== range.line) continue;
    const end = range.endLine > range.line ? line.trimEnd().length + 1 : range.endColumn;
    const length = Math.max(1, Math.min(end, from + MAX_WIDTH + 1) - range.column);
    const mark = `${" ".repeat(range.column - 1 - from)}${colours.red("^".repeat(length))}`;
    rows.push(`  ${colours.dim(`${" ".repeat(width)} | `)}${mark}`);
  }
  return `${rows.map((row) => row.trimEnd()).join("\n")}\n`;
}
