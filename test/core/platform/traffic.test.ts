import { describe, expect, test } from "vitest";
import {
  CommandError,
  type CommandErrorCode,
  createSimulator,
  exponential,
  replay,
  type Simulator,
  uniform,
} from "../../../src/index.ts";
import { dial, office, startMs, stateOf, thrownBy } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });

const started = (sim: Simulator) =>
  sim.events
    .ofType("call.started")
    .map(({ data, createdTimestamp }) => `${createdTimestamp - startMs} ${data.call.contactNumber}`);

const ofNumber = (sim: Simulator, to: string) =>
  sim.events
    .ofType("call.started")
    .filter(({ data }) => data.call.companyNumber === to)
    .map(({ createdTimestamp }) => createdTimestamp - startMs);

describe("traffic", () => {
  test("starts its first call after one interval, and its last within its span", () => {
    const sim = newSimulator();
    sim.traffic({ to: dial.alice, every: "PT10S", for: "PT30S", from: "+6421555009" });
    sim.runUntilIdle();
    expect(started(sim)).toEqual(["10000 +6421555009", "20000 +6421555010", "30000 +6421555011"]);
  });

  test("gives each call its own number, across all traffic", () => {
    const sim = newSimulator();
    sim.traffic({ to: dial.alice, every: "PT1S", for: "PT2S" });
    sim.traffic({ to: dial.bob, every: "PT1S", for: "PT1S" });
    sim.runUntilIdle();
    expect(started(sim)).toEqual(["1000 +999000100000001", "1000 +999000200000001", "2000 +999000100000002"]);
  });

  test("gives every caller the behaviour, drawn separately", () => {
    const sim = newSimulator();
    const behaviour = { patience: uniform(1, 1_000) };
    sim.traffic({ to: dial.alice, every: "PT10S", for: "PT5M", behaviour });
    sim.runUntilIdle();
    const durations = sim.calls.list().map(({ record }) => record.duration ?? Number.NaN);
    expect(durations).toHaveLength(30);
    expect(Math.max(...durations)).toBeLessThanOrEqual(1_000);
    expect(new Set(durations).size).toBeGreaterThan(20);
  });

  test("gives every call the priority", () => {
    const sim = newSimulator();
    for (const { id } of sim.users.list()) sim.users.get(id).setAvailability("busy");
    sim.calls.inbound({ from: "+6421555001", to: dial.sales });
    sim.traffic({ to: dial.sales, every: "PT1S", for: "PT2S", priority: 1 });
    sim.advance("PT2S");
    expect(sim.teams.get("sales").waiting()).toEqual(["call-2", "call-3", "call-1"]);
  });

  test("is drawn independently of other traffic", () => {
    const alone = newSimulator();
    alone.traffic({ to: dial.alice, every: exponential("PT10S"), for: "PT5M" });
    alone.runUntilIdle();
    const both = newSimulator();
    both.traffic({ to: dial.alice, every: exponential("PT10S"), for: "PT5M" });
    both.traffic({ to: dial.bob, every: exponential("PT10S"), for: "PT5M" });
    both.runUntilIdle();
    expect(ofNumber(both, dial.alice)).toEqual(ofNumber(alone, dial.alice));
    expect(ofNumber(both, dial.bob)).not.toEqual(ofNumber(both, dial.alice));
  });

  test("is one journal entry that reproduces all its calls", () => {
    const sim = newSimulator();
    sim.traffic({ to: dial.alice, every: exponential("PT10S"), for: "PT5M" });
    sim.runUntilIdle();
    expect(sim.journal().entries).toHaveLength(1);
    expect(replay(JSON.stringify(sim.journal())).events.toJSONL()).toBe(sim.events.toJSONL());
  });

  test("continues in a fork as in its parent", () => {
    const sim = newSimulator();
    sim.traffic({ to: dial.alice, every: exponential("PT10S"), for: "PT5M" });
    sim.advance("PT2M");
    const fork = sim.fork();
    fork.traffic({ to: dial.bob, every: exponential("PT10S"), for: "PT1M" });
    fork.runUntilIdle();
    sim.traffic({ to: dial.bob, every: exponential("PT10S"), for: "PT1M" });
    sim.runUntilIdle();
    expect(fork.events.toJSONL()).toBe(sim.events.toJSONL());
  });

  test("is shown in the timeline, with calls like those of commands", () => {
    const sim = newSimulator();
    sim.traffic({ to: dial.alice, every: exponential("PT10S"), for: "PT5M", from: "+6421555009" });
    sim.runUntilIdle();
    expect(sim.events.toTimeline()).toContain(
      "calls to +6495550101 (Alice Ng, 101) begin every 10s on average, for 5m",
    );
    expect(sim.events.toTimeline()).toContain("+6421555009 calls +6495550101 (Alice Ng, 101)");
  });

  test.each<[string, Parameters<Simulator["traffic"]>[0], CommandErrorCode]>([
    ["a number that nobody has", { to: "+6495559999", every: "PT1S", for: "PT1M" }, "unknown_number"],
    ["an interval of 0", { to: dial.alice, every: 0, for: "PT1M" }, "invalid_argument"],
    ["a distribution of 0 alone", { to: dial.alice, every: uniform(0, 0), for: "PT1M" }, "invalid_argument"],
    ["a mean of 0", { to: dial.alice, every: exponential(0), for: "PT1M" }, "invalid_argument"],
    ["a span that is none", { to: dial.alice, every: "PT1S", for: "soon" }, "invalid_argument"],
  ])("rejects %s and changes nothing", (_what, traffic, code) => {
    const sim = newSimulator();
    const before = stateOf(sim);
    const error = thrownBy(() => sim.traffic(traffic));
    expect(error).toBeInstanceOf(CommandError);
    expect((error as CommandError).code).toBe(code);
    expect(stateOf(sim)).toEqual(before);
  });
});
