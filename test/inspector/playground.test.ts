import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { parseScenario, replay, runScenario } from "../../src/index.ts";
import { playgroundHtml } from "../../src/inspector/index.ts";
import { lessonText } from "./pages.ts";
import { retype } from "./views.ts";
import { useWindow } from "./window.ts";

/** The playground in a real Chromium: editing, sharing, saving, teaching. */

const window = useWindow();
let page: Page;
beforeAll(() => {
  page = window.page;
});

const title = () => page.locator("h1").innerText();

/** A link as `share.ts` writes it. */
function linkOf(text: string, head: Record<string, string>): string {
  const packed = deflateRawSync(JSON.stringify({ scenario: text })).toString("base64url");
  return `#${new URLSearchParams({ ...head, s: packed })}`;
}

describe("a shared link", () => {
  test("opens its scenario, and reports that another version made it", async () => {
    const link = linkOf(lessonText("06"), { v: "1", by: "0.0.9", now: "2" });
    await window.show(playgroundHtml(), link);
    expect(await title()).toContain("eclin");
    expect(await page.locator(".toast").innerText()).toContain("made by ringback 0.0.9");
  });

  test("of a later format is reported, and the playground stays usable", async () => {
    await window.show(playgroundHtml(), linkOf("scenario: x", { v: "9" }));
    expect(await page.locator(".toast").innerText()).toContain("later version (format 9)");
    expect(await title()).toContain("first endpoint");
  });

  test("that is damaged is reported", async () => {
    await window.show(playgroundHtml(), "#v=1&s=abc");
    expect(await page.locator(".toast").innerText()).toContain("damaged");
  });

  test("made by the page opens the same text at the same instant", async () => {
    await window.show(playgroundHtml(lessonText("06")));
    await retype(page, lessonText("06").replace(/seed: \d+/, "seed: 77"));
    await page.getByText("seed 77").last().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("slider", { name: "Step" }).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Share" }).click();
    const shared = await page.waitForFunction(() => /[#&]s=/.test(location.hash) && location.hash);
    const hash = String(await shared.jsonValue());
    await window.show(playgroundHtml(), hash);
    await page.getByText("seed 77").last().waitFor();
    expect(await page.locator('.step[aria-selected="true"]').getAttribute("data-row")).toBe("1");
  });
});

describe("a download of the playground", () => {
  const text = lessonText("65");
  // its tests share a page, which no download changes
  const html = playgroundHtml(text);
  const folder = mkdtempSync(join(tmpdir(), "ringback-downloads-"));
  const { events } = runScenario(parseScenario(text)).simulator;

  /** Downloads the file with this name in the menu, and returns its text. */
  async function saved(name: string): Promise<{ file: string; text: string }> {
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    await page.getByRole("button", { name }).click();
    const download = await coming;
    const file = download.suggestedFilename();
    await download.saveAs(join(folder, file));
    return { file, text: readFileSync(join(folder, file), "utf8") };
  }

  test("is the scenario, its events, its journal, its timeline or its ladder", async () => {
    await window.share(html, async () => {});
    const yaml = await saved("Scenario (YAML)");
    expect(yaml.file).toBe("a-caller-leaves-a-message-while-the-crm-is-down.yaml");
    expect(text.endsWith(yaml.text)).toBe(true);
    expect(runScenario(parseScenario(yaml.text)).mismatches).toEqual([]);
    expect((await saved("Event stream")).text).toBe(events.toJSONL());
    expect(replay(JSON.parse((await saved("Journal")).text)).events.toJSONL()).toBe(events.toJSONL());
    expect((await saved("Timeline")).text).toContain("call.not_answered");
    expect((await saved("Sequence diagram")).text).toMatch(/^---[\s\S]*sequenceDiagram|^sequenceDiagram/);
    const svg = (await saved("Ladder (SVG)")).text;
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<\/svg>\n$/s);
    expect(svg).toContain("call.not_answered missed (503)");
  });

  test("is a page that opens by itself and shows the run", async () => {
    await window.share(html, async () => {});
    await window.show((await saved("Page (HTML)")).text);
    expect(await title()).toContain("A caller leaves");
    expect(await page.locator(".problem").count()).toBe(2);
  });
});

describe("the playground", () => {
  const text = lessonText("01");
  const html = playgroundHtml(text);

  /** Begins with lesson 01 in the editor, in a page that tests share. */
  function begin(): Promise<void> {
    return window.share(html, async () => {
      await retype(page, text);
      await page.getByText("No problems").waitFor();
    });
  }

  test("underlines every problem and keeps the last valid run", async () => {
    await begin();
    await retype(page, text.replaceAll("by: ", "buy: "));
    await page.waitForSelector(".cm-problem");
    expect(await page.locator(".cm-problem").count()).toBeGreaterThan(1);
    expect(await page.locator(".notice").first().innerText()).toContain("This is the last run that worked");
    expect(await page.locator(".step").count()).toBeGreaterThan(3);
    // all of them in a list too, which leads to each
    const listed = page.getByRole("list", { name: "Problems" }).getByRole("button");
    expect(await listed.count()).toBe(await page.locator(".cm-problem-mark:visible").count());
    expect(await listed.first().innerText()).toContain("steps[1].answer.buy: unknown key");
    await listed.first().click();
    expect(await page.locator(".cm-activeLine").innerText()).toContain("buy: ");
  });

  test("explains problems and keys under the pointer", async () => {
    await begin();
    await page.locator(".cm-line", { hasText: "organisation" }).getByText("organisation").hover();
    await page.locator(".cm-tooltip-hover", { hasText: "organisation" }).waitFor();
    await retype(page, text.replace("seed:", "sed:"));
    await page.locator(".cm-problem").first().hover();
    await page.locator(".cm-tooltip-hover", { hasText: 'did you mean "seed"?' }).waitFor();
  });

  test("completes the keys of a step inside braces, with descriptions", async () => {
    await begin();
    await retype(page, "scenario: x\nsteps:\n  - { at: PT0S, inb");
    await page.keyboard.press("Control+Space");
    await page.waitForSelector(".cm-tooltip-autocomplete");
    expect(await page.locator(".cm-tooltip-autocomplete").innerText()).toContain("inbound");
    await page.waitForSelector(".cm-completionInfo");
    expect(await page.locator(".cm-completionInfo").innerText()).toContain("Someone outside dials");
    await page.locator(".cm-tooltip-autocomplete li", { hasText: "inbound" }).click();
    await page.locator(".cm-line", { hasText: "inbound: " }).waitFor();
  });

  test("opens with a lesson, and lists all lessons with their points to notice", async () => {
    await window.show(playgroundHtml(lessonText("65")));
    const lesson = page.locator(".lesson-name");
    expect(await lesson.innerText()).toContain("65 · A caller leaves");
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

  test("asks a question first, and reveals the answer with one key", async () => {
    await window.show(playgroundHtml(lessonText("65")));
    await page.getByRole("button", { name: "Teach", exact: true }).click();
    expect(await page.locator(".question h2").innerText()).toMatch(/Which event says so|Who rings first/);
    expect(await page.locator(".editor .cm-content").count()).toBe(0);
    // questions that are still to come are named by their words, not by numbers
    expect(await page.locator(".teach-panel li").allInnerTexts()).toContainEqual(
      expect.stringMatching(/^Who rings first\?/),
    );
    const before = await page.locator(".step").count();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".choice.right");
    expect(await page.locator(".step").count()).toBe(before + 1);
    // the page does not say how much is still to come
    expect(await page.locator(".heads-left").innerText()).toMatch(/^Up to 0:00/);
    expect(await page.locator(".chip.retry").count()).toBe(0);
    // a question that nobody answered does not count as right
    expect(await page.locator(".teach-panel li").first().innerText()).toMatch(/revealed$/);
    // it also hides whose turn it is until somebody answers "Who rings first?"
    await page.keyboard.press("Enter");
    await page.getByText("Who rings first?").first().waitFor();
    expect(await page.locator(".bracket.holds").count()).toBe(0);
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".choice.right");
    expect(await page.locator(".bracket.holds").innerText()).toBe("Sales");
  });
});
