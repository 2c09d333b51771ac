import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { inspectHtml } from "../../src/inspector/index.ts";
import { selected } from "./pages.ts";
import { busyRun } from "./views.ts";
import { useWindow } from "./window.ts";

/** The overview of a run with many calls, in a real Chromium. */

const window = useWindow();
let page: Page;
beforeAll(() => {
  page = window.page;
});

const busy = inspectHtml(busyRun());

/** Begins with all calls of the busy run, in a page that tests share. */
async function begin(): Promise<void> {
  await window.share(busy, () => page.fill("#filter", ""), "tr.call");
  // keys are the page's again
  await page.locator("#filter").blur();
}
const numbers = () => page.locator("tr.call .link").allInnerTexts();
const group = (name: string) =>
  page.getByRole("group", { name: "Which calls" }).getByRole("button", { name, exact: false }).click();

describe("the page of a run with more than 30 calls", () => {
  test("begins with the cause, in one sentence, and what came of it", async () => {
    await begin();
    const { startTimestamp } = busyRun();
    const at = (ms: number) =>
      new Date(startTimestamp + ms).toLocaleTimeString("en-GB", { timeZone: "Pacific/Auckland" });
    expect(await page.locator(".headline").innerText()).toBe(
      `crm answered 503 from ${at(500_000)} to ${at(550_000)}, so 3 events of 3 calls came late.`,
    );
    expect(await page.locator(".facts > *").allInnerTexts()).toEqual([
      "2 lost",
      "latest by 2 min 49 s",
      `last late one at ${at(550_000 + 169_080)}`,
      "1 came twice",
      expect.stringMatching(/^40 calls, \d+ events in /),
      "What if crm had been up?",
    ]);
    const names = await page.locator(".groups .pill").allInnerTexts();
    expect(names).toEqual(["came late 3", "lost an event 2", "came twice 1", "all 40"]);
    expect(await numbers()).toEqual(["21", "22", "23"]);
    await group("lost an event");
    expect(await numbers()).toEqual(["13", "33"]);
    const bands = await page.locator(".band svg").evaluateAll((all) => all.map((each) => each.clientWidth));
    expect(bands.length).toBeGreaterThan(3);
    expect(new Set(bands).size).toBe(1);
  });

  test("has rows of one height, and the requests of a call in a strip below its row", async () => {
    await begin();
    await group("all");
    const heights = await page.locator("tr.call").evaluateAll((all) => all.map((each) => each.clientHeight));
    expect(new Set(heights)).toEqual(new Set([38]));
    await group("came late");
    await page.getByRole("button", { name: "call 21", exact: true }).click();
    const way = page.locator(".in .way");
    expect(await way.locator(".line").getAttribute("aria-label")).toBe("503, 204 after 2 min 49 s");
    expect((await way.innerText()).replaceAll(/\s+/g, " ")).toBe("call.started 2 min 49 s");
    await page.getByRole("button", { name: "call 21", exact: true }).click();
  });

  test("plays the run again with the host up, says what changes, and shows that run", async () => {
    await begin();
    await page.getByRole("button", { name: "What if crm had been up?" }).click();
    await page
      .getByText("Played again with crm up: all 3 events arrive at once. The calls are the same.")
      .waitFor();
    await page.getByRole("button", { name: "Show that run" }).click();
    await page.getByText("A fork: crm is up").waitFor();
    await expect
      .poll(() => page.locator(".headline").innerText())
      .toBe("2 deliveries were given up, 1 came twice.");
    await page.getByRole("button", { name: "Back to the run" }).click();
    await expect.poll(numbers).toEqual(["21", "22", "23"]);
  });

  test("filters by a suggestion that is chosen, and not by what is typed", async () => {
    await begin();
    await group("all");
    await page.keyboard.press("/");
    await page.keyboard.type("503");
    const first = page.locator(".suggestions [role=option]").first();
    expect(await first.innerText()).toMatch(/^status 503\s+3$/);
    expect(await numbers()).toHaveLength(25);
    await page.keyboard.press("Enter");
    expect(await numbers()).toEqual(["21", "22", "23"]);
    await page.getByRole("button", { name: "Remove the filter status 503" }).click();
    expect(await numbers()).toHaveLength(25);
    await page.fill("#filter", "no such thing");
    await page.getByText("Nothing in this run matches.").waitFor();
  });

  test("filters by a time range that is dragged over the bands", async () => {
    await begin();
    await group("all");
    const box = await page.locator(".drag").boundingBox();
    if (box === null) throw new Error("the bands are not shown");
    await page.mouse.move(box.x + box.width * 0.5, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 10);
    await page.mouse.up();
    const count = (await numbers()).length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(25);
    await page.getByRole("button", { name: "Remove the filter by time" }).click();
    expect(await numbers()).toHaveLength(25);
  });

  test("shows the steps of a call alone, and returns to all calls", async () => {
    await begin();
    await group("came late");
    await page.getByRole("button", { name: "call 21", exact: true }).click();
    await page.getByRole("button", { name: "Show the steps of this call" }).click();
    await page.waitForSelector(".step");
    expect(await selected(page)).toContain("call.started");
    const labels = await page.locator(".step .letter").allInnerTexts();
    expect(new Set(labels)).toEqual(new Set(["21"]));
    await page.keyboard.press("Escape");
    await page.waitForSelector(".calls-table");
    // a filter of the steps finds what is folded
    await page.getByRole("button", { name: "Steps", exact: true }).click();
    await page.fill("#filter", "hangs up");
    expect(await page.locator(".step").count()).toBeGreaterThan(5);
    // the last digits of a number, as its lane is called, find the steps of its calls
    await page.fill("#filter", "5033");
    const calls = async () => new Set(await page.locator(".step .letter").allInnerTexts());
    await expect.poll(calls, { timeout: 20_000 }).toEqual(new Set(["13", "33"]));
    // Why not? names the call as the list does, and says what an instant looks like
    await page.locator(".step").first().click();
    await page.keyboard.press("w");
    await page.waitForSelector(".causes li");
    expect(await page.getByLabel("Why did this not happen?").innerText()).toContain("for call 13");
    const at = page.getByLabel("At", { exact: true });
    await at.fill("noon");
    await at.press("Tab");
    const message = () => at.evaluate((field: HTMLInputElement) => field.validationMessage);
    await expect.poll(message).toMatch(/^expected an instant of the run: from \d\d:/);
  });
});

test("A delivery that fails and is given up is one entry, and lane heads show whole names", async () => {
  const sim = createSimulator();
  sim.webhooks.create({ url: "https://crm.test/", events: ["call.started"] });
  sim.network.route("https://crm.test/", () => 422);
  sim.calls.inbound({ from: "+6421555001", to: "+6495550200" });
  sim.runUntilIdle();
  await page.setViewportSize({ width: 1280, height: 800 });
  await window.show(inspectHtml(sim));
  expect(await page.locator(".problem").allInnerTexts()).toEqual([
    expect.stringMatching(/^call.started → crm\s+422\s+at \d\d:00:00; is given up$/),
  ]);
  const cut = page.locator(".lane-head > span:first-child, .bracket > .cut");
  expect(await cut.allInnerTexts()).toContain("Lobby");
  const tooWide = await cut.evaluateAll((all) =>
    all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
  );
  expect(tooWide).toEqual([]);
});

test("A filter for a number finds only the whole number", async () => {
  const sim = createSimulator();
  sim.webhooks.create({ url: "https://crm.test/", events: ["call.started"] });
  sim.network.fault("https://crm.test/", { status: 503, times: 1 });
  sim.calls.inbound({ from: "+6421555033", to: "+6495550103" });
  sim.advance("PT1S");
  await window.show(inspectHtml(sim));
  await page.fill("#filter", "503");
  const steps = () => page.locator(".step .text").allInnerTexts();
  // the fault, and the request that met it
  await expect
    .poll(steps)
    .toEqual([expect.stringMatching(/answers 503/), expect.stringMatching(/^call.started/)]);
  // a phone number is found in both ways of writing it
  for (const typed of ["555033", "+6421555033", "+64 2 155 5033"]) {
    await page.fill("#filter", typed);
    await expect.poll(steps).toContainEqual(expect.stringMatching(/^\+64 2 155 5033 calls/));
    await page.fill("#filter", "503");
    await expect.poll(steps).not.toContainEqual(expect.stringMatching(/^\+64 2 155 5033 calls/));
  }
});

test("Requests that the REST API refuses in the same way are one entry", async () => {
  const sim = createSimulator();
  for (let asked = 0; asked < 3; asked++) {
    await sim.fetch("/users", { headers: { authorization: "Bearer none" } });
    sim.advance("PT1S");
  }
  await window.show(inspectHtml(sim));
  expect(await page.locator(".problem").allInnerTexts()).toEqual([expect.stringMatching(/401 ×3/)]);
  expect(await page.locator("nav h2").allInnerTexts()).toContain("Went wrong");
  // such a request is no step of a scenario
  expect(await page.getByText("As a step of a scenario").count()).toBe(0);
});
