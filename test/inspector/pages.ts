import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { parseScenario } from "../../src/index.ts";
import { inspectHtml } from "../../src/inspector/index.ts";

/** Pages as files, and how tests read them. */

const lessons = fileURLToPath(new URL("../../scenarios/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ringback-pages-"));
let count = 0;

/**
 * The URL of a page as a file, until the second page after it. Chromium keeps what it compiled of a script by the address
 * of its page; of two addresses one is never that of the open page, so the file is always loaded.
 */
export function fileOf(html: string): string {
  const path = join(folder, `page-${count++ % 2}.html`);
  writeFileSync(path, html);
  return pathToFileURL(path).href;
}

/** The text of a lesson, by the start of its name. */
export function lessonText(number: string): string {
  const file = readdirSync(lessons).find((name) => name.startsWith(`${number}-`) && name.endsWith(".yaml"));
  if (file === undefined) throw new Error(`no lesson ${number}`);
  return readFileSync(join(lessons, file), "utf8");
}

/** The page of a lesson. */
export function lessonPage(number: string): string {
  const scenario = lessonText(number);
  return inspectHtml(parseScenario(scenario), { scenario });
}

/** The text of the selected row. */
export function selected(page: Page): Promise<string> {
  return page.locator('.step[aria-selected="true"] .text').innerText();
}
