import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readJournal } from "../../src/core/simulator/options.ts";
import { demoOrganisation, replay, type Simulator } from "../../src/index.ts";
import { serve } from "../../src/server/index.ts";
import { receiver, served } from "./support.ts";

const callAlice = { from: "+6421555001", to: "+6495550100" };

/** An app that answers only when the test says so, and counts the requests that wait. */
async function slowReceiver(status = 200) {
  const waiting: (() => void)[] = [];
  const { url, received } = await receiver(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return status;
  });
  const answerAll = () => {
    for (const answer of waiting.splice(0)) answer();
  };
  return { url, received, waiting, answerAll };
}

/** The parts of a run that do not depend on who asked for it. */
const told = ({ events, network }: Simulator) => ({
  events: events.toJSONL(),
  requests: network.requests,
});

const timing = { endpointTimeout: "PT1H" };

describe("While time follows real time", () => {
  test("a slow endpoint does not block, and its answer counts at the current instant", async () => {
    const slow = await slowReceiver();
    const { sim } = await served({ timing }, { pace: "realtime" });
    const hook = sim.webhooks.create({ url: slow.url, events: ["call.started"] });
    sim.calls.inbound(callAlice);
    await expect.poll(() => slow.waiting.length, { interval: 1 }).toBe(1);
    const askedAt = sim.timestamp;
    await expect.poll(() => sim.timestamp, { interval: 1 }).toBeGreaterThan(askedAt + 20);
    expect(sim.webhooks.deliveries(hook.id)).toMatchObject([{ state: "pending" }]);
    slow.answerAll();
    await expect.poll(() => sim.webhooks.deliveries(hook.id)[0]?.state, { interval: 1 }).toBe("delivered");
    const [{ startedTimestamp, endedTimestamp } = {} as never] = sim.network.requests;
    expect((endedTimestamp ?? 0) - startedTimestamp).toBeGreaterThan(20);
  });

  test("requests of several instants run concurrently, and a replay sends none", async () => {
    const slow = await slowReceiver();
    // slow pace: on a busy machine, a phone must not stop ringing before the test goes on
    const { sim } = await served({ timing }, { pace: "realtime" });
    sim.webhooks.create({ url: slow.url, events: ["call.started", "call.not_answered"] });
    sim.calls.inbound(callAlice);
    await expect.poll(() => slow.waiting.length, { interval: 1 }).toBe(1);
    sim.calls.inbound({ ...callAlice, to: "+6495550101" });
    await expect.poll(() => slow.waiting.length, { interval: 1 }).toBe(2);
    sim.calls.live()[0]?.hangup("caller");
    await expect.poll(() => slow.waiting.length, { interval: 1 }).toBe(3);
    slow.answerAll();
    await expect.poll(() => sim.network.requests.every(({ answer }) => answer !== null)).toBe(true);
    const again = replay(JSON.parse(JSON.stringify(sim.journal())));
    expect(told(again)).toEqual(told(sim));
    expect(told(again.fork())).toEqual(told(sim));
    expect(slow.received).toHaveLength(3);
  });

  test("at most 100 requests are open together", async () => {
    const slow = await slowReceiver();
    const { sim, control } = await served({ timing }, { pace: "realtime" });
    for (let index = 0; index < 105; index++)
      sim.webhooks.create({ url: `${slow.url}/${index}`, events: ["call.started"] });
    sim.calls.inbound(callAlice);
    await expect.poll(() => slow.waiting.length, { interval: 1 }).toBe(100);
    // by then a hundred and first would have been sent
    await control.get("state");
    expect(slow.received).toHaveLength(100);
    slow.answerAll();
    await expect.poll(() => slow.received.length, { interval: 1 }).toBe(105);
    slow.answerAll();
  });

  test("the hundred and first is sent even if none of the others is ever answered", async () => {
    const { url } = await receiver(() => undefined);
    const { sim } = await served({ timing: { endpointTimeout: 60 } }, { pace: "realtime" });
    for (let index = 0; index < 105; index++)
      sim.webhooks.create({ url: `${url}/${index}`, events: ["call.started"] });
    const begun = sim.timestamp;
    sim.calls.inbound(callAlice);
    const firsts = () => [...sim.network.requests].slice(0, 105).map(({ failure }) => failure);
    await expect.poll(firsts, { interval: 10 }).toEqual(Array(105).fill("timeout"));
    // time went on by itself
    expect(sim.timestamp).toBeGreaterThan(begun);
  });

  test("answers that arrive between two steps are processed in the order of the requests", async () => {
    const slow = await slowReceiver();
    const { sim, server } = await served({ timing }, { pace: "realtime" });
    for (const name of ["a", "b", "c"])
      sim.webhooks.create({ url: `${slow.url}/${name}`, events: ["call.started"] });
    sim.calls.inbound(callAlice);
    await expect.poll(() => slow.waiting.length, { interval: 1 }).toBe(3);
    // all of them end here, in whatever order
    await server.close();
    await sim.advanceAsync(0);
    const ended = sim.journal().entries.flatMap(({ command, args }) => {
      const { request, failure } = args as { request: string; failure?: string };
      return command === "network.answer" && failure !== undefined ? [`${request} ${failure}`] : [];
    });
    expect(ended).toEqual(["request-1 refused", "request-2 refused", "request-3 refused"]);
  });

  test("an endpoint that never answers times out at its limit", async () => {
    const { url } = await receiver(() => undefined);
    const { sim } = await served({ timing: { endpointTimeout: 60 } }, { pace: "realtime" });
    sim.webhooks.create({ url, events: ["call.started"] });
    sim.calls.inbound(callAlice);
    await expect.poll(() => sim.network.requests[0]?.failure, { interval: 1 }).toBe("timeout");
    const [{ startedTimestamp, endedTimestamp } = {} as never] = sim.network.requests;
    expect((endedTimestamp ?? 0) - startedTimestamp).toBe(60);
    expect(told(replay(sim.journal())).events).toBe(told(sim).events);
  });

  test("time waits at that limit for the real endpoint, at any pace", async () => {
    const slow = await slowReceiver();
    const { sim } = await served({}, { pace: 100_000 });
    sim.webhooks.create({ url: slow.url, events: ["call.started"] });
    sim.calls.inbound(callAlice);
    await expect.poll(() => slow.waiting.length, { interval: 1 }).toBe(1);
    const limitMs = (sim.network.requests[0]?.startedTimestamp ?? 0) + 5_000;
    await expect.poll(() => sim.timestamp, { interval: 1 }).toBe(limitMs);
    expect(sim.waitingFor).toEqual([expect.stringContaining("/hooks (call.started)")]);
    slow.answerAll();
    await expect.poll(() => sim.timestamp, { interval: 1 }).toBeGreaterThan(limitMs);
    expect(sim.network.requests[0]).toMatchObject({ answer: { status: 200 }, endedTimestamp: limitMs });
  });

  test("a pause of the process takes nothing of an endpoint's time", async () => {
    const { url } = await receiver(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
      return 200;
    });
    const { sim } = await served({ timing: { endpointTimeout: "PT1S" } }, { pace: "realtime" });
    sim.webhooks.create({ url, events: ["call.started"] });
    sim.calls.inbound(callAlice);
    await expect.poll(() => sim.network.requests[0]?.endedTimestamp, { interval: 1 }).toBeTypeOf("number");
    expect(sim.network.requests[0]).toMatchObject({ answer: { status: 200 }, failure: null });
  });

  test("a late answer of a data action takes effect", async () => {
    const slow = await receiver(undefined, (response) => {
      setTimeout(() => response.end('{"action":"block"}'), 30);
    });
    const organisation = { ...demoOrganisation, dataActions: { outboundCall: slow.url } };
    const { sim } = await served({ organisation }, { pace: "realtime" });
    const call = sim.calls.outbound({ from: "alice", to: "+6421555009" });
    await expect.poll(() => call.status, { interval: 1 }).toBe("blocked");
    expect(told(replay(sim.journal()))).toEqual(told(sim));
  });

  test("an awaited advance first waits for requests in flight, without virtual time", async () => {
    const slow = await slowReceiver();
    const { sim, control } = await served({ timing }, { pace: "realtime" });
    sim.webhooks.create({ url: slow.url, events: ["call.started", "call.not_answered"] });
    sim.calls.inbound(callAlice);
    await expect.poll(() => slow.waiting.length, { interval: 1 }).toBe(1);
    const advancing = control.post("advance", { until: "call.not_answered" });
    await expect.poll(() => sim.waitingFor.length, { interval: 1 }).toBe(1);
    slow.answerAll();
    expect((await advancing).status).toBe(200);
    expect(sim.network.requests[0]).toMatchObject({ answer: { status: 200 } });
  });
});

describe("A run that stops while an endpoint is being called", () => {
  test("continues from its journal: the request times out and is sent again", async () => {
    const slow = await slowReceiver();
    const path = join(mkdtempSync(join(tmpdir(), "ringback-")), "run.jsonl");
    const { sim, server } = await served({}, { pace: "realtime", journal: path });
    const hook = sim.webhooks.create({ url: slow.url, events: ["call.started"] });
    sim.calls.inbound(callAlice);
    await expect.poll(() => slow.waiting.length, { interval: 1 }).toBe(1);
    await server.close();
    const resumed = replay(readJournal(readFileSync(path, "utf8")));
    expect(resumed.events.toJSONL()).toBe(sim.events.toJSONL());
    resumed.advance("PT10M");
    expect(resumed.webhooks.deliveries(hook.id)[0]?.attempts).toMatchObject([
      { failure: "timeout" },
      { failure: null },
    ]);
  });

  test("refuses to continue synchronously, and loses nothing", async () => {
    const slow = await slowReceiver();
    const { sim, server } = await served({ timing }, { pace: "realtime" });
    sim.webhooks.create({ url: slow.url, events: ["call.started"] });
    sim.calls.inbound(callAlice);
    await expect.poll(() => slow.waiting.length, { interval: 1 }).toBe(1);
    expect(() => sim.advance("PT1S")).toThrow(
      /has not answered yet, which a synchronous run cannot wait for/,
    );
    const fork = sim.fork();
    slow.answerAll();
    await server.close();
    for (const each of [sim, fork]) {
      await each.advanceAsync(0);
      expect(each.network.requests[0]).toMatchObject({ endedAt: expect.any(String) });
    }
    const second = await serve(sim);
    await second.close();
  });
});
