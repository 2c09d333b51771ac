import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { connect } from "./browser.ts";
import { lessonPicture, picturePath, schemes, textPath } from "./lesson-picture.ts";

/** The pictures of the README. Letters look different on each machine, so the test compares their text. */

const root = fileURLToPath(new URL("../..", import.meta.url));

let browser: Browser;
beforeAll(async () => {
  browser = await connect(inject("browser"));
});
afterAll(() => browser.close());

describe("the README's picture of the inspector", () => {
  test("shows the current page; npm run pictures updates it", async () => {
    const { text } = await lessonPicture(browser, "light");
    expect(text).toBe(readFileSync(join(root, textPath), "utf8"));
  });

  test.each(schemes)("exists in %s, 1440 px wide, and is in the README", (scheme) => {
    const path = picturePath(scheme);
    const png = readFileSync(join(root, path));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1440, 900]);
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain(path);
  });
});
