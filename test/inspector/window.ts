import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { bePatient, connect, offline } from "./browser.ts";
import { fileOf } from "./pages.ts";

/** A window for the tests of a file: one page, in which each test opens what it needs. */

const size = { width: 1440, height: 900 };

export class Window {
  /** The page's errors, and the requests that it must not make. */
  readonly wrong: string[] = [];
  private shared: string | undefined;
  private opened: { browser: Browser; context: BrowserContext; page: Page } | undefined;

  get page(): Page {
    if (this.opened === undefined) throw new Error("the window is not open yet");
    return this.opened.page;
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  async open(isOffline: boolean): Promise<void> {
    const browser = await connect(inject("browser"));
    const context = isOffline ? await offline(browser) : await browser.newContext({ viewport: size });
    const page = await context.newPage();
    await bePatient(page);
    page.on("pageerror", (error) => this.wrong.push(`${error.message}\n${error.stack}`));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.wrong.push(message.text());
    });
    page.on("request", (request) => {
      if (isOffline && !/^(file|blob|data):/.test(request.url()))
        this.wrong.push(`asked for ${request.url()}`);
    });
    this.opened = { browser, context, page };
  }

  /** Shows a page from a file, and waits for its first row. */
  async show(html: string, hash = ""): Promise<void> {
    await this.page.goto(fileOf(html) + hash);
    await this.page.waitForSelector(".step");
  }

  /**
   * The same for tests that share a page: if the one before showed it in this way and passed, it is not opened again, but
   * put back. Opening it takes ten times as long.
   *
   * @param back undoes what the tests do with it
   * @param isThere an element that it shows once it is open
   */
  async share(html: string, back: () => Promise<void>, isThere = ".step"): Promise<void> {
    if (this.shared === html && (await this.page.evaluate(() => "isShared" in globalThis))) return back();
    await this.page.goto(fileOf(html));
    await this.page.waitForSelector(isThere);
    await this.page.evaluate(() => Object.assign(globalThis, { isShared: true }));
    this.shared = html;
  }

  /** Lets the next test open its page anew. */
  stopSharing(): void {
    this.shared = undefined;
  }

  /** The errors since the last call. Leaves the page as it is. */
  async reset(): Promise<string[]> {
    if (this.page.viewportSize()?.width !== size.width) await this.page.setViewportSize(size);
    return this.wrong.splice(0);
  }

  async close(): Promise<void> {
    await this.opened?.browser.close();
  }
}

/** @param isOffline whether every request of the page fails */
export function useWindow({ isOffline = true } = {}): Window {
  const window = new Window();
  beforeAll(() => window.open(isOffline));
  afterAll(() => window.close());
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") window.stopSharing();
    expect(await window.reset()).toEqual([]);
  });
  return window;
}
