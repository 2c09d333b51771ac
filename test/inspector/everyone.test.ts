import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { playgroundHtml } from "../../src/inspector/index.ts";
import { isWhole } from "../counts.ts";
import { violations } from "./axe.ts";
import { cutText } from "./cut-text.ts";
import { fileOf, lessonPage, lessonText } from "./pages.ts";
import { type View, views } from "./views.ts";
import { useWindow } from "./window.ts";

/** The page for everyone: in light and dark, on a phone, by keyboard alone, and with a screen reader. */

const window = useWindow();

async function show({ html, hash = "", isEmpty = false, act }: View): Promise<Page> {
  const { page } = window;
  await page.goto(fileOf(html()) + hash);
  if (!isEmpty) await page.waitForSelector(".step");
  await act?.(page);
  return page;
}

describe("every view of the page", () => {
  const tried = views.filter((_, index) => isWhole || index % 3 === 0);
  test.each(tried.map((view) => [view.name, view] as const))("is accessible: %s", async (_, view) => {
    const page = await show(view);
    const paint = (scheme: string) =>
      page.evaluate((scheme) => {
        document.documentElement.style.colorScheme = scheme;
      }, scheme);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 });
      await page.waitForFunction((width) => innerWidth === width, width);
      const inLight = await violations(page);
      // only colours differ in the dark
      await paint("dark");
      const inTheDark = await violations(page, ["color-contrast"]);
      await paint("light");
      expect({ inLight, inTheDark }).toEqual({ inLight: [], inTheDark: [] });
      expect(await outside(page)).toEqual({ width, small: [], cut: [] });
      expect(await cutText(page)).toEqual([]);
    }
  });
});

describe("a row, in a font as wide as that of most Linux machines", () => {
  test.each([1280, 390])("shows what it can, and the rest in its title: %i px wide", async (width) => {
    const { page } = window;
    await page.setViewportSize({ width, height: 800 });
    await page.goto(fileOf(lessonPage("65")));
    await page.waitForSelector(".step");
    await page.evaluate(() =>
      document.documentElement.style.setProperty("--sans", '"DejaVu Sans", sans-serif'),
    );
    const rows = await page.locator(".step .text").evaluateAll((all) =>
      (all as HTMLElement[]).map((row) => ({
        title: row.title.replaceAll(/\s+/g, " ").trim(),
        words: row.innerText
          .replaceAll(/\s+/g, " ")
          .replace(/ \d+:\d\d:\d\d[.\d]*( · |$)/, " ")
          .trim(),
        isSubjectCut:
          (row.querySelector("b")?.getBoundingClientRect().right ?? 0) >
          row.getBoundingClientRect().right + 1,
      })),
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ title, words }) => title !== words)).toEqual([]);
    expect(rows.filter(({ isSubjectCut }) => isSubjectCut)).toEqual([]);
  });
});

/** The elements that are wider than the window, or too small to read. Code and tables scroll in boxes of their own. */
function outside(page: Page): Promise<{ width: number; small: string[]; cut: string[] }> {
  return page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>("body *")].filter(
      (each) => each.getClientRects().length > 0 && !each.closest(".sr, svg"),
    );
    const small = shown.filter(
      (each) =>
        each.children.length === 0 &&
        each.textContent?.trim() &&
        Number.parseFloat(getComputedStyle(each).fontSize) < 12,
    );
    const cut = shown.filter((each) => {
      if (!each.matches("button, input, select, summary, h1, h2") || each.tabIndex < 0) return false;
      const { left, right } = each.getBoundingClientRect();
      const scroller = each.closest(".scroll, .cm-scroller, pre, .chart, .tree, .tabs");
      return scroller === null && (left < -1 || right > innerWidth + 1) && each.offsetWidth > 1;
    });
    const text = (each: HTMLElement) => each.outerHTML.slice(0, 120);
    return { width: document.documentElement.scrollWidth, small: small.map(text), cut: cut.map(text) };
  });
}

/**
 * The controls that the keyboard should reach, and those that it has reached. Kept in the page, and read after every
 * key.
 */
function watchFocus(page: Page): Promise<number> {
  return page.evaluate(() => {
    const controls = () =>
      [...document.querySelectorAll<HTMLElement>("button, input, select, summary, [tabindex='0']")].filter(
        (each) =>
          each.tabIndex >= 0 &&
          each.checkVisibility({ visibilityProperty: true }) &&
          each.closest("[inert]") === null,
      );
    const hasOutline = (each: Element | null, part?: string) => {
      if (each === null) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each, part);
      return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    };
    const reached = new Set<Element>();
    const unseen = new Set<Element>();
    document.addEventListener("keyup", () => {
      const active = document.activeElement;
      if (active === null || active === document.body) return;
      reached.add(active);
      // the editor shows problems a moment later, and has a test of its own
      if (active.shadowRoot !== null) return;
      const around = active.closest(".search, .track");
      const isSeen =
        [active, around, around?.querySelector(".focus") ?? null].some((each) => hasOutline(each)) ||
        hasOutline(active.closest(".scroll"), "::after");
      if (!isSeen) unseen.add(active);
    });
    Object.assign(globalThis, { focus: { controls, reached, unseen } });
    return controls().length;
  });
}

/** All visible controls, those that Tab did not reach, and those that do not show their focus. */
async function walk(page: Page): Promise<{ controls: number; unreached: string[]; unseen: string[] }> {
  const controls = await watchFocus(page);
  for (let press = 0; press < controls + 20; press++) {
    await page.keyboard.press("Tab");
    // in the editor, Tab indents; Escape leaves it first
    if (await page.evaluate(() => document.activeElement?.shadowRoot != null))
      await page.keyboard.press("Escape");
  }
  return page.evaluate(() => {
    const { controls, reached, unseen } = (
      globalThis as unknown as {
        focus: { controls(): Element[]; reached: Set<Element>; unseen: Set<Element> };
      }
    ).focus;
    const text = (each: Element) => each.outerHTML.slice(0, 120);
    const all = controls();
    return {
      controls: all.length,
      unreached: all.filter((each) => !reached.has(each)).map(text),
      unseen: [...unseen].map(text),
    };
  });
}

describe("by keyboard only", () => {
  // shared by the tests that only move the focus before
  const playground = playgroundHtml(lessonText("65"));

  test.each([
    "a delivery",
    "two runs side by side",
    "the playground with all that it can be downloaded as",
    "the lessons",
  ])("every control can be reached and shows its focus: %s", async (name) => {
    const view = views.find((each) => each.name === name);
    if (view === undefined) throw new Error(`no view ${name}`);
    const { controls, unreached, unseen } = await walk(await show(view));
    expect({ unreached, unseen }).toEqual({ unreached: [], unseen: [] });
    expect(controls).toBeGreaterThan(10);
  });

  test("every switch of the inspector toggles with Enter", async () => {
    await window.show(lessonPage("65"));
    const { page } = window;
    const switches = page.locator(
      "nav button[aria-pressed], .heads-left button[aria-pressed], .tree button[aria-expanded], [aria-label=Keys]",
    );
    const state = (index: number) =>
      switches
        .nth(index)
        .evaluate((each) => each.getAttribute("aria-pressed") ?? each.getAttribute("aria-expanded"));
    const count = await switches.count();
    expect(count).toBeGreaterThan(10);
    for (let index = 0; index < count; index++) {
      const before = await state(index);
      const turned = before === "true" ? "false" : "true";
      await switches.nth(index).focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => state(index)).toBe(turned);
      await page.keyboard.press("Enter");
      await expect.poll(() => state(index)).toBe(before);
    }
  });

  test("the editor shows its focus", async () => {
    await window.share(playground, async () => {});
    await window.page.locator(".cm-content").focus();
    const editor = window.page.locator(".cm-editor.cm-focused");
    await editor.waitFor();
    expect(await editor.evaluate((each) => getComputedStyle(each).outline)).toContain("solid 2px");
  });

  test("Escape and Tab leave the playground's editor, and a lesson can be chosen and taught", async () => {
    await window.share(playground, async () => {});
    const { page } = window;
    await page.waitForSelector(".cm-line");
    await page.locator(".lesson-name").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("first endpoint");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector(".lesson-name")?.textContent?.includes("01 ·"));
    await page.keyboard.press("Tab");
    await page.locator('.lesson-bar [aria-pressed]:has-text("Teach")').focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".question");
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".choice.right");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".question", { state: "detached" });
  });
});
