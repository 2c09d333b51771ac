import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { parseScenario, replay, runScenario } from "../../src/index.ts";
import { playgroundHtml } from "../../src/inspector/index.ts";
import { violations } from "./axe.ts";
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
    await page.locator(".editor-foot", { hasText: "seed 77" }).waitFor();
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

describe("the stories of a scenario", () => {
  test("are a tree of what people can do, each end a click from its run", async () => {
    await window.show(playgroundHtml(lessonText("01")));
    await page.getByRole("button", { name: "Stories" }).click();
    const tree = page.getByRole("region", { name: "What else can become of it" });
    await tree.getByRole("button", { name: /Alice Ng declines.*Missed: declined · 4 events/ }).click();
    await page.locator("h1", { hasText: "Alice Ng declines" }).waitFor();
    await page.locator(".step", { hasText: "call.not_answered" }).waitFor();
    expect(await violations(page)).toEqual([]);
    // the scenario itself comes back whole, with its questions and what it expects
    await tree.getByRole("button", { name: /As the scenario says/ }).click();
    await page.getByRole("button", { name: "Stories" }).click();
    await page.locator(".cm-content").filter({ hasText: "description" }).waitFor();
    await page.getByRole("button", { name: "Stories" }).click();
    await tree.getByRole("button", { name: /Alice Ng declines.*Missed: declined · 4 events/ }).click();
    await page.locator("h1", { hasText: "Alice Ng declines" }).waitFor();
    // a run of the tree has stories of its own
    await tree.getByRole("button", { name: "Go on from this run" }).click();
    await tree
      .getByRole("button", { name: /has a message of 10s/ })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Stories" }).click();
    await page.locator(".cm-content, textarea").filter({ hasText: "decline" }).waitFor();
  });

  test("are not told of a text that cannot be read", async () => {
    await window.show(playgroundHtml(lessonText("01")));
    await retype(page, "scenario: Nothing\nsteps: 4\n");
    await page.getByRole("button", { name: "Stories" }).click();
    await page.getByText("The text cannot be read: mend it first.").waitFor();
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
      await page.locator(".verdict.expected").waitFor();
    });
  }

  const verdict = () => page.locator(".verdict").innerText();
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

  test("explains every problem below its line, and says how old the run is", async () => {
    await begin();
    expect(await verdict()).toMatch(/^As expected\. 7 events in 1 min 6 s of platform time\./);
    await retype(page, text.replaceAll("by: ", "buy: "));
    await page.locator(".verdict.unreadable").waitFor();
    expect(await verdict()).toMatch(/Not run: 2 mistakes, the first in line 12\./);
    expect(await page.locator(".cm-problem").count()).toBe(2);
    expect(await page.locator(".cm-message").first().innerText()).toContain('did you mean "by"?');
    // below its line: the next line comes after it
    const [message, line] = await Promise.all([
      page.locator(".cm-message").first().boundingBox(),
      page.locator(".cm-line", { hasText: "buy: " }).first().boundingBox(),
    ]);
    expect(message?.y).toBeGreaterThanOrEqual((line?.y ?? 0) + (line?.height ?? 0) - 1);
    expect(await page.locator("main.old .notice").innerText()).toMatch(
      /The last run that worked, \d+ edits? ago/,
    );
    expect(await page.locator(".step").count()).toBeGreaterThan(3);
    await press("Go to line 12");
    await page.locator(".cm-activeLine", { hasText: "buy: " }).waitFor();
    await press("Undo to the last run");
    await page.locator(".verdict.expected").waitFor();
    expect(await page.locator("main.old").count()).toBe(0);
  });

  test("corrects a word that was probably meant with one click", async () => {
    await begin();
    await retype(page, text.replace("seed:", "sed:"));
    await press("Write seed");
    await page.locator(".verdict.expected").waitFor();
  });

  test("explains keys under the pointer", async () => {
    await begin();
    await page.locator(".cm-line", { hasText: "organisation" }).getByText("organisation").hover();
    await page.locator(".cm-tooltip-hover", { hasText: "organisation" }).waitFor();
  });

  const late = `scenario: mine
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
expect:
  - PT0S call.started
  - PT20S call.not_answered
`;

  test("says at which line the stream differs, asks why, and takes what happened as expected", async () => {
    await begin();
    await retype(page, late);
    await page.locator(".verdict.differs").waitFor();
    expect(await verdict()).toContain(
      "Event 2 differs. Line 6 expects call.not_answered at 0:20, and it came at 0:30, 10 s late.",
    );
    expect(await page.locator(".cm-message").innerText()).toBe("expected 0:20, came at 0:30");
    await press("Why not at 0:20?");
    const detail = page.locator("aside[aria-label=Detail]");
    await detail.getByText("It came at 0:30").waitFor();
    await page.keyboard.press("Escape");
    await press("Expect what happened");
    await page.locator(".verdict.expected").waitFor();
    expect(await page.locator(".cm-content").innerText()).toContain("- PT30S call.not_answered");
  });

  test("shows in the ladder where the expected event would be, and which row came instead", async () => {
    await begin();
    await retype(page, late);
    const place = page.locator(".place");
    await place.waitFor();
    expect(await place.innerText()).toBe("0:20 expected call.not_answered here");
    const came = page.locator(".step.differs");
    expect(await came.locator(".text").innerText()).toBe(
      "call.not_answered 10 s later than expected; missed, timeout, 30s",
    );
    const tops = [
      ".step >> text=Carol Diaz rings",
      ".place",
      ".step >> text=answered in time",
      ".step.differs",
    ];
    const ys = await Promise.all(tops.map(async (each) => (await page.locator(each).boundingBox())?.y));
    expect(ys).toEqual([...ys].sort((a = 0, b = 0) => a - b));
    // one that never came has a place, and no row
    await retype(page, late.replace("PT20S call.not_answered", "PT40S call.hungup"));
    await page.locator(".place", { hasText: "0:40 expected call.hungup here" }).waitFor();
    expect(await came.innerText()).toContain("expected call.hungup");
    await retype(page, `${late.replace("PT20S", "PT30S")}  - PT30S call.hungup\n`);
    await page.locator(".place", { hasText: "0:30 expected call.hungup here" }).waitFor();
    expect(await came.count()).toBe(0);
    // while the text is newer than the run, the run is not judged
    await retype(page, late.replace("steps:", "stops:"));
    await page.locator("main.old").waitFor();
    expect(await page.locator(".place, .step.differs").count()).toBe(0);
  });

  test("moves a step to the steps that was appended behind the expected events", async () => {
    await begin();
    await retype(page, `${late}  - { at: PT5S, answer: { call: c1, by: carol } }\n`);
    await page.locator(".cm-message", { hasText: "this is a step: it belongs to `steps`" }).waitFor();
    await press("Move it to steps");
    await page.locator(".verdict.differs").waitFor();
    expect(await page.locator(".cm-content").innerText()).toMatch(/by: carol[\s\S]*expect:/);
  });

  test("shows the notes of a lesson only with that lesson's text, and leads back to it", async () => {
    await begin();
    expect(await page.locator(".note").count()).toBe(1);
    await retype(page, late);
    expect(await page.locator(".note").count()).toBe(0);
    expect(await page.locator(".lesson-name").innerText()).toMatch(/Lessons\. Now:\s*mine$/);
    await press("Back to lesson 1");
    await page.locator(".note").waitFor();
    expect(await page.locator(".lesson-name").innerText()).toContain("01 · Alice has a mobile");
  });

  test("invites to begin if nothing is written", async () => {
    await begin();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.getByText("Write what happens, and see what the platform does.").waitFor();
    expect(await page.locator(".verdict").count()).toBe(0);
    // the run before has nothing to do with it
    expect(await title()).toBe("A scenario of your own");
    expect(await page.locator(".about, footer[aria-label=Time]").count()).toBe(0);
    await press("Begin with a call");
    await page.locator(".verdict", { hasText: "Nothing is expected yet." }).waitFor();
  });

  test("closes two runs side by side once the text is edited", async () => {
    await window.show(playgroundHtml(lessonText("02")));
    await press("Try it");
    await page.getByRole("region", { name: "Two runs, side by side" }).waitFor();
    await retype(page, late);
    await page.locator(".verdict.differs").waitFor();
    expect(await page.getByRole("region", { name: "Two runs, side by side" }).count()).toBe(0);
  });

  test("says that there is no lesson of a number, and opens the first", async () => {
    await window.show(playgroundHtml(), "#lesson=99");
    expect(await page.getByRole("alert").innerText()).toMatch(/There is no lesson 99: they are 1 to \d+\./);
    expect(await title()).toContain("first endpoint");
    await window.show(playgroundHtml(), "#lesson=6");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("sets no style that its own policy refuses while somebody types over all of the text", async () => {
    await begin();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    // the window collects errors of the console
    await page.keyboard.insertText(late);
    await page.locator(".verdict.differs").waitFor();
  });

  test("completes first what a step needs, then the commands that lessons use most, and names of the text", async () => {
    await begin();
    const offered = async (typed: string) => {
      await retype(page, typed);
      await page.keyboard.press("Control+Space");
      await page.waitForSelector(".cm-tooltip-autocomplete li");
      const labels = await page.locator(".cm-tooltip-autocomplete .cm-completionLabel").allInnerTexts();
      await page.keyboard.press("Escape");
      return labels;
    };
    const call = '  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }\n';
    expect((await offered("scenario: x\nsteps:\n  - { "))[0]).toBe("at");
    expect((await offered("scenario: x\nsteps:\n  - { at: PT0S, "))[0]).toBe("inbound");
    // a step has one command, and a key stands once
    expect(await offered(`scenario: x\nsteps:\n${call}  - { at: PT1S, answer: { call: c1, `)).not.toContain(
      "call",
    );
    expect(await offered(`scenario: x\nsteps:\n${call}  - { at: PT1S, answer: { call: `)).toContain("c1");
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

  test("opens with a lesson, and lists all lessons by their questions", async () => {
    await window.show(playgroundHtml(lessonText("65")));
    const lesson = page.locator(".lesson-name");
    expect(await lesson.innerText()).toMatch(/65 · .*\?/);
    expect(await page.locator(".note").innerText()).toContain("What to notice.");
    await lesson.click();
    await page.keyboard.type("declin mobile");
    const found = page.getByRole("list", { name: "Lessons" }).getByRole("button");
    await page.waitForFunction(() => document.querySelectorAll(".lessons li").length < 10);
    await found.first().click();
    await page.locator(".code").waitFor();
    expect(await lesson.innerText()).toMatch(/\d\d · .*\?/);
    await page.waitForFunction(() => location.hash.includes("lesson="));
  });

  test("asks a question first, and reveals the answer with one key", async () => {
    await window.show(playgroundHtml(withoutQuestions(lessonText("65"))));
    await page.getByRole("button", { name: "Teach", exact: true }).click();
    const asked = page.locator(".question h2");
    // it stands alone: who does what, and what is asked
    expect(await asked.innerText()).toBe("Jane Smith calls Sales. Which event is sent first?");
    expect(await page.locator(".editor").count()).toBe(0);
    expect(await page.locator(".page").innerText()).not.toContain("A caller leaves");
    // two lines have room for it: the name of an app stands for its address
    expect((await page.locator(".step .text").allInnerTexts())[0]).toBe(
      "crm.acme.test asks for call.started, call.not_answered, call.ended",
    );
    const before = await page.locator(".step").count();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".choice.right");
    expect(await page.locator(".step").count()).toBe(before + 1);
    // the page does not say how much is still to come
    expect(await page.locator(".heads-left").innerText()).toMatch(/^Up to 0:00/);
    expect(await page.locator(".chip.retry").count()).toBe(0);
    // a question that nobody answered does not count as right
    expect(await page.locator(".teach-numbers li").first().innerText()).toMatch(/revealed$/);
    expect(await page.locator(".because").innerText()).toContain("A call has begun.");
    // the row that answers tells whose turn it is, so it is covered until then
    await page.keyboard.press("Enter");
    await page.waitForFunction(() =>
      document.querySelector("#question")?.textContent?.endsWith("Who rings next?"),
    );
    expect(await page.locator(".step", { hasText: "The next tier" }).count()).toBe(0);
    // people who do not ring are in the lanes too
    expect(await page.locator(".lane-head").allInnerTexts()).toContainEqual(expect.stringContaining("Dave"));
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".choice.right");
    expect(await page.locator(".bracket.holds").innerText()).toBe("Sales");
    await page.keyboard.press("ArrowLeft");
    expect(await asked.innerText()).toBe("Jane Smith calls Sales. Which event is sent first?");
    await page.keyboard.press("Escape");
    await page.locator(".editor .cm-content").waitFor();
  });

  test("asks the questions of the file, and says when a wrong choice would be right", async () => {
    const guide = readFileSync(new URL("../../docs/questions.md", import.meta.url), "utf8");
    await window.show(playgroundHtml(/```yaml\n(scenario:[\s\S]*?)```/.exec(guide)?.[1] ?? ""));
    await page.getByRole("button", { name: "Teach", exact: true }).click();
    expect(await page.locator(".question h2").innerText()).toBe("What happens to the second caller?");
    expect(await page.locator(".question-number").innerText()).toBe("Question 1 of 1, at 0:20");
    expect(await page.locator(".step").last().innerText()).toContain("calls");
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    expect(await page.locator(".because").innerText()).toBe(
      "Voicemail answers at once. Alice talks, so no phone of hers rings, and nobody waits for one. “Alice's phone rings.” would be right if Alice hangs up at 0:19.",
    );
    await page.keyboard.press("Escape");
  });

  test("counts the hands of a class for each choice, until the next question", async () => {
    await window.show(playgroundHtml(withoutQuestions(lessonText("65"))));
    await page.getByRole("button", { name: "Teach", exact: true }).click();
    await page.waitForSelector(".question");
    expect(await page.locator(".hands").count()).toBe(0);
    await page.getByRole("button", { name: "Count hands" }).click();
    const counts = () => page.locator(".choice .hands").allInnerTexts();
    await expect.poll(counts).toEqual(Array(4).fill(expect.stringMatching(/^0\s+hands$/)));
    for (const key of ["2", "2", "4", "2", "Backspace"]) await page.keyboard.press(key);
    await page.locator(".choice").first().click();
    const first = [/^1\s+hand$/, /^2\s+hands$/, /^0\s+hands$/, /^1\s+hand$/].map((each) =>
      expect.stringMatching(each),
    );
    await expect.poll(counts).toEqual(first);
    await page.getByRole("button", { name: "Reveal" }).click();
    await page.waitForSelector(".choice.right");
    expect(await counts()).toEqual(first);
    // nobody chose, so the answer is neither right nor wrong
    expect(await page.locator(".teach-numbers li").first().innerText()).toMatch(/revealed$/);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Next question" }).click();
    await expect.poll(counts).toEqual(Array(4).fill(expect.stringMatching(/^0\s+hands$/)));
    // without counting, a key chooses again
    await page.keyboard.press("h");
    await page.keyboard.press("2");
    await page.locator(".choice[aria-pressed=true]").waitFor();
    expect(await page.locator(".hands").count()).toBe(0);
    await page.keyboard.press("Escape");
  });

  test("asks in a size that a class can read from afar, and cuts no text", async () => {
    await window.show(playgroundHtml(withoutQuestions(lessonText("16"))));
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.getByRole("button", { name: "Teach", exact: true }).click();
    await page.waitForSelector(".question");
    for (let press = 0; press < 5; press++) await page.keyboard.press("Enter");
    await page.waitForSelector(".choice.right");
    const sizes = await page.evaluate(sizesOfText);
    const cut = await page
      .locator(".step .text, .question :not(.sr)")
      .evaluateAll((all) =>
        all
          .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
          .map((each) => each.textContent),
      );
    expect(cut).toEqual([]);
    expect(Math.min(...sizes.map(({ px }) => px))).toBeGreaterThanOrEqual(18);
    const sizeOf = (text: string) => sizes.find((each) => each.text.startsWith(text))?.px;
    expect([sizeOf("Bob and Carol have rung for 20"), sizeOf("Nobody: voicemail")]).toEqual([44, 30]);
    expect(sizeOf("Lobby rings")).toBeUndefined();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

/** A lesson's text without its own questions: then *Teach* makes some of the run. */
const withoutQuestions = (text: string) => text.replace(/^questions:[\s\S]*/m, "");

/** The sizes of all visible texts, px. */
function sizesOfText(): { text: string; px: number }[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const sizes: { text: string; px: number }[] = [];
  while (walker.nextNode()) {
    const { parentElement: element, textContent } = walker.currentNode;
    const text = textContent?.trim() ?? "";
    if (element === null || text === "" || element.closest(".sr, script, style, noscript") !== null) continue;
    if (element.getClientRects().length === 0) continue;
    let zoom = 1;
    for (let each: Element | null = element; each !== null; each = each.parentElement)
      zoom *= Number(getComputedStyle(each).zoom) || 1;
    sizes.push({ text, px: Number.parseFloat(getComputedStyle(element).fontSize) * zoom });
  }
  return sizes;
}
