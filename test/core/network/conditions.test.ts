import { describe, expect, test } from "vitest";
import {
  type Conditions,
  createSimulator,
  exponential,
  replay,
  type SimulatorOptions,
  uniform,
} from "../../../src/index.ts";
import { startMs, stateOf, thrownBy } from "../../helpers.ts";

const url = "https://crm.acme.test/hooks";

/** A webhook, when each event reaches it, and a way to make many events at one instant. */
function hooked(options: SimulatorOptions = {}, conditions?: Conditions) {
  const sim = createSimulator({ ids: "counter", ...options });
  const hook = sim.webhooks.create({ url, events: ["user.availability.updated"] });
  const received: { id: string; atMs: number }[] = [];
  sim.network.route(url, ({ body }) => {
    received.push({ id: JSON.parse(body).id, atMs: sim.timestamp - startMs });
    return 200;
  });
  if (conditions !== undefined) sim.network.conditions(url, conditions);
  const events = (count: number) => {
    for (let index = 0; index < count; index++)
      sim.users.get("alice").setAvailability(index % 2 === 0 ? "busy" : "available");
  };
  const deliveries = () => sim.webhooks.deliveries(hook.id);
  return { sim, hook, received, events, deliveries };
}

const ids = (received: readonly { id: string }[]) => received.map(({ id }) => id);

describe("Conditions of the network", () => {
  test("delay requests, whose time limit counts from their sending", () => {
    const { sim, received, events, deliveries } = hooked({}, { latency: "PT2S" });
    sim.network.route(url, () => {
      received.push({ id: "", atMs: sim.timestamp - startMs });
      return { after: "PT3S" };
    });
    events(1);
    sim.advance("PT5S");
    expect(received).toEqual([{ id: "", atMs: 2_000 }]);
    expect(deliveries()).toMatchObject([
      { state: "delivered", attempts: [{ endedTimestamp: startMs + 5_000 }] },
    ]);
  });

  test("time out a request that arrives after more than 5 s, which still arrives", () => {
    const { sim, received, events, deliveries } = hooked({}, { latency: "PT7S" });
    events(1);
    sim.advance("PT6S");
    expect(deliveries()).toMatchObject([{ state: "pending", attempts: [{ failure: "timeout" }] }]);
    expect(received).toEqual([]);
    sim.advance("PT1S");
    expect(received).toHaveLength(1);
    expect(deliveries()).toMatchObject([{ state: "pending", attempts: [{ failure: "timeout" }] }]);
  });

  test("accept the answer to a request that arrives exactly at the limit of 5 s", () => {
    const { sim, received, events, deliveries } = hooked({}, { latency: "PT5S" });
    events(1);
    expect(sim.pending()).toHaveLength(1);
    sim.advance("PT5S");
    expect(received).toHaveLength(1);
    expect(deliveries()).toMatchObject([
      { state: "delivered", attempts: [{ status: 200, failure: null, endedTimestamp: startMs + 5_000 }] },
    ]);
    expect(sim.pending()).toEqual([]);
  });

  test("draw latencies from the seed", () => {
    const arrivals = (seed: number) => {
      const { sim, received, events } = hooked({ seed }, { latency: uniform(0, 1_000) });
      events(20);
      sim.runUntilIdle();
      return received;
    };
    expect(arrivals(1)).toEqual(arrivals(1));
    expect(arrivals(1)).not.toEqual(arrivals(2));
    expect(new Set(arrivals(1).map(({ atMs }) => atMs)).size).toBeGreaterThan(10);
  });

  test("default to the network's latency for all URLs", () => {
    const { sim, received, events } = hooked({ network: { latency: 250 } });
    events(1);
    sim.runUntilIdle();
    expect(received.map(({ atMs }) => atMs)).toEqual([250]);
  });

  test("lose about the given share of requests, which are retried like time-outs", () => {
    const { sim, received, events, deliveries } = hooked({ seed: 3 }, { loss: 0.3 });
    events(200);
    sim.advance("PT5S");
    const lost = deliveries().filter(({ attempts }) => attempts[0]?.failure === "lost");
    expect(lost.length).toBeGreaterThan(40);
    expect(lost.length).toBeLessThan(80);
    expect(received).toHaveLength(200 - lost.length);
    sim.runUntilIdle();
    expect(new Set(deliveries().map(({ state }) => state))).toEqual(new Set(["delivered"]));
    expect(new Set(ids(received)).size).toBe(200);
  });

  test("deliver about the given share of requests twice, in one delivery", () => {
    const { sim, received, events, deliveries } = hooked({ seed: 3 }, { duplicate: 0.5 });
    events(100);
    sim.runUntilIdle();
    const doubled = sim.network.requests.filter(({ duplicateOf }) => duplicateOf !== null);
    expect(doubled.length).toBeGreaterThan(30);
    expect(doubled.length).toBeLessThan(70);
    expect(received).toHaveLength(100 + doubled.length);
    expect(deliveries().every(({ state, attempts }) => state === "delivered" && attempts.length === 1)).toBe(
      true,
    );
  });

  test("can time out the second arrival, without moving the clock back", () => {
    const { sim, received, events } = hooked({ seed: 3 }, { duplicate: 1, latency: uniform("PT6S", "PT9S") });
    events(1);
    sim.advance("PT5S");
    expect(sim.network.requests.map(({ failure, endedTimestamp }) => [failure, endedTimestamp])).toEqual([
      ["timeout", startMs + 5_000],
      ["timeout", startMs + 5_000],
    ]);
    sim.advance("PT5S");
    expect(received).toHaveLength(2);
  });

  test("delay some requests so that later ones overtake them", () => {
    const { sim, received, events } = hooked({ seed: 3 }, { reorder: 0.3 });
    events(20);
    sim.runUntilIdle();
    const sent = sim.events.ofType("user.availability.updated").map(({ id }) => id);
    expect(ids(received)).not.toEqual(sent);
    expect(ids(received).toSorted()).toEqual(sent.toSorted());
    expect(received.some(({ atMs }) => atMs > 0)).toBe(true);
    expect(received.every(({ atMs }) => atMs <= 2_000)).toBe(true);
  });

  test("use the longest prefix, which overrides the network's defaults", () => {
    const { sim, received, events } = hooked({ network: { latency: 250 } }, { latency: 100 });
    sim.network.conditions("https://crm.acme.test", { loss: 1 });
    events(1);
    sim.runUntilIdle();
    expect(received.map(({ atMs }) => atMs)).toEqual([100]);
  });

  test("are perfect again after empty conditions", () => {
    const { sim, received, events } = hooked({}, { loss: 1 });
    sim.network.conditions(url, {});
    events(1);
    sim.runUntilIdle();
    expect(received).toHaveLength(1);
  });

  test.each([
    ["a probability over 1", { loss: 1.5 }, "conditions: loss: expected a probability from 0 to 1"],
    ["an unknown key", { lossy: 1 }, "conditions: lossy: unknown key"],
    [
      "a latency that is none",
      { latency: "soon" },
      "conditions: latency: expected a duration or a distribution",
    ],
  ])("are rejected with %s", (_, conditions, problem) => {
    const { sim } = hooked();
    const before = stateOf(sim);
    expect(thrownBy(() => sim.network.conditions(url, conditions as never))).toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining(problem),
    });
    expect(stateOf(sim)).toEqual(before);
  });
});

describe("The order of requests of the same instant", () => {
  test("is the order of sending by default", () => {
    const { sim, received, events } = hooked();
    events(30);
    sim.runUntilIdle();
    expect(ids(received)).toEqual(sim.events.ofType("user.availability.updated").map(({ id }) => id));
  });

  test("can be drawn from the seed, without time passing", () => {
    const arrivals = (seed: number) => {
      const { sim, received, events } = hooked({ seed, network: { order: "shuffled" } });
      events(30);
      sim.runUntilIdle();
      const sent = sim.events.ofType("user.availability.updated").map(({ id }) => id);
      expect(ids(received).toSorted()).toEqual(sent.toSorted());
      expect(ids(received)).not.toEqual(sent);
      expect(received.every(({ atMs }) => atMs === 0)).toBe(true);
      return ids(received);
    };
    expect(arrivals(1)).toEqual(arrivals(1));
    expect(arrivals(1)).not.toEqual(arrivals(2));
  });
});

describe("The drawn order of four requests", () => {
  test("is each of the 24 orders about equally often", () => {
    const { sim, received, events } = hooked({ network: { order: "shuffled" } });
    const rounds = 1_200;
    const counts = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      events(4);
      sim.runUntilIdle();
      const sent = sim.events.slice(-4).map(({ id }) => id);
      const order = ids(received.splice(0)).map((id) => sent.indexOf(id));
      counts.set(order.join(""), (counts.get(order.join("")) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    // five standard deviations
    for (const count of counts.values()) expect(Math.abs(count - rounds / 24)).toBeLessThan(35);
  });
});

describe("A fault", () => {
  const statuses = (
    count: number,
    fault: Parameters<ReturnType<typeof createSimulator>["network"]["fault"]>[1],
  ) => {
    const { sim, received, events, deliveries } = hooked();
    sim.network.fault(url, fault);
    events(count);
    sim.advance("PT5S");
    return { sim, received, failures: deliveries().map(({ attempts }) => attempts[0]?.failure) };
  };

  test("answers with a status instead of the endpoint for the given number of requests", () => {
    const { received, failures } = statuses(3, { status: 503, times: 2 });
    expect(failures).toEqual(["status 503", "status 503", null]);
    expect(received).toHaveLength(1);
  });

  test("answers 503 by default", () => {
    expect(statuses(3, { times: 2 }).failures).toEqual(["status 503", "status 503", null]);
  });

  test("refuses connections", () => {
    expect(statuses(1, "refuse").failures).toEqual(["refused"]);
  });

  test("never answers", () => {
    const { sim, failures } = statuses(1, { status: "timeout" });
    expect(failures).toEqual(["timeout"]);
    expect(sim.network.requests[0]?.endedTimestamp).toBe(startMs + 5_000);
  });

  test("lasts for the given time", () => {
    const { sim, events, deliveries } = hooked();
    sim.network.fault(url, { status: 500, for: "PT1M" });
    sim.advance(59_999);
    events(1);
    sim.advance(1);
    sim.users.get("alice").setAvailability("available");
    sim.advance(0);
    expect(deliveries().map(({ attempts }) => attempts[0]?.failure)).toEqual(["status 500", null]);
  });

  test("answers after the given time", () => {
    const { sim, events, deliveries } = hooked();
    sim.network.fault(url, { status: 500, after: "PT2S" });
    events(1);
    sim.advance("PT2S");
    expect(deliveries()[0]?.attempts[0]).toMatchObject({ status: 500, endedTimestamp: startMs + 2_000 });
  });

  test("ends with `times: 0`", () => {
    const { sim, received, events } = hooked();
    sim.network.fault(url, 500);
    sim.network.fault(url, { status: 500, times: 0 });
    events(1);
    sim.advance(0);
    expect(received).toHaveLength(1);
  });

  test("of the longest prefix applies while it lasts", () => {
    const { sim, events, deliveries } = hooked();
    sim.network.fault("https://", 500);
    sim.network.fault(url, { status: 404, times: 1 });
    events(2);
    sim.advance(0);
    expect(deliveries().map(({ attempts }) => attempts[0]?.failure)).toEqual(["status 404", "status 500"]);
  });

  test("does not affect URLs with another prefix", () => {
    const { sim, received, events } = hooked();
    sim.network.fault("https://other.test", "refuse");
    events(1);
    sim.advance(0);
    expect(received).toHaveLength(1);
  });

  test("is rejected if it is invalid", () => {
    const { sim } = hooked();
    expect(thrownBy(() => sim.network.fault(url, "explode" as never))).toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining('expected a status, "refused", "unanswered" or "timeout"'),
    });
  });
});

test("A run with every kind of fault and condition is equal in a replay and in a fork", () => {
  const { sim, events } = hooked(
    { seed: 5, network: { order: "shuffled" } },
    { latency: exponential("PT1S"), loss: 0.2, duplicate: 0.2, reorder: 0.2 },
  );
  sim.network.fault(url, { status: 500, times: 7 });
  events(40);
  sim.advance("PT1S");
  const fork = sim.fork();
  sim.runUntilIdle();
  fork.runUntilIdle();
  expect(fork.network.requests).toEqual(sim.network.requests);
  expect(replay(sim.journal()).network.requests).toEqual(sim.network.requests);
});
