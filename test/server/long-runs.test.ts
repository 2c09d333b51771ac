import { describe, expect, test } from "vitest";
import { createSimulator, type Simulator } from "../../src/index.ts";
import { serve } from "../../src/server/index.ts";
import { controlOf, receiver, served } from "./support.ts";

const callAlice = { from: "+6421555001", to: "+6495550100" };
const busy = { to: "+6495550200", every: "PT5S", for: "P30D" };

describe("A long advance", () => {
  test("returns counts and, on request, events up to a limit", async () => {
    const { sim, control } = await served();
    await control.post("commands/traffic", { ...busy, for: "PT1H" });
    const { body } = await control.post("advance", { duration: "PT2H" });
    expect(body).not.toHaveProperty("events");
    expect(body.counts.events).toBe(sim.events.length);
    const started = sim.events.filter(({ type }) => type === "call.started").length;
    expect(body.counts.byType["call.started"]).toBe(started);
    await control.post("commands/inbound", callAlice);
    const more = await control.post("advance", { duration: "PT1M", events: true });
    expect(more.body.events).toHaveLength(more.body.counts.events);
  });

  test("shows its progress, and can be interrupted between two steps", async () => {
    const { sim, control } = await served();
    await control.post("commands/traffic", busy);
    const advancing = control.post("advance", { duration: "P30D" });
    await expect
      .poll(async () => (await control.get("state")).body.running, { interval: 5 })
      .toMatchObject({ from: "2026-07-01T00:00:00.000Z", to: "2026-07-31T00:00:00.000Z" });
    const { running } = (await control.get("state")).body;
    expect(running.done).toBeGreaterThanOrEqual(0);
    expect(running.done).toBeLessThan(1);
    expect((await control.post("interrupt")).body.interrupted).toBe(true);
    const { status, body } = await advancing;
    expect([status, body.interrupted]).toEqual([200, true]);
    expect(body.timestamp).toBe(sim.timestamp);
    expect(sim.timestamp).toBeLessThan(sim.startTimestamp + 30 * 86_400_000);
    expect((await control.get("state")).body.running).toBeNull();
    expect((await control.post("interrupt")).body.interrupted).toBe(false);
    // the rest of the run goes on as usual
    const { body: next } = await control.post("advance", { duration: "PT1S" });
    expect(next).not.toHaveProperty("interrupted");
  });

  test("that waits for a hanging endpoint ends when it is interrupted", async () => {
    let asked = 0;
    const endpoint = await receiver(() => (asked++ === 0 ? new Promise<never>(() => {}) : 200));
    const { sim, control } = await served({ timing: { endpointTimeout: "PT1H" } });
    await control.post("commands/createWebhook", { url: endpoint.url, events: ["call.started"] });
    // neither the command nor the advance behind it would come back
    const begun = control.post("commands/inbound", callAlice);
    await expect.poll(() => sim.network.requests.length).toBe(1);
    const advancing = control.post("advance", { duration: "PT1S" });
    await expect
      .poll(async () => (await control.post("interrupt")).body.interrupted, { interval: 5 })
      .toBe(true);
    expect((await begun).status).toBe(200);
    expect((await advancing).status).toBe(200);
    await control.post("advance", { duration: "PT1H" });
    expect(sim.network.requests[0]?.failure).toBe("timeout");
  });

  test("that waits for another counts only its own events", async () => {
    const { control } = await served();
    await control.post("commands/traffic", { ...busy, for: "PT1H" });
    const first = control.post("advance", { duration: "PT1H" });
    const second = control.post("advance", { duration: "PT1S", events: true });
    const { counts, next } = (await first).body;
    expect(counts.events).toBe(next);
    const { body } = await second;
    expect(body.counts.events).toBe(body.total - next);
    expect(body.events).toHaveLength(body.total - next);
  });

  test("gives the same run with and without an interruption", async () => {
    const { sim, control } = await served();
    const url = "https://crm.acme.test/hooks";
    const busyHours = (simulator: Simulator) => {
      simulator.webhooks.create({ url, events: ["call.started"] });
      simulator.command("traffic", { ...busy, for: "PT2H" });
    };
    let asked = 0;
    sim.network.route(url, async () => {
      // in the middle, however fast the machine is
      if (++asked === 100) await control.post("interrupt");
      return 200;
    });
    busyHours(sim);
    const { body } = await control.post("advance", { duration: "PT2H" });
    expect(body.interrupted).toBe(true);
    expect(asked).toBe(100);
    await control.post("advance", { to: "2026-07-01T02:00:00Z" });
    const whole = createSimulator({ ids: "counter", allowLocal: true, urls: sim.urls });
    whole.network.route(url, () => 200);
    busyHours(whole);
    whole.advance("PT2H");
    expect(sim.events.length).toBe(whole.events.length);
    expect(sim.events.at(-1)).toEqual(whole.events.at(-1));
  });

  test("ends when its client disconnects, and on a reset", async () => {
    const { server, url, control } = await served();
    await control.post("commands/traffic", busy);
    const going = new AbortController();
    const advancing = fetch(`${url}/_sim/advance`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"duration":"P30D"}',
      signal: going.signal,
    });
    const gone = expect(advancing).rejects.toThrow();
    await expect.poll(async () => (await control.get("state")).body.running).not.toBeNull();
    going.abort();
    await gone;
    await expect.poll(async () => (await control.get("state")).body.running).toBeNull();

    const second = control.post("advance", { duration: "P30D" });
    await expect.poll(async () => (await control.get("state")).body.running).not.toBeNull();
    expect((await control.post("reset")).status).toBe(200);
    expect((await second).body.interrupted).toBe(true);
    expect(server.simulator.events).toHaveLength(0);
  });

  test("ends when the server closes", async () => {
    const { server, sim, control } = await served();
    await control.post("commands/traffic", busy);
    const advancing = control.post("advance", { duration: "P30D" });
    await expect.poll(async () => (await control.get("state")).body.running).not.toBeNull();
    await server.close();
    await advancing.catch(() => {}); // the server may have closed its connection
    expect(sim.timestamp).toBeLessThan(sim.startTimestamp + 30 * 86_400_000);
  });

  test("can be interrupted after another server of the same simulator closed", async () => {
    const { sim, control } = await served();
    const other = await serve(sim);
    await other.close();
    await control.post("commands/traffic", busy);
    const advancing = control.post("advance", { duration: "P30D" });
    await expect.poll(async () => (await control.get("state")).body.running, { interval: 5 }).not.toBeNull();
    expect((await control.post("interrupt")).body.interrupted).toBe(true);
    expect((await advancing).body.interrupted).toBe(true);
  });
});

describe("Endpoints of one instant", () => {
  test("are called concurrently, and their answers are processed in the order of the calls", async () => {
    let open = 0;
    let most = 0;
    const finish: (() => void)[] = [];
    const { url: hooks } = await receiver(async () => {
      open++;
      most = Math.max(most, open);
      await new Promise<void>((resolve) => {
        finish.push(resolve);
        // the last request to arrive gets the first answer
        if (finish.length === 3) for (const each of finish.reverse()) each();
      });
      open--;
      return 200;
    });
    const { sim, control } = await served();
    for (const name of ["a", "b", "c"])
      sim.webhooks.create({ url: `${hooks}/${name}`, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    expect(most).toBe(3);
    const answers = sim.journal().entries.filter(({ command }) => command === "network.answer");
    expect(answers.map(({ args }) => (args as { request: string }).request)).toEqual([
      "request-1",
      "request-2",
      "request-3",
    ]);
  });
});

describe("An app that asks for a token in its handler", () => {
  test("does not cause a warning that time is already moving", async () => {
    const heard: unknown[] = [];
    const { sim, url } = await served({}, { onError: (error) => heard.push(error) });
    const form = () =>
      new URLSearchParams({
        grant_type: "client_credentials",
        client_id: sim.credentials.clientId,
        client_secret: sim.credentials.clientSecret,
      });
    const { url: hooks, received } = await receiver(async () => {
      const answer = await fetch(`${url}/oauth/token`, { method: "POST", body: form() });
      return answer.status;
    });
    sim.webhooks.create({ url: hooks, events: ["*"] });
    sim.calls.inbound(callAlice);
    // the test moves time, not the server
    await sim.advanceAsync("PT1M");
    expect(received.length).toBeGreaterThan(1);
    expect(sim.network.requests.every(({ answer }) => answer?.status === 200)).toBe(true);
    expect(heard).toEqual([]);
    expect((await controlOf(url).get("state")).body.problem).toBeNull();
  });
});
