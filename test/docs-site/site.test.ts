import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Frame, Page, Request } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { readCourse, readLessons } from "../../docs/learn/lessons.ts";
import type { SitePage } from "../../docs/site/pages.ts";
import { find, readIndex } from "../../docs/site/search.ts";
import { sidebar } from "../../docs/site/sidebar.ts";
import { buildSite } from "../../docs/site/site.ts";
import { createSimulator } from "../../src/index.ts";
import { isWhole, sixthOf } from "../counts.ts";
import { violations } from "../inspector/axe.ts";
import { bePatient, connect, offline } from "../inspector/browser.ts";
import { testFinder } from "./finder.ts";
import { KeyboardLearner } from "./keyboard-learner.ts";
import { judge, looks, nothingWrong } from "./looks.ts";
import { queries } from "./queries.ts";

/** The inspector's page, which the tests of this project build before they start. */
const pageBuiltBefore = async () => ({
  template: builtFile("inspect.html"),
  importer: builtFile("page-importer.js"),
  editor: builtFile("page-editor.js"),
  desk: builtFile("desk.html"),
});
const builtFile = (name: string) => readFileSync(new URL(`../../dist/${name}`, import.meta.url), "utf8");

/** The documentation site, as `npm run docs` writes it, in a real Chromium with the network off. */

const site = mkdtempSync(join(tmpdir(), "ringback-site-"));
const urlOf = (path: string) => pathToFileURL(join(site, path)).href;

let browser: Browser;
let context: BrowserContext;
let page: Page;
let pages: readonly SitePage[];

beforeAll(async () => {
  [pages, browser] = await Promise.all([buildSite(site, pageBuiltBefore), connect(inject("browser"))]);
  context = await offline(browser, { viewport: { width: 360, height: 740 }, hasTouch: true });
  page = await context.newPage();
  await bePatient(page);
});
afterAll(async () => {
  await browser?.close();
  rmSync(site, { recursive: true, force: true });
});

describe("the site for programs", () => {
  test("has each page as Markdown, which llms.txt lists", () => {
    const listed = readFileSync(join(site, "llms.txt"), "utf8");
    const paths = [...listed.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, path = ""]) => path);
    expect(paths.toSorted()).toEqual(pages.map(({ path }) => path.replace(/html$/, "md")).toSorted());
    for (const path of paths) expect(readFileSync(join(site, path), "utf8")).toMatch(/^# /m);
  });
});

describe("every page of the site", () => {
  /** The ids and the links of each page, by its address. */
  let seen: ReadonlyMap<string, { readonly ids: ReadonlySet<string>; readonly links: readonly string[] }>;

  beforeAll(() => {
    const valuesOf = (html: string, names: string) =>
      [...html.matchAll(new RegExp(`<[^>]*? (?:${names})="([^"]*)"`, "g"))].map(([, value = ""]) => value);
    seen = new Map(
      ["index.html", ...pages.map(({ path }) => path)].map((path) => {
        const html = readFileSync(join(site, path), "utf8").replaceAll(/<svg[\s\S]*?<\/svg>/g, "");
        const links = valuesOf(html, "href|src").map((link) => new URL(link, urlOf(path)).href);
        return [urlOf(path), { ids: new Set(valuesOf(html, "id")), links }];
      }),
    );
  });

  test("links only to existing pages, headings and files", () => {
    const wrong = [...seen].flatMap(([from, { links }]) =>
      links
        .filter((link) => link.startsWith("file:"))
        .flatMap((link) => {
          const [to = "", anchor] = link.split("#");
          const there = seen.get(to);
          const isThere =
            there === undefined
              ? isFile(to)
              : anchor === undefined || there.ids.has(decodeURIComponent(anchor));
          return isThere ? [] : [`${from} -> ${link}`];
        }),
    );
    expect(wrong).toEqual([]);
    expect([...seen.values()].flatMap(({ links }) => links).length).toBeGreaterThan(5_000);
  });

  test("loads nothing from outside the site", () => {
    const loads = [...seen.values()].flatMap(({ links }) =>
      links.filter((link) => /\.(js|css|woff2?)$/.test(link)),
    );
    expect(loads.filter((link) => !link.startsWith("file:"))).toEqual([]);
  });

  test("fits on a screen of 360 pixels without horizontal scrolling, and cuts no line of code there", async () => {
    const wide: string[] = [];
    for (const path of sixthOf(["index.html", ...pages.map((each) => each.path)], 5)) {
      await page.goto(urlOf(path), { waitUntil: "commit" });
      await page.waitForSelector("main");
      const isWide = await page.evaluate(
        () =>
          document.documentElement.scrollWidth > 360 ||
          [...document.querySelectorAll("pre")].some((each) => each.scrollWidth > each.clientWidth),
      );
      if (isWide) wide.push(path);
    }
    expect(wide).toEqual([]);
  });
});

describe("the first page", () => {
  beforeEach(async () => {
    await page.goto(urlOf("index.html"));
  });
  const output = () => page.locator("#output pre code").innerText();
  const frame = () => page.frameLocator("#inspector");

  test("says on one screen what it is, shows a call with its events and a red test, and how to start", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const bottomOf = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      return (box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY);
    };
    for (const each of ["h1", ".lead", ".pitch pre", ".actions .run", ".stage", ".stage .verdict"])
      expect(await bottomOf(each), each).toBeLessThanOrEqual(800);
    const rows = await page.locator(".stage .row").allInnerTexts();
    const events = rows.filter((row) => /call\.\w+/.test(row)).map((row) => row.replaceAll(/\s+/g, " "));
    for (const event of ["call.started", "call.not_answered", "call.hungup"])
      expect(events.find((row) => row.includes(event))).toMatch(/204/);
    expect(events.find((row) => row.includes("call.ended"))).toMatch(/422/);
    expect(await page.locator(".stage .verdict").innerText()).toContain(
      "Your test is red: expected call.ended to have been delivered.\nIt was answered 422: answeredAt?",
    );
    await page.setViewportSize({ width: 360, height: 740 });
  });

  test("is drawn without scripts, and loads less than 250 KB and no simulator", async () => {
    const other = await offline(browser, {
      viewport: { width: 1280, height: 800 },
      javaScriptEnabled: false,
    });
    const plain = await other.newPage();
    await plain.goto(urlOf("index.html"));
    expect(await plain.locator(".stage .verdict").isVisible()).toBe(true);
    expect(await plain.locator(".pitch pre:visible").innerText()).toContain(
      "npm install --save-dev ringback",
    );
    await other.close();
    const loaded = new Set<string>();
    const note = (request: Request) => loaded.add(request.url());
    page.on("request", note);
    await page.reload({ waitUntil: "load" });
    await page.evaluate(() => document.fonts.ready);
    page.off("request", note);
    const names = [...loaded].filter((url) => url.startsWith("file:")).map((url) => url.replace(/^.*\//, ""));
    expect(names.toSorted()).toEqual([
      "index.html",
      "inter-latin-wght-normal.woff2",
      "jetbrains-mono-latin-wght-normal.woff2",
      "page.js",
      "style.css",
    ]);
    const bytes = [...loaded]
      .filter((url) => url.startsWith("file:"))
      .reduce((sum, url) => sum + readFileSync(fileURLToPath(url)).length, 0);
    expect(bytes).toBeLessThan(250_000);
  });

  test("tells the README's story in the README's order", async () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    const proofs = await page.locator(".proof h2").allInnerTexts();
    expect(proofs.map((each) => each.replaceAll(/\s+/g, " "))).toEqual(headings.slice(0, 4));
    expect(await page.locator(".problems li strong").allInnerTexts()).toEqual([
      "Answered first.",
      "Forged.",
      "Restarted.",
      "Done, but not heard.",
      "Lost answer.",
    ]);
  });

  test("shows the README's first program and what it prints as it fails", async () => {
    expect(await output()).toContain("answered 422: answeredAt?");
    expect(await page.locator("#program code:visible").innerText()).toContain("answeredAt?");
  });

  test("runs the program here, and opens its run in the inspector", async () => {
    await page.locator(".actions .run").click();
    await page.waitForSelector("#ran.failed");
    expect(await output()).toContain("answered 422: answeredAt?");
    await frame().locator("text=expected call.ended to have been delivered").first().waitFor();
  });

  test("runs it as the reader changes it", async () => {
    await page.locator(".proof .run").click();
    await page.waitForSelector("#ran.failed");
    const editor = page.locator("#program code:visible");
    const program = await editor.innerText();
    await editor.fill(program.replace(/^.*status: 422.*\n/m, ""));
    await page.locator(".proof .run").click();
    await page.waitForSelector("#ran.passed");
    expect(await output()).toBe("1 test passed");
    await editor.fill('import { nothing } from "nowhere";');
    await page.locator(".proof .run").click();
    await page.waitForSelector("#ran.failed");
    expect(await output()).toContain('this page has no module "nowhere"; it has: ringback,');
  });
});

describe("the first program for another test runner", () => {
  test.each(isWhole ? ["jest", "node:test"] : ["jest"])("runs on the first page too: %s", async (runner) => {
    await page.goto(urlOf("index.html"));
    await page.locator(`#program [data-runner='${runner}']`).click();
    expect(await page.locator("#program code:visible").innerText()).not.toContain("vitest");
    expect(await page.locator("#output figcaption code:visible").innerText()).not.toContain("vitest");
    await page.locator(".proof .run").click();
    await page.waitForSelector("#ran.failed");
    expect(await page.locator("#output pre code").innerText()).toContain("answered 422: answeredAt?");
    await page.evaluate(() => localStorage.clear());
  });
});

describe("a program of a guide", () => {
  const shown = () => page.locator("main .tabs").first().locator("pre:visible").innerText();

  test("is shown for the test runner that was chosen last, on any page", async () => {
    await page.goto(urlOf("guides/webhook-receiver.html"));
    expect(await shown()).toContain('from "vitest"');
    const command = () => page.locator("main p code:visible", { hasText: "receiver" }).last().innerText();
    expect(await command()).toBe("npx vitest run receiver");
    await page.locator("[data-runner='node:test']").first().click();
    expect(await command()).toBe("npx tsx --test receiver.test.ts");
    expect(await shown()).toContain('import { test } from "node:test";');
    await page.goto(urlOf("guides/rest-client.html"));
    expect(await shown()).toContain('from "node:test"');
    await page.locator("[data-runner='node:test']").first().press("ArrowLeft");
    expect(await shown()).not.toContain("node:test");
    await page.evaluate(() => localStorage.clear());
  });

  test("has a button that copies it", async () => {
    await page.goto(urlOf("guides/webhook-receiver.html"));
    expect(await page.locator("main .code").count()).toBe(await page.locator("main .code .copy").count());
    await page.locator("main .code:visible .copy").first().click();
    await page.waitForFunction(() => document.querySelector(".code .copy")?.textContent === "Copied");
  });

  test("has its outline at the right on a wide screen, and the next page below", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(urlOf("guides/webhook-receiver.html"));
    expect(await page.locator(".outline a").allInnerTexts()).toContain("Verify the signature");
    await page.click(".turn [rel=next]");
    expect(await page.locator("h1").innerText()).toBe("Find what breaks my app");
    await page.setViewportSize({ width: 360, height: 740 });
  });
});

test("The challenges are cards, and the page remembers which are passed", async () => {
  await page.goto(urlOf("challenges/index.html"));
  const cards = page.locator(".challenges li");
  expect(await cards.count()).toBe(7);
  expect(await cards.nth(1).locator("a").getAttribute("href")).toBe("once.html");
  await page.getByRole("checkbox", { name: "2 Once: passed" }).check();
  await page.reload();
  expect(await page.locator(".passed").innerText()).toBe("1 of 7 passed");
  expect(await page.locator(".challenges .done").count()).toBe(1);
  await page.evaluate(() => localStorage.clear());
});

/** The index in the script that assigns it. */
function searchIndex() {
  const script = readFileSync(join(site, "search-index.js"), "utf8");
  return readIndex(JSON.parse(/^globalThis\.searchIndex = (.*);$/m.exec(script)?.[1] ?? ""));
}

function isFile(url: string): boolean {
  try {
    readFileSync(fileURLToPath(url));
    return true;
  } catch {
    return false;
  }
}

test("prints on A4 in its full width, without header and sidebar, a lesson on three sheets at most", async () => {
  await page.emulateMedia({ media: "print" });
  // an A4 sheet without its margins, in CSS pixels
  await page.setViewportSize({ width: 673, height: 1000 });
  const some = ["index.html", "lessons/53.html", "reference/rest-messages.html", "scenarios.html"];
  const all = pages.map(({ path }) => path).filter((path) => path !== "playground.html");
  for (const path of isWhole ? all : [...some, "challenges/once.html"]) {
    await page.goto(urlOf(path));
    for (const hidden of [".site-header", "#sidebar", ".outline", ".turn"])
      expect(await page.locator(hidden).first().isVisible(), `${path} ${hidden}`).toBe(false);
    const box = await page.locator("main").boundingBox();
    expect(box?.width, path).toBe(673);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(673);
    // paper does not scroll
    const cut = await page.locator("main *").evaluateAll((each) =>
      each
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
        .filter((box) => getComputedStyle(box).overflowX !== "visible")
        .map((box) => `${box.tagName} ${box.className}`),
    );
    expect(cut, path).toEqual([]);
  }
  await page.goto(urlOf("lessons/08.html"));
  const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
  expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(3);
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 360, height: 740 });
});

test("shows parameters, fields of records and keys in one design: a name, what it may be, what it is", async () => {
  const designs = [];
  for (const [path, ...parts] of [
    [
      "reference/rest-calls.html",
      ".operation h3 >> nth=0",
      ".operation h3 + p small >> nth=0",
      ".operation h3 + p + p >> nth=0",
    ],
    ["reference/records.html", ".field code >> nth=0", ".field small >> nth=0", ".field >> nth=0"],
    [
      "reference/organisation.html",
      ".keys td:first-child code >> nth=0",
      ".keys td:nth-child(2) >> nth=0",
      ".keys td:last-child >> nth=0",
    ],
  ] as const) {
    await page.goto(urlOf(path));
    const looks = parts.map((part) =>
      page.locator(part).evaluate((each) => {
        const { fontFamily, fontSize, fontWeight, lineHeight, color } = getComputedStyle(each);
        return { fontFamily, fontSize, fontWeight, lineHeight, color };
      }),
    );
    const [name, type, text] = await Promise.all(looks);
    const { lineHeight: _, ...small } = type ?? { lineHeight: "" };
    designs.push({ name, small, text });
  }
  expect(designs[1]).toEqual(designs[0]);
  expect(designs[2]).toEqual(designs[0]);
});

describe("a lesson", () => {
  const lesson = "lessons/16.html";
  beforeEach(async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(urlOf(lesson));
    await page.evaluate(() => localStorage.clear());
    await page.reload();
  });
  afterAll(async () => {
    await page.evaluate(() => localStorage.clear());
    await page.setViewportSize({ width: 360, height: 740 });
  });
  /** Chooses cards, each behind the words of its time if that is another than the last one's: `0:25 > call.answered`. */
  const choose = async (...cards: readonly string[]) => {
    for (const card of cards) {
      const [text = "", when] = card.split(" > ").reverse();
      if (when !== undefined) await page.locator(".when", { hasText: when }).last().tap();
      await page.locator(".deck button", { hasText: text }).first().tap();
    }
  };
  const right = [
    "call.started",
    "Lobby answers > call.answered by Lobby",
    "team.availability.updated Sales: 2 of 3",
    "hangs up > call.hungup Lobby",
    "call.hungup Jane Smith",
    "team.availability.updated Sales: 3 of 3",
    "call.ended",
  ];
  const verdict = () => page.locator("#verdict").innerText();
  const answer = "The second tier of a team rings after twenty seconds";

  test("says its answer in no address, title or link, nor in what a search shows of it", () => {
    const index = searchIndex();
    for (const { name, number, question, title } of readLessons()) {
      const path = `lessons/${number}.html`;
      const html = readFileSync(join(site, path), "utf8").replace(/data-lesson="[^"]*"/, "");
      const outside = html.replace(/<details id="run">[\s\S]*<\/details>(?=\s*<nav class="turn")/, "");
      expect(outside).toContain("<h1");
      expect(outside).not.toContain(title);
      expect(outside).not.toContain(`${name}.`);
      const hits = find(index, title);
      const shown = [hits.best, ...hits.groups.flatMap((group) => group.hits)].find(
        (hit) => hit?.address === path,
      );
      const said = [...(shown?.title ?? []), ...(shown?.snippet ?? [])].map(({ text }) => text).join("");
      if (shown !== undefined) expect(said).toContain(question);
      expect(said).not.toContain(title);
    }
  });

  test("asks the questions of its file, until an answer is right, and says when a wrong one would be", async () => {
    await page.goto(urlOf("lessons/63.html"));
    const quiz = page.locator(".quiz").first();
    expect(await quiz.locator("h2").innerText()).toContain(
      "Does the CRM ever learn that the first call has ended?",
    );
    await quiz.getByRole("button", { name: "Yes, at once." }).press("Enter");
    expect(await quiz.locator(".told").innerText()).toBe("That would be right if the connection held.");
    expect(await quiz.locator(".wrong").innerText()).toMatch(/^Yes, at once\.\s+not so, your first answer$/);
    await quiz.getByRole("button", { name: "No." }).tap();
    expect(await quiz.locator(".told").innerText()).toBe(
      "No. Both attempts get lost, and here there are only two. The event is given up.",
    );
    expect(await quiz.locator(".right").innerText()).toMatch(/right, your second answer$/);
    await quiz.getByRole("button", { name: "Yes, at the second attempt." }).dispatchEvent("click");
    expect(await quiz.locator(".wrong").count()).toBe(1);
  });

  test("keeps what was tried over a reload, the cards of the last order too", async () => {
    await choose("call.started", "before 0:25 > call.answered by Carol");
    await page.click("#mark");
    const quiz = page.locator(".quiz").first();
    await quiz.locator(".choices button").first().press("Enter");
    const tried = await quiz.locator(".choices").innerText();
    expect(tried).toContain("your first answer");
    await page.reload();
    expect(await quiz.locator(".choices").innerText()).toBe(tried);
    expect(await page.locator(".guess .held").allInnerTexts()).toHaveLength(2);
    // the same order again is no further try
    await page.click("#mark");
    expect(await verdict()).toContain("Two more tries");
    await page.locator(".held").last().press("Delete");
    await page.click("#mark");
    expect(await verdict()).toContain("One more try");
  });

  test("tells its story in prose and its time as a picture, with the script one click away", async () => {
    expect(await page.locator(".story p").innerText()).toMatch(
      /Jane Smith calls Sales\. At 0:25 Lobby answers\. At 0:40 Jane Smith hangs up\.$/,
    );
    expect(await page.locator(".time .instants span").allInnerTexts()).toEqual([
      "0:00",
      "0:01",
      "0:25",
      "0:40",
    ]);
    expect(await page.locator(".story code").first().isVisible()).toBe(false);
    await page.locator(".story summary").tap();
    expect(await page.locator(".story code").first().isVisible()).toBe(true);
  });

  test("begins its exercise on the first screen, on a phone after one screen", async () => {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const { number } of sixthOf(readLessons(), 3)) {
        await page.goto(urlOf(`lessons/${number}.html`));
        const box = await page.locator(".quiz h2").first().boundingBox();
        expect(`${number} at ${width}: ${(box?.y ?? height) < height}`).toBe(`${number} at ${width}: true`);
      }
    }
    await page.setViewportSize({ width: 390, height: 844 });
  });

  test("shows its answer only when its prediction is marked, and remembers that it is done", async () => {
    expect(await page.locator("main").innerText()).not.toContain(answer);
    await choose(...right);
    await page.click("#mark");
    expect(await verdict()).toBe("Right: the run has these events, each at this time.");
    expect(await page.locator("h1 + p").innerText()).toBe(`${answer}.`);
    await page.goto(urlOf("lessons/index.html"));
    expect(await page.locator(".course .done small").allInnerTexts()).toEqual([answer]);
    expect(await page.locator(".go-on").innerText()).toContain("1 of 42 done. Go on with lesson 3.3");
    expect(await page.locator(".go-on").getAttribute("href")).toContain("18.html");
  });

  test("leads on from a chapter that is done, which folds, to the next lesson on the first screen", async () => {
    const [first] = readCourse();
    const done = readCourse().filter(({ chapter }) => chapter === first?.chapter);
    await page.evaluate(
      (names) => localStorage.setItem("ringback:lessons", JSON.stringify(names)),
      done.map(({ name }) => name),
    );
    await page.goto(urlOf("lessons/index.html"));
    const open = page.locator(".chapter").evaluateAll((all) => all.map((each) => each.hasAttribute("open")));
    expect((await open).slice(0, 3)).toEqual([false, true, true]);
    const box = await page.locator(".go-on .primary").boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(844);
    expect(await page.locator(".go-on").innerText()).toContain("5 of 42 done. Go on with lesson 2.1");
    await page.locator(".chapter summary").first().tap();
    expect(await page.locator(".chapter .done a").first().isVisible()).toBe(true);
  });

  test("shows the run that begins like a wrong prediction beside the run that was", async () => {
    await choose("call.started", "before 0:25 > call.answered by Carol");
    await page.click("#mark");
    expect(await verdict()).toMatch(
      /^The first is right\. The second differs\.\s+You put call\.answered by Carol Diaz\. Two more tries: then the run opens\.$/,
    );
    // what is right is not said yet, and one wrong card is not the end of the lesson
    expect(await page.locator("#would").innerText()).toBe(
      "Your first two would come if Carol answered at 0:05.",
    );
    expect(await page.locator("#run").getAttribute("open")).toBeNull();
    expect(await page.locator("h1 + p").count()).toBe(0);
    // another Mark of the same order is no try, and neither it nor a chosen time changes what is marked
    await page.click("#mark");
    await page.locator(".when").first().tap();
    expect(await verdict()).toContain("Two more tries");
    expect(await page.locator(".guess em").allInnerTexts()).toEqual(["right", "first difference"]);
    await page.locator(".held").last().press("Delete");
    await page.click("#mark");
    await choose("before 0:25 > call.answered by Carol");
    await page.click("#mark");
    expect(await page.locator("#run").getAttribute("open")).toBe("");
    expect(await page.locator("h1 + p").innerText()).toBe(`${answer}.`);
    expect(await page.locator(".why").innerText()).toBe(
      "Why not Carol? Nobody answered Carol Diaz's phones. They rang from 0:00 to 0:20; then it was the next tier's turn.",
    );
    const [near, was] = await page.locator(".would > section").allInnerTexts();
    expect(near).toMatch(/^Your first two would come if Carol answered at 0:05\n/);
    expect(near).toMatch(/Then comes user\.availability\.updated Carol Diaz .*, at 0:05\.$/);
    expect(near).toMatch(/Carol Diaz answers on mobile[\s\S]*call\.answered by Carol Diaz/);
    expect(was).toMatch(/^What happened\n[\s\S]*Lobby answers on sip[\s\S]*call\.answered by Lobby/);
    expect(await page.locator(".would .fork").count()).toBe(2);
  });

  test("asks for the requests of its webhook in order of arrival, those of one instant in any", async () => {
    await page.goto(urlOf("lessons/62.html"));
    expect(await page.locator("#which-events").innerText()).toBe("Which requests will crm.acme.test get?");
    await choose(
      "call.started",
      "from 0:01 > call.answered",
      "from 0:10 > call.ended",
      "call.hungup Alice Ng",
      "call.hungup Jane Smith",
    );
    await page.click("#mark");
    expect(await verdict()).toBe("Right: crm.acme.test gets these requests, each at this time.");
  });

  test("asks for no time where there is only one, and counts no other runs where there are none", async () => {
    await page.goto(urlOf("lessons/61.html"));
    expect(await page.locator(".when").count()).toBe(0);
    expect(await page.locator(".how").innerText()).not.toMatch(/\btime\b/);
    await page.goto(urlOf("lessons/43.html"));
    await page.click("text=Show the run without a guess");
    await page.locator(".deck button").first().tap();
    await page.locator(".deck button:visible").first().tap();
    await page.click("#mark");
    expect(await page.locator("#would").innerText()).toMatch(/^What happened/);
  });

  test("keeps the prediction and its mark in sight on a phone while a card is chosen", async () => {
    await page.locator(".deck h3").evaluate((each) => each.scrollIntoView());
    await choose(...right.slice(0, 4));
    await page.locator(".deck h3").evaluate((each) => each.scrollIntoView());
    const isSeen = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 844;
    };
    for (const each of [
      ".deck li:not([hidden]) >> nth=0",
      ".guess li >> nth=0",
      ".guess li >> nth=3",
      "#mark",
    ])
      expect(await isSeen(each), each).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.locator(".held").nth(2).tap();
    await page.locator(".guess li").nth(2).getByRole("button", { name: /^Up: / }).tap();
    expect(await page.locator(".guess b").nth(1).innerText()).toBe("team.availability.updated");
  });

  test("shows times with what people do then, and takes a card as right only at its time", async () => {
    expect(await page.locator(".when").allInnerTexts()).toEqual([
      "0:00 Jane Smith calls Sales",
      "before 0:25",
      "0:25 Lobby answers",
      "before 0:40",
      "0:40 Jane Smith hangs up",
      "later",
    ]);
    await choose("call.started", "before 0:25 > call.answered by Lobby");
    await page.click("#mark");
    expect(await verdict()).toContain(
      "call.answered by Lobby. It comes next, but not at this time. Two more",
    );
    await page.locator(".held").last().tap();
    await page
      .locator(".guess li")
      .last()
      .getByRole("button", { name: /^Down: / })
      .tap();
    await page.click("#mark");
    expect(await verdict()).toContain("The first two are right. More comes.");
  });

  test("is answered by keyboard", async () => {
    await page.locator(".deck button", { hasText: "call.answered by Lobby" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".deck button", { hasText: "call.started" }).focus();
    await page.keyboard.press("Enter");
    const mine = () => page.locator(".guess b").allInnerTexts();
    expect(await mine()).toEqual(["call.answered", "call.started"]);
    await page.locator(".held").last().focus();
    await page.keyboard.press("ArrowUp");
    expect(await mine()).toEqual(["call.started", "call.answered"]);
    await page.keyboard.press("Delete");
    expect(await mine()).toEqual(["call.answered"]);
    await page.locator(".deck button", { hasText: "call.ended" }).focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    expect(await page.locator(".moment:nth-child(2) .guess b").allInnerTexts()).toEqual(["call.ended"]);
    await page.locator("#mark").press("Enter");
    expect(await verdict()).toContain("The first differs.");
    // from a time on, the arrows choose another one and take the focus along
    await page.locator(".when").first().press("ArrowDown");
    expect(await page.locator(".when:focus").getAttribute("aria-pressed")).toBe("true");
    expect(await page.locator(".when:focus").innerText()).toBe("before 0:25");
  });

  test("is learned by keyboard alone from the list of lessons to the next one: three lessons", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(urlOf("lessons/index.html"));
    const me = new KeyboardLearner(page);
    for (const number of ["01", "02", "03"]) {
      await me.reach(`a[href="${number}.html"]`);
      await me.press("Enter");
      await page.waitForURL(`**/${number}.html`);
      expect(await me.learn(number)).toMatch(/^Right: the run has these events/);
      expect(await page.locator(".quiz.over").count()).toBeGreaterThanOrEqual(2);
    }
    await page.goto(urlOf("lessons/index.html"));
    expect(await page.locator(".go-on").innerText()).toContain("3 of 42 done. Go on with lesson 1.4");
    // nobody should have to press Tab through the whole page for each card
    expect(me.keys).toBeLessThan(400);
  });

  test("shows the run without a guess, with no text cut on a phone", async () => {
    await page.click("text=Show the run without a guess");
    const cut = await page
      .locator(".ladder .row")
      .evaluateAll((rows) =>
        rows
          .filter((row) => row.scrollHeight > row.clientHeight + 1 || row.scrollWidth > row.clientWidth)
          .map((row) => row.textContent),
      );
    expect(cut).toEqual([]);
    expect(await page.locator(".ladder .in-narrow").isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await violations(page)).toEqual([]);
  });

  test("works in a browser that stores nothing", async () => {
    const storeless = await offline(browser, { viewport: { width: 390, height: 844 }, hasTouch: true });
    await storeless.addInitScript(() => {
      Object.defineProperty(globalThis, "localStorage", {
        get: () => {
          throw new Error("no storage");
        },
      });
    });
    const forgetful = await storeless.newPage();
    await forgetful.goto(urlOf(lesson));
    await forgetful.locator(".deck button", { hasText: "call.started" }).tap();
    await forgetful.click("#mark");
    expect(await forgetful.locator("#verdict").innerText()).toContain("The first is right. More comes.");
    await storeless.close();
  });

  test("reads without scripts", async () => {
    const without = await offline(browser, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    const plain = await without.newPage();
    await plain.goto(urlOf(lesson));
    expect(await plain.locator(".deck li").count()).toBeGreaterThan(right.length);
    expect(await plain.locator("#mark").isVisible()).toBe(false);
    await plain.click("text=Show the run without a guess");
    expect(await plain.locator("#run").innerText()).toContain(answer);
    await without.close();
  });

  test("says that its exercise is as expected once it is made, and loads the simulator only for that", async () => {
    const errors: string[] = [];
    const loaded: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", ({ message }) => errors.push(message));
    page.on("request", (request) => loaded.push(request.url().replace(/^.*\//, "")));
    await page.reload();
    await page.click("text=Show the run without a guess");
    expect(loaded).not.toContain("exercise.js");
    await page.click("text=Change it here");
    const editor = page.locator("#exercise .cm-content");
    await editor.waitFor();
    expect(loaded).toContain("exercise.js");
    const script = (await page.locator("#exercise .cm-line").allInnerTexts()).join("\n").trimEnd();
    const said = page.locator("#exercise .said");
    const write = async (text: string, verdict: string) => {
      await editor.click();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(text);
      await said.locator("b", { hasText: verdict }).waitFor();
    };
    await write(script.replace("PT25S", "PT26S"), "Event 2 differs.");
    expect(await said.innerText()).toContain(
      "The exercise expects call.answered at 0:45, and it came at 0:26, 19 s early.",
    );
    await write(script.replace("answer:", "answr:"), "Not run: line 7 has a mistake.");
    await write(
      script.replace("PT25S", "PT45S").replace("by: lobby", "by: carol").replace("PT40S", "PT60S"),
      "As expected.",
    );
    expect(await said.locator("a").innerText()).toBe("Next, lesson 3.3");
    expect(await page.locator("#exercise .played").innerText()).toMatch(
      /0:45\s+Carol Diaz answers on mobile/,
    );
    expect(await violations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.locator("#exercise .copy").tap();
    await said.locator("b", { hasText: "Event 2 differs." }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  test("has the tree of what else can become of it, whose ends open their runs", async () => {
    await page.goto(urlOf("lessons/01.html"));
    await page.locator("#run > summary").click();
    const end = page.locator(".become a", { hasText: "Alice Ng declines" });
    expect(await end.innerText()).toContain("Missed: declined · 4 events");
    await end.click();
    await page.locator(".step", { hasText: "call.ended" }).first().waitFor();
    expect(await page.locator("h1").innerText()).toBe("Alice Ng declines");
  });

  test("leads to its exercise in the playground", async () => {
    await page.click("text=Show the run without a guess");
    await page.click("text=Change it in the playground");
    await page.waitForSelector(".cm-content");
    await page.waitForFunction(() =>
      document.body.textContent?.includes("Lesson 16: The lobby does not answer"),
    );
  });

  test("opens in the playground", async () => {
    await page.click("text=Show the run without a guess");
    await page.click("text=open this lesson there");
    await page.waitForSelector(".lesson-name");
    expect(await page.locator(".lesson-name").innerText()).toContain("16 · ");
  });
});

describe("a page of the reference", () => {
  test("shows a body as a tree whose parts open, and whose text is the JSON itself", async () => {
    await page.goto(urlOf("reference/events-calls.html"));
    const { webhooks } = await createSimulator().openapi();
    const body = webhooks["call.hungup"]?.post.requestBody?.content?.["application/json"]?.example;
    const tree = page.locator(".operation", { has: page.locator("#callhungup") }).locator(".tree");
    expect(JSON.parse((await tree.textContent()) ?? "")).toEqual(body);
    const parties = tree.locator("details", { hasText: "parties" }).first();
    expect(await parties.locator("details").first().isVisible()).toBe(false);
    await parties.locator("summary").first().click();
    expect(await parties.locator("details").first().isVisible()).toBe(true);
  });

  test("shows each request for the client that was chosen last, on any page", async () => {
    await page.goto(urlOf("reference/rest-calls.html"));
    const request = () => page.locator(".operation .tabs").first().locator("pre:visible").innerText();
    expect(await request()).toMatch(/^curl /);
    await page.locator("[data-client='axios']").first().click();
    expect(await request()).toContain("axios.create(");
    await page.goto(urlOf("reference/rest-teams.html"));
    expect(await request()).toContain('await api.get("/teams")');
    await page.locator("[data-client='axios']").first().press("ArrowLeft");
    expect(await request()).toContain('await sim.fetch("/teams"');
    await page.evaluate(() => localStorage.clear());
  });

  test("lists at the side only the pages of its part of the site", async () => {
    const listed = async (path: string) => {
      await page.goto(urlOf(path));
      return page.locator("#sidebar a").evaluateAll((all) => all.map((each) => each.textContent));
    };
    const reference = await listed("reference/rest-calls.html");
    expect(reference).toEqual(expect.arrayContaining(["Calls", "Events of a call", "Organisation"]));
    expect(reference).not.toContain("Test an app that receives webhooks");
    expect(await listed("guides/webhook-receiver.html")).not.toContain("Organisation");
  });
});

describe("a page of the site", () => {
  test.each(sixthOf(looks, 2).map((look) => [look.name, look] as const))(
    "can be read to its end by everyone, in light and dark, wide and on a phone: %s",
    async (_, look) => {
      const own = await offline(browser);
      const judged = await judge(await own.newPage(), urlOf(look.path), look);
      await own.close();
      expect(judged).toEqual(judged.map(({ width }) => nothingWrong(width)));
    },
  );

  test("has a menu on a small screen, which opens and marks the current page", async () => {
    await page.goto(urlOf("webhooks.html"));
    expect(await page.locator("#sidebar").isVisible()).toBe(false);
    await page.click("#menu");
    expect(await page.locator('#sidebar [aria-current="page"]').innerText()).toBe("Webhooks");
    await page.locator("#sidebar .sections a", { hasText: "Learn" }).click();
    await page.waitForURL(urlOf("lessons/index.html"));
  });

  test.each([
    ["webhooks.html", "Docs"],
    ["errors.html", "Reference"],
    ["lessons/06.html", "Learn"],
    ["playground.html", "Playground"],
  ])("has the same header as the others, which says where one is: %s", async (path, section) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(urlOf(path));
    const header = page.locator("header.site-header");
    expect((await header.boundingBox())?.height).toBe(56);
    expect(await header.locator("nav a").allInnerTexts()).toEqual([
      "Docs",
      "Reference",
      "Learn",
      "Playground",
    ]);
    expect(await header.locator("nav [aria-current]").allInnerTexts()).toEqual([section]);
    await expect.poll(() => page.evaluate(() => document.fonts.check("16px Inter"))).toBe(true);
    // the page of a run has several files of a family, and a family of arrows
    const families = await page.evaluate(() => [...document.fonts].map(({ family }) => family));
    const own = path === "playground.html" ? ["Ringback Arrows"] : [];
    expect(new Set(families)).toEqual(new Set(["Inter", "JetBrains Mono", ...own]));
    await header.locator(".brand").click();
    await page.waitForURL(urlOf("index.html"));
    await page.setViewportSize({ width: 360, height: 740 });
  });

  test("switches between light and dark, and remembers the choice", async () => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(urlOf("index.html"));
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.click("#theme");
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.goto(urlOf("rest.html"));
    expect(await paper()).toBe(dark);
  });

  test("shares the choice with the playground, and with pages and frames that are open", async () => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.evaluate(() => localStorage.clear());
    await page.goto(urlOf("rest.html"));
    const scheme = (of: Page | Frame) =>
      of.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    const other = await context.newPage();
    await bePatient(other);
    await other.goto(urlOf("playground.html"));
    await page.evaluate(() => document.body.append(document.createElement("iframe")));
    const frame = page.frames().at(-1) as Frame;
    await frame.goto(urlOf("playground.html"));
    await frame.waitForSelector(".page");
    await page.click("#theme");
    for (const each of [page, other, frame])
      await expect.poll(() => scheme(each), { message: each.url() }).toBe("dark");
    await other.getByRole("button", { name: "Switch between light and dark" }).click();
    for (const each of [page, other, frame])
      await expect.poll(() => scheme(each), { message: each.url() }).toBe("light");
    await other.close();
    await page.evaluate(() => localStorage.clear());
  });

  let index: ReturnType<typeof searchIndex> | undefined;
  test.each(queries)('leads from "%s" first to %s', (words, first) => {
    index ??= searchIndex();
    const { best } = find(index, words);
    expect(best?.address.split("#")[0]).toBe(first);
  });

  test("stands before the rules of Fidelity, whatever is looked for", () => {
    index ??= searchIndex();
    for (const [words] of queries) {
      const { best, groups } = find(index, words);
      expect(best?.address, words).not.toMatch(/^fidelity/);
      for (const { hits } of groups) {
        const rules = hits.map(({ address }) => address.startsWith("fidelity"));
        expect(rules, words).toEqual([...rules].sort());
      }
    }
  });
});

describe("the search of a page", () => testFinder(() => page, urlOf));

describe("the site", () => {
  test("shows each machine as a picture", async () => {
    await page.goto(urlOf("machines.html"));
    const states = await page.locator('.picture svg[aria-label="Statechart of call"] text').allTextContents();
    expect(states).toContain("offered");
  });

  test("has every page in its sidebar, and does not build if one is missing", () => {
    const stray: SitePage = { source: "stray.md", path: "stray.html", title: "Stray", text: "# Stray" };
    expect(() => sidebar([...pages, stray])).toThrow("in no group: stray.md");
    expect(() => sidebar(pages.slice(1))).toThrow("there is no page README.md");
  });
});
