import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseScenario, ScenarioError } from "../../src/index.ts";
import { always } from "./support.ts";

/** Scenario files as people leave them in the middle of typing. */

const folder = new URL("../../scenarios/", import.meta.url);
const lessons = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(new URL(name, folder), "utf8"));

const slip = fc.record({
  at: fc.nat(),
  removed: fc.nat({ max: 12 }),
  added: fc.oneof(
    fc.constantFrom(
      "",
      " ",
      "  ",
      "\t",
      "\n",
      ":",
      "- ",
      "{",
      "}",
      "[",
      '"',
      "'",
      "&a ",
      "*a",
      "#",
      "\u0000",
      "💥",
    ),
    fc.string({ maxLength: 3 }),
  ),
});

const typed = fc
  .tuple(fc.constantFrom(...lessons), fc.array(slip, { minLength: 1, maxLength: 4 }))
  .map(([lesson, slips]) =>
    slips.reduce((text, { at, removed, added }) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + added + text.slice(start + removed);
    }, lesson),
  );

test("Any text is parsed, or rejected with ordered problems, each with a range in the text", () => {
  always(150, typed, (text) => {
    try {
      parseScenario(text);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      const lines = text.split("\n");
      let last = 0;
      let isIndentation = true;
      for (const { line, column, endLine, endColumn, message } of error.problems) {
        expect(message).not.toBe("");
        const place = (at: number, col: number) => at * 1_000_000 + col;
        // wrong indentations come first, since the others may follow from them
        if (isIndentation && !message.includes("wrong indentation")) {
          isIndentation = false;
          last = 0;
        }
        expect(place(line, column)).toBeGreaterThanOrEqual(last);
        expect(place(endLine, endColumn)).toBeGreaterThanOrEqual(place(line, column));
        expect(endLine).toBeLessThanOrEqual(lines.length);
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
        expect(endColumn).toBeLessThanOrEqual((lines[endLine - 1] ?? "").length + 1);
        last = place(line, column);
      }
    }
  });
});
