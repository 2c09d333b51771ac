import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { createSimulator, parseScenario, runScenario } from "../../src/index.ts";
import { inspectHtml, playgroundHtml } from "../../src/inspect/index.ts";
import { connect, offline } from "./browser.ts";
import { fileOf, lessonPage, lessonText, open, selected } from "./pages.ts";

/** The page in a real Chromium: from a file, with the network off. */

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

let browser: Browser;
let context: BrowserContext;
let page: Page;
let wrong: string[] = [];

beforeAll(async () => {
  browser = await connect(inject("browser"));
});
afterAll(() => browser.close());
beforeEach(async () => {
  context = await offline(browser);
  page = await context.newPage();
  wrong = [];
});
afterEach(async () => {
  await context.close();
  expect(wrong).toEqual([]);
});

async function show(html: string, hash = ""): Promise<void> {
  wrong = await open(page, fileOf(html) + hash);
}

describe("the page of a run", () => {
  test("opens from a file without a network, and shows what happened", async () => {
    await show(lessonPage("20"));
    expect(await page.title()).toContain("An unanswered team passes the call on");
    expect(await page.locator("header .about").innerText()).toContain("seed 20, 4 events");
    const call = await page.locator(".step .text", { hasText: "calls" }).innerText();
    expect(call).toBe("Jane Smith calls Sales +6495550200, ext. 200");
    expect(await page.locator(".record").innerText()).toMatch(/Jane Smith → Sales\s+2:03\s+missed, timeout/);
  });

  test("says why a phone stopped ringing, which attempts failed, and when the last one is made", async () => {
    const { simulator } = runScenario(parseScenario(lessonText("20")), { until: "PT2M3S" });
    await show(inspectHtml(simulator));
    const failures = page.locator(".problem");
    expect(await failures.allInnerTexts()).toEqual([
      expect.stringMatching(/^call.started → crm\s+503$/),
      expect.stringMatching(/^call.not_answered → crm\s+503$/),
    ]);
    await failures.first().click();
    await page.click("#tab-delivery");
    await page.waitForSelector(".thread");
    const thread = await page.locator(".thread").innerText();
    expect(thread).toContain("Attempt 1: 503");
    expect(thread).toContain("Attempt 2 is due at 2:49.08");
    const stopped = page.locator(".step", { hasText: "Bob ×3, Carol stop" });
    expect(await stopped.first().innerText()).toContain("Sales next tier's turn");
    // whoever looks for the phone by its name finds the step, and reads there why
    await page.fill("#filter", "bob desktop timeout");
    await page.locator(".step").first().click();
    await page.click("#tab-payload");
    await page.getByText("stops, nobody answered it in time").first().waitFor();
  });

  test("goes by keyboard alone from step to step, to failures, and into each tab", async () => {
    await show(lessonPage("56"));
    await page.keyboard.press("Home");
    expect(await selected(page)).toContain("asks for call.started");
    await page.keyboard.press("ArrowRight");
    expect(await selected(page)).toContain("answers 503, 1 time");
    await page.keyboard.press("f");
    expect(await selected(page)).toContain("call.started");
    await page.keyboard.press("w");
    expect(await page.getAttribute("#tab-why", "aria-selected")).toBe("true");
    await page.focus("#tab-why");
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("tab-fork");
    await page.keyboard.press("?");
    expect(await page.locator("[role=dialog]").innerText()).toContain("Fold pauses");
    await page.keyboard.press("Escape");
    expect(await page.locator("[role=dialog]").count()).toBe(0);
    await page.keyboard.press("/");
    await page.keyboard.type("retry");
    await page.waitForFunction(() => document.querySelectorAll(".step").length === 1);
  });

  test("reaches every control by Tab, and shows where one is", async () => {
    await show(lessonPage("56"));
    const controls = await page.evaluate(
      () =>
        [...document.querySelectorAll("button, input, select, [role=listbox]")].filter(
          (each) => (each as HTMLElement).offsetParent !== null && (each as HTMLElement).tabIndex >= 0,
        ).length,
    );
    const reached = new Set<string>();
    for (let press = 0; press < controls + 15; press++) {
      await page.keyboard.press("Tab");
      reached.add(
        await page.evaluate(() => {
          const all = [...document.querySelectorAll("*")];
          return String(all.indexOf(document.activeElement as Element));
        }),
      );
    }
    expect(reached.size).toBeGreaterThanOrEqual(controls);
  });

  test("keeps the instant in its address", async () => {
    await show(lessonPage("20"), "#now=6&tab=machine");
    expect(await selected(page)).toContain("Lobby rings");
    await page.waitForSelector(".chart");
    expect(await page.locator(".chart").first().getAttribute("aria-label")).toMatch(/it is ringing/);
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => location.hash.includes("now=5"));
  });

  test("shows what changed in an event since the version before", async () => {
    await show(lessonPage("25"));
    await page.keyboard.press("End");
    await page.waitForSelector(".tree .changed");
    const changes = await page.locator(".tree").innerText();
    expect(changes).toContain('status: "accepted" "ended"');
    expect(changes).not.toContain("lastModified");
  });

  test("forks where one likes, and shows both runs from where they part", async () => {
    await show(lessonPage("20"), "#now=4&tab=fork");
    await page.locator(".act", { hasText: "Bob answers" }).first().click();
    await page.waitForSelector(".compare .new");
    const compare = await page.locator(".compare").innerText();
    expect(compare).toContain("First difference: 0:00");
    expect(compare).toContain("missed, timeout → answered");
    expect(await page.locator(".compare .gone").first().innerText()).toContain("next tier's turn");
    await page.keyboard.press("Escape");
    expect(await page.locator(".compare").count()).toBe(0);
  });

  test("compares with another journal, and with the events that were expected", async () => {
    const played = (number: string) => runScenario(parseScenario(lessonText(number))).simulator;
    await show(inspectHtml(played("03"), { compare: played("04") }));
    await page.waitForSelector(".compare");
    expect(await page.locator(".compare .first-difference").innerText()).toContain("First difference");
    const events = played("03").events.slice(0, -1);
    await show(inspectHtml(played("03"), { compare: { name: "golden", events } }));
    await page.waitForSelector(".compare .gone");
    expect(await page.locator(".compare .gone").count()).toBe(1);
  });

  test("shows both sides of an exchange with the REST API, as part of the call that it is about", async () => {
    const sim = createSimulator();
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    const headers = { authorization: `Bearer ${sim.token()}` };
    sim.rest.fault({ status: 429, times: 1 });
    for (let time = 0; time < 2; time++) await sim.fetch(`${sim.urls.api}/calls/${call.id}`, { headers });
    await show(inspectHtml(sim));
    const asked = page.locator(".step", { hasText: `GET /calls/${call.id}` });
    expect(await asked.count()).toBe(2);
    expect(await asked.first().innerText()).toMatch(/a fault answers\s*429\s*A/);
    expect(await page.locator(".problem").innerText()).toContain("429");
    await asked.last().click();
    await page.click("#tab-delivery");
    await page.getByText("Answer 200").waitFor();
    expect(await page.locator("#detail-body").innerText()).toContain(`"id": "${call.id}"`);
  });

  test("has one row for steps that repeat each other, and all of them when asked", async () => {
    const sim = createSimulator();
    const headers = { authorization: `Bearer ${sim.token()}` };
    for (let time = 0; time < 340; time++) await sim.fetch(`${sim.urls.api}/users?limit=1`, { headers });
    await show(inspectHtml(sim));
    const asked = page.locator(".step", { hasText: "GET /users" });
    expect(await asked.count()).toBe(1);
    expect(await asked.innerText()).toContain("×340");
    await page.keyboard.press("r");
    await page.waitForFunction(() => document.querySelectorAll(".step").length > 10);
  });

  test("says why something did not happen, and what was tried to be enough", async () => {
    await show(lessonPage("20"), "#tab=why");
    await page.waitForSelector(".causes li");
    const causes = await page.locator(".causes").innerText();
    expect(causes).toContain("Nobody answered Bob's phones");
    expect(causes).toContain("hasVoicemail was true");
    expect(await page.locator(".card .act").count()).toBeGreaterThan(2);
  });
});

describe("the page, for everyone", () => {
  test.each(["light", "dark"] as const)("has nothing that axe objects to, in %s", async (colorScheme) => {
    await context.close();
    context = await offline(browser, { colorScheme });
    page = await context.newPage();
    // the policy of the page lets no script in: axe comes by the debugger
    await show(lessonPage("56"), "#now=5&tab=delivery");
    const problems: string[] = [];
    for (const state of ["delivery", "payload", "machine", "why", "fork"]) {
      await page.click(`#tab-${state}`);
      await page.waitForTimeout(300);
      problems.push(...(await violations(page, state)));
    }
    await show(playgroundHtml(lessonText("20")));
    await page.waitForSelector(".cm-line");
    problems.push(...(await violations(page, "playground")));
    await page.getByRole("button", { name: "Teach", exact: true }).click();
    await page.waitForSelector(".question");
    problems.push(...(await violations(page, "teaching")));
    expect(problems).toEqual([]);
  });

  test.each([360, 1024, 1440, 2560])(
    "is no wider than a window of %i px, and its text no smaller than 12 px",
    async (width) => {
      await page.setViewportSize({ width, height: 800 });
      await show(lessonPage("20"), "#now=6");
      const found = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        small: [...document.querySelectorAll("body *")].filter(
          (each) =>
            each.children.length === 0 &&
            each.textContent?.trim() &&
            each.getClientRects().length > 0 &&
            Number.parseFloat(getComputedStyle(each).fontSize) < 12,
        ).length,
      }));
      expect(found).toEqual({ width, small: 0 });
    },
  );

  test("opens the detail of a row as a sheet where the window is narrow", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await show(lessonPage("20"), "#now=6");
    expect(await page.locator("aside").isVisible()).toBe(false);
    await page.click(".peek");
    expect(await page.locator("aside h2").first().innerText()).toContain("Lobby rings");
    await page.click("[aria-label='Close detail']");
    expect(await page.locator("aside").isVisible()).toBe(false);
  });
});

async function violations(shown: Page, state: string): Promise<string[]> {
  const session = await shown.context().newCDPSession(shown);
  const { readFileSync } = await import("node:fs");
  await session.send("Runtime.evaluate", { expression: readFileSync(axe, "utf8") });
  const { result } = await session.send("Runtime.evaluate", {
    expression:
      "axe.run().then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map((each) => each.html.slice(0, 160) + ' ' + each.failureSummary).join(' | '))))",
    awaitPromise: true,
  });
  await session.detach();
  return (JSON.parse(String(result.value)) as string[]).map((text) => `${state}: ${text}`);
}

describe("the page of a hostile run", () => {
  const markup = `<img src=x onerror="globalThis.hacked=1"></script><script>globalThis.hacked=1</script>\u2028'"&`;

  test("shows markup in every field as text, and runs none of it", async () => {
    const organisation = {
      id: "acme",
      name: markup,
      numbers: [{ number: "+6495550100", owner: "alice", sms: true }],
      users: [
        { id: "alice", email: "alice@acme.test", displayName: markup, extension: "101", jobTitle: markup },
      ],
    };
    const sim = createSimulator({ seed: markup, organisation });
    sim.webhooks.create({ url: "https://crm.acme.test/hooks", events: ["*"] });
    sim.network.route("https://crm.acme.test/", { status: 500, body: markup, headers: { "x-note": "<b>" } });
    const call = sim.calls.inbound({
      from: "+6421555001",
      to: "+6495550100",
      passthroughParameters: { "x-a": markup },
    });
    sim.advance("PT5S");
    call.answer("alice");
    call.note(markup, { by: "alice" });
    sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: markup });
    sim.advance("PT5M");
    await show(inspectHtml(sim, { title: markup, description: markup, problems: [markup] }));
    for (const tab of ["payload", "delivery", "machine", "why", "fork"]) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(150);
      for (const key of ["Home", "ArrowRight", "ArrowRight", "f", "End"]) await page.keyboard.press(key);
    }
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.evaluate(() => "hacked" in globalThis)).toBe(false);
    expect(await page.locator("h1").innerText()).toContain("<img src=x");
  });
});

describe("the simulator in the page", () => {
  test("is started again when its worker was killed", async () => {
    await context.addInitScript(() => {
      const Real = Worker;
      const made: Worker[] = [];
      Object.assign(globalThis, { workers: made });
      globalThis.Worker = class extends Real {
        constructor(...args: ConstructorParameters<typeof Worker>) {
          super(...args);
          made.push(this);
        }
      };
    });
    await show(lessonPage("20"), "#now=2");
    await page.evaluate(() => {
      const [worker] = (globalThis as unknown as { workers: Worker[] }).workers;
      worker?.terminate();
      worker?.onerror?.(new ErrorEvent("error", { message: "killed", cancelable: true }));
    });
    await page.waitForSelector("[role=alert]");
    expect(await page.locator("[role=alert]").innerText()).toContain("has ended: killed");
    // what was shown is still there
    expect(await page.locator(".step").count()).toBeGreaterThan(5);
    await page.click("text=Start again");
    await page.waitForSelector("[role=alert]", { state: "detached" });
    await page.waitForSelector(".step");
    await page.click("#tab-fork");
    await page.waitForSelector(".act");
  });

  test("says why a journal cannot be shown", async () => {
    const journal = createSimulator().journal();
    const entries = [{ atMs: Date.parse(journal.options.start), step: 0, command: "teleport", args: {} }];
    wrong = [];
    await page.goto(fileOf(inspectHtml({ ...journal, entries })));
    await page.waitForSelector("[role=alert]");
    expect(await page.locator("[role=alert]").innerText()).toContain('no command is named "teleport"');
  });
});

describe("a long run", () => {
  test("opens folded, a row for each call, and stays quick to the touch", async () => {
    const sim = createSimulator({ seed: 1 });
    sim.traffic({ to: "+6495550100", every: "PT20S", for: "PT30H", behaviour: { patience: "PT5S" } });
    sim.runUntilIdle();
    expect(sim.events.length).toBeGreaterThan(10_000);
    await show(inspectHtml(sim));
    await page.waitForFunction(() => document.querySelector(".kind .num") !== null);
    // what is off the screen is not drawn
    expect(await page.locator(".step").count()).toBeLessThan(80);
    await page.keyboard.press("Home");
    for (let press = 0; press < 20; press++) await page.keyboard.press("ArrowRight");
    expect(await page.locator('.step[aria-selected="true"]').count()).toBe(1);
  });
});
