import type { Page } from "playwright-core";
import { violations } from "../inspector/axe.ts";
import { bePatient } from "../inspector/browser.ts";
import { cutText } from "../inspector/cut-text.ts";

/** Each kind of page of the site as it is looked at: wide and on a phone, in light and in dark. */

/** A page, and what a reader does there to see it so. */
interface Look {
  readonly name: string;
  readonly path: string;
  act?(page: Page): Promise<unknown>;
}

const page = (path: string): Look => ({ name: path, path });

const lesson = "lessons/16.html";

export const looks: readonly Look[] = [
  ...["index.html", "guides/index.html", "guides/webhook-receiver.html", "webhooks.html"].map(page),
  ...["reference/index.html", "reference/rest-calls.html", "reference/events-calls.html"].map(page),
  ...["reference/organisation.html", "reference/scenario.html", "reference/steps.html"].map(page),
  ...["reference/records.html", "errors.html", "assumptions.html", "observed.html", "machines.html"].map(
    page,
  ),
  ...[
    "fidelity.html",
    "fidelity/after-the-call.html",
    "api/index.html",
    "api/calls.html",
    "glossary.html",
  ].map(page),
  ...["changelog.html", "architecture.html", "coverage.html", "lessons/index.html", lesson].map(page),
  {
    name: "a lesson with its prediction marked",
    path: lesson,
    async act(page) {
      // the page keeps a guess, also that of a look at another width
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      for (const card of ["call.started", "call.answered by Carol"])
        await page.locator(".deck button", { hasText: card }).first().click();
      // with the run open, it stands beside the one in which the guess would be right
      await page.click("text=Show the run without a guess");
      await page.click("#mark");
      await page.waitForSelector(".would");
    },
  },
  {
    name: "a lesson with its run",
    path: "lessons/65.html",
    act: (page) => page.click("text=Show the run without a guess"),
  },
  { name: "the exercise of a lesson, to begin with", path: lesson, act: (page) => exercise(page) },
  {
    name: "the exercise of a lesson, with another event",
    path: lesson,
    async act(page) {
      const script = await exercise(page);
      await page.locator("#exercise .cm-content").click();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(script.replace("PT25S", "PT26S"));
      await page.locator("#exercise .said", { hasText: "differs" }).waitFor();
    },
  },
  ...["challenges/index.html", "challenges/once.html"].map(page),
  search("what a search finds", "signature", ".finder [role=option]"),
  search("a search that finds nothing", "qqqqzzzz", ".finder-empty"),
  {
    name: "the menu, where there is one",
    path: "webhooks.html",
    async act(page) {
      if (await page.locator("#menu").isVisible()) await page.click("#menu");
    },
  },
];

/** Looks for words. @param shows what is waited for */
function search(name: string, words: string, shows: string): Look {
  return {
    name,
    path: "guides/rest-client.html",
    async act(page) {
      await page.keyboard.press("/");
      await page.locator(".finder input").fill(words);
      await page.waitForSelector(shows);
    },
  };
}

/** Opens the editor of a lesson's exercise. Gives the script in it. */
async function exercise(page: Page): Promise<string> {
  await page.click("text=Show the run without a guess");
  await page.click("text=Change it here");
  await page.locator("#exercise .cm-content").waitFor();
  return (await page.locator("#exercise .cm-line").allInnerTexts()).join("\n").trimEnd();
}

/** What is wrong with a look at one width. */
interface Judged {
  readonly width: number;
  /** What axe finds. */
  readonly inLight: readonly string[];
  readonly inTheDark: readonly string[];
  readonly cut: readonly string[];
  /** How far the page is wider than its window, px. */
  readonly tooWide: number;
  /** What it said to the console. */
  readonly said: readonly string[];
}

export const nothingWrong = (width: number): Judged => ({
  ...{ width, inLight: [], inTheDark: [], cut: [], tooWide: 0, said: [] },
});

/** Looks at a page as it is on a desk and on a phone. */
export async function judge(page: Page, url: string, { act }: Look): Promise<Judged[]> {
  await bePatient(page);
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  const judged: Judged[] = [];
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(url);
    await act?.(page);
    const inLight = await violations(page);
    const cut = await cutText(page);
    const tooWide = await page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
    // only colours differ in the dark
    await page.emulateMedia({ colorScheme: "dark" });
    const inTheDark = await violations(page, ["color-contrast"]);
    judged.push({ width, inLight, inTheDark, cut, tooWide, said: said.splice(0) });
  }
  return judged;
}
