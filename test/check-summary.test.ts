import { expect, test } from "vitest";
import { failureIn, totalOf } from "./check-summary.ts";

const passing =
  "\u001b[2m Test Files \u001b[22m 2 passed (2)\n\u001b[2m      Tests \u001b[22m 5 passed | 1 skipped (6)\n";
const failing =
  " Test Files  1 failed | 1 passed (2)\n      Tests  3 failed | 4 passed (7)\n\nFailed, once more:\n\na.test.ts > is red\n";
const lint = `${"checked\n".repeat(60)}src/a.ts: unused`;

test("The tests of all checks are counted together, as Vitest counts them", () => {
  expect(totalOf("Tests", [passing, failing, lint])).toBe(
    "      Tests  3 failed | 9 passed | 1 skipped (13)\n",
  );
  expect(totalOf("Test Files", [passing, lint])).toBe(" Test Files  2 passed (2)\n");
});

test("Of a failed check its failures are repeated, or its last lines", () => {
  expect(failureIn(failing)).toBe("\na.test.ts > is red\n");
  expect(failureIn(lint)).toBe(lint.split("\n").slice(-40).join("\n"));
});
