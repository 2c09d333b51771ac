import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseScenario } from "../../src/index.ts";
import { inspectHtml } from "../../src/inspector/index.ts";
import { useWindow } from "./window.ts";

/** What people ask of a run, each answered in at most two steps: a click, or an instant that is typed. */

const window = useWindow();

const pageOf = (name: string) => {
  const text = readFileSync(new URL(`runs/${name}.yaml`, import.meta.url), "utf8");
  return inspectHtml(parseScenario(text), { scenario: text });
};

/** Takes the steps one after the other. */
async function take(...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  expect(steps.length).toBeLessThanOrEqual(2);
  for (const step of steps) await step();
}

describe("a morning of four calls", () => {
  const html = pageOf("complex");
  const begin = async () => {
    await window.page.setViewportSize({ width: 1280, height: 800 });
    await window.show(html);
    await window.page.waitForSelector(".ask .link");
  };
  const ask = (text: string) => () => window.page.locator(".ask").getByText(text).click();

  test("says why Bob's phone stopped", async () => {
    await begin();
    await take(ask("Why did Bob Tane's phone stop ringing?"));
    const causes = window.page.locator(".causes");
    await causes.getByText("until somebody else answered").waitFor();
  });

  test("says why an event was sent more than once", async () => {
    await begin();
    await take(ask("Why was user.availability.updated sent twice to crm.acme.test?"));
    const detail = window.page.locator("aside[aria-label=Detail]");
    await detail.getByText("Attempt 2").waitFor();
    expect(await detail.innerText()).toContain("503");
  });

  test("says who was free at 10:03", async () => {
    await begin();
    const at = window.page.getByLabel("Who was free at");
    await take(
      () => at.fill("10:03"),
      () => at.press("Enter"),
    );
    // 10:03 as people say it: the run begins at 22:00 in Auckland
    await expect.poll(() => window.page.locator(".transport .clock").innerText()).toContain("22:03:00");
    await expect.poll(() => window.page.locator(".who-is-free b").innerText()).toBe("Alice Ng, Lobby");
  });

  test("plays what would have been if Carol had answered", async () => {
    await begin();
    await take(ask("What if Carol Diaz had answered call D?"));
    const compare = window.page.locator(".compare");
    await compare.getByText("Carol Diaz answers").first().waitFor();
    await compare.getByText("call.answered").first().waitFor();
  });
});

describe("three hundred calls with an outage", () => {
  const html = pageOf("busy");

  test("says at once what the outage did, and in a step what the run is without it", async () => {
    await window.share(html, async () => {}, "tr.call");
    expect(await window.page.locator(".headline").innerText()).toBe(
      "crm answered 503 from 22:40:05 to 22:50:00, so 160 events of 30 calls came late.",
    );
    expect(await window.page.locator(".facts").innerText()).toContain("12 calls ended before they began");
    // the bands end with the last thing that happens, below full minutes
    const times = await window.page.locator(".band.times small").allInnerTexts();
    expect(times).toEqual(["22:00", "22:20", "22:40", "23:00", "23:20", "23:40", "00:00"]);
    await take(() => window.page.getByRole("button", { name: "What if crm had been up?" }).click());
    await window.page
      .getByText("no call ends before it began, where 12 did. The calls are the same.")
      .waitFor();
  });

  test("says why an event was sent three times", async () => {
    await window.share(html, async () => {}, "tr.call");
    await take(() => window.page.getByRole("button", { name: "call 103", exact: true }).click());
    const lines = window.page.locator(".in .way .line");
    const said = await lines.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
    // three requests: 503 twice, then taken
    expect(said).toContain("503, 503 after 2 min 49 s, 200 after 8 min 27 s");
  });
});
