import type { Page } from "playwright-core";
import { expect, test } from "vitest";

/** Tests the search of a page. @param open the page in which the tests run */
export function testFinder(open: () => Page, urlOf: (path: string) => string): void {
  /** The search of the page that is open, opened by its key. */
  const search = async (words: string) => {
    const page = open();
    await page.keyboard.press("/");
    await page.locator(".finder input").fill(words);
    await page.waitForSelector(".finder [role=option], .finder-empty");
  };
  const chosen = async () => {
    const page = open();
    const id = await page.locator(".finder input").getAttribute("aria-activedescendant");
    return page.locator(`#${id}`).innerText();
  };

  test("finds sections by their words, also from a page in a folder and by keyboard only", async () => {
    const page = open();
    await page.goto(urlOf("guides/rest-client.html"));
    await search("in the past never goes backwards");
    expect(await chosen()).toContain("InputError");
    await page.keyboard.press("Enter");
    await page.waitForURL(/errors\.html#inputerror$/);
  });

  test("marks the words that were found, and moves through the hits with the arrow keys", async () => {
    const page = open();
    await page.goto(urlOf("guides/rest-client.html"));
    await search("retry webhook");
    expect((await page.locator(".finder mark").allInnerTexts()).map((text) => text.toLowerCase())).toContain(
      "retries",
    );
    const first = await chosen();
    await page.keyboard.press("ArrowDown");
    expect(await chosen()).not.toBe(first);
    await page.keyboard.press("ArrowUp");
    expect(await chosen()).toBe(first);
    await page.keyboard.press("ArrowUp");
    const count = await page.locator(".finder [role=option]").count();
    expect(
      await page
        .locator(".finder [role=option]")
        .nth(count - 1)
        .getAttribute("aria-selected"),
    ).toBe("true");
  });

  test("shows the hits of one kind where that is chosen, and closes by Esc", async () => {
    const page = open();
    await page.goto(urlOf("guides/rest-client.html"));
    await search("signature");
    await page.locator(".finder-kinds button", { hasText: "TypeScript" }).click();
    expect(await page.locator(".finder-kind").allInnerTexts()).toEqual(["TypeScript"]);
    await page.keyboard.press("Escape");
    expect(await page.locator(".finder").isVisible()).toBe(false);
  });

  test("offers pages where nothing is found, and opens for a page that asks for it", async () => {
    const page = open();
    await page.goto(`${urlOf("glossary.html")}#search`);
    await page.locator(".finder input").fill("qqqqzzzz");
    await page.waitForSelector("text=No page has “qqqqzzzz”");
    expect(await page.locator(".finder-said").innerText()).toBe("Nothing found");
    expect(await page.locator(".finder [role=option]").count()).toBeGreaterThan(2);
    await page.keyboard.press("Enter");
    await page.waitForURL(/webhook-receiver\.html$/);
  });
}
