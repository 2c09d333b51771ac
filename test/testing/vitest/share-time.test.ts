import * as timersPromises from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import { afterEach, expect, test, vi } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { shareTime } from "../../../src/testing/vitest/index.ts";

afterEach(() => {
  vi.useRealTimers();
});

function ringing(): Simulator {
  const sim = createSimulator({ ids: "counter" });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  return sim;
}

test("shareTime gives the app the simulator's time", async () => {
  const sim = createSimulator({ start: "2030-01-01T00:00:00Z" });
  const time = shareTime(sim);
  expect(new Date().toISOString()).toBe("2030-01-01T00:00:00.000Z");
  await time.advance("PT90S");
  expect(new Date().toISOString()).toBe("2030-01-01T00:01:30.000Z");
  expect(sim.now.toISO()).toBe("2030-01-01T00:01:30.000Z");
});

test("shareTime runs the app's timers and the simulator's in the order of time", async () => {
  const sim = ringing();
  const time = shareTime(sim);
  const seen: string[] = [];
  sim.on("*", (type) => seen.push(`${Date.now() - sim.startTimestamp} ${type}`));
  setInterval(() => seen.push(`${Date.now() - sim.startTimestamp} tick`), 20_000);
  sim.calls.live()[0]?.hangup("caller");
  sim.calls.inbound({ from: "+6421555002", to: "+6495550100" });
  await time.advance("PT1M");
  expect(seen).toEqual([
    "0 call.not_answered",
    "0 call.started",
    "20000 tick",
    "30000 call.not_answered",
    "40000 tick",
    "60000 tick",
  ]);
});

test("shareTime runs a timer of the app and a call from the simulator at the same instant", async () => {
  const sim = ringing();
  const time = shareTime(sim);
  const heard: number[] = [];
  sim.network.route("https://crm.acme.test/", async () => {
    heard.push(Date.now() - sim.startTimestamp);
    return 200;
  });
  sim.webhooks.create({ url: "https://crm.acme.test/hooks", events: ["call.answered"] });
  setTimeout(async () => {
    await time.catchUp();
    sim.calls.live()[0]?.answer("alice");
  }, 6_000);
  setTimeout(() => {}, 6_500);
  await time.advance("PT10S");
  expect(heard).toEqual([6_000]);
  expect(sim).toHaveEmitted("call.answered", { call: { waitTime: 6_000 } });
});

test("shareTime loses no request of the app, not even the first", async () => {
  const sim = ringing();
  const time = shareTime(sim);
  const headers = { authorization: `Bearer ${sim.token()}` };
  const statuses: string[] = [];
  setTimeout(async () => {
    const { status } = await sim.fetch("/calls/call-1", { headers });
    statuses.push(`${status} at ${Date.now() - sim.startTimestamp}`);
  }, 10_000);
  setTimeout(async () => {
    const { status } = await time.fetch("/calls/call-1", { headers });
    statuses.push(`${status} at ${Date.now() - sim.startTimestamp}`);
  }, 20_000);
  await time.advance("PT25S");
  expect(statuses).toEqual(["200 at 10000", "200 at 20000"]);
});

test("shareTime lets an endpoint wait for a timer and answer afterwards", async () => {
  const sim = ringing();
  const time = shareTime(sim);
  let asked = 0;
  sim.network.route("https://crm.acme.test/", async () => {
    // the second one is slower than the platform waits
    await new Promise((resolve) => setTimeout(resolve, ++asked === 2 ? 6_000 : 100));
    return 200;
  });
  sim.webhooks.create({ url: "https://crm.acme.test/hooks", events: ["call.started", "call.not_answered"] });
  await time.advance("PT1M");
  sim.calls.inbound({ from: "+6421555002", to: "+6495550100" });
  await time.advance("PT1M");
  expect(
    sim.network.requests.map(({ startedTimestamp, endedTimestamp, answer, failure }) => [
      startedTimestamp - sim.startTimestamp,
      (endedTimestamp ?? 0) - sim.startTimestamp,
      answer?.status ?? failure,
    ]),
  ).toEqual([
    [30_000, 30_100, 200],
    [60_000, 65_000, "timeout"],
    [90_000, 90_100, 200],
  ]);
});

test("shareTime fails at once if an endpoint waits for a repeating timer, with the remedy", async () => {
  const sim = ringing();
  const time = shareTime(sim);
  sim.network.route("https://crm.acme.test/", async () => {
    await new Promise<void>((resolve) => setInterval(resolve, 100));
    return 200;
  });
  sim.webhooks.create({ url: "https://crm.acme.test/hooks", events: ["*"] });
  await expect(time.advance("PT1M")).rejects.toThrow(
    /^the endpoint of POST https:\/\/crm\.acme\.test\/hooks \(call\.not_answered\) at \S+share-time\.test\.ts:\d+:\d+: waits for a timer that repeats, .*answer first/,
  );
});

test("shareTime awaits an endpoint that takes real time without a timer", async () => {
  const sim = ringing();
  const time = shareTime(sim);
  const { port1, port2 } = new MessageChannel();
  sim.network.route("https://crm.acme.test/", async () => {
    const heard = new Promise((resolve) => port2.once("message", resolve));
    port1.postMessage("a database would answer like this");
    await heard;
    return 204;
  });
  sim.webhooks.create({ url: "https://crm.acme.test/hooks", events: ["*"] });
  setInterval(() => {}, 1_000); // an unrelated timer of the app
  await time.advance("PT1M");
  port1.close();
  expect(sim.network.requests.map(({ answer }) => answer?.status)).toEqual([204]);
});

test("shareTime lets the app wait for Retry-After", async () => {
  const sim = createSimulator();
  const time = shareTime(sim);
  sim.rest.fault({ status: 429, retryAfter: "PT30S", times: 2 });
  const ask = async (): Promise<number> => {
    const answer = await time.fetch("/users", { headers: { authorization: `Bearer ${sim.token()}` } });
    if (answer.status !== 429) return answer.status;
    const waitMs = Number(answer.headers.get("retry-after")) * 1_000;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return ask();
  };
  const status = ask();
  await time.advance("PT2M");
  expect(await status).toBe(200);
  const asked = sim.rest.requests.map(({ timestamp }) => timestamp - sim.startTimestamp);
  expect(asked).toEqual([0, 30_000, 60_000]);
});

test("shareTime lets the app time out before a delayed answer", async () => {
  const sim = createSimulator();
  const time = shareTime(sim);
  sim.rest.fault({ after: "PT20S", times: 1 });
  const headers = { authorization: `Bearer ${sim.token()}` };
  const seen: string[] = [];
  const note = (what: unknown) => seen.push(`${what} at ${Date.now() - sim.startTimestamp}`);
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error("too late")), 10_000);
  const first = time.fetch("/users", { headers, signal: abort.signal }).catch(async ({ message }: Error) => {
    note(message);
    note((await time.fetch("/users", { headers })).status);
  });
  await time.advance("PT1M");
  await first;
  expect(seen).toEqual(["too late at 10000", "200 at 10000"]);
});

test("shareTime runs AbortSignal.timeout and the functions of timers/promises at their instants", async () => {
  const sim = createSimulator();
  const time = shareTime(sim);
  const seen: string[] = [];
  const note = (what: string) => void seen.push(`${Date.now() - sim.startTimestamp} ${what}`);
  sim.rest.fault({ path: "/users", status: 503, after: "PT10S" });
  const headers = { authorization: `Bearer ${sim.token()}` };
  const asking = sim
    .fetch("/users", { headers, signal: AbortSignal.timeout(2_000) })
    .catch(({ name }: Error) => note(name));
  sim.network.route("https://crm.acme.test/", async () => {
    await timersPromises.setTimeout(500);
    note("slept");
    return 204;
  });
  sim.webhooks.create({ url: "https://crm.acme.test/", events: ["call.started"] });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  await time.advance("PT20S");
  await asking;
  expect(seen).toEqual(["500 slept", "2000 TimeoutError"]);
  await expect(timersPromises.setTimeout(1, undefined, { signal: AbortSignal.abort() })).rejects.toThrow(
    "aborted",
  );
});

test("AbortSignal.timeout and timers/promises are as before once real timers are back", async () => {
  // an earlier test may have shared time
  await timersPromises.setTimeout(1);
  const before = [AbortSignal.timeout, timersPromises.setTimeout];
  shareTime(createSimulator());
  expect(timersPromises.setTimeout).not.toBe(before[1]);
  vi.useRealTimers();
  expect(await timersPromises.setTimeout(1, "really")).toBe("really");
  expect([AbortSignal.timeout, timersPromises.setTimeout]).toEqual(before);
});
