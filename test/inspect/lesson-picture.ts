import type { Browser } from "playwright-core";
import { bePatient, offline } from "./browser.ts";
import { fileOf, lessonPage } from "./pages.ts";

/** The picture at the top of the README: the inspector with lesson 20, at the event whose delivery fails. */

export const schemes = ["light", "dark"] as const;
type Scheme = (typeof schemes)[number];

/** From the root of the project. */
export const picturePath = (scheme: Scheme) => `docs/pictures/inspector-${scheme}.png`;
/** What the picture says, as text: by this a picture that is out of date is found on any machine. */
export const textPath = "docs/pictures/inspector.txt";

/** Opens the page as it is pictured. @returns the picture, and all text on it */
export async function lessonPicture(
  browser: Browser,
  scheme: Scheme,
): Promise<{ png: Buffer; text: string }> {
  const context = await offline(browser, {
    viewport: { width: 1440, height: 900 },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  try {
    const page = await context.newPage();
    await bePatient(page);
    await page.goto(`${fileOf(lessonPage("20"))}#tab=delivery`);
    await page.waitForSelector(".step");
    // a run opens at its end: the picture is of its beginning
    await page.keyboard.press("Home");
    const event = page.locator(".step", { has: page.locator("b", { hasText: /^call\.not_answered$/ }) });
    await event.first().click();
    await page.waitForSelector(".thread");
    const text = `${await page.locator("body").innerText()}\n`;
    // how many bytes the journal has is no part of the picture
    const said = text.replaceAll(/[ \t]+$/gm, "").replace(/, journal [\d.]+ KB$/m, "");
    return { png: await page.screenshot(), text: said };
  } finally {
    await context.close();
  }
}
