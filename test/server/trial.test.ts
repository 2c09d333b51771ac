import { expect, test } from "vitest";
import type { Deviation } from "../../src/core/engine/deviations.ts";
import { replay } from "../../src/index.ts";
import type { AppRun } from "../../src/inspector/data.ts";
import type { ServeOptions } from "../../src/server/index.ts";
import { receiver, served } from "./support.ts";

/** What is tried on a server's page: its run once more, for the apps of its webhooks. */

const message = { from: "alice@acme.test", to: "+6421555001", body: "You called" };

/** An app that asks for a token, texts after each call, and does not text twice about the same event. */
async function texting() {
  let handled = new Set<string>();
  const answers: string[] = [];
  const api = { url: "" };
  const credentials = { id: "", secret: "" };
  const posted = async (path: string, headers: Record<string, string>, body: string) =>
    fetch(`${api.url}${path}`, { method: "POST", headers, body });
  const app = await receiver(async ({ path, body }) => {
    if (path === "/forget") {
      handled = new Set();
      return 204;
    }
    const { id } = JSON.parse(body) as { id: string };
    if (handled.has(id)) return 204;
    handled.add(id);
    const asked = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: credentials.id,
      client_secret: credentials.secret,
    });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const token = (
      (await (await posted("/oauth/token", form, String(asked))).json()) as { access_token: string }
    ).access_token;
    const json = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await posted("/messages", json, JSON.stringify(message)).catch(String);
    answers.push(typeof answer === "string" ? answer : String(answer.status));
    return typeof answer === "string" ? 500 : 204;
  });
  return { ...app, api, credentials, answers, forget: new URL("/forget", app.url).href };
}

/** A served run of one call, and how to try something with it. */
async function started(how: (app: Awaited<ReturnType<typeof texting>>) => ServeOptions = () => ({})) {
  const app = await texting();
  const { sim, url, control } = await served({}, how(app));
  app.api.url = url;
  Object.assign(app.credentials, { id: sim.credentials.clientId, secret: sim.credentials.clientSecret });
  await control.post("commands/createWebhook", { url: app.url, events: ["call.ended"] });
  const call = async (from: string) => {
    await control.post("commands/inbound", { from, to: "+6495550100" });
    const id = sim.calls.live()[0]?.id;
    await control.post("commands/answer", { call: id, by: "alice" });
    await control.post("advance", { duration: "PT2S" });
    await control.post("commands/hangup", { call: id, by: "caller" });
    await control.post("advance", { duration: "PT1H" });
  };
  await call("+6421555001");
  const tryOut = async (...deviations: Deviation[]) => {
    const { status, body } = await control.post("try", { run: 0, deviations });
    return { status, body: body as AppRun & { message?: string } };
  };
  return { app, sim, call, tryOut };
}

const messagesOf = (journal: AppRun["journal"]) =>
  replay(journal).events.ofType("conversation.message.created").length;
const ended = { what: "attempt", at: 2_000, of: "call.ended" } as const;
const texts = { what: "rest", at: 2_000, of: "POST /messages" } as const;

test("A trial plays a server's run for the apps behind the webhooks, and leaves the run as it is", async () => {
  const { app, sim, tryOut } = await started((its) => ({ reset: its.forget }));
  expect(app.answers).toEqual(["201"]);
  const before = JSON.stringify(sim.journal());
  const twice = await tryOut({ ...ended, is: "duplicated" });
  expect(twice.body.note).toBeUndefined();
  // the app tells the second by its event
  expect(messagesOf(twice.body.journal)).toBe(1);
  const lost = await tryOut({ ...ended, is: "lost" });
  const { requests } = replay(lost.body.journal).network;
  expect(requests.map(({ failure }) => failure)).toEqual(["lost", null]);
  expect(messagesOf(lost.body.journal)).toBe(1);
  expect(app.answers).toEqual(["201", "201", "201"]);
  expect(JSON.stringify(sim.journal())).toBe(before);
});

test("A trial has requests of the app to the REST API be lost, doubled or refused", async () => {
  const { app, tryOut } = await started((its) => ({ reset: its.forget }));
  const tried = async (is: string) => {
    const { body } = await tryOut({ ...texts, is });
    return {
      sent: messagesOf(body.journal),
      answer: app.answers.at(1) ?? "",
      note: body.note,
      again: app.answers.splice(1).length,
    };
  };
  const failed = "TypeError: fetch failed";
  // it texts no more when the event comes again
  expect(await tried("lost")).toEqual({ sent: 0, answer: failed, note: undefined, again: 1 });
  expect(await tried("unanswered")).toEqual({ sent: 1, answer: failed, note: undefined, again: 1 });
  expect(await tried("duplicated")).toEqual({ sent: 2, answer: "201", note: undefined, again: 1 });
  expect(await tried("503")).toEqual({ sent: 0, answer: "503", note: undefined, again: 1 });
});

test("Trials build on each other", async () => {
  const { app, sim, tryOut } = await started((its) => ({ reset: its.forget }));
  const lost = { ...ended, is: "lost" };
  const [, second] = replay((await tryOut(lost)).body.journal).network.requests;
  const at = (second?.startedTimestamp ?? 0) - sim.startTimestamp;
  const { body } = await tryOut(lost, { ...ended, at, number: 2, is: "unanswered" });
  const { requests } = replay(body.journal).network;
  expect(requests.map(({ failure }) => failure)).toEqual(["lost", "answer lost", null]);
  expect(app.answers).toEqual(["201", "201", "201"]);
});

test("A trial says that the app remembers what it did before", async () => {
  const { sim, call, tryOut } = await started();
  const at = sim.timestamp - sim.startTimestamp + 2_000;
  await call("+6421555002");
  const { body } = await tryOut({ ...ended, at, is: "lost" });
  expect(body.note).toContain("It behaved differently 2 s after the start");
});

test("A trial is refused for a request that the run does not make, and by a server that sends none", async () => {
  const { tryOut } = await started();
  expect(await tryOut({ ...ended, at: 7, is: "lost" })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("the run has no call.ended 0.007 s after its start") },
  });
  const { tryOut: inside } = await started(() => ({ outbound: false }));
  expect(await inside({ ...ended, is: "lost" })).toMatchObject({ status: 409 });
});

test("A trial needs the token of the control plane", async () => {
  const { url } = await served({}, { token: "a-token-that-was-printed" });
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(`${url}/_sim/try`, { method: "POST", headers, body: "{}" });
  expect(status).toBe(401);
});
