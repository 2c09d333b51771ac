import { request as httpRequest } from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSimulator, replay } from "../../src/index.ts";
import { runsOf } from "../counts.ts";
import { served, streamOf } from "./support.ts";

const callAlice = { from: "+6421555001", to: "+6495550100" };
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe("the control plane", () => {
  test("drives a call to its end", async () => {
    const { sim, url, control } = await served();
    const { body: begun } = await control.post("commands/inbound", callAlice);
    expect(begun).toMatchObject({ result: "call-1", now: "2026-07-01T00:00:00.000Z" });
    expect(typesOf(begun.events)).toEqual(["call.started"]);
    await control.post("advance", { duration: "PT6S" });
    await control.post("commands/answer", { call: "call-1", by: "alice", endpoint: "desktop" });
    await control.post("advance", { to: "2026-07-01T00:01:06Z" });
    await control.post("commands/hangup", { call: "call-1", by: "caller" });
    const { body: over } = await control.post("advance", { untilIdle: true });
    expect(over.now).toBe("2026-07-01T00:01:06.000Z");

    const urls = { api: url, auth: url, redirect: url };
    const twin = createSimulator({ ids: "counter", allowLocal: true, urls });
    const call = twin.calls.inbound(callAlice);
    twin.advance("PT6S");
    call.answer("alice", { endpoint: "desktop" });
    twin.advance("PT60S");
    call.hangup("caller");
    expect(sim.events.toJSONL()).toBe(twin.events.toJSONL());
  });

  test("answers that the target of a transfer cannot be rung", async () => {
    const { control } = await served();
    await control.post("commands/setAvailability", { user: "bob", status: "busy" });
    await control.post("commands/inbound", callAlice);
    await control.post("commands/answer", { call: "call-1", by: "alice" });
    const transfer = { call: "call-1", by: "alice", warm: true };
    const { body } = await control.post("commands/transfer", { ...transfer, target: "bob" });
    expect(body.result).toEqual({ unreachable: "Bob Tane is busy" });
    const { body: reached } = await control.post("commands/transfer", { ...transfer, target: "carol" });
    expect(reached.result).toEqual({});
  });

  test("runs until an event and returns it", async () => {
    const { control } = await served();
    await control.post("commands/inbound", callAlice);
    const { body } = await control.post("advance", {
      until: "call.ended",
      within: "PT10M",
      events: true,
    });
    expect(body.counts).toMatchObject({ events: body.events.length, byType: { "call.ended": 1 } });
    expect(body.event).toEqual(body.events.at(-1));
    expect(body.event.type).toBe("call.ended");
  });

  test("lists what happened if the event does not occur", async () => {
    const { control } = await served();
    await control.post("commands/inbound", callAlice);
    const answer = await control.post("advance", { until: "call.answered", within: "PT5S" });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "limit", message: expect.stringMatching(/no call.answered/) },
    });
  });

  test("returns the state of the run", async () => {
    const { sim, url, control } = await served({ seed: "lucky" });
    await control.post("commands/inbound", callAlice);
    const { body } = await control.get("state");
    expect(body).toMatchObject({
      now: "2026-07-01T00:00:00.000Z",
      timestamp: sim.timestamp,
      pace: "virtual",
      seed: "lucky",
      organisationId: "acme",
      counts: { events: 1, calls: 1, liveCalls: 1, conversations: 0 },
      credentials: sim.credentials,
      problem: null,
    });
    expect(body.next).toEqual(sim.pending().slice(0, 20));
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test("makes the REST API fail, and lists requests and answers", async () => {
    const { sim, url, control } = await served();
    const headers = { authorization: `Bearer ${sim.token()}` };
    await control.post("commands/restFault", { path: "/users", status: 429, retryAfter: "PT7S", times: 1 });
    const refused = await fetch(`${url}/users`, { headers });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "7"]);
    expect((await fetch(`${url}/users`, { headers })).status).toBe(200);
    await control.post("commands/expireTokens", {});
    expect((await fetch(`${url}/users?email=x`, { headers })).status).toBe(401);
    const { body } = await control.get("rest/requests?since=1");
    expect(body).toMatchObject({
      requests: [
        { method: "GET", path: "/users", status: 200, by: sim.credentials.clientId },
        { path: "/users?email=x", status: 401, answer: expect.stringContaining("expired") },
      ],
      next: 3,
      total: 3,
    });
    expect((await control.get("state")).body.counts.restRequests).toBe(3);
  });

  test("delivers a delayed answer as time passes", async () => {
    const { sim, url, control } = await served();
    await control.post("commands/restFault", { after: "PT2S" });
    const answer = fetch(`${url}/users`, { headers: { authorization: `Bearer ${sim.token()}` } });
    await expect.poll(() => sim.rest.requests.length).toBe(1);
    await control.post("advance", { duration: "PT2S" });
    expect((await answer).status).toBe(200);
  });

  test("lists commands, requests, notifications and scheduled items", async () => {
    const { sim, control } = await served();
    sim.network.route("https://crm.acme.test", 200);
    await control.post("commands/createWebhook", { url: "https://crm.acme.test/hooks", events: ["*"] });
    await control.post("commands/inbound", callAlice);
    expect((await control.get("commands")).body.commands).toEqual(
      expect.arrayContaining(["inbound", "fault"]),
    );
    const { body } = await control.get("requests");
    expect(body).toEqual({ requests: JSON.parse(JSON.stringify(sim.network.requests)), next: 1, total: 1 });
    expect(body.requests[0].headers).toHaveProperty("x-service-signature");
    expect((await control.get("requests?since=1")).body).toEqual({ requests: [], next: 1, total: 1 });
    expect((await control.get("notifications")).body.notifications).toEqual(sim.notifications);
    expect((await control.get("pending")).body.pending).toEqual(sim.pending());
  });

  test("lists events from an index on, filtered by type, in pages", async () => {
    const { sim, control } = await served();
    await control.post("commands/inbound", callAlice);
    await control.post("advance", { untilIdle: true });
    const all = JSON.parse(JSON.stringify(sim.events));
    expect((await control.get("events")).body).toEqual({ events: all, next: all.length, total: all.length });
    expect((await control.get("events?since=1&limit=1")).body).toMatchObject({ events: [all[1]], next: 2 });
    expect(typesOf((await control.get("events?type=call.started,call.ended")).body.events)).toEqual([
      "call.started",
      "call.ended",
    ]);
    expect((await control.get("events?since=99")).body).toMatchObject({ events: [], next: 99 });
  });

  test("has 1,000 records on a page by default and 10,000 on request, and ends where next is total", async () => {
    const { sim, control } = await served();
    await control.post("commands/traffic", { to: "+6495550100", every: "PT10S", for: "PT1H" });
    await control.post("advance", { duration: "PT2H" });
    const total = sim.events.length;
    const sizes: number[] = [];
    for (let since = 0; since < total; since += sizes.at(-1) ?? 0) {
      const { body } = await control.get(`events?since=${since}`);
      sizes.push(body.events.length);
      expect(body).toMatchObject({ next: since + body.events.length, total });
    }
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.slice(0, -1)).toEqual(sizes.slice(1).map(() => 1_000));
    expect((await control.get("events?limit=10000")).body.events).toHaveLength(total);
  });

  test("counts events that were dropped", async () => {
    const { sim, control } = await served({ retain: { events: 1 } });
    await control.post("commands/inbound", callAlice);
    await control.post("advance", { untilIdle: true });
    const total = (await control.get("state")).body.counts.events;
    expect(total).toBeGreaterThan(2);
    expect((await control.get("events")).body).toEqual({
      events: JSON.parse(JSON.stringify(sim.events)),
      next: total,
      total,
    });
  });

  test("returns the timeline, and the journal for a replay", async () => {
    const { sim, url, control } = await served();
    await control.post("commands/inbound", callAlice);
    const timeline = await fetch(`${url}/_sim/timeline`);
    expect(timeline.headers.get("content-type")).toContain("text/plain");
    expect(await timeline.text()).toBe(sim.events.toTimeline());
    expect(replay((await control.get("journal")).body).events.toJSONL()).toBe(sim.events.toJSONL());
  });

  test("resets to the same options, or to others", async () => {
    const { sim, server, control } = await served({ seed: 5 });
    await control.post("commands/inbound", callAlice);
    const { body } = await control.post("reset");
    expect(body).toMatchObject({ seed: 5, counts: { events: 0, calls: 0 }, credentials: sim.credentials });
    expect((await control.post("reset", { seed: 6 })).body.seed).toBe(6);
    expect((await control.get("journal")).body.options).toMatchObject({ ids: "counter", seed: 6 });
    expect(server.simulator).not.toBe(sim);
    expect(sim.events).toHaveLength(1);
  });

  test("answers each of two resets at once with its own options", async () => {
    const { control } = await served();
    const answers = await Promise.all([7, 8].map((seed) => control.post("reset", { seed })));
    expect(answers.map(({ body }) => body.seed)).toEqual([7, 8]);
  });

  test("returns the memory and the delays of the server", async () => {
    const { url, control } = await served();
    await control.post("commands/inbound", callAlice);
    const stream = await streamOf(`${url}/_sim/events/stream`);
    await stream.next();
    const { body } = await control.get("state");
    expect(body.memory.heapUsed).toBeGreaterThan(1_000_000);
    expect(body.memory.rss).toBeGreaterThan(body.memory.heapUsed);
    expect(body.streams).toBe(1);
    expect(body.loopDelay.max).toBeGreaterThanOrEqual(body.loopDelay.p99);
    const size = (await (await fetch(`${url}/openapi.json`)).text()).length;
    expect((await control.get("state")).body.largestAnswer).toBeGreaterThan(size);
    stream.end();
  });

  test("keeps the run if a reset has wrong options", async () => {
    const { sim, server, control } = await served();
    const answer = await control.post("reset", { organisation: { id: "acme", usres: [] } });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_argument", details: [{}] } });
    expect(server.simulator).toBe(sim);
  });

  test("names the first 20 problems of a reset and how many there are besides", async () => {
    const { control } = await served();
    const users = Array(500).fill({ x: 1 });
    const { status, body } = await control.post("reset", { organisation: { users } });
    expect(status).toBe(400);
    expect(body.details).toHaveLength(20);
    expect(body.message).toMatch(/and \d+ more problems/);
  });

  test("keeps the run if a body has too many values", async () => {
    const { sim, server, control } = await served();
    for (const path of ["reset", "commands/inbound"])
      for (const [users, limit] of [
        [Array(100_000).fill({}), "100,000 objects"],
        [Array(400_000).fill(""), "400,000 values"],
      ] as const) {
        const answer = await control.post(path, { organisation: { users } });
        expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(limit) } });
      }
    expect(server.simulator).toBe(sim);
  });

  test.each([
    ["advance", {}, 400, "invalid_argument"],
    ["advance", { duration: "PT1S", untilIdle: true }, 400, "invalid_argument"],
    ["advance", { duration: "PT1S", within: "PT1S" }, 400, "invalid_argument"],
    ["advance", { duration: -1 }, 400, "invalid_argument"],
    ["advance", { duration: "P11Y" }, 400, "invalid_argument"],
    ["advance", { to: "2126-07-01T00:00:00Z" }, 400, "invalid_argument"],
    ["advance", { to: "2020-07-01T00:00:00Z" }, 400, "invalid_argument"],
    ["advance", { until: "call.vanished" }, 400, "invalid_argument"],
    ["commands/inbound", { from: "+6421555001", to: "+6495559999" }, 400, "unknown_number"],
    ["commands/inbound", { from: 5 }, 400, "invalid_argument"],
    ["commands/inbound", [], 400, "invalid_argument"],
    ["commands/answer", { call: "call-9", by: "alice" }, 404, "not_found"],
    ["commands/answer", { call: "call-1", by: "bob" }, 409, "not_ringing"],
    ["commands/dance", {}, 404, "not_found"],
    ["commands/constructor", {}, 404, "not_found"],
    ["commands/%ff", {}, 400, "bad_request"],
    ["commands/a/b", {}, 404, "not_found"],
    ["reset", "seed", 400, "invalid_argument"],
    ["reset", { sede: 1 }, 400, "invalid_argument"],
    ["reset", { constructor: 1 }, 400, "invalid_argument"],
    ["reset", { organisation: null }, 400, "invalid_argument"],
    ["reset", null, 400, "invalid_argument"],
    ["reset", [], 400, "invalid_argument"],
    ["state", {}, 405, "method_not_allowed"],
    ["nowhere", {}, 404, "not_found"],
  ])("rejects POST %s with %j: %i %s", async (path, body, status, code) => {
    const { control } = await served();
    await control.post("commands/inbound", callAlice);
    const before = (await control.get("journal")).body;
    expect(await control.post(path, body)).toMatchObject({ status, body: { code } });
    expect((await control.get("journal")).body).toEqual(before);
  });

  test.each([
    ["events?since=-1", 400],
    ["events?since=1.5", 400],
    ["events?limit=0", 400],
    ["events?type=call.vanished", 400],
    ["events?sience=1", 400],
    ["events?since=1&since=2", 400],
    ["events?since=1&x", 400],
    ["events/stream?since=x", 400],
    ["requests?limit=0", 400],
    ["events?limit=10001", 400],
    ["advance", 405],
    ["", 404],
    ["toString", 404],
  ])("rejects GET %s: %i", async (path, status) => {
    const { control } = await served();
    expect(await control.get(path)).toMatchObject({ status, body: { code: expect.any(String) } });
  });

  test("rejects a body that is not JSON, or has another content type", async () => {
    const { url } = await served();
    const post = async (type: string, body: string) =>
      (await fetch(`${url}/_sim/reset`, { method: "POST", headers: { "content-type": type }, body })).status;
    expect(await post("application/json", "{")).toBe(400);
    expect(await post("text/plain", "{}")).toBe(415);
    expect(await post("application/json", `"${"x".repeat(7 << 20)}"`)).toBe(413);
  });
});

describe("the stream of events", () => {
  test("ends at once for HEAD", async () => {
    const { sim, url } = await served();
    let listeners = 0;
    sim.on = () => void listeners++;
    sim.off = () => void listeners--;
    for (const path of ["events/stream", "events", "state"]) {
      const response = await fetch(`${url}/_sim/${path}`, { method: "HEAD" });
      expect([response.status, await response.text()]).toEqual([200, ""]);
    }
    expect(listeners).toBe(0);
  });

  test("sends all past events, then new ones", async () => {
    const { sim, url, control } = await served();
    await control.post("commands/inbound", callAlice);
    const stream = await streamOf(`${url}/_sim/events/stream`);
    expect(stream.response.headers.get("content-type")).toContain("text/event-stream");
    const first = await stream.next();
    expect(first).toMatchObject({ id: "0", event: "call.started" });
    expect(JSON.parse(first?.data ?? "")).toEqual(JSON.parse(JSON.stringify(sim.events[0])));
    await control.post("commands/answer", { call: "call-1", by: "alice" });
    expect(await stream.next()).toMatchObject({ id: "1", event: "call.answered" });
    stream.end();
  });

  test("is also served at the list's path to requests that accept only a stream", async () => {
    const { url, control } = await served();
    await control.post("commands/inbound", callAlice);
    const stream = await streamOf(`${url}/_sim/events`, { accept: "text/event-stream" });
    expect(await stream.next()).toMatchObject({ id: "0", event: "call.started" });
    stream.end();
    const listed = await fetch(`${url}/_sim/events`, {
      headers: { accept: "application/json, text/event-stream" },
    });
    expect(await listed.json()).toMatchObject({ next: 1 });
  });

  test("continues after the last event that a client received", async () => {
    const { url, control } = await served();
    await control.post("commands/inbound", callAlice);
    await control.post("commands/answer", { call: "call-1", by: "alice" });
    const again = await streamOf(`${url}/_sim/events/stream?since=0`, { "last-event-id": "0" });
    expect(await again.next()).toMatchObject({ id: "1", event: "call.answered" });
    again.end();
  });

  test("sends only the given types, from an index on", async () => {
    const { url, control } = await served();
    await control.post("commands/inbound", callAlice);
    await control.post("advance", { untilIdle: true });
    await control.post("commands/inbound", callAlice);
    const stream = await streamOf(`${url}/_sim/events/stream?type=call.started&since=1`);
    expect(await stream.next()).toMatchObject({
      event: "call.started",
      data: expect.stringContaining("call-2"),
    });
    stream.end();
  });

  test("continues with the new run after a reset", async () => {
    const { url, control } = await served();
    await control.post("commands/inbound", callAlice);
    const stream = await streamOf(`${url}/_sim/events/stream`);
    await stream.next();
    await control.post("reset");
    await control.post("commands/inbound", { ...callAlice, from: "+6421555002" });
    expect(await stream.next()).toEqual({ event: "reset", id: "", data: "{}" });
    expect(await stream.next()).toMatchObject({ id: "0", data: expect.stringContaining("+6421555002") });
    stream.end();
  });

  test("loses nothing for a slow client", async () => {
    const { sim, url, control } = await served();
    const stream = await streamOf(`${url}/_sim/events/stream`);
    await control.post("commands/traffic", { to: "+6495550100", every: "PT10S", for: "PT1H" });
    await control.post("advance", { duration: "PT2H" });
    expect(sim.events.length).toBeGreaterThan(1000);
    for (let index = 0; index < sim.events.length; index++)
      expect((await stream.next())?.id).toBe(String(index));
    stream.end();
  });

  test("leaves a gap in the ids for a client that is too slow for the events that are kept", async () => {
    const { sim, url, control } = await served({ retain: { events: 3 } });
    const stream = await streamOf(`${url}/_sim/events/stream`);
    for (let index = 0; index < 10; index++) sim.calls.inbound(callAlice);
    const { total } = (await control.get("events")).body;
    expect(total).toBeGreaterThanOrEqual(10);
    const ids: number[] = [];
    while (ids.at(-1) !== total - 1) ids.push(Number((await stream.next())?.id));
    expect(ids.length).toBeLessThan(total);
    expect(ids.slice(-3)).toEqual([total - 3, total - 2, total - 1]);
    stream.end();
  });

  test("ends when the client disconnects", async () => {
    const { url, sim, control } = await served();
    let listeners = 0;
    const { on, off } = sim;
    sim.on = ((...args: Parameters<typeof on>) => {
      listeners++;
      on.apply(sim, args);
    }) as typeof on;
    sim.off = ((...args: Parameters<typeof off>) => {
      listeners--;
      off.apply(sim, args);
    }) as typeof off;
    const stream = await streamOf(`${url}/_sim/events/stream`);
    expect(listeners).toBe(1);
    stream.end();
    await expect.poll(() => listeners).toBe(0);
    expect((await control.get("state")).status).toBe(200);
  });

  test("ends when the server closes", async () => {
    const { server, url } = await served();
    const stream = await streamOf(`${url}/_sim/events/stream`);
    await server.close();
    expect(await stream.next()).toBeUndefined();
  });
});

describe("any request", () => {
  const path = fc.oneof(
    fc.constantFrom(
      ...["state", "advance", "commands", "events", "timeline", "journal", "reset", "pending", "requests"],
      ...[
        "commands/inbound",
        "commands/answer",
        "commands/route",
        "commands/fault",
        "commands/createWebhook",
      ],
      ...[
        "commands/putContacts",
        "commands/sendMessage",
        "commands/__proto__",
        "events?since=",
        "events?type=",
      ],
    ),
    fc.webPath().map((each) => each.slice(1)),
    fc.stringMatching(/^commands\/[a-zA-Z%._~-]{0,12}$/),
  );
  const query = fc.oneof(
    fc.constant(""),
    fc.webQueryParameters().map((each) => `?${each}`),
  );
  const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY");
  const body = fc.oneof(
    fc.json(),
    fc.string({ unit: "binary" }),
    fc
      .record(
        { duration: fc.jsonValue(), to: fc.jsonValue(), until: fc.jsonValue(), within: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((each) => JSON.stringify(each)),
    fc
      .record(
        { from: fc.jsonValue(), to: fc.jsonValue(), url: fc.jsonValue(), call: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((each) => JSON.stringify(each)),
  );
  const type = fc.constantFrom("application/json", "application/json; charset=utf-8", "text/plain", "");

  test("gets JSON from the control plane, and never a server error", async () => {
    const { url } = await served({}, { outbound: false });
    const { port } = new URL(url);
    await fc.assert(
      fc.asyncProperty(method, path, query, type, body, async (method, path, query, type, body) => {
        const target = `/_sim/${path}${path.includes("?") ? "" : query}`;
        const { status, contentType, text } = await ask(Number(port), method, target, type, body);
        expect(status).toBeLessThan(500);
        if (contentType.startsWith("text/plain")) return;
        expect(() => JSON.parse(text)).not.toThrow();
        if (status >= 400)
          expect(JSON.parse(text)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
      }),
      { numRuns: runsOf(1000) },
    );
  });

  function ask(port: number, method: string, path: string, type: string, body: string) {
    return new Promise<{ status: number; contentType: string; text: string }>((resolve, reject) => {
      const headers = {
        "content-length": Buffer.byteLength(body),
        ...(type === "" ? {} : { "content-type": type }),
      };
      const sent = httpRequest({ host: "127.0.0.1", port, method, path, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => {
          const contentType = response.headers["content-type"] ?? "";
          resolve({ status: response.statusCode ?? 0, contentType, text });
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }
});
