import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LAYOUT } from "../../../src/core/simulator/options.ts";
import { layoutOfSnapshot } from "./snapshot-layout.ts";

const file = new URL("snapshot-layout.txt", import.meta.url);
const source = new URL("../../../src/core/simulator/options.ts", import.meta.url);

/**
 * A state that is laid out otherwise cannot be read from older journal files. After such a change `npm run accept` raises
 * `LAYOUT` in src/core/simulator/options.ts, and writes the file.
 */
test("A snapshot is laid out as its version says", () => {
  const written = (layout: number) => [`layout ${layout}`, ...layoutOfSnapshot(), ""].join("\n");
  const isOther = readFileSync(file, "utf8") !== written(LAYOUT);
  if (isOther && process.env.UPDATE !== undefined) {
    const text = readFileSync(source, "utf8");
    const line = (layout: number) => `export const LAYOUT = ${layout};`;
    expect(text).toContain(line(LAYOUT));
    writeFileSync(source, text.replace(line(LAYOUT), line(LAYOUT + 1)));
    return writeFileSync(file, written(LAYOUT + 1));
  }
  const how =
    "test/core/simulator/snapshot-layout.txt is out of date: run npm run accept, which also raises LAYOUT in src/core/simulator/options.ts";
  expect(readFileSync(file, "utf8"), how).toBe(written(LAYOUT));
});
