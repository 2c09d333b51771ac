import type { Page } from "playwright-core";
import { exploreReport } from "../../src/explore/index.ts";
import { createSimulator, parseScenario, runScenario, type Simulator } from "../../src/index.ts";
import { inspectHtml, playgroundHtml } from "../../src/inspector/index.ts";
import { lessonPage, lessonText } from "./pages.ts";

/** Every look of the page: tests of rules for the whole page run on each. */
export interface View {
  readonly name: string;
  /** The text of the page. */
  html(): string;
  /** The fragment of its address. */
  readonly hash?: string;
  /** Whether it has no rows. */
  readonly isEmpty?: boolean;
  /** Acts on the page to get there. */
  act?(page: Page): Promise<void>;
}

const failing = () => {
  const { simulator } = runScenario(parseScenario(lessonText("65")), { until: "PT2M17S" });
  return inspectHtml(simulator, {
    title: "orders > a missed call makes a ticket",
    problems: ["expected call.ended to have been delivered\n\nReceived: 503, 503"],
  });
};
/** 40 calls in a row: a number that the app refuses, an outage of a minute, and a delivery that comes twice. */
export function busyRun(): Simulator {
  const sim = createSimulator();
  const url = "https://crm.test/";
  sim.webhooks.create({ url, events: ["call.started"] });
  sim.network.route(url, ({ body }) =>
    JSON.parse(body).data.call.contactNumber === "+6421555033" ? 422 : 204,
  );
  for (let call = 0; call < 40; call++) {
    if (call === 20) sim.network.fault(url, { status: 503, for: "PT1M" });
    sim.network.conditions(url, { duplicate: call === 2 ? 1 : 0 });
    const from = call % 20 === 12 ? "+6421555033" : `+64215551${10 + call}`;
    const inbound = sim.calls.inbound({ from, to: "+6495550100" });
    sim.advance("PT10S");
    inbound.answer("alice");
    sim.advance("PT15S");
    inbound.hangup("caller");
  }
  sim.runUntilIdle();
  return sim;
}
/** An app that knows nothing of the events it has seen. */
const explored = await exploreReport({
  scenario(sim) {
    sim.webhooks.create({ url: "https://crm.test/", events: ["call.ended"] });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  },
  subject(sim) {
    const ended: string[] = [];
    sim.network.route("https://crm.test/", ({ body }) => ended.push(JSON.parse(body).id) && 204);
    return ended;
  },
  eventually: { "one event a call": (_, ended) => ended.length === 1 },
});
const playground = () => playgroundHtml(lessonText("65"));
const tab = (name: string) => async (page: Page) => {
  await page.click(`#tab-${name}`);
  await page.waitForSelector(`#tab-${name}[aria-selected=true]`);
};

/** Replaces the text in the editor. */
export async function retype(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

export const views: readonly View[] = [
  {
    name: "the calls of a busy run, with suggestions",
    html: () => inspectHtml(busyRun()),
    isEmpty: true,
    act: async (page) => {
      await page.waitForSelector("tr.call");
      await page.fill("#filter", "call");
      await page.waitForSelector(".suggestions [role=option]");
    },
  },
  {
    name: "the failure of an exploration",
    html: () => inspectHtml(explored),
    isEmpty: true,
    act: async (page) => {
      const request = page.locator(".branch.fails .request").first();
      await request.locator("summary").click();
      await request.getByRole("button", { name: "twice" }).click();
      await page.waitForSelector(".branch.tried");
    },
  },
  {
    name: "a delivery",
    html: () => lessonPage("56"),
    act: async (page) => {
      await page.keyboard.press("Home");
      await page.keyboard.press("f");
      await tab("delivery")(page);
      await page.waitForSelector(".thread");
    },
  },
  {
    name: "what changed",
    html: failing,
    act: async (page) => {
      await page.locator(".notice summary").click();
      await page.keyboard.press("End");
      await page.waitForSelector(".tree .changed");
    },
  },
  {
    name: "a machine",
    html: () => lessonPage("65"),
    hash: "#now=6",
    act: async (page) => {
      await tab("machine")(page);
      await page.waitForSelector(".chart");
    },
  },
  {
    name: "why something did not happen",
    html: () => lessonPage("65"),
    act: async (page) => {
      await tab("why")(page);
      await page.waitForSelector(".causes li");
    },
  },
  {
    name: "two runs side by side",
    html: () => lessonPage("65"),
    hash: "#now=4",
    act: async (page) => {
      await tab("fork")(page);
      await page.locator(".act", { hasText: "Bob Tane answers" }).first().click();
      await page.waitForSelector(".compare .new");
    },
  },
  {
    name: "nothing to compare with yet, and the list of keys",
    html: () => inspectHtml(createSimulator()),
    isEmpty: true,
    act: async (page) => {
      await page.getByText("Nothing has happened yet.").waitFor();
      await page.keyboard.press("c");
      await page.keyboard.press("?");
      await page.waitForSelector("[role=dialog]");
    },
  },
  {
    name: "a run that cannot be shown",
    html: () => {
      const journal = createSimulator().journal();
      const entries = [{ atMs: Date.parse(journal.options.start), step: 0, command: "teleport", args: {} }];
      return inspectHtml({ ...journal, entries });
    },
    isEmpty: true,
    act: async (page) => {
      await page.waitForSelector("[role=alert]");
    },
  },
  {
    name: "the playground with all that it can be downloaded as",
    html: playground,
    act: async (page) => {
      await page.waitForSelector(".cm-line");
      await page.getByRole("button", { name: "Download" }).click();
      await page.waitForSelector(".menu");
    },
  },
  {
    name: "a text with problems, and what would fit",
    html: playground,
    act: async (page) => {
      await retype(page, "scenario: x\nsed: 1\nsteps:\n  - { at: PT0S, inb");
      await page.waitForSelector(".cm-message");
      await page.keyboard.press("Control+Space");
      await page.waitForSelector(".cm-tooltip-autocomplete");
    },
  },
  {
    name: "the lessons",
    html: playground,
    act: async (page) => {
      await page.click(".lesson-name");
      await page.keyboard.type("voicemail");
      await page.waitForFunction(() => document.querySelectorAll(".lessons li").length < 20);
    },
  },
  {
    name: "an answer in class",
    html: playground,
    act: async (page) => {
      await page.getByRole("button", { name: "Teach", exact: true }).click();
      await page.waitForSelector(".question");
      await page.keyboard.press("2");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".choice.right");
    },
  },
];
