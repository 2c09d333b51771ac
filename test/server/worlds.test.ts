import { describe, expect, test } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { controlOf, receiver, served } from "./support.ts";

const callAlice = { from: "+6421555001", to: "+6495550100" };
const nobodyAnswers = `
scenario: Nobody answers
steps:
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550103" } }
`;

/** Makes a world, and returns it with its control plane. */
async function worldOf(server: { readonly control: ReturnType<typeof controlOf> }, body?: unknown) {
  const made = await server.control.post("worlds", body);
  expect(made).toMatchObject({ status: 200, body: { id: expect.any(String) } });
  const { id, url, token } = made.body as Record<"id" | "url" | "token", string>;
  const authorization = { authorization: `Bearer ${token}` };
  return { id, url, token, authorization, control: controlOf(url) };
}

async function deleted(url: string, id: string) {
  const answer = await fetch(`${url}/_sim/worlds/${id}`, { method: "DELETE" });
  return { status: answer.status, body: await answer.json() };
}

const eventsOf = async ({ control }: { readonly control: ReturnType<typeof controlOf> }) =>
  (await control.get("events")).body.events as { readonly type: string; readonly id: string }[];

describe("a world", () => {
  test("is a run of its own below the server's URL", async () => {
    const server = await served();
    const [one, other] = [await worldOf(server), await worldOf(server, { seed: 7 })];
    expect([one.id, one.url, other.id]).toEqual(["1", `${server.url}/w/1`, "2"]);
    await one.control.post("commands/inbound", callAlice);
    await one.control.post("advance", { duration: "PT31S" });
    expect((await one.control.get("state")).body.counts).toMatchObject({ calls: 1, events: 2 });
    for (const each of [server, other])
      expect((await each.control.get("state")).body.counts).toMatchObject({ calls: 0, events: 0 });
    expect((await other.control.get("state")).body.seed).toBe(7);
  });

  test("has the events that a server of its own has, with its own URL in them", async () => {
    const server = await served({ seed: 3 });
    const world = await worldOf(server);
    await world.control.post("commands/inbound", callAlice);
    await world.control.post("advance", { untilIdle: true });
    const urls = { api: world.url, auth: world.url, redirect: world.url };
    const twin = createSimulator({ ids: "counter", allowLocal: true, seed: 3, urls });
    twin.calls.inbound(callAlice);
    twin.runUntilIdle();
    expect(await eventsOf(world)).toEqual(JSON.parse(JSON.stringify([...twin.events])));
  });

  test("is not disturbed by those that run at the same time", async () => {
    const server = await served();
    const seeds = Array.from({ length: 12 }, (_, seed) => seed);
    const seen = await Promise.all(
      seeds.map(async (seed) => {
        const world = await worldOf(server, { seed });
        await world.control.post("commands/inbound", { ...callAlice, behaviour: { patience: "PT12S" } });
        await world.control.post("advance", { untilIdle: true });
        return { seed, world, events: await eventsOf(world) };
      }),
    );
    for (const { seed, world, events } of seen) {
      const urls = { api: world.url, auth: world.url, redirect: world.url };
      const twin = createSimulator({ ids: "counter", allowLocal: true, seed, urls });
      twin.calls.inbound({ ...callAlice, behaviour: { patience: "PT12S" } });
      twin.runUntilIdle();
      expect(events).toEqual(JSON.parse(JSON.stringify([...twin.events])));
    }
  });

  test("answers its REST API, its token endpoint and its page", async () => {
    const server = await served();
    const world = await worldOf(server);
    await world.control.post("commands/inbound", callAlice);
    await world.control.post("advance", { untilIdle: true });
    const calls = await fetch(`${world.url}/calls`, { headers: world.authorization });
    expect([calls.status, Object.values(await calls.json())[0]]).toEqual([200, [expect.any(Object)]]);
    // not the server's: its calls are its own
    expect((await fetch(`${server.url}/calls`, { headers: world.authorization })).status).toBe(401);
    const { credentials } = (await world.control.get("state")).body;
    const asked = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    });
    const granted = await fetch(`${world.url}/oauth/token`, { method: "POST", body: asked });
    const { access_token } = await granted.json();
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await fetch(`${world.url}/users/alice`, { headers })).status).toBe(200);
    const page = await fetch(`${world.url}/`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const { servers } = await (await fetch(`${world.url}/openapi.json`)).json();
    expect(servers[0].url).toBe(world.url);
  });

  test("sends its webhooks for real, each world its own", async () => {
    const server = await served();
    const { url, received } = await receiver();
    const worlds = [await worldOf(server), await worldOf(server)];
    for (const { control } of worlds)
      await control.post("commands/createWebhook", { url, events: ["call.started"] });
    await worlds[0]?.control.post("commands/inbound", callAlice);
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(["call.started"]);
  });

  test("begins with a scenario, played, and goes back in it", async () => {
    const server = await served();
    const played = await worldOf(server, { scenario: nobodyAnswers });
    expect((await eventsOf(played)).map(({ type }) => type)).toEqual(["call.started", "call.not_answered"]);
    const before = await worldOf(server, { scenario: nobodyAnswers, at: "2026-07-01T00:00:10Z" });
    expect((await eventsOf(before)).map(({ type }) => type)).toEqual(["call.started"]);
    expect((await before.control.get("state")).body).toMatchObject({ now: "2026-07-01T00:00:10.000Z" });
    const asObject = { scenario: "Nobody answers", steps: [{ at: "PT0S", inbound: callAlice }] };
    expect(await eventsOf(await worldOf(server, { scenario: asObject }))).not.toEqual([]);
  });

  test("copies the server's run, another world, or a journal, now or at an instant", async () => {
    const server = await served();
    await server.control.post("commands/inbound", callAlice);
    await server.control.post("advance", { duration: "PT10S" });
    const copy = await worldOf(server, { from: "server" });
    await copy.control.post("commands/answer", { call: "call-1", by: "alice" });
    expect((await eventsOf(copy)).map(({ type }) => type)).toContain("call.answered");
    expect((await eventsOf(server)).map(({ type }) => type)).toEqual(["call.started"]);
    const ofCopy = await worldOf(server, { from: copy.id });
    expect(await eventsOf(ofCopy)).toEqual(await eventsOf(copy));
    const start = await worldOf(server, { at: "2026-07-01T00:00:00Z" });
    expect((await start.control.get("state")).body.now).toBe("2026-07-01T00:00:00.000Z");
    const { body: journal } = await copy.control.get("journal");
    expect(await eventsOf(await worldOf(server, { from: journal }))).toEqual(await eventsOf(copy));
  });

  test("is gone once it is deleted, and says so", async () => {
    const server = await served();
    const { id, url } = await worldOf(server);
    expect((await server.control.get("worlds")).body).toEqual({
      worlds: [{ id, url, now: "2026-07-01T00:00:00.000Z" }],
      limit: 256,
    });
    expect(await deleted(server.url, id)).toEqual({ status: 200, body: { deleted: id } });
    const gone = {
      code: "gone",
      message: `the world ${id} is gone: it was deleted, or nobody asked it for long`,
    };
    for (const path of ["/users", "/_sim/state", "/"]) {
      const answer = await fetch(url + path);
      expect([answer.status, await answer.json()]).toEqual([410, gone]);
    }
    expect(await deleted(server.url, id)).toEqual({ status: 410, body: gone });
    expect((await server.control.post("worlds", { from: id })).body).toEqual(gone);
    expect((await fetch(`${server.url}/w/99/users`)).status).toBe(404);
  });

  test("is gone after it was idle", async () => {
    const server = await served({}, { worldIdle: 50 });
    const { url } = await worldOf(server);
    await expect.poll(async () => (await server.control.get("worlds")).body.worlds).toEqual([]);
    expect((await fetch(`${url}/users`)).status).toBe(410);
  });

  test("stays while someone follows its events", async () => {
    const server = await served({}, { worldIdle: 1_500 });
    const { url } = await worldOf(server);
    const stream = await fetch(`${url}/_sim/events/stream`);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect((await server.control.get("worlds")).body.worlds).toHaveLength(1);
    await stream.body?.cancel();
    await expect
      .poll(async () => (await server.control.get("worlds")).body.worlds, { timeout: 20_000 })
      .toEqual([]);
  });
});

describe("the worlds of a server", () => {
  test("are as many as it allows", async () => {
    const server = await served({}, { worlds: 2 });
    const bodies = await Promise.all([1, 2, 3].map((seed) => server.control.post("worlds", { seed })));
    expect(bodies.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    const [first] = (await server.control.get("worlds")).body.worlds;
    await deleted(server.url, first.id);
    await worldOf(server);
  });

  test.each([
    [{ sed: 1 }, "sed"],
    [{ from: "server", scenario: nobodyAnswers }, "expected one of scenario and from"],
    [{ from: "server", seed: 2 }, "seed: expected only for a new run"],
    [{ at: "2030-01-01T00:00:00Z" }, "expected an instant from"],
    [{ from: "99" }, "there is no world 99"],
    [{ from: { ringback: 2 } }, "journal"],
    [{ scenario: "scenario: No steps at all\nstep: []" }, "line 2"],
  ])("refuse %j", async (body, problem) => {
    const server = await served();
    const answer = await server.control.post("worlds", body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(JSON.stringify(answer.body)).toContain(problem);
    expect((await server.control.get("worlds")).body.worlds).toEqual([]);
  });

  test("allow no more than the server does", async () => {
    const server = await served({ allowLocal: false });
    const { body: journal } = await (await served()).control.get("journal");
    expect(await server.control.post("worlds", { from: journal })).toMatchObject({ status: 403 });
  });

  test("are made by the server itself, not by a world", async () => {
    const server = await served();
    const world = await worldOf(server);
    expect(await world.control.post("worlds")).toMatchObject({ status: 404 });
  });

  test("open to their own token and to the server's, and to no other", async () => {
    const { url } = await served({}, { token: "servers-own" });
    const own = { authorization: "Bearer servers-own" };
    const make = async () => (await fetch(`${url}/_sim/worlds`, { method: "POST", headers: own })).json();
    const [one, other] = [await make(), await make()];
    expect((await fetch(`${url}/_sim/worlds`, { method: "POST" })).status).toBe(401);
    const statusWith = async (token: string) =>
      (await fetch(`${one.url}/_sim/state`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await statusWith(one.token)).toBe(200);
    expect(await statusWith("servers-own")).toBe(200);
    expect(await statusWith(other.token)).toBe(401);
    const ofServer = await fetch(`${url}/_sim/state`, { headers: { authorization: `Bearer ${one.token}` } });
    expect(ofServer.status).toBe(401);
  });
});
