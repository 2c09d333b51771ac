import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { playgroundHtml } from "../../src/inspector/index.ts";
import { lessonText } from "./pages.ts";
import { useWindow } from "./window.ts";

/** The exercises of lessons in the playground, in a real Chromium. */

const window = useWindow();
let page: Page;
beforeAll(() => {
  page = window.page;
});

const compare = () => page.getByRole("region", { name: "Two runs, side by side" });

/** Opens a lesson and makes the change of its exercise. */
async function tryOut(number: string): Promise<string> {
  await window.show(playgroundHtml(lessonText(number)));
  await page.getByRole("button", { name: "Try it" }).click();
  await compare().waitFor();
  return compare().innerText();
}

describe("an exercise", () => {
  test("makes its change with one click, and shows the runs before and after side by side", async () => {
    const shown = await tryOut("02");
    expect(shown).toMatch(/Before[\s\S]*After the change[\s\S]*Whose hang-up comes first\?/);
    const [before, after] = await Promise.all(
      [".gone", ".new"].map((side) => compare().locator(side).first().innerText()),
    );
    expect(before).toMatch(/only in the run before:\s*Alice Ng hangs up/);
    expect(after).toMatch(/only in the run after:\s*Jane Smith hangs up/);
  });

  test("leaves the changed script in the editor and its run on the page", async () => {
    await tryOut("02");
    await page.keyboard.press("Escape");
    await compare().waitFor({ state: "detached" });
    expect(await page.locator(".cm-content").innerText()).toContain("hangup: { call: c1, by: caller }");
    expect(await page.getByRole("button", { name: /^Lessons\. Now:/ }).innerText()).toContain("(edited)");
    expect(await page.locator(".verdict").innerText()).toContain("Nothing is expected yet.");
  });

  test("shows the data that differs if all steps are the same", async () => {
    expect(await tryOut("13")).toContain('call.passthroughParameters.x-long: "short", was absent');
  });
});
