import type { TestProject } from "vitest/node";
import { serveBrowser } from "./browser.ts";
import buildPage from "./build-page.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the browser is. */
    browser: string;
  }
}

/** The page and one browser for all tests of the project `browser`. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const [{ address, close }] = await Promise.all([serveBrowser(), buildPage()]);
  provide("browser", address);
  return close;
}
