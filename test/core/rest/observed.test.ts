import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createSimulator, parseScenario, replay, runScenario, type Simulator } from "../../../src/index.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function bytesInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const newSimulator = () => createSimulator({ ids: "counter" });

function asking(sim: Simulator, path = "/users?email=alice@acme.test", init: RequestInit = {}) {
  return sim.fetch(path, { ...init, headers: { authorization: `Bearer ${sim.token()}`, ...init.headers } });
}

const post = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
const statusOf = async (answer: Promise<Response>) => (await answer).status;

describe("sim.rest.requests", () => {
  test("lists every request with its answer, time and client", async () => {
    const sim = newSimulator();
    sim.advance("PT6S");
    const answer = await asking(sim);
    expect(sim.rest.requests).toEqual([
      {
        method: "GET",
        path: "/users?email=alice@acme.test",
        body: "",
        status: 200,
        answer: await answer.text(),
        at: "2026-07-01T00:00:06.000Z",
        timestamp: sim.timestamp,
        by: "acme-client",
        isFault: false,
        ignored: [],
        during: null,
      },
    ]);
  });

  test("includes bodies, rejected requests, token requests, and requests of unknown clients", async () => {
    const sim = newSimulator();
    await asking(sim, "/webhooks", { ...post, body: '{"url":1}' });
    await sim.fetch("/calls", { headers: { authorization: "Bearer nonsense" } });
    const { clientId, clientSecret } = sim.credentials;
    const form = { client_id: clientId, client_secret: clientSecret, grant_type: "client_credentials" };
    await sim.fetch(`${sim.urls.auth}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
    expect(sim.rest.requests).toMatchObject([
      { method: "POST", path: "/webhooks", body: '{"url":1}', status: 400, by: clientId },
      { method: "GET", path: "/calls", status: 401, by: null },
      { method: "POST", path: "/oauth/token", status: 200, by: clientId },
    ]);
  });

  test("is equal in a replay and a fork, and continues separately in each", async () => {
    const sim = newSimulator();
    sim.rest.fault({ status: 429, times: 2 });
    await asking(sim);
    const replayed = replay(JSON.stringify(sim.journal()));
    const fork = sim.fork();
    expect(replayed.rest.requests).toEqual(sim.rest.requests);
    expect(fork.rest.requests).toEqual(sim.rest.requests);
    for (const each of [sim, replayed, fork]) {
      expect(await statusOf(asking(each))).toBe(429);
      expect(await statusOf(asking(each))).toBe(200);
      expect(each.rest.requests.length).toBe(3);
    }
  });

  test("truncates long bodies", async () => {
    const sim = newSimulator();
    const body = JSON.stringify({ text: "x".repeat(20_000) });
    await asking(sim, "/webhooks", { ...post, body });
    expect(sim.rest.requests[0]?.body).toBe(`${body.slice(0, 16_384)}… (20011 characters)`);
  });

  test("does not hold on to the rest of a long body", async () => {
    const sim = newSimulator();
    const send = () => asking(sim, "/webhooks", { ...post, body: JSON.stringify("x".repeat(1_000_000)) });
    await send();
    const before = bytesInUse();
    for (let count = 0; count < 60; count++) await send();
    // half of what was sent: other tests of this process, and compiled code, may keep some megabytes more or less
    expect(bytesInUse() - before).toBeLessThan(30_000_000);
  });

  test("omits audio, which is not text", async () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance("PT1M");
    call.leaveVoicemail({ duration: "PT5S" });
    sim.runUntilIdle();
    const answer = await sim.fetch(String(call.record.voicemail?.recordingUrl));
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
    expect(sim.rest.requests.at(-1)).toMatchObject({ status: 200, answer: "" });
  });

  test("keeps only the newest up to the limit", async () => {
    const sim = createSimulator({ retain: { requests: 1 } });
    await asking(sim, "/users");
    await asking(sim, "/teams");
    expect(sim.rest.requests.map(({ path }) => path)).toEqual(["/teams"]);
  });

  test("does not grow if the simulator is disposed before the answer", async () => {
    const sim = newSimulator();
    const answer = asking(sim);
    // the client has sent the request, and has not yet read its answer
    await sim.loadRest();
    await Promise.resolve();
    sim.dispose();
    expect(await statusOf(answer)).toBe(200);
  });

  test("lists the query parameters that the operation does not know, each once", async () => {
    const sim = newSimulator();
    for (const query of [
      "colour=red&limit=1&colour=blue&=x",
      "limit=-1&colour=red",
      "email=x",
      "nextContact=x&a=b",
    ])
      await asking(sim, `/calls?${query}`);
    await asking(sim, "/users/alice?email=x");
    expect(sim.rest.requests.map(({ status, ignored }) => [status, ignored])).toEqual([
      [200, ["colour", ""]],
      [400, ["colour"]],
      [200, ["email"]],
      [400, ["a"]],
      [200, ["email"]],
    ]);
    const again = replay(sim.journal());
    expect(again.rest.requests).toEqual(sim.rest.requests);
    expect(sim.events.toTimeline()).toContain("asks GET /users/alice?email=x: 200 (ignores email)");
  });

  test("is shown in the timeline and in the ladder", async () => {
    const sim = newSimulator();
    sim.rest.fault({ path: "/users", status: 429, retryAfter: "PT10S", times: 1 });
    await asking(sim, "/users");
    await asking(sim, "/webhooks", { ...post, body: '{"url":1}' });
    sim.rest.expireTokens();
    const timeline = sim.events.toTimeline();
    expect(timeline).toContain("/users is answered 429 (retry after 10s), 1 time");
    expect(timeline).toMatch(/asks POST \/webhooks: 400 \(.*url: expected .*\)$/m);
    expect(timeline).toContain("acme-client asks GET /users: 429 (fault)");
    expect(timeline).toContain("every access token expires");
    expect(sim.events.toMermaid()).toContain("asks GET /users: 429 (fault)");
  });
});

describe("sim.rest.fault", () => {
  test("answers the next requests with a status and Retry-After", async () => {
    const sim = newSimulator();
    sim.rest.fault({ status: 429, retryAfter: "PT30S", times: 2 });
    const first = await asking(sim);
    expect(first.status).toBe(429);
    expect(first.headers.get("retry-after")).toBe("30");
    expect(await first.json()).toMatchObject({ code: "too_many_requests" });
    expect(await statusOf(asking(sim))).toBe(429);
    expect(await statusOf(asking(sim))).toBe(200);
  });

  test("applies to a path with its subpaths, and to a method", async () => {
    const sim = newSimulator();
    sim.rest.fault({ path: "/webhooks", method: "POST" });
    expect(await statusOf(asking(sim, "/webhooks", post))).toBe(503);
    expect(await statusOf(asking(sim, "/webhooks"))).toBe(200);
    sim.rest.fault({ path: "/calls", status: 500 });
    expect(await statusOf(asking(sim, "/calls/call-1?x=1"))).toBe(500);
    expect(await statusOf(asking(sim, "/users"))).toBe(200);
    sim.rest.fault({ path: "/calls", times: 0 });
    expect(await statusOf(asking(sim, "/calls"))).toBe(200);
    expect(await statusOf(asking(sim, "/webhooks", post))).toBe(503);
  });

  test("of one method ends by itself, given another method of its path", async () => {
    const sim = newSimulator();
    sim.rest.fault({ path: "/webhooks", method: "POST" });
    sim.rest.fault({ path: "/webhooks", method: "GET", status: 500 });
    sim.rest.fault({ path: "/webhooks", method: "GET", times: 0 });
    expect(await statusOf(asking(sim, "/webhooks"))).toBe(200);
    expect(await statusOf(asking(sim, "/webhooks", post))).toBe(503);
  });

  test("lasts for the given time on the virtual clock", async () => {
    const sim = newSimulator();
    sim.rest.fault({ for: "PT1M" });
    sim.advance("PT59.999S");
    expect(await statusOf(asking(sim))).toBe(503);
    sim.advance(1);
    expect(await statusOf(asking(sim))).toBe(200);
  });

  test("does not affect the token endpoint unless it is named", async () => {
    const sim = newSimulator();
    const { clientId, clientSecret } = sim.credentials;
    const form = { client_id: clientId, client_secret: clientSecret, grant_type: "client_credentials" };
    const token = () =>
      sim.fetch(`${sim.urls.auth}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
    sim.rest.fault({ method: "POST" });
    expect(await statusOf(token())).toBe(200);
    sim.rest.fault({ path: "/oauth/token", times: 1 });
    const answer = await token();
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: "temporarily_unavailable" }]);
    expect(await statusOf(token())).toBe(200);
  });

  test("delays answers on the virtual clock; without a status, the usual answers", async () => {
    const sim = newSimulator();
    sim.rest.fault({ after: "PT2S", times: 1 });
    const answer = asking(sim).then(({ status }) => `${status} at ${sim.timestamp - sim.startTimestamp}`);
    // until the answer is ready, which takes no virtual time
    while (sim.rest.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(sim.pending().map(({ purpose }) => purpose)).toEqual([
      "the late answer to GET /users?email=alice@acme.test",
    ]);
    await sim.advanceAsync("PT2S");
    expect(await answer).toBe("200 at 2000");
  });

  test("drops answers to clients that no longer wait", async () => {
    const sim = newSimulator();
    sim.rest.fault({ after: "PT2S" });
    const abort = new AbortController();
    const answer = asking(sim, "/users", { signal: abort.signal });
    const outcome = expect(answer).rejects.toThrow("gone");
    while (sim.rest.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort(new Error("gone"));
    await outcome;
    await expect(asking(sim, "/users", { signal: abort.signal })).rejects.toThrow("gone");
    expect(sim.rest.requests.length).toBe(1);
    sim.advance("PT2S");
  });

  test("applies to at most the given number of requests, even if they are concurrent", async () => {
    const sim = newSimulator();
    sim.rest.fault({ status: 429, times: 1 });
    const statuses = await Promise.all([1, 2, 3].map(() => statusOf(asking(sim))));
    expect(statuses).toEqual([429, 200, 200]);
    sim.rest.fault({ path: "/users", times: 2 });
    expect(await Promise.all([1, 2, 3].map(() => statusOf(asking(sim, "/users"))))).toEqual([503, 503, 200]);
    expect(await statusOf(asking(replay(sim.journal()), "/users"))).toBe(200);
  });

  test("rejects an invalid fault and changes nothing", async () => {
    const sim = newSimulator();
    expect(() => sim.rest.fault({ status: 200 })).toThrow(/restFault: status: expected .*400 to 599/);
    expect(() => sim.rest.fault({ path: "calls" })).toThrow("path: expected a path that begins with /");
    expect(await statusOf(asking(sim))).toBe(200);
  });

  test("can be a step of a scenario", async () => {
    const { simulator } = runScenario(
      parseScenario(`scenario: A bad minute
steps:
  - { at: PT0S, restFault: { path: /calls, status: 429, retryAfter: PT10S, times: 1 } }
  - { at: PT1M, expireTokens: {} }
`),
    );
    expect(() => parseScenario("scenario: x\nsteps:\n  - { at: PT0S, restServed: {} }\n")).toThrow(
      "restServed",
    );
    expect(await statusOf(asking(simulator, "/calls"))).toBe(429);
    expect(await statusOf(asking(simulator, "/calls"))).toBe(200);
  });
});

describe("sim.rest.expireTokens", () => {
  test("invalidates every token issued before", async () => {
    const sim = newSimulator();
    const headers = { authorization: `Bearer ${sim.token()}` };
    expect(await statusOf(sim.fetch("/users", { headers }))).toBe(200);
    sim.rest.expireTokens();
    expect(await statusOf(sim.fetch("/users", { headers }))).toBe(401);
    expect(sim.rest.requests.at(-1)).toMatchObject({ status: 401, by: "acme-client" });
    expect(await statusOf(asking(sim))).toBe(200);
  });
});
