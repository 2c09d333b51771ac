import { MessageChannel } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { createSimulator, parseScenario, replay, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs, stream } from "../../helpers.ts";

const url = "https://crm.acme.test/hooks";

function told(events: ("call.started" | "call.not_answered")[] = ["call.started"]) {
  const sim = createSimulator({ organisation: office, ids: "counter" });
  const { id } = sim.webhooks.create({ url, events });
  return { sim, id };
}

const ring = (sim: Simulator) => sim.calls.inbound({ from: caller, to: dial.alice });
const sleep = (sim: Simulator, duration: string) =>
  new Promise<void>((resolve) => void sim.schedule(duration, resolve));

/** The endpoint answers two seconds later. */
const answerLater = (sim: Simulator) =>
  sim.network.route(url, async () => {
    await sleep(sim, "PT2S");
    return 200;
  });

/** Something that takes real time, and no virtual time. */
async function realWork(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  for (let turn = 0; turn < 20; turn++) {
    const heard = new Promise((resolve) => port2.once("message", resolve));
    port1.postMessage("go on");
    await heard;
  }
  port1.close();
}

/** When requests began and ended, s from the start, and how. */
const requests = (sim: Simulator) =>
  sim.network.requests.map(({ startedTimestamp, endedTimestamp, answer, failure }) => [
    (startedTimestamp - startMs) / 1_000,
    endedTimestamp === null ? null : (endedTimestamp - startMs) / 1_000,
    answer?.status ?? failure,
  ]);

describe("An endpoint that waits for virtual time", () => {
  test("answers once the time has passed, while the run continues, and a replay is equal", async () => {
    const { sim } = told(["call.started", "call.not_answered"]);
    sim.network.route(url, async ({ body }) => {
      if (JSON.parse(body).type === "call.started") await sleep(sim, "PT2S");
      return 200;
    });
    const call = ring(sim);
    sim.schedule("PT1S", () => call.hangup("caller"));
    await sim.advanceAsync("PT10S");
    expect(requests(sim)).toEqual([
      [0, 2, 200],
      [1, 1, 200],
    ]);
    const again = replay(JSON.parse(JSON.stringify(sim.journal())));
    expect(again.network.requests).toEqual(sim.network.requests);
    expect(stream(again)).toEqual(stream(sim));
  });

  test("can answer a request whose call was dropped, and a replay is equal", async () => {
    const retain = { calls: 0, events: 0, requests: 0, notifications: 0 };
    const sim = createSimulator({ organisation: office, ids: "counter", retain });
    const { id } = sim.webhooks.create({ url, events: ["call.started"] });
    answerLater(sim);
    const call = ring(sim);
    sim.schedule("PT1S", () => call.hangup("caller"));
    await sim.advanceAsync("PT1.5S");
    expect(sim.calls.list()).toEqual([]);
    expect(sim.webhooks.deliveries(id)).toMatchObject([{ state: "pending" }]);
    await sim.advanceAsync("PT10S");
    expect([...sim.webhooks.deliveries(id), ...sim.network.requests, ...sim.events]).toEqual([]);
    expect(sim.pending()).toEqual([]);
    const again = replay(JSON.parse(JSON.stringify(sim.journal())));
    expect(again.timestamp).toBe(sim.timestamp);
    expect(again.webhooks.get(id)).toEqual(sim.webhooks.get(id));
  });

  test("times out if it waits longer than the platform, and is called again", async () => {
    const { sim } = told();
    let asked = 0;
    sim.network.route(url, async () => {
      if (++asked === 1) await sleep(sim, "PT8S");
      return 200;
    });
    ring(sim);
    await sim.advanceAsync("PT5M");
    expect(requests(sim)).toEqual([
      [0, 5, "timeout"],
      [169.08, 169.08, 200],
    ]);
  });

  test.each([
    ["PT3S", 200, 5],
    ["PT3.001S", "timeout", 5],
  ])("that then takes %s more ends with %s at the limit of 5 s", async (after, result, endedS) => {
    const { sim } = told();
    sim.network.route(url, async () => {
      await sleep(sim, "PT2S");
      return { status: 200, after };
    });
    ring(sim);
    await sim.advanceAsync("PT5S");
    expect(requests(sim)[0]).toEqual([0, endedS, result]);
  });

  test("blocks the run while it awaits anything else, before and after", async () => {
    const { sim } = told();
    const seen: number[] = [];
    sim.network.route(url, async () => {
      for (const duration of ["PT1S", "PT0.5S"]) {
        await realWork();
        await sleep(sim, duration);
        await realWork();
        seen.push(sim.timestamp - startMs);
      }
      return 200;
    });
    ring(sim);
    await sim.advanceAsync("PT10S");
    expect(seen).toEqual([1_000, 1_500]);
    expect(requests(sim)).toEqual([[0, 1.5, 200]]);
  });

  test("may await a delayed answer of the REST API", async () => {
    const { sim } = told();
    const headers = { authorization: `Bearer ${sim.token()}` };
    sim.network.route(url, async () => (await sim.fetch("/users", { headers })).status);
    sim.rest.fault({ path: "/users", after: "PT2S" });
    ring(sim);
    await sim.advanceAsync("PT10S");
    expect(requests(sim)).toEqual([[0, 2, 200]]);
  });

  test("handles requests that arrive meanwhile concurrently", async () => {
    const { sim } = told();
    let [open, most] = [0, 0];
    sim.network.route(url, async () => {
      most = Math.max(most, ++open);
      await sleep(sim, "PT3S");
      open--;
      return 200;
    });
    ring(sim);
    sim.calls.inbound({ from: caller, to: dial.carol });
    sim.schedule("PT1S", () => void sim.calls.inbound({ from: caller, to: dial.bob }));
    await sim.advanceAsync("PT10S");
    expect(most).toBe(3);
    expect(requests(sim)).toEqual([
      [0, 3, 200],
      [0, 3, 200],
      [1, 4, 200],
    ]);
  });

  test("may be awaited by another endpoint", async () => {
    const { sim } = told();
    let work: Promise<void> | undefined;
    sim.network.route(url, async () => {
      work ??= sleep(sim, "PT2S");
      await work;
      return 200;
    });
    ring(sim);
    sim.schedule("PT1S", () => void sim.calls.inbound({ from: caller, to: dial.carol }));
    await sim.advanceAsync("PT10S");
    expect(requests(sim)).toEqual([
      [0, 2, 200],
      [1, 2, 200],
    ]);
  });

  test("answers 500 on a late error, which the run throws", async () => {
    const { sim } = told();
    sim.network.route(url, async () => {
      await sleep(sim, "PT2S");
      throw new Error("the store is full");
    });
    ring(sim);
    await expect(sim.advanceAsync("PT10S")).rejects.toThrow("the store is full");
    await sim.advanceAsync("PT1S");
    expect(requests(sim)).toEqual([[0, 2, 500]]);
  });

  test("does not exist in a fork, where its request times out", async () => {
    const { sim } = told();
    answerLater(sim);
    ring(sim);
    await sim.advanceAsync("PT1S");
    const fork = sim.fork();
    fork.advance("PT9S");
    await sim.advanceAsync("PT9S");
    expect(requests(fork)).toEqual([[0, 5, "timeout"]]);
    expect(requests(sim)).toEqual([[0, 2, 200]]);
  });

  test("stops a synchronous run when it resumes, without losing anything", async () => {
    const { sim } = told();
    answerLater(sim);
    ring(sim);
    await sim.advanceAsync("PT1S");
    expect(() => sim.advance("PT9S")).toThrow(
      /^the endpoint of POST .* at \S+handlers-that-wait\.test\.ts:\d+:\d+ goes on now, .*advanceAsync/,
    );
    await sim.advanceAsync("PT8S");
    expect(requests(sim)).toEqual([[0, 2, 200]]);
  });
});

describe("An event handler or a callback that waits for virtual time", () => {
  test("resumes once the time has passed, and its commands are in the journal", async () => {
    const { sim } = told();
    sim.on("call.started", async ({ data }) => {
      await sleep(sim, "PT2S");
      await realWork();
      sim.calls.get(data.call.id).answer("alice");
    });
    sim.schedule("PT1S", async () => {
      await sleep(sim, "PT9S");
      sim.calls.live()[0]?.hangup("caller");
    });
    sim.schedule(0, () => void ring(sim));
    await sim.advanceAsync("PT20S");
    expect(stream(sim)).toEqual([
      "0 call.started",
      "2000 call.answered",
      "2000 user.availability.updated",
      ...["call.hungup", "call.hungup", "user.availability.updated", "call.ended"].map(
        (type) => `10000 ${type}`,
      ),
    ]);
    expect(stream(replay(sim.journal()))).toEqual(stream(sim));
  });
});

describe("A replay", () => {
  test("is equal, whatever handlers wait for", async () => {
    const waits = fc.array(fc.nat(9_000), { minLength: 1, maxLength: 4 });
    const scenario = parseScenario(`
scenario: Two calls
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: ["*"] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT2S, inbound: { as: c2, from: "+6421555002", to: "+6495550103" } }
  - { at: PT4S, answer: { call: c2, by: carol } }
  - { at: PT9S, hangup: { call: c2, by: caller } }
`);
    await fc.assert(
      fc.asyncProperty(waits, async (list) => {
        const report = await exploreReport({
          scenario,
          subject: (sim) => {
            let asked = 0;
            sim.network.route(url, async () => {
              await sleep(sim, `PT${(list[asked++ % list.length] ?? 0) / 1_000}S`);
              return 200;
            });
          },
          eventually: {
            "is the same": (sim) => {
              const again = replay(sim.journal());
              expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
              expect(again.network.requests).toEqual(sim.network.requests);
            },
          },
          deviations: 0,
        });
        expect(report.toText()).toContain("1 world");
        expect(report.failures).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });
});
