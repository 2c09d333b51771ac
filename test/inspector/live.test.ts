import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createSimulator, type Simulator, type SimulatorOptions } from "../../src/index.ts";
import { type ServeOptions, type SimulatorServer, serve } from "../../src/server/index.ts";
import { receiver } from "../server/support.ts";
import { violations } from "./axe.ts";
import { textsInSystemFonts } from "./fonts.ts";
import { useWindow } from "./window.ts";

/** The page that a server has at `/`: the inspector, which follows the run. */

const window = useWindow({ isOffline: false });
let page: Page;
let server: SimulatorServer | undefined;

beforeAll(() => {
  page = window.page;
});
afterEach(async () => {
  // leave the page first, so that it does not follow a server that has closed
  await page.goto("about:blank");
  await server?.close();
  server = undefined;
});

async function start(options: ServeOptions = {}, of: SimulatorOptions = {}): Promise<Simulator> {
  const sim = createSimulator(of);
  server = await serve(sim, options);
  return sim;
}

const call = { from: "+6421555001", to: "+6495550100" };

test("The page of a server shows events as they happen", async () => {
  const sim = await start();
  await page.goto(server?.url ?? "");
  await page.getByText("Nothing has happened yet.").waitFor();
  expect(await page.locator(".live").innerText()).toContain("Live");
  expect(await page.locator(".server").innerText()).toContain(sim.credentials.clientId);
  sim.calls.inbound(call);
  await page.getByText("call.started").waitFor();
  const rows = await page.locator(".step").count();
  await page.getByRole("group", { name: "Let time pass" }).getByText("1 min").click();
  await page.waitForFunction((before) => document.querySelectorAll(".step").length > before, rows);
  expect(sim.timestamp - sim.startTimestamp).toBe(60_000);
  // a reader at the end of the run stays at its end
  const last = page.locator(".step").last();
  expect(await last.getAttribute("aria-selected")).toBe("true");
  expect(await violations(page)).toEqual([]);
});

test("The plain page of a server without a journal has the same fonts as the others", async () => {
  await start({}, { retain: { journal: false } });
  await page.goto(server?.url ?? "");
  await page.getByText("ringback is running").waitFor();
  expect(await textsInSystemFonts(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);
});

test("The page of a server sends events to an app and makes calls by its buttons", async () => {
  const app = await receiver();
  const sim = await start({}, { allowLocal: true });
  await page.goto(server?.url ?? "");
  await page.getByLabel("Send events to your app at").fill(app.url);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("group", { name: "Make a call" }).getByText("Alice Ng").click();
  await page.getByText("call.started").waitFor();
  await page.getByRole("group", { name: "Let time pass" }).getByText("1 min").click();
  await page.getByText("call.not_answered").first().waitFor();
  expect(sim.webhooks.list().map(({ url }) => url)).toEqual([app.url]);
  expect(await violations(page)).toEqual([]);
});

test("The page of a server suggests a local app only where the server sends to one", async () => {
  await start();
  await page.goto(server?.url ?? "");
  const field = page.getByLabel("Send events to your app at");
  expect(await field.getAttribute("placeholder")).toBe("https://app.example.com/hooks");
  expect(await page.locator("#app-local").innerText()).toBe(
    "For an app on this computer, restart with --allow-local.",
  );
  expect(await violations(page)).toEqual([]);
  expect(await textsInSystemFonts(page)).toEqual([]);
  await server?.close();
  await start({}, { allowLocal: true });
  await page.goto(server?.url ?? "");
  expect(await field.getAttribute("placeholder")).toBe("http://localhost:3000/hooks");
  expect(await page.locator("#app-local").count()).toBe(0);
});

test("The page of a server restarts when the run is reset", async () => {
  const sim = await start();
  sim.calls.inbound(call);
  await page.goto(server?.url ?? "");
  await page.getByText("call.started").waitFor();
  await fetch(`${server?.url}/_sim/reset`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  await page.getByText("Nothing has happened yet.").waitFor();
});

test("The page of a server plays tried deviations against the apps behind the webhooks, and forks its forks", async () => {
  const app = await receiver();
  const sim = await start({ token: "a-token-that-was-printed" }, { allowLocal: true });
  sim.webhooks.create({ url: app.url, events: ["call.started"] });
  sim.calls.inbound(call);
  await sim.runUntilIdleAsync();
  await page.goto(server?.url ?? "");
  await page.getByLabel("Token").fill("a-token-that-was-printed");
  await page.keyboard.press("Enter");
  await page.locator(".step", { hasText: "call.started inbound" }).click();
  await page.click("#tab-fork");
  await page.locator(".what-if .bar").getByRole("button", { name: "lost", exact: true }).click();
  await page.locator(".compare-head .title").getByText("Your app ran.").waitFor();
  await page.getByRole("button", { name: "Open this fork" }).click();
  await page.locator(".notice", { hasText: "A fork: call.started: lost" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.locator(".step", { hasText: "attempt 2" }).first().click();
  await page.locator(".what-if .bar").getByRole("button", { name: "answer lost" }).click();
  await page.locator(".compare-head", { hasText: "attempt 2: answer lost" }).waitFor();
  await page.getByRole("button", { name: "Open this fork" }).click();
  await page.locator(".step", { hasText: "attempt 3" }).waitFor();
  await page.getByRole("button", { name: "Back to the run" }).click();
  await page.locator(".notice").waitFor({ state: "detached" });
  // the run, its fork without the first, and the fork's fork with one more
  expect(app.received).toHaveLength(4);
  expect(window.wrong.splice(0).join()).toContain("401");
});

test("The page of a protected server asks for the token, and shows nothing without it", async () => {
  const sim = await start({ token: "a-token-that-was-printed" });
  sim.calls.inbound(call);
  await page.goto(server?.url ?? "");
  await page.getByLabel("Token").fill("wrong");
  await page.getByText("Show the run").click();
  await page.getByText("does not know this token").waitFor();
  expect(window.wrong.splice(0).join()).toContain("401");
  expect(await violations(page)).toEqual([]);
  expect(await page.locator(".step").count()).toBe(0);
  await page.getByLabel("Token").fill("a-token-that-was-printed");
  await page.keyboard.press("Enter");
  await page.getByText("call.started").waitFor();
});

test("The page of a server reports when the server is gone, and keeps the run", async () => {
  const sim = await start();
  sim.calls.inbound(call);
  await page.goto(server?.url ?? "");
  await page.getByText("call.started").waitFor();
  await server?.close();
  await page.getByText("Not connected").waitFor();
  expect(await page.locator(".step").count()).toBeGreaterThan(1);
  // an open page keeps asking the server
  await page.goto("about:blank");
  expect(window.wrong.splice(0).filter((each) => !each.includes("ERR_"))).toEqual([]);
});

test("The page of a server may send requests only to that server", async () => {
  await start();
  const other = await serve(createSimulator());
  await page.goto(server?.url ?? "");
  const asked = await page.evaluate(
    (url) =>
      fetch(url).then(
        () => "answered",
        () => "refused",
      ),
    `${other.url}/_sim/state`,
  );
  await other.close();
  expect(asked).toBe("refused");
  expect(window.wrong.splice(0).join()).toContain("Content Security Policy");
});
