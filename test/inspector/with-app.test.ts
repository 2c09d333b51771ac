import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, inject, test } from "vitest";
import { violations } from "./axe.ts";
import { useWindow } from "./window.ts";

/** Pages whose server has the app: what is tried in them is played for it. */

const window = useWindow({ isOffline: false });
const folder = mkdtempSync(join(tmpdir(), "ringback-app-"));
let server: ChildProcess | undefined;

afterEach(async () => {
  await window.page.goto("about:blank");
  server?.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** An app that logs an activity for each finished call, and logs it again when the event comes again. */
const logging = `
export function subject(sim) {
  const activities = [];
  sim.network.route("https://crm.test/", async ({ body }) => {
    const { id, contactNumber } = JSON.parse(body).data.call;
    const headers = { authorization: "Bearer " + sim.token() };
    const { status } = await sim.fetch("https://api.ringback.test/calls/" + id, { headers });
    if (status !== 200) return 500;
    activities.push(contactNumber);
    return 204;
  });
  return activities;
}
export const eventually = {
  "one activity a call": (_, { length }) => {
    if (length !== 1) throw new Error(length + " activities");
  },
};
`;

/** An app that answers otherwise from its nth world on. */
const restlessFrom = (world: number) => `
let worlds = 0;
export function subject(sim) {
  const status = ++worlds < ${world} ? 204 : 202;
  sim.network.route("https://crm.test/", () => status);
}
`;

const call = `scenario: One call
steps:
  - { at: PT0S, createWebhook: { url: "https://crm.test/", events: [call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT2S, answer: { call: c1, by: alice } }
  - { at: PT5S, hangup: { call: c1, by: caller } }
`;

/** Opens the page of a scenario that is played for an app, by a process of its own: it watches for timers left open. */
async function show(name: string, module: string, scenario: string): Promise<void> {
  const [file, app] = [join(folder, `${name}.yaml`), join(folder, `${name}.mjs`)];
  writeFileSync(file, scenario);
  writeFileSync(app, module);
  const args = [...inject("fromSources"), "inspect", file, "--with", app];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  server = child;
  const [url] = await once(child.stdout, "data");
  await window.page.goto(String(url).trim());
}

test("The page of an app plays tried deviations against the app, and reports the result", async () => {
  const { page } = window;
  await show("plain", logging, call);
  await page.locator(".step", { hasText: "GET /calls" }).click();
  await page.click("#tab-fork");
  const requests = page.locator(".what-if .bar");
  expect(await requests.getByRole("button").allInnerTexts()).toEqual([
    "lost",
    "answer lost",
    "twice",
    "answered 503",
    "answered 429",
    "answered 10 s late",
    "token expired",
  ]);
  await requests.getByRole("button", { name: "answered 503" }).click();
  const head = page.locator(".compare-head .title");
  await head.getByText("Your app ran, and every property holds.").waitFor();
  expect(await page.locator(".compare").innerText()).toContain("503");
  await page.keyboard.press("Escape");
  await page.locator(".step", { hasText: "call.ended answered" }).click();
  await requests.getByRole("button", { name: "twice" }).click();
  await head.getByText("one activity a call fails: 2 activities").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  server?.kill();
  if (server !== undefined) expect(await once(server, "close")).toEqual([0, null]);
  await requests.getByRole("button", { name: "answer lost" }).click();
  await page.locator(".toast", { hasText: "the server of this page does not answer" }).waitFor();
  expect(window.wrong.splice(0).filter((each) => !each.includes("ERR_"))).toEqual([]);
});

test("The page of an app's failure shows the app's state in tried worlds, and whether the property holds", async () => {
  const { page } = window;
  const lost = `${call}deviations:\n  - { attempt: PT5S call.ended, is: unanswered }\n`;
  await show("failing", logging, lost);
  const request = page.locator(".branch.fails .request").first();
  await request.locator(":scope > .what-if summary").click();
  // the one takes the place of the other
  await request.locator(":scope > .what-if").getByRole("button", { name: "lost", exact: true }).click();
  await page.getByText("Your app ran, and every property holds.").waitFor();
  const tried = page.locator(".branch.passes");
  expect(await tried.locator("footer").innerText()).toContain("✓ one activity a call");
  expect(await tried.locator(".state pre").first().innerText()).toContain("+6421555001");
  // on top of it: the app's request for the call, in the attempt that follows
  const asking = tried.locator(".inside li", { hasText: "GET /calls" }).locator(".what-if");
  await asking.locator("summary").click();
  await asking.getByRole("button", { name: "lost", exact: true }).click();
  const note = page.locator(".tried-note", { hasText: "call.ended at 0:05: lost; GET /calls" });
  await note.waitFor();
  // the handler lets the error out, which is answered 500, and the platform sends the event again
  expect(await note.innerText()).toContain("Your app ran, and every property holds.");
});

const twoCalls = `${call}  - { at: PT60S, inbound: { as: c2, from: "+6421555002", to: "+6495550100" } }
  - { at: PT62S, answer: { call: c2, by: alice } }
  - { at: PT65S, hangup: { call: c2, by: caller } }
`;

test("The page of an app that is not deterministic says what differs between two runs of the scenario", async () => {
  const { page } = window;
  await show("restless", restlessFrom(2), twoCalls);
  const difference =
    "Its answers differ: PT5S call.ended: status 204 in the first run, status 202 in a later one";
  await page.getByText("deterministic: fails").waitFor();
  expect(await page.locator("body").innerText()).toContain(difference);
});

test("The page of an app says where a tried world differs before anything was changed in it", async () => {
  const { page } = window;
  // the first two worlds are those of the page itself
  await show("restless-later", restlessFrom(3), twoCalls);
  await page.locator(".step", { hasText: "call.ended answered" }).last().click();
  await page.click("#tab-fork");
  await page.locator(".what-if .bar").getByRole("button", { name: "lost", exact: true }).click();
  const toast = page.locator(".toast", { hasText: "differs from the recorded run from 5 s on" });
  await toast.waitFor();
  expect(await toast.innerText()).toContain("It is not deterministic");
  expect(window.wrong.splice(0).filter((each) => !each.includes("409"))).toEqual([]);
});
