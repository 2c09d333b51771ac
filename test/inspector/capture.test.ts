import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { inspectHtml, playgroundHtml } from "../../src/inspector/index.ts";
import { violations } from "./axe.ts";
import { doubtful } from "./capture-picture.ts";
import { useWindow } from "./window.ts";

/** Captures in the page: what is assumed is dotted, what no run explains has its reason. */

const window = useWindow();
let page: Page;
beforeAll(() => {
  page = window.page;
});

const capture = doubtful();

/** Shows the first rows: a long list draws only what is in sight. */
async function toTop(): Promise<void> {
  await page.getByRole("slider", { name: "Step" }).focus();
  await page.keyboard.press("Home");
  await page.locator("#step-0").waitFor();
}

describe("a capture", () => {
  test("is shown as its imported run, with assumed steps and unexplained requests", async () => {
    const result = await importCapture(capture);
    await window.show(inspectHtml(result));
    const [unexplained] = result.unexplained;
    await toTop();
    expect(await page.locator("[data-row] .chip.assumed").count()).toBe(1);
    await page.locator(".step", { hasText: `of line ${unexplained?.line} is not explained` }).click();
    const detail = page.locator("aside[aria-label=Detail]");
    expect(await detail.innerText()).toContain(
      `Line ${unexplained?.line} of the capture: ${unexplained?.because}`,
    );
    // the list follows what is chosen, as far as Chromium's own scrolling has left it
    await toTop();
    await page.locator(".step.is-assumed").click();
    expect(await detail.innerText()).toContain(`Assumed: ${result.assumed.find(({ step }) => step)?.what}`);
    expect(await page.locator(".notice").first().innerText()).toContain(
      "The platform could not have sent these requests",
    );
    expect(await violations(page)).toEqual([]);
  });
});

describe("the playground", () => {
  const html = playgroundHtml();
  /** Begins with any run, in a page that tests share: each opens a file. */
  const begin = () => window.share(html, async () => {});
  const open = (name: string, text: string) =>
    page.setInputFiles("input[type=file]", { name, mimeType: "text/plain", buffer: Buffer.from(text) });

  test("imports a capture that is opened, in the page, and puts the scenario into the editor", async () => {
    await begin();
    await open("monday.jsonl", `${capture}${"not a request\n".repeat(200)}`);
    await page.locator("h1", { hasText: "monday.jsonl" }).waitFor();
    await toTop();
    expect(await page.locator("[data-row] .chip.assumed").count()).toBe(1);
    const notice = page.locator(".notice").first();
    expect(await notice.innerText()).toContain("200 lines could not be read");
    // the editor stands in the place of the detail, and rows cut long reasons
    await notice.locator("summary").click();
    const { unexplained } = await importCapture(capture);
    for (const { line, event, because } of unexplained)
      expect(await notice.innerText()).toContain(`line ${line}: ${event}: ${because}`);
    expect((await notice.boundingBox())?.height).toBeLessThan(400);
    expect(await violations(page)).toEqual([]);
    expect(await page.locator(".cm-content").innerText()).toContain("Imported from a capture");
  });

  test("imports a dropped file", async () => {
    await begin();
    const files = await page.evaluateHandle((text) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([text], "tuesday.jsonl"));
      return dropped;
    }, capture);
    await page.locator(".page").dispatchEvent("drop", { dataTransfer: files });
    await page.locator("h1", { hasText: "tuesday.jsonl" }).waitFor();
  });

  test("reports that a file is not a capture, and keeps the run", async () => {
    await begin();
    const title = await page.locator("h1").innerText();
    await open("none.jsonl", "no\n");
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.innerText()).toContain(
      "none.jsonl: line 1: expected a request as JSON, got 2 characters that are no JSON",
    );
    expect(await page.locator("h1").innerText()).toBe(title);
  });
});

test("A page of a run has no importer, and a playground has one", async () => {
  const importerOf = (html: string) =>
    /<script type="text\/plain" id="ringback-importer">(.*?)<\/script>/s.exec(html)?.[1]?.length ?? -1;
  expect(importerOf(inspectHtml(await importCapture(capture)))).toBe(0);
  expect(importerOf(playgroundHtml())).toBeGreaterThan(10_000);
});
