import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CommandError,
  createSimulator,
  type Delivery,
  type EndpointRequest,
  replay,
  type Simulator,
  type SimulatorOptions,
} from "../../src/index.ts";
import { moves, quiet, Trouble, type WebhookMove } from "./moves/webhooks.ts";
import { fingerprint } from "./play.ts";
import { must } from "./rules.ts";
import { always } from "./support.ts";

/**
 * Webhooks with any mix of faults, conditions, changes and calls. The endpoints answer by the time at which a request
 * was sent, so that every run of the same moves gets the same answers.
 */

const options: fc.Arbitrary<SimulatorOptions> = fc.record({
  seed: fc.nat(),
  network: fc.record({
    order: fc.constantFrom("fifo" as const, "shuffled" as const),
    unrouted: fc.constantFrom("accept" as const, "refuse" as const),
  }),
  webhooks: fc.record(
    {
      schedule: fc.constantFrom([0], [0, 1_000], [0, 0, 10_000, 60_000]),
      failureLimit: fc.constantFrom(0, 1, 3),
    },
    { requiredKeys: [] },
  ),
});

function play(sim: Simulator, list: readonly WebhookMove[], after: () => void = () => {}): void {
  for (const move of list) {
    try {
      move.run(sim, sim);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
    }
    after();
  }
}

const answers = [200, 200, 204, 500, 429, 400, { after: 4_000 }, { status: 503, after: 6_000 }];

/** Gives the same answer to the same request in every run. */
function moody({ headers }: EndpointRequest) {
  return answers[Number(headers["x-service-timestamp"]) % answers.length] ?? 200;
}

/** A simulator with one endpoint that is a function, and every delivery that must be made: `webhook event`. */
function watched(given: SimulatorOptions, endpoint: typeof moody | null = moody) {
  const sim = createSimulator(given);
  if (endpoint !== null) sim.network.route("https://a.example.test", endpoint);
  const due: string[] = [];
  const webhooks = new Set<string>();
  sim.on("*", (type, event) => {
    for (const { id, enabled, events } of sim.webhooks.list())
      if (enabled && (events.includes("*") || events.includes(type))) due.push(`${id} ${event.id}`);
  });
  const note = () => {
    for (const { id } of sim.webhooks.list()) webhooks.add(id);
  };
  const deliveries = () => [...webhooks].flatMap((id) => deliveriesOf(sim, id));
  return { sim, due, note, deliveries };
}

/** Also for a deleted webhook that never received anything. */
function deliveriesOf(sim: Simulator, id: string): Delivery[] {
  try {
    return sim.webhooks.deliveries(id);
  } catch (error) {
    if (error instanceof CommandError && error.code === "not_found") return [];
    throw error;
  }
}

const schedule = Array.from({ length: 10 }, (_, index) => Math.round((86_400_000 * (2 ** index - 1)) / 511));
const isRetried = (status: number | null) =>
  status === null || status >= 500 || status === 429 || status === 408;

/** The end of a delivery follows from its attempts and its webhook. */
function checkEnd({ id, state, reason, attempts, nextAttemptAt }: Delivery, limit: number): void {
  const last = attempts.at(-1);
  const failed = attempts.filter(({ failure }) => failure !== null).length;
  must(nextAttemptAt === null, () => `${id} is over and has a next attempt`);
  if (state === "delivered") {
    must(
      reason === null && last?.failure === null && failed === attempts.length - 1,
      () => `${id} was not taken`,
    );
  } else if (state === "givenUp") {
    must(failed === attempts.length, () => `${id} is given up after a success`);
    const isRejected = !isRetried(last?.status ?? null);
    must(reason === (isRejected ? "rejected" : "exhausted"), () => `${id} is given up as ${reason}`);
    must(isRejected || attempts.length === limit, () => `${id} is given up after ${attempts.length}`);
  } else
    must(
      state === "dropped" && (reason === "disabled" || reason === "deleted"),
      () => `${id} is ${state}: ${reason}`,
    );
}

/** Each attempt starts when the schedule says, or as soon as the one before it is over. */
function checkTimes({ id, event, attempts }: Delivery, offsets: readonly number[]): void {
  for (const [index, { startedTimestamp, number }] of attempts.entries()) {
    const before = attempts[index - 1]?.endedTimestamp ?? 0;
    const planned = event.createdTimestamp + (offsets[index] ?? Number.NaN);
    must(number === index + 1, () => `${id}: attempt ${number} is number ${index + 1}`);
    must(
      startedTimestamp === Math.max(planned, before),
      () => `${id}: attempt ${number} at ${startedTimestamp}`,
    );
  }
}

/** What is scheduled for deliveries is what their records say. */
function checkScheduled(sim: Simulator, deliveries: readonly Delivery[]): void {
  const timers = sim
    .pending()
    .filter(({ purpose }) => purpose === "delivery: backOff")
    .map(({ recordId, dueTimestamp }) => `${recordId} ${dueTimestamp}`);
  const waiting = deliveries
    .filter(({ nextAttemptTimestamp }) => nextAttemptTimestamp !== null)
    .map(({ id, nextAttemptTimestamp, state }) => {
      must(state === "pending", () => `${id} is ${state} and has a next attempt`);
      return `${id} ${nextAttemptTimestamp}`;
    });
  expect(timers.sort()).toEqual(waiting.sort());
  const scheduled = new Set(sim.pending().map(({ recordId }) => recordId));
  // one item stands for all requests of an instant whose order is still to be drawn
  const isShuffling = sim.pending().some(({ purpose }) => purpose.startsWith("network: "));
  for (const { id, state } of deliveries)
    must(
      state !== "pending" || isShuffling || scheduled.has(id),
      () => `${id} is pending and nothing will come of it`,
    );
}

const requestsOf = (sim: Simulator) => sim.network.requests.map(({ ...request }) => request);

describe("For any network and endpoints", () => {
  it("every subscribed event ends delivered, given up or dropped, with its reason", () => {
    always(100, fc.tuple(options, moves), ([given, list]) => {
      const { sim, due, note, deliveries } = watched(given);
      play(sim, list, note);
      sim.runUntilIdle();
      const offsets = (given.webhooks?.schedule as number[] | undefined) ?? schedule;
      const all = deliveries();
      expect(all.map(({ webhookId, event }) => `${webhookId} ${event.id}`).sort()).toEqual(due.sort());
      for (const delivery of all) {
        checkEnd(delivery, offsets.length);
        checkTimes(delivery, offsets);
      }
      expect(sim.pending()).toEqual([]);
      for (const { endedAt } of requestsOf(sim)) expect(endedAt).not.toBeNull();
    });
  });

  it("scheduled items match the deliveries at every moment", () => {
    always(50, fc.tuple(options, moves), ([given, list]) => {
      const { sim, note, deliveries } = watched(given);
      play(sim, list, () => {
        note();
        checkScheduled(sim, deliveries());
      });
    });
  });

  it("the platform's own events and records equal those of a run in which every endpoint accepts", () => {
    always(50, fc.tuple(options, moves), ([given, list]) => {
      const own = (sim: Simulator, played: readonly WebhookMove[]) => {
        play(sim, played);
        sim.advanceTo("2027-01-01T00:00:00Z");
        const { calls, users, teams } = sim;
        const records = [calls, users, teams].map((each) => each.list().map(({ record }) => record));
        return [sim.events.toJSONL(), ...records];
      };
      const untroubled = list.filter((move) => !(move instanceof Trouble));
      const other = { ...given, network: { unrouted: "accept" as const } };
      expect(own(watched(given).sim, list)).toEqual(own(watched(other, null).sim, untroubled));
    });
  });

  it("a replay is equal and calls no endpoint, and a fork continues like the first run", () => {
    always(50, fc.tuple(options, moves, moves), ([given, list, more]) => {
      const { sim, note, deliveries } = watched(given);
      play(sim, list, note);
      const fork = sim.fork();
      for (const each of [sim, fork]) {
        play(each, more, note);
        each.runUntilIdle();
      }
      for (const each of [fork, replay(JSON.stringify(sim.journal()))]) {
        expect(fingerprint(each)).toBe(fingerprint(sim));
        expect(requestsOf(each)).toEqual(requestsOf(sim));
        expect(each.webhooks.list()).toEqual(sim.webhooks.list());
        for (const delivery of deliveries()) expect(each.webhooks.delivery(delivery.id)).toEqual(delivery);
      }
    });
  });

  it("the run can be drawn as a timeline and as a diagram, with every attempt", () => {
    always(50, fc.tuple(options, moves), ([given, list]) => {
      const { sim } = watched(given);
      play(sim, list);
      const over = requestsOf(sim).filter(({ endedAt }) => endedAt !== null).length;
      const told =
        /\(webhook\)(?:: \S+(?:, attempt \d+)?(?:, a second time)? - | (?:answers \d+ to|does not answer) )/;
      const lines = sim.events.toTimeline().split("\n");
      expect(lines.filter((line) => told.test(line))).toHaveLength(over);
      expect(sim.events.toMermaid()).toMatch(/^sequenceDiagram/);
    });
  });
});

describe("Without faults", () => {
  it("each subscribed event reaches its webhook exactly once, with its own body", () => {
    always(50, fc.tuple(fc.nat(), quiet), ([seed, list]) => {
      const received: string[] = [];
      const { sim, due, note, deliveries } = watched({ seed }, null);
      sim.network.route("https://", ({ body }) => {
        received.push(JSON.parse(body).id);
        return 200;
      });
      // other tests cover how a change of the webhook affects pending deliveries
      play(sim, list, () => {
        sim.advance(0);
        note();
      });
      sim.runUntilIdle();
      const all = deliveries();
      expect(all.map(({ webhookId, event }) => `${webhookId} ${event.id}`).sort()).toEqual(due.sort());
      for (const { state, attempts } of all) expect([state, attempts.length]).toEqual(["delivered", 1]);
      expect(received.sort()).toEqual(all.map(({ event }) => event.id).sort());
    });
  });
});
