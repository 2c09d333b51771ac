import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseScenario, runScenario } from "../../src/index.ts";
import { inspectHtml } from "../../src/inspector/index.ts";
import { offeredActsAt } from "../../src/inspector/model/acts.ts";
import { askedQuestions } from "../../src/inspector/model/asked-questions.ts";
import { Recording } from "../../src/inspector/model/recording.ts";
import { whyAnswer } from "../../src/inspector/model/why-not.ts";
import { sixthOf } from "../counts.ts";
import { textsInSystemFonts } from "./fonts.ts";
import { selected } from "./pages.ts";
import { useWindow } from "./window.ts";

const window = useWindow();

/** Four calls in Auckland, where 10:00 UTC is 22:00, and a webhook whose endpoint fails for a while. */
const morning = `scenario: A morning at Acme
start: 2026-07-01T10:00:00Z
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", events: ["*"] } }
  - { at: PT0S, inbound: { as: a, from: "+6421555001", to: "+6495550200" } }
  - { at: PT12S, answer: { call: a, by: carol } }
  - { at: PT30S, inbound: { as: b, from: "+6421555002", to: "+6495550200" } }
  - { at: PT45S, fault: { url: "https://crm.acme.test/", status: 503, times: 4 } }
  - { at: PT60S, transfer: { call: a, target: dave, by: carol, warm: true } }
  - { at: PT66S, answer: { call: a, by: dave } }
  - { at: PT75S, hangup: { call: a, by: carol } }
  - { at: PT100S, inbound: { as: c, from: "+6421555003", to: "+6495550100" } }
  - { at: PT136S, leaveVoicemail: { call: c, duration: PT20S, transcript: "Please ring me." } }
  - { at: PT180S, inbound: { as: d, from: "+6421555001", to: "+6495550200" } }
  - { at: PT200S, hangup: { call: a, by: caller } }
  - { at: PT240S, hangup: { call: d, by: caller } }
`;

describe("the page of a run", () => {
  const html = inspectHtml(parseScenario(morning), { scenario: morning });
  const begin = async () => {
    await window.page.setViewportSize({ width: 1280, height: 800 });
    await window.show(html);
    await window.page.waitForSelector(".ask .link");
  };

  test("opens at the first failure, and says below the lanes what everybody does there", async () => {
    const { page } = window;
    await begin();
    expect(await selected(page)).toContain("user.availability.updated");
    expect(await page.locator(".transport .clock").innerText()).toMatch(
      /^22:01:06\s+1:06 of 4:04 · step 18 of \d+$/,
    );
    // the cause stands above, with the way to the next failure
    const cause = page.locator(".cause");
    expect(await cause.innerText()).toContain(
      "crm answered 503 from 22:01:06 to 22:01:15, so 4 events of 1 call came late.",
    );
    await cause.getByRole("button", { name: "Next" }).click();
    await cause.getByText("2 of 4").waitFor();
    await page.keyboard.press("Shift+F");
    await cause.getByText("1 of 4").waitFor();
    const scale = await page.locator("footer svg text[text-anchor=middle]").allTextContents();
    expect([scale[0], scale.at(-1)]).toEqual(["22:00", "22:04:04"]);
    await page.locator(".does", { hasText: "rings, B" }).waitFor();
    expect(await page.locator(".does").allInnerTexts()).toEqual(["free", "on A", "rings, B", "on A", "free"]);
    await page.keyboard.press("End");
    await expect.poll(() => page.locator(".does").allInnerTexts()).not.toContain("on A");
  });

  test("answers in one step who was free at the instant, or at any other", async () => {
    const { page } = window;
    await begin();
    const answer = page.locator(".who-is-free");
    await answer.getByText("Alice Ng, Bob Tane").waitFor();
    expect(await answer.innerText()).toContain("Lobby: rings, B");
    const at = page.getByLabel("Who was free at");
    await at.fill("10:03");
    await at.press("Enter");
    await expect.poll(() => page.locator(".transport .clock").innerText()).toContain("22:03:00");
    await expect.poll(() => answer.locator("b").innerText()).toBe("Alice Ng, Lobby");
  });

  test("the strip has a line for each of the four calls, and rows say the time of day", async () => {
    const { page } = window;
    await begin();
    const letters = await page.locator(".track text").allTextContents();
    expect(letters).toEqual(expect.arrayContaining(["A", "B", "C", "D"]));
    expect(await page.locator(".step .time").allInnerTexts()).toContain("22:01:06");
    expect(await textsInSystemFonts(page)).toEqual([]);
  });

  test("takes the time of day as it is shown, a time since the start, and says what else is not an instant", async () => {
    const { page } = window;
    await begin();
    await page.keyboard.press("w");
    const at = page.getByLabel("At", { exact: true });
    expect(await at.inputValue()).toBe("22:01:06");
    for (const [typed, shown] of [
      ["22:03", "22:03:00"],
      ["0:12", "22:00:12"],
      ["10:01:15", "22:01:15"],
    ] as const) {
      await at.fill(typed);
      await at.press("Tab");
      await expect.poll(() => at.inputValue()).toBe(shown);
    }
    await at.fill("noon");
    await at.press("Tab");
    const message = () => at.evaluate((field: HTMLInputElement) => field.validationMessage);
    await expect
      .poll(message)
      .toMatch(/^expected an instant of the run: from 22:00:00 to 22:04:04 \(Pacific\/Auckland\)/);
  });

  test("offers questions that what happened suggests, each a click from its answer", async () => {
    const { page } = window;
    await begin();
    const ask = (text: string) => page.locator(".ask").getByText(text).click();
    await ask("Why was user.availability.updated sent twice to crm.acme.test?");
    await page.locator("aside[aria-label=Detail]", { hasText: "Attempt 2" }).waitFor();
    await ask("Why did Bob Tane's phone stop ringing?");
    await page.locator(".causes", { hasText: "Carol Diaz was on call A, which rang nobody then" }).waitFor();
    expect(await page.locator(".causes").innerText()).toContain("until somebody else answered");
    await ask("Why did nobody answer call B?");
    await page.locator(".causes", { hasText: "Nobody answered Lobby's phones" }).waitFor();
    await ask("What if Bob Tane had answered call A?");
    await page.locator(".compare", { hasText: "Bob Tane answers" }).first().waitFor();
  });

  test.each([1280, 1440])("cuts no row and no name at %i px", async (width) => {
    const { page } = window;
    await page.setViewportSize({ width, height: 4_000 });
    await window.show(html);
    await page.waitForSelector(".does");
    const cut = await page
      .locator(".step .text, .lane-head > span:not(.sr), .bracket > span")
      .evaluateAll((all) =>
        all
          .filter(
            (each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2,
          )
          .filter((each) => getComputedStyle(each).display !== "inline")
          .map((each) => each.textContent ?? ""),
      );
    expect(cut).toEqual([]);
  });
});

describe("over the lessons", () => {
  const folder = new URL("../../scenarios/", import.meta.url);
  const organisations = Object.fromEntries(
    readdirSync(new URL("organisations", folder)).map((name) => [
      name.replace(/\.yaml$/, ""),
      readFileSync(new URL(`organisations/${name}`, folder), "utf8"),
    ]),
  );
  const lessons = sixthOf(
    readdirSync(folder).filter((name) => name.endsWith(".yaml")),
    2,
  );
  const recordings = lessons.map((name) => {
    const scenario = parseScenario(readFileSync(new URL(name, folder), "utf8"), { organisations });
    return Recording.from(runScenario(scenario).simulator.journal());
  });

  test("no act at any row has a number that is none", () => {
    for (const recording of recordings) {
      const rows = recording.rows.filter((row, index, all) => row.step !== all[index - 1]?.step);
      for (const { index } of rows)
        for (const { acts } of offeredActsAt(recording, index))
          for (const { label } of acts) expect(label).not.toMatch(/NaN|undefined/);
    }
  });

  test("each question that is offered is about something that happened, and has an answer", () => {
    for (const recording of recordings)
      for (const { text, row, answer } of askedQuestions(recording)) {
        if (!("why" in answer)) continue;
        const { causes } = whyAnswer(recording, row, answer.why);
        expect(causes.length, text).toBeGreaterThan(0);
        expect(causes.map(({ title }) => title).join(), text).not.toMatch(/rang for call \w+, since/);
      }
  });
});
