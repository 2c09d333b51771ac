import { expect, test } from "vitest";
import { codePlace, ownFolder } from "../../src/findings/code-place.ts";

test.each([
  ["a function's", "    at f (/home/me/app.mjs:12:3)", "app.mjs:12"],
  ["a module's", "    at file:///home/me/app.mjs:12:3", "app.mjs:12"],
  ["one after a wait", "    at async f (file:///home/me/app.mjs?world=2:12:3)", "app.mjs:12"],
  ["one on Windows", "    at f (C:\\Program Files (x86)\\me\\app.cjs:12:3)", "app.cjs:12"],
  ["a module's on Windows", "    at file:///C:/me/app.mjs:12:3", "app.mjs:12"],
  [
    "one below Node's",
    "    at process.exit (node:internal/process/per_thread:1:2)\n    at /app.mjs:3:4",
    "app.mjs:3",
  ],
  ["one below the simulator's", `    at f (${ownFolder}world.ts:1:2)\n    at /app.mjs:3:4`, "app.mjs:3"],
  ["none, with Node's alone", "    at node:internal/main:1:2", undefined],
  ["none, with a native one alone", "    at Array.map (<anonymous>)", undefined],
])("The place of an error is its first frame of the app: %s", (_, frames, place) => {
  expect(codePlace(`Error: no\n${frames}`)).toBe(place);
});
