import { deflateRawSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { playgroundHtml } from "../../src/inspect/index.ts";
import { connect, offline } from "./browser.ts";
import { fileOf, lessonText, open } from "./pages.ts";

/** The playground in a real Chromium: editing, sharing, teaching. */

let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await connect(inject("browser"));
});
afterAll(() => browser.close());
beforeEach(async () => {
  context = await offline(browser);
  page = await context.newPage();
});
afterEach(() => context.close());

const title = () => page.locator("h1").innerText();

/** A link as `share.ts` writes it. */
function linkOf(text: string, head: Record<string, string>): string {
  const packed = deflateRawSync(JSON.stringify({ scenario: text })).toString("base64url");
  return `#${new URLSearchParams({ ...head, s: packed })}`;
}

describe("a shared link", () => {
  test("opens the scenario that is in it, and says that it was made by another version", async () => {
    const link = linkOf(lessonText("06"), { v: "1", by: "0.0.9", now: "2" });
    expect(await open(page, fileOf(playgroundHtml()) + link)).toEqual([]);
    expect(await title()).toContain("eclin");
    expect(await page.locator(".toast").innerText()).toContain("made by ringback 0.0.9");
  });

  test("of a later format says so, and leaves the playground usable", async () => {
    await open(page, fileOf(playgroundHtml()) + linkOf("scenario: x", { v: "9" }));
    expect(await page.locator(".toast").innerText()).toContain("later version (format 9)");
    expect(await title()).toContain("first endpoint");
  });

  test("that is damaged says so", async () => {
    await open(page, `${fileOf(playgroundHtml())}#v=1&s=abc`);
    expect(await page.locator(".toast").innerText()).toContain("damaged");
  });
});

describe("the playground", () => {
  test("underlines every problem, and keeps the last run that worked", async () => {
    await open(page, fileOf(playgroundHtml(lessonText("01"))));
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(lessonText("01").replaceAll("by: ", "buy: "));
    await page.waitForSelector(".cm-lintRange-error");
    expect(await page.locator(".cm-lintRange-error").count()).toBeGreaterThan(1);
    expect(await page.locator(".notice").first().innerText()).toContain("This is the last run that worked");
    expect(await page.locator(".step").count()).toBeGreaterThan(3);
  });

  test("completes the keys of a step inside braces", async () => {
    await open(page, fileOf(playgroundHtml(lessonText("01"))));
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("scenario: x\nsteps:\n  - { at: PT0S, inb");
    await page.keyboard.press("Control+Space");
    await page.waitForSelector(".cm-tooltip-autocomplete");
    expect(await page.locator(".cm-tooltip-autocomplete").innerText()).toContain("inbound");
  });

  test("opens with a lesson as such, and lists all of them with what to notice", async () => {
    await open(page, fileOf(playgroundHtml(lessonText("20"))));
    const lesson = page.locator(".lesson-name");
    expect(await lesson.innerText()).toContain("20 · An unanswered team");
    expect(await page.locator(".note").innerText()).toContain("What to notice.");
    await lesson.click();
    await page.keyboard.type("declin mobile");
    const found = page.getByRole("list", { name: "Lessons" }).getByRole("button");
    await page.waitForFunction(() => document.querySelectorAll(".lessons li").length < 10);
    await found.first().click();
    await page.locator(".code").waitFor();
    expect(await lesson.innerText()).toContain("eclin");
    await page.waitForFunction(() => location.hash.includes("lesson="));
  });

  test("asks before it answers, and reveals with one key", async () => {
    await open(page, fileOf(playgroundHtml(lessonText("20"))));
    await page.getByRole("button", { name: "Teach", exact: true }).click();
    expect(await page.locator(".question h2").innerText()).toMatch(/Which event says so|Who rings first/);
    expect(await page.locator(".editor .cm-content").count()).toBe(0);
    const before = await page.locator(".step").count();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".choice.right");
    expect(await page.locator(".step").count()).toBe(before + 1);
  });
});
