import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createSimulator,
  type JournalDocument,
  type OrganisationInput,
  parseScenario,
  replay,
  runScenario,
} from "../../src/index.ts";
import { inspectHtml } from "../../src/inspector/index.ts";
import { isWhole } from "../counts.ts";
import { fileOf, lessonPage, lessonText, selected } from "./pages.ts";
import { useWindow } from "./window.ts";

/** The page in a real Chromium: from a file, with the network off. */

const window = useWindow();
let page: Page;

beforeAll(async () => {
  page = window.page;
  // record the page's workers, and the longest list that came in one message
  await page.addInitScript(() => {
    const Real = Worker;
    const seen = { workers: [] as Worker[], longest: 0 };
    Object.assign(globalThis, { seen });
    globalThis.Worker = class extends Real {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        seen.workers.push(this);
        this.addEventListener("message", ({ data }) => {
          for (const list of Object.values(data.chunk ?? data.summary ?? data.answer ?? {}))
            if (Array.isArray(list)) seen.longest = Math.max(seen.longest, list.length);
        });
      }
    };
  });
});

const lesson65 = lessonPage("65");

/**
 * Begins at a row of lesson 65, its end unless said otherwise, and with a tab: in a page that tests share, put back by what a
 * reader has. Tests of how a page opens show one of their own.
 */
async function begin({ row, tab = "payload" }: { row?: number; tab?: string } = {}): Promise<void> {
  await window.share(lesson65, () => page.fill("#filter", ""));
  await page.click(`#tab-${tab}`);
  // keys are the page's again
  await page.locator(`#tab-${tab}`).blur();
  // one closes the detail, which a tab opens in a narrow window; one a comparison
  for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);
  await page.keyboard.press(row === undefined ? "End" : "Home");
  for (let at = 0; at < (row ?? 0); at++) await page.keyboard.press("ArrowRight");
}

/** The data that the script above records. */
interface Seen {
  readonly seen: { readonly workers: Worker[]; readonly longest: number };
}

describe("the page of a run", () => {
  test("opens from a file without a network, and shows the run", async () => {
    await window.show(lesson65);
    expect(await page.title()).toContain("A caller leaves a message while the CRM is down");
    expect(await page.locator(".app-bar .about").innerText()).toMatch(/^seed 65\s+8 events/);
    await page.keyboard.press("End");
    expect(await page.locator(".record").innerText()).toMatch(
      /Jane Smith\s+2:17\s+to Sales\s+missed, voicemail/,
    );
    await page.keyboard.press("Home");
    const call = await page.locator(".step .text", { hasText: "calls" }).innerText();
    expect(call).toBe("Jane Smith calls Sales +64 9 555 0200, ext. 200");
  });

  test("reports that earlier instants are gone from a compacted journal", async () => {
    const sim = createSimulator();
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance("PT5S");
    sim.compact();
    call.answer("alice");
    sim.advance("PT1M");
    await window.show(inspectHtml(sim));
    expect(await page.locator(".notice").allInnerTexts()).toEqual([
      "The journal was compacted at 2026-07-01T00:00:05.000Z: earlier instants are gone.",
    ]);
  });

  test("shows why a phone stopped ringing, which attempts failed, and when the last one is due", async () => {
    const { simulator } = runScenario(parseScenario(lessonText("65")), { until: "PT2M3S" });
    await window.show(inspectHtml(simulator));
    const failures = page.locator(".problem");
    expect(await failures.allInnerTexts()).toEqual([
      expect.stringMatching(/^call.started → crm\s+503\s+at \d\d:00:00; next attempt at \d\d:02:49\.08$/),
      expect.stringMatching(
        /^call.not_answered → crm\s+503\s+at \d\d:02:00; next attempt at \d\d:04:49\.08$/,
      ),
    ]);
    await failures.first().click();
    await page.click("#tab-delivery");
    await page.waitForSelector(".thread");
    const thread = await page.locator(".thread").innerText();
    expect(thread).toContain("Attempt 1: 503");
    expect(thread).toContain("Attempt 2 is due at 21:02:49.08");
    const stopped = page.locator(".step", { hasText: "Bob Tane ×3, Carol Diaz stop" });
    expect(await stopped.first().innerText()).toContain("The next tier's turn: Sales did not answer in 20 s");
    // a search for the phone's name finds the step, which says why it stopped ringing
    await page.fill("#filter", "bob desktop timeout");
    await page.locator(".step").first().click();
    await page.click("#tab-payload");
    await page.getByText("stops, nobody answered it in time").first().waitFor();
  });

  test("can be used by keyboard only: from step to step, to failures, and into each tab", async () => {
    await window.show(lessonPage("56"));
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

  test("shows the cards of a call in order, with their viewers and the preferences that cannot be applied", async () => {
    const scenario = lessonText("69").replace("[ orders ]", "[ orders, invoices ]");
    await window.show(inspectHtml(parseScenario(scenario), { scenario }));
    await page.setViewportSize({ width: 1440, height: 1_600 });
    const cards = page.getByRole("region", { name: "Cards of service.precall" });
    const rowOf = (text: string) => page.locator(".step", { hasText: text }).first();
    await rowOf("Bob Reyes, Carol Tana ring").click();
    await page.getByText("begins to ring").first().waitFor();
    expect(await cards.count()).toBe(0);
    await rowOf("Bob Reyes and Carol Tana see 3 cards: Open orders, Last visit").click();
    await cards.waitFor();
    const text = await cards.innerText();
    expect(text).toContain("Shown to Bob Reyes, Carol Tana, asked for as service.precall");
    expect(text).toContain('preferences.cardOrder: no card is named "invoices"');
    expect(text).toMatch(/Open orders[\s\S]*Last visit[\s\S]*Weather in Auckland/);
    // whoever answers has them too
    await rowOf("call.answered").click();
    await cards.getByText("Shown to Bob Reyes, Carol Tana, Dave Okafor").waitFor();
    await rowOf("Acme keeps 3 cards").click();
    await page.getByRole("region", { name: "Cards of service.callhistory" }).waitFor();
  });

  test("opens with the chosen row in view", async () => {
    await window.show(lesson65);
    // its first failure
    expect(await selected(page)).toContain("call.started inbound");
    await page.keyboard.press("End");
    expect(await selected(page)).toContain("call.not_answered attempt 2");
    const isInSight = () =>
      page.locator('.step[aria-selected="true"]').evaluate((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        const list = row.closest(".scroll")?.getBoundingClientRect();
        return list !== undefined && top >= list.top + 64 && bottom <= list.bottom;
      });
    await expect.poll(isInSight).toBe(true);
  });

  test("keeps the instant in its address", async () => {
    await window.show(lesson65, "#now=6&tab=machine");
    expect(await selected(page)).toContain("Lobby rings");
    await page.waitForSelector(".chart");
    expect(await page.locator(".chart").first().getAttribute("aria-label")).toMatch(/it is ringing/);
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => location.hash.includes("now=5"));
  });

  test("shows the changes of an event's record since its previous version", async () => {
    await window.show(lessonPage("25"));
    await page.keyboard.press("End");
    await page.waitForSelector(".tree .changed");
    const changes = await page.locator(".tree").innerText();
    expect(changes).toContain('status: "accepted" "ended"');
    expect(changes).not.toContain("lastModified");
  });

  test("compares with another journal and with expected events", async () => {
    const played = (number: string) => runScenario(parseScenario(lessonText(number))).simulator;
    await window.show(inspectHtml(played("03"), { compare: played("04") }));
    await page.waitForSelector(".compare");
    expect(await page.locator(".compare .first-difference").innerText()).toContain("First difference");
    const events = played("03").events.slice(0, -1);
    await window.show(inspectHtml(played("03"), { compare: { name: "golden", events } }));
    await page.waitForSelector(".compare .gone");
    expect(await page.locator(".compare .gone").count()).toBe(1);
  });

  test("compares with a file, and names a line that is not an event", async () => {
    await window.show(lessonPage("03"));
    await page.keyboard.press("c");
    const short = "PT0S call.started {}\nPT6S call.answered {}\n";
    const file = (name: string, text: string) => ({
      name,
      mimeType: "text/plain",
      buffer: Buffer.from(text),
    });
    await page.setInputFiles("input[type=file]", file("bad.golden.txt", `${short}x\n`));
    await page.getByText("bad.golden.txt: line 3: expected an event").waitFor();
    await page.setInputFiles("input[type=file]", file("run.golden.txt", short));
    await page.waitForSelector(".compare .new");
    expect(await page.locator(".compare .new").innerText()).toContain("call.answered");
  });

  test("shows request and answer of the REST API as part of their call", async () => {
    const sim = createSimulator();
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.calls.inbound({ from: "+6421555002", to: "+6495550102" });
    const headers = { authorization: `Bearer ${sim.token()}` };
    sim.rest.fault({ status: 429, times: 1 });
    for (let time = 0; time < 2; time++) await sim.fetch(`${sim.urls.api}/calls/${call.id}`, { headers });
    await window.show(inspectHtml(sim));
    const asked = page.locator(".step", { hasText: `GET /calls/${call.id}` });
    expect(await asked.count()).toBe(2);
    expect(await asked.first().innerText()).toMatch(/fault\s*429\s*A/);
    expect(await page.locator(".problem").innerText()).toContain("429");
    await asked.last().click();
    await page.click("#tab-delivery");
    await page.getByText("Answer 200").waitFor();
    expect(await page.locator("#detail-body").innerText()).toContain(`"id": "${call.id}"`);
  });

  test("folds repeated steps into one row, and unfolds them on request", async () => {
    const sim = createSimulator();
    const headers = { authorization: `Bearer ${sim.token()}` };
    for (let time = 0; time < 340; time++) await sim.fetch(`${sim.urls.api}/users?limit=1`, { headers });
    await window.show(inspectHtml(sim));
    const asked = page.locator(".step", { hasText: "GET /users" });
    expect(await asked.count()).toBe(1);
    expect(await asked.innerText()).toContain("×340");
    expect(await asked.innerText()).toContain("ignores limit");
    await page.keyboard.press("r");
    await page.waitForFunction(() => document.querySelectorAll(".step").length > 10);
  });

  test("goes from the last failure to the first, and back", async () => {
    await begin();
    expect(await selected(page)).toContain("call.not_answered attempt 2");
    await page.keyboard.press("f");
    expect(await selected(page)).toContain("call.started");
    await page.keyboard.press("Shift+F");
    expect(await selected(page)).toContain("call.not_answered");
    await page.getByRole("button", { name: "Next failure" }).click();
    expect(await selected(page)).toContain("call.started");
    await page.fill("#filter", "lobby");
    await page.keyboard.press("Escape");
    await page.keyboard.press("f");
    await page.getByText("Nothing that is shown failed.").waitFor();
  });

  test("shows every endpoint's whole state, and each request's attempt number", async () => {
    await begin({ row: 5 });
    await page.getByRole("button", { name: "Endpoints" }).click();
    const said = page.locator('.step[aria-selected="true"] .detail');
    await expect.poll(() => said.innerText()).toMatch(/^timeout: Bob Tane .*desktop.*; Carol Diaz /);
    // whole names may be longer than the row: its title has them all
    const whole = await page.locator('.step[aria-selected="true"] .text').getAttribute("title");
    expect(whole).toContain(await said.innerText());
    expect(await page.locator(".chip.retry").first().innerText()).toMatch(/^attempt\s+1 of 2$/);
    // the end of the run has its time in the scrubber
    expect(await page.locator(".track text").allTextContents()).toContainEqual(
      expect.stringMatching(/^\d\d:04:49$/),
    );
    await page.getByRole("button", { name: "Endpoints" }).click();
  });

  test("forks at any row, and shows both runs from their first difference", async () => {
    await begin({ row: 4, tab: "fork" });
    await page.locator(".act", { hasText: "Bob Tane answers" }).first().click();
    await page.waitForSelector(".compare .new");
    const compare = await page.locator(".compare").innerText();
    expect(compare).toMatch(/First difference: \d\d:00:00,/);
    // the lanes stay in view above it
    const [ladder, below] = [
      await page.locator(".lane-head").first().boundingBox(),
      await page.locator(".compare").boundingBox(),
    ];
    expect((ladder?.y ?? 0) + (ladder?.height ?? 0)).toBeLessThan(below?.y ?? 0);
    expect(compare).toContain("missed, voicemail → open");
    expect(await page.locator(".compare .gone").first().innerText()).toContain(
      "Sales did not answer in 20 s",
    );
    await page.keyboard.press("Escape");
    expect(await page.locator(".compare").count()).toBe(0);
  });

  test("describes each bar, and shows where it ended on a click", async () => {
    await begin();
    await page.keyboard.press("Home");
    const bar = page.locator(".bar", { hasText: /^Bob Tane, desktop: rings from 0:00 to 0:20, / }).first();
    await bar.hover();
    await bar.click();
    expect(await selected(page)).toContain("The next tier's turn: Sales did not answer in 20 s");
  });

  test("offers a command as a step, with the names of its own scenario", async () => {
    await begin({ row: 0 });
    const step = page.locator("#detail-body pre", { hasText: "createWebhook" });
    expect(await step.innerText()).toContain("createWebhook: { as: crm, url: https://crm.acme.test/hooks,");
  });

  test("explains why something did not happen, and which remedies were enough", async () => {
    await begin({ tab: "why" });
    await page.waitForSelector(".causes li");
    // it asks about the failed request that is selected; another question is a choice away
    expect(await page.locator(".causes").innerText()).toContain("The endpoint answered 503");
    await page.getByLabel("Why did this not happen?").selectOption({ label: "call.answered, for call A" });
    await page.locator(".causes", { hasText: "Nobody answered" }).waitFor();
    const causes = await page.locator(".causes").innerText();
    expect(causes).toContain("Nobody answered Bob Tane's phones");
    expect(causes).toContain("So call A was with voicemail.");
    expect(await page.locator(".card .act").count()).toBeGreaterThan(2);
  });
});

/** The texts of elements that their box, or the one around them, cuts off. */
function cutOff(selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((all) =>
    all
      .filter((each) => {
        const [own, around] = [each, each.parentElement ?? each].map((one) => one.getBoundingClientRect());
        const isOver = each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1;
        return (
          (isOver && getComputedStyle(each).display !== "inline") ||
          (own?.right ?? 0) > (around?.right ?? 0) + 1
        );
      })
      .map((each) => each.textContent ?? ""),
  );
}

describe("the page on any screen", () => {
  test("fits any window from 360 to 2,560 px wide", async () => {
    await begin({ row: 6 });
    const widths: number[] = [];
    for (const width of [360, 761, 1024, 1280, 1440, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForFunction((wanted) => innerWidth === wanted, width);
      widths.push(await page.evaluate(() => document.documentElement.scrollWidth));
    }
    expect(widths).toEqual([360, 761, 1024, 1280, 1440, 2560]);
  });

  test.each([1280, 360])("cuts no event's name, note, lane's name or diagram at %i px", async (width) => {
    await begin({ row: 6, tab: "machine" });
    await page.setViewportSize({ width, height: 740 });
    await page.waitForFunction((wanted) => innerWidth === wanted, width);
    expect(await cutOff(".step .text b, .lane-head > span:first-child, nav details p")).toEqual([]);
    if (width === 360) await page.click(".peek");
    const machines = page.locator("#detail-body select");
    for (const machine of await machines.locator("option").allInnerTexts()) {
      await machines.selectOption({ label: machine });
      await page.locator(".chart").waitFor();
      expect(await cutOff(".chart"), machine).toEqual([]);
    }
  });

  test("opens the detail of a row as a sheet in a narrow window", async () => {
    await begin({ row: 6 });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator(".peek").waitFor();
    expect(await page.locator("aside").isVisible()).toBe(false);
    await page.click(".peek");
    expect(await page.locator("aside h2").first().innerText()).toContain("Lobby rings");
    await page.click("[aria-label='Close detail']");
    expect(await page.locator("aside").isVisible()).toBe(false);
  });
});

const markup = `<img src=x onerror="globalThis.hacked=1"></script><script>globalThis.hacked=1</script>\u2028'"&`;

/** A run that fills as many fields as possible. */
async function fullRun(): Promise<JournalDocument> {
  const sim = createSimulator({ organisation: fullOrganisation });
  const hook = sim.webhooks.create({ url: "https://crm.acme.test/hooks", events: ["*"] });
  sim.network.route("https://crm.acme.test/", { status: 500, body: "no", headers: { "x-note": "b" } });
  const call = sim.calls.inbound({
    from: "+6421555001",
    to: "+6495550100",
    vendorCallId: "vendor-1",
    passthroughParameters: { "x-a": "b" },
  });
  sim.advance("PT5S");
  call.answer("alice");
  call.note("a note", { by: "alice" });
  sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "hello" });
  const headers = { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" };
  await sim.fetch(`${sim.urls.api}/users?search=ali`, { headers });
  await sim.fetch(`${sim.urls.api}/phonebooks`, { method: "PUT", headers, body: '{"name":"x"}' });
  call.hangup("caller");
  const second = sim.calls.inbound({ from: "+6421555002", to: "+6495550100" });
  sim.runUntil("call.not_answered");
  sim.advance("PT6S");
  second.leaveVoicemail({ duration: "PT3S", transcript: "call me" });
  sim.advance("PT5M");
  sim.webhooks.remove(hook.id);
  return sim.journal();
}

const fullOrganisation = {
  id: "acme",
  name: "Acme",
  numbers: [{ number: "+6495550100", owner: "alice", sms: true }],
  users: [
    {
      id: "alice",
      email: "alice@acme.test",
      displayName: "Alice",
      extension: "101",
      jobTitle: "Agent",
      voicemail: true,
      endpoints: ["mobile", "desktop"],
    },
  ],
  teams: [{ id: "sales", displayName: "Sales", extension: "200", members: [{ user: "alice" }] }],
  devices: [{ id: "lobby", displayName: "Lobby", extension: "300", sipAddress: "sip:lobby@acme.test" }],
} satisfies OrganisationInput;

/** The places of all texts in a value. */
function* textsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value === "string") yield path;
  else if (typeof value === "object" && value !== null)
    for (const [key, each] of Object.entries(value)) yield* textsIn(each, [...path, key]);
}

function withText(journal: JournalDocument, places: readonly (readonly string[])[]): JournalDocument {
  const copy = structuredClone(journal);
  for (const place of places) {
    const holder = place
      .slice(0, -1)
      .reduce(
        (value, key) => value[key] as Record<string, unknown>,
        copy as unknown as Record<string, unknown>,
      );
    holder[place.at(-1) ?? ""] = markup;
  }
  return copy;
}

/** The journal with markup in every text that may be any text: where it can still be played with it. */
function hostile(journal: JournalDocument): { journal: JournalDocument; count: number } {
  let found = journal;
  let count = 0;
  const attempt = (places: readonly (readonly string[])[]): void => {
    try {
      const next = withText(found, places);
      replay(next);
      found = next;
      count += places.length;
    } catch {
      // this one is not free text, but an id or a time, for example
      if (places.length === 1) return;
      const half = places.length >> 1;
      attempt(places.slice(0, half));
      attempt(places.slice(half));
    }
  };
  attempt([...textsIn(journal)]);
  return { journal: found, count };
}

describe("the page of a hostile run", () => {
  test("shows markup in every field of a journal as text and never runs it", async () => {
    const { journal, count } = hostile(await fullRun());
    expect(count).toBeGreaterThan(20);
    const options = { title: markup, description: markup, problems: [markup], compare: journal };
    await window.show(inspectHtml(journal, options));
    await page.waitForSelector(".compare");
    await page.keyboard.press("Escape");
    for (const tab of ["payload", "delivery", "machine", "why", "fork"]) {
      await page.click(`#tab-${tab}`);
      for (const key of ["Home", "ArrowRight", "ArrowRight", "f", "f", "End"]) {
        await page.keyboard.press(key);
        await page.waitForTimeout(40);
      }
    }
    await page.getByRole("button", { name: "Playground" }).click();
    await page.waitForSelector("textarea");
    expect(await page.locator("h1").innerText()).toContain("<img src=x");
    await page.getByRole("button", { name: "Teach", exact: true }).click();
    await page.waitForSelector(".question");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.evaluate(() => "hacked" in globalThis)).toBe(false);
  });
});

describe("the simulator in the page", () => {
  test("restarts when its worker was killed", async () => {
    await window.show(lesson65, "#now=2");
    await page.evaluate(() => {
      const [worker] = (globalThis as unknown as Seen).seen.workers;
      worker?.terminate();
      worker?.onerror?.(new ErrorEvent("error", { message: "killed", cancelable: true }));
    });
    await page.waitForSelector("[role=alert]");
    expect(await page.locator("[role=alert]").innerText()).toContain("has ended: killed");
    // the page still shows the steps that it had
    expect(await page.locator(".step").count()).toBeGreaterThan(5);
    // this Chromium is one process, where a killed worker may block the next one: the page then reports it after ten
    // seconds, and the test presses again
    const again = page.getByRole("button", { name: "Start again" });
    const isThere = (selector: string) => page.locator(selector).first().isVisible();
    await expect
      .poll(
        async () => {
          if (await isThere("[role=alert]")) await again.press("Enter");
          await page.waitForTimeout(500);
          return !(await isThere("[role=alert]")) && (await isThere(".step"));
        },
        { timeout: 120_000 },
      )
      .toBe(true);
    await page.click("#tab-fork");
    await page.waitForSelector(".act");
  });

  test("says why a journal cannot be shown", async () => {
    const journal = createSimulator().journal();
    const entries = [{ atMs: Date.parse(journal.options.start), step: 0, command: "teleport", args: {} }];
    await page.goto(fileOf(inspectHtml({ ...journal, entries })));
    await page.waitForSelector("[role=alert]");
    expect(await page.locator("[role=alert]").innerText()).toContain('no command is named "teleport"');
  });
});

describe("a long run", () => {
  test("lists its steps folded, with a row for each call, and responds quickly", async () => {
    const sim = createSimulator({ seed: 1 });
    sim.traffic({
      to: "+6495550100",
      every: "PT20S",
      for: isWhole ? "PT30H" : "PT6H",
      behaviour: { patience: "PT5S" },
    });
    sim.runUntilIdle();
    // with more rows than 2,000 a run opens folded, and more than 1,000 arrive in pieces
    expect(sim.events.length).toBeGreaterThan(isWhole ? 10_000 : 2_000);
    await window.show(inspectHtml(sim), "#now=0");
    await page.waitForFunction(() => document.querySelector(".kind .num") !== null);
    expect(await page.getByRole("button", { name: "Fold calls" }).getAttribute("aria-pressed")).toBe("true");
    // the list arrives in pieces, and the page draws only the rows on the screen
    expect(await page.evaluate(() => (globalThis as unknown as Seen).seen.longest)).toBe(1_000);
    expect(await page.locator(".step").count()).toBeLessThan(80);
    await page.keyboard.press("Home");
    for (let press = 0; press < 20; press++) await page.keyboard.press("ArrowRight");
    expect(await page.locator('.step[aria-selected="true"]').count()).toBe(1);
  });
});
