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
  await window.share(busy, () => page.fill("#filter", ""), ".calls-table tbody tr");
  // keys are the page's again
  await page.locator("#filter").blur();
}
const numbers = () => page.locator(".calls-table .link").allInnerTexts();

describe("the page of a run with more than 30 calls", () => {
  test("begins with what went wrong, in one sentence and by kind", async () => {
    await begin();
    expect(await page.locator(".headline").innerText()).toMatch(
      /^40 calls and \d+ events in .*: 2 deliveries were given up, 3 came late, 1 came twice\.$/,
    );
    const kinds = await page.locator(".trouble h3").allInnerTexts();
    expect(kinds).toEqual(["Given up\n2", "Late after an error\n3", "Came twice\n1"]);
    // the refused number, and the outage
    expect(await page.locator(".trouble p").allInnerTexts()).toEqual([
      "all from +64 2 155 5033",
      expect.stringMatching(/^from 8:2\d to 9:\d\d$/),
    ]);
    expect((await numbers()).slice(0, 6)).toEqual(["13", "33", "21", "22", "23", "3"]);
    const bands = await page.locator(".band svg").evaluateAll((all) => all.map((each) => each.clientWidth));
    expect(bands.length).toBeGreaterThan(5);
    expect(new Set(bands).size).toBe(1);
  });

  test("shows a delivery as one entry with its attempts", async () => {
    await begin();
    const ways = await page.locator(".trouble.error .way").first().innerText();
    expect(ways.replaceAll(/\s+/g, " ")).toBe("503 2 min 49 s 204");
  });

  test("filters by a suggestion that is chosen, and not by what is typed", async () => {
    await begin();
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
    await page.getByRole("button", { name: "Steps of call 21" }).click();
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
    expect.stringMatching(/^call.started → crm\s+422\s+at 0:00; is given up$/),
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
  expect(await page.locator("nav h2").first().innerText()).toBe("Went wrong");
  // such a request is no step of a scenario
  expect(await page.getByText("As a step of a scenario").count()).toBe(0);
});
