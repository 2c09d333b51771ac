import { expect, test } from "vitest";
import { firstOtherLine, lineMarks } from "./line-marks.ts";

const lines = ["call.started", "call.answered", "call.ended"];
const marks = lineMarks(lines);

test("Marks say which line of a text is the first that differs, and what it is now", () => {
  expect(firstOtherLine(marks, lines)).toBeUndefined();
  expect(firstOtherLine(marks, ["call.started", "call.missed", "call.ended"])).toBe(
    "line 2 is now: call.missed",
  );
  expect(firstOtherLine(marks, [...lines, "call.analysed"])).toBe("line 4 is now: call.analysed");
  expect(firstOtherLine(marks, lines.slice(0, 2))).toBe("line 3 is missing");
});
