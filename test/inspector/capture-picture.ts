import type { Browser } from "playwright-core";
import { importCapture } from "../../src/capture/index.ts";
import { inspectHtml } from "../../src/inspector/index.ts";
import { captured, edited, jsonl } from "../capture/support.ts";
import { offline } from "./browser.ts";
import { fileOf } from "./pages.ts";

/**
 * A capture of which something is assumed and something cannot be: lesson 19, of which only calls are told, so that
 * nobody says who was free, and with a wrong duration.
 */
export function doubtful(): string {
  const calls = captured("19").filter(({ body }) => JSON.parse(body).type.startsWith("call."));
  return jsonl(
    edited(calls, ({ type, data }) => {
      if (type === "call.ended") data.call.duration += 30_000;
    }),
  );
}

/** The picture of the guide about captures. */
export async function capturePicture(
  browser: Browser,
  { width = 1280, colorScheme = "light" }: { width?: number; colorScheme?: "light" | "dark" } = {},
): Promise<Buffer> {
  const context = await offline(browser, { viewport: { width, height: 1000 }, colorScheme });
  const page = await context.newPage();
  await page.goto(fileOf(inspectHtml(await importCapture(doubtful()), { title: "monday.jsonl" })));
  await page.locator(".step", { hasText: "is not explained" }).first().click();
  await page.locator(".reason").first().waitFor({ state: "attached" });
  const png = await page.screenshot();
  await context.close();
  return png;
}
