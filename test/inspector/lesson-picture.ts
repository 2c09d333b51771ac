import type { Browser } from "playwright-core";
import { bePatient, offline } from "./browser.ts";
import { fileOf, lessonPage } from "./pages.ts";

/** The picture at the top of the README: the inspector with lesson 20, at the event whose delivery fails. */

export const schemes = ["light", "dark"] as const;
type Scheme = (typeof schemes)[number];

/** From the root of the project. */
export const picturePath = (scheme: Scheme) => `docs/pictures/inspector-${scheme}.png`;
/** The text in the picture. With it, any machine can tell that a picture is out of date. */
export const textPath = "docs/pictures/inspector.txt";

/** Opens the page and takes the picture. @returns the picture, and all its text */
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
    await page.goto(`${fileOf(lessonPage("65"))}#tab=delivery`);
    await page.waitForSelector(".step");
    // a run opens at its first failure
    await page.waitForSelector(".thread");
    await page.waitForSelector(".does");
    await page.waitForSelector(".ask .link");
    const text = `${await page.locator("body").innerText()}\n`;
    // the picture leaves out the size of the journal
    const said = text.replaceAll(/[ \t]+$/gm, "").replace(/, journal [\d.]+ KB$/m, "");
    return { png: await page.screenshot(), text: said };
  } finally {
    await context.close();
  }
}
