import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createSimulator, type EventType, type Simulator } from "../../src/index.ts";
import { matchers } from "../../src/testing/jest/index.ts";
import { violations } from "./axe.ts";
import { textsInSystemFonts } from "./fonts.ts";
import { selected } from "./pages.ts";
import { useWindow } from "./window.ts";

/** The pages of failed tests, as files beside each other. */

const window = useWindow();
const folder = mkdtempSync(join(tmpdir(), "ringback-failures-"));
beforeAll(() => vi.stubEnv("RINGBACK_RESULTS", folder));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function refusedCall(): Simulator {
  const sim = createSimulator();
  sim.network.route("https://crm.test/", () => 422);
  sim.webhooks.create({ url: "https://crm.test/hooks", events: ["call.started"] });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.runUntilIdle();
  return sim;
}

function failAs(currentTestName: string, type: EventType): void {
  const test = { currentTestName, testPath: "/app/webhook.test.ts" };
  const { pass, message } = matchers.toHaveDelivered.call(
    test,
    refusedCall(),
    "https://crm.test/hooks",
    type,
  );
  expect(pass).toBe(false);
  message();
}

/** The page of the test with a title. */
function urlOf(title: string): string {
  // a checksum follows where words cannot tell two tests apart
  const page = readdirSync(folder).find((file) => new RegExp(`-${title}(-\\w{5,8})?\\.html$`).test(file));
  return pathToFileURL(join(folder, page ?? `no page of ${title}`)).href;
}

describe("The page of a failed test", () => {
  test("opens at the event that failed, with its changes and the message open", async () => {
    failAs("takes calls", "call.started");
    await window.page.goto(urlOf("takes-calls"));
    await window.page.waitForSelector(".tree");
    expect(await selected(window.page)).toContain("call.started");
    const banner = await window.page.locator(".failure").innerText();
    expect(banner).toContain("expected call.started to have been delivered to https://crm.test/hooks");
    expect(banner).toContain("answered 422");
    expect(banner).toContain("npx ringback run");
    // the bar above does not repeat it
    expect(banner).toContain("takes calls");
    expect((await window.page.locator("h1").boundingBox())?.width).toBeLessThan(2);
    expect(await textsInSystemFonts(window.page)).toEqual([]);
  });

  test("keeps the columns of two streams in line on a phone, where they scroll, and wraps prose", async () => {
    const names = { currentTestName: "compares streams", testPath: "/app/webhook.test.ts" };
    const expected = ["PT0S call.started", "PT20S call.not_answered"] as const;
    matchers.toHaveEmittedStream.call(names, refusedCall(), expected).message();
    failAs("sends calls", "call.ended");
    const { page } = window;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(urlOf("compares-streams"));
    const table = page.locator(".failure pre").first();
    const lines = (await table.innerText()).trimEnd().split("\n").length;
    expect(await table.evaluate((each) => each.clientHeight)).toBe(lines * 18 + 16);
    expect(await table.evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(true);
    await page.getByRole("link", { name: "All failures" }).click();
    const prose = page.locator("li", { hasText: "sends calls" }).locator("pre");
    expect(await prose.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await violations(page)).toEqual([]);
  });

  test("shares its viewer with the others, and leads to the list of all", async () => {
    for (let number = 1; number <= 10; number++) failAs(`fails ${number}`, "call.started");
    failAs("expected call", "call.started");
    const sizes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(2_500_000);
    await window.page.goto(urlOf("fails-1"));
    await window.page.getByRole("link", { name: "All failures" }).click();
    await window.page.waitForSelector(".failure-list");
    expect(await window.page.locator(".failure-list a").allInnerTexts()).toContain("fails 7");
    // a title that the problem begins with is left out, unless it ends inside a word
    const item = window.page.locator("li", { has: window.page.getByRole("link", { name: "expected call" }) });
    expect(await item.first().locator("pre").innerText()).toMatch(/^expected call\.started/);
    expect(await textsInSystemFonts(window.page)).toEqual([]);
    expect(await violations(window.page)).toEqual([]);
    await window.page.setViewportSize({ width: 360, height: 740 });
    expect((await window.page.locator("h1").boundingBox())?.height).toBeGreaterThan(20);
    await window.page.setViewportSize({ width: 1440, height: 900 });
    await window.page.getByRole("link", { name: "fails 7" }).click();
    await window.page.waitForSelector(".failure");
    expect(await violations(window.page)).toEqual([]);
  });
});
