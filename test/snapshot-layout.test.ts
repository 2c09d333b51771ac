import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LAYOUT } from "../src/options.ts";
import { layoutOfSnapshot } from "./snapshot-layout.ts";

const file = new URL("snapshot-layout.txt", import.meta.url);

/**
 * A state that is laid out otherwise cannot be read from older journal files. After such a change raise `LAYOUT` in
 * src/options.ts, and write the file with `UPDATE=1 npx vitest run --project unit test/snapshot-layout.test.ts`.
 */
test("A snapshot is laid out as its version says", () => {
  const text = [`layout ${LAYOUT}`, ...layoutOfSnapshot(), ""].join("\n");
  if (process.env.UPDATE !== undefined) writeFileSync(file, text);
  const how = "raise LAYOUT in src/options.ts, and run this test with UPDATE=1";
  expect(readFileSync(file, "utf8"), how).toBe(text);
});
