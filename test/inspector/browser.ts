import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import packed from "@sparticuz/chromium";
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from "playwright-core";

/** A real Chromium: the one that `npm ci` installed, else the machine's. */

// emulating a graphics card takes half of the time, and the pages do not use one
packed.setGraphicsMode = false;

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The installed one is for Linux, and has no windows: it takes a third less processor time than one that could show them. */
async function executable(): Promise<string> {
  const own = await packed.executablePath();
  const runs = process.platform === "linux" && spawnSync(own, ["--version"]).status === 0;
  return runs ? own : (installed.find((path) => existsSync(path)) ?? own);
}

async function options(): Promise<LaunchOptions> {
  // the sandbox needs rights that containers do not give; the pages are ours
  const args = packed.args.filter((arg) => !/single-process|zygote|headless/.test(arg));
  return { executablePath: await executable(), args: [...args, "--no-sandbox"], headless: true };
}

/** Where nobody looks at pictures: nothing is painted, and code is compiled and memory collected without more threads. */
const unseen = ["--force-gpu-mem-available-mb=0", "--js-flags=--single-threaded"];

export async function launch(): Promise<Browser> {
  return chromium.launch(await options());
}

/** One browser for all test files: they connect to it by its address. */
export async function serveBrowser(): Promise<{ address: string; close(): Promise<void> }> {
  const { args, ...others } = await options();
  const server = await chromium.launchServer({ ...others, args: [...(args ?? []), ...unseen] });
  return { address: server.wsEndpoint(), close: () => server.close() };
}

export function connect(address: string): Promise<Browser> {
  return chromium.connect(address);
}

/** A window without a network: every request of a page fails. */
export async function offline(
  browser: Browser,
  more: Parameters<Browser["newContext"]>[0] = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...more });
  await context.setOffline(true);
  return context;
}

/** How long a page shows a message, and how long it waits for its worker, ms. */
const ofThePage = [6_000, 10_000];

/** On a busy machine a frame may take long, so messages stay longer and the page waits longer. */
export async function bePatient(page: Page): Promise<void> {
  page.setDefaultTimeout(150_000);
  await page.addInitScript((delays) => {
    const start = window.setTimeout;
    const later = (run: TimerHandler, ms = 0, ...args: unknown[]) =>
      start(run, delays.includes(ms) ? ms * 5 : ms, ...args);
    window.setTimeout = later as typeof window.setTimeout;
  }, ofThePage);
}
