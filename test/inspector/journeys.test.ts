import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { inspectHtml } from "../../src/inspector/index.ts";
import { violations } from "./axe.ts";
import { useWindow } from "./window.ts";

/** The calls of one journey are chosen together. */

const window = useWindow();
let page: Page;
beforeAll(() => {
  page = window.page;
});

/** A redirected call that returns and is taken back (A, C), and somebody else's (B), which nobody answers. */
function redirected(): string {
  const sim = createSimulator();
  sim.command("takeBack", { id: "FW1", redirect: { extension: "102" } });
  const returning = { timeout: 10, returnTo: "flow", returnToId: "FW1" };
  sim.command("redirect", { from: "+6421555001", to: "+6495559999", extension: "101", ...returning });
  sim.calls.inbound({ from: "+6421555002", to: "+6495550103" });
  sim.runUntilIdle();
  return inspectHtml(sim);
}

const record = (label: string) => page.locator(".record", { has: page.locator(".tag", { hasText: label }) });
const dimmed = () => page.locator(".step.dim").count();
const steps = () => page.locator(".step").count();

describe("choosing a call", () => {
  const html = redirected();

  test("chooses its journey too, and `G` leaves it alone", async () => {
    await window.show(html);
    expect(await page.locator(".section-head", { hasText: "Calls and conversations" }).innerText()).toContain(
      "oldest first",
    );
    await page.keyboard.press("Home");
    await record("A").click();
    expect(await page.locator(".heads-left").innerText()).toMatch(/^Calls A, C: /);
    expect(await page.locator(".record.of-journey .tag").innerText()).toBe("C");
    expect(await page.locator(".journey").innerText()).toContain("One journey: 2 calls, A, C");
    const whole = await dimmed();
    await page.keyboard.press("g");
    await page.locator(".record.of-journey").waitFor({ state: "detached" });
    expect(await page.locator(".heads-left").innerText()).toMatch(/^Call A: /);
    expect(await dimmed()).toBeGreaterThan(whole);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("g");
    // the steps of the same call are those of its journey
    await page.keyboard.press("End");
    await page.keyboard.press("[");
    expect(await steps()).toBeGreaterThan(3);
    await record("B").click();
    expect(await page.locator(".journey").count()).toBe(0);
  });

  test("makes *Why not?* ask about it first", async () => {
    await window.show(html);
    await page.keyboard.press("Home");
    await record("B").click();
    await page.keyboard.press("w");
    const question = page.getByLabel("Why did this not happen?");
    expect(await question.locator("optgroup").first().getAttribute("label")).toBe("Of call B");
    expect(await question.locator("option:checked").innerText()).toBe("call.answered, for call B");
  });
});
