import { describe, expect, test } from "vitest";
import { type CommandInput, createSimulator, replay } from "../../../src/index.ts";
import { caller, startMs } from "../../helpers.ts";

const url = "https://crm.acme.test/hooks";
type Deviation = CommandInput<"deviate">;

/** A missed call to Alice, as a webhook receives it: `0 call.started`, in the order of arrival. */
function missedCall(...deviations: Partial<Deviation>[]) {
  const sim = createSimulator({ ids: "counter" });
  const hook = sim.webhooks.create({ url, events: ["call.started", "call.not_answered", "call.ended"] });
  for (const deviation of deviations)
    sim.command("deviate", { what: "attempt", at: 0, of: "call.started", is: "lost", ...deviation });
  const received: string[] = [];
  sim.network.route(url, ({ body }) => {
    received.push(`${sim.timestamp - startMs} ${JSON.parse(body).type}`);
    return 200;
  });
  sim.calls.inbound({ from: caller, to: "+6495550101" });
  return { sim, hook, received };
}

/** The availability events of one instant, each with the request that delivered it. */
function burst(...deviations: Partial<Deviation>[]) {
  const sim = createSimulator({ ids: "counter" });
  sim.webhooks.create({ url, events: ["user.availability.updated"] });
  const of = "user.availability.updated";
  for (const deviation of deviations)
    sim.command("deviate", { what: "attempt", at: 0, of, is: "late", ...deviation });
  const received: string[] = [];
  sim.network.route(url, ({ body }) => {
    received.push(`${sim.timestamp - startMs} ${JSON.parse(body).id}`);
    return 200;
  });
  const alice = sim.users.get("alice");
  for (const status of ["busy", "available", "busy", "available"] as const) alice.setAvailability(status);
  sim.runUntilIdle();
  return { sim, received };
}

describe("A deviation of an attempt", () => {
  test("loses the request, which is sent again after its time-out", () => {
    const { sim, hook, received } = missedCall({ is: "lost" });
    sim.runUntilIdle();
    expect(received[0]).not.toBe("0 call.started");
    const [delivery] = sim.webhooks.deliveries(hook.id);
    expect(delivery).toMatchObject({
      state: "delivered",
      attempts: [{ failure: "lost" }, { failure: null }],
    });
    expect(delivery?.attempts[0]?.endedTimestamp).toBe(startMs + 5_000);
  });

  test("loses the answer of a handled request, so that it is sent again", () => {
    const { sim, hook, received } = missedCall({ is: "unanswered" });
    sim.runUntilIdle();
    expect(received.filter((line) => line.endsWith("call.started"))).toHaveLength(2);
    expect(sim.webhooks.deliveries(hook.id)[0]?.attempts[0]).toMatchObject({
      failure: "answer lost",
      endedTimestamp: startMs + 5_000,
    });
    expect(sim.events.toTimeline()).toContain("does not answer call.started (answer lost)");
  });

  test("resets the connection of a request whose app restarts while it handles it", () => {
    const { sim, hook, received } = missedCall({ is: "restarted" });
    sim.runUntilIdle();
    expect(received.filter((line) => line.endsWith("call.started"))).toHaveLength(2);
    expect(sim.webhooks.deliveries(hook.id)[0]).toMatchObject({
      state: "delivered",
      attempts: [{ failure: "connection reset", endedTimestamp: startMs }, { failure: null }],
    });
    expect(sim.network.requests[0]).toMatchObject({ arrival: 1, answer: null });
    expect(sim.events.toTimeline()).toContain("the app restarts while it handles call.started");
    expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
  });

  test("changes nothing for the platform if the app restarts once it has answered", () => {
    const { sim, hook } = missedCall({ is: "restartedAfter" });
    sim.runUntilIdle();
    expect(sim.webhooks.deliveries(hook.id)[0]?.attempts).toMatchObject([{ failure: null }]);
    expect(sim.events.toTimeline()).toContain("the app restarts as soon as it has answered call.started");
  });

  test("delivers the request twice, at once or later", () => {
    const atOnce = missedCall({ is: "duplicated" });
    atOnce.sim.advance("PT1S");
    expect(atOnce.received).toEqual(["0 call.started", "0 call.started"]);
    const later = missedCall({ is: "duplicated", after: "PT1S" });
    later.sim.advance("PT1S");
    expect(later.received).toEqual(["0 call.started", "1000 call.started"]);
  });

  test("refuses or rejects the request before the endpoint sees it", () => {
    for (const [is, failure] of [
      ["refused", "refused"],
      ["rejected", "status 503"],
    ] as const) {
      const { sim, hook, received } = missedCall({ is });
      sim.advance("PT1S");
      expect(received).toEqual([]);
      expect(sim.webhooks.deliveries(hook.id)[0]?.attempts).toMatchObject([{ failure }]);
    }
  });

  test.each([
    [1, [2, 1, 3, 4]],
    [2, [2, 3, 1, 4]],
    [3, [2, 3, 4, 1]],
  ])("delivers the request after the next %i", (by, order) => {
    expect(burst({ by }).received).toEqual(order.map((id) => `0 event-${id}`));
  });

  test("delivers a late request after the next to its own host, not to another", () => {
    const sim = createSimulator({ ids: "counter" });
    const received: string[] = [];
    for (const host of ["a", "b"]) {
      const to = `https://${host}.acme.test/`;
      sim.webhooks.create({ url: to, events: ["user.availability.updated"] });
      sim.network.route(to, ({ body }) => {
        received.push(`${host} ${JSON.parse(body).id}`);
        return 200;
      });
    }
    const of = "user.availability.updated";
    sim.command("deviate", { what: "attempt", at: 0, of, webhook: "webhook-1", is: "late" });
    for (const status of ["busy", "available"] as const) sim.users.get("alice").setAvailability(status);
    sim.runUntilIdle();
    expect(received).toEqual(["b event-1", "a event-2", "a event-1", "b event-2"]);
  });

  test("delivers a late request while its sender still waits if too few others come", () => {
    const { received } = burst({ nth: 3, by: 2 });
    expect(received).toEqual(["0 event-1", "0 event-2", "0 event-4", "5000 event-3"]);
  });

  test("is identified by its number among equal points", () => {
    expect(burst({ nth: 2, is: "refused" }).received.slice(0, 3)).toEqual([
      "0 event-1",
      "0 event-3",
      "0 event-4",
    ]);
  });

  test("applies to one attempt of one webhook", () => {
    const { sim, hook, received } = missedCall({ is: "lost" });
    sim.command("deviate", {
      what: "attempt",
      at: "PT169.08S",
      of: "call.started",
      number: 2,
      webhook: hook.id,
      is: "lost",
    });
    sim.runUntilIdle();
    const [delivery] = sim.webhooks.deliveries(hook.id);
    expect(delivery?.attempts.map(({ failure }) => failure)).toEqual(["lost", "lost", null]);
    expect(received).toContain("30000 call.not_answered");
  });

  test("is in the journal, so that a replay deviates in the same way", () => {
    const { sim } = missedCall({ is: "unanswered" }, { at: 30_000, of: "call.not_answered", is: "late" });
    sim.runUntilIdle();
    const again = replay(sim.journal());
    expect(again.network.requests.map(({ failure, to }) => [failure, to])).toEqual(
      sim.network.requests.map(({ failure, to }) => [failure, to]),
    );
    expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
  });

  test("stays planned in a fork, which applies it separately", () => {
    const { sim } = missedCall({ at: 30_000, of: "call.not_answered", is: "refused" });
    const fork = sim.fork();
    fork.advance("PT30S");
    expect(fork.network.requests.at(-1)).toMatchObject({ failure: "refused" });
    expect(sim.network.requests).toHaveLength(1);
  });
});

describe("A deviation of timers", () => {
  test("runs a later timer of an instant first", () => {
    const plain = ["alice", "bob"];
    const wrapUps = (...deviations: Deviation[]) => {
      const sim = createSimulator({ ids: "counter" });
      for (const deviation of deviations) sim.command("deviate", deviation);
      for (const user of plain) sim.users.get(user).behave({ answer: { after: "PT5S" }, talk: "PT10S" });
      for (const user of plain)
        sim.calls.inbound({ from: caller, to: user === "alice" ? "+6495550101" : "+6495550102" });
      sim.advance("PT5S");
      return sim.events.ofType("call.answered").map(({ data }) => data.call.id);
    };
    const [first, second] = wrapUps();
    expect([first, second]).toEqual(["call-1", "call-2"]);
    const of = `user: answers of ${second}`;
    expect(wrapUps({ what: "timer", at: "PT5S", of, is: "first" })).toEqual(["call-2", "call-1"]);
  });
});
