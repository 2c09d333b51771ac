import { describe, expect, test } from "vitest";
import { createSimulator, type PlatformEvent, replay, type Simulator } from "../../../src/index.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";
import { caller, dial, office } from "../../helpers.ts";

const hook = "https://app.test/hooks";

/** A service that does not send that somebody hung up. */
const dialect = {
  write: ({ type, id }: PlatformEvent) => (type === "call.hungup" ? undefined : { type, id }),
};

function played(options: object = { dialect }): Simulator {
  const sim = createSimulator({ organisation: office, ids: "counter", ...options });
  sim.webhooks.create({ url: hook, events: ["*"] });
  sim.network.route(hook, () => 204);
  const call = sim.calls.inbound({ from: caller, to: dial.alice });
  sim.advance("PT5S");
  call.answer("alice");
  sim.advance("PT1M");
  call.hangup("caller");
  sim.runUntilIdle();
  return sim;
}

const types = (sim: Simulator) => sim.events.map(({ type }) => type);
const sent = (sim: Simulator) => sim.network.requests.map(({ body }) => JSON.parse(body ?? "").type);
const leftOut = (sim: Simulator) =>
  sim.journal().entries.filter(({ command }) => command === "webhook.leftOut");

describe("An event that the dialect's `write` returns nothing for", () => {
  test("happens, and is delivered to no webhook", () => {
    const sim = played();
    expect(types(sim)).toEqual(types(played({})));
    expect(types(sim).filter((type) => type === "call.hungup")).toHaveLength(2);
    expect(sent(sim)).toEqual(types(sim).filter((type) => type !== "call.hungup"));
    const [{ id = "" } = {}] = sim.webhooks.list();
    expect(sim.webhooks.deliveries(id).map(({ event }) => event.type)).toEqual(sent(sim));
    expect(sim.webhooks.get(id).consecutiveFailures).toBe(0);
  });

  test("is named in the timeline, which counts it as an event", () => {
    const timeline = played().events.toTimeline();
    expect(timeline.match(/sends no call\.hungup \(the dialect leaves it out\)/g)).toHaveLength(2);
    expect(timeline).toContain("7 events, ");
    expect(played({}).events.toTimeline()).not.toContain("leaves it out");
  });

  test("is in the journal, so a replay without the dialect's function sends no more", () => {
    const sim = played();
    const hungup = sim.events.ofType("call.hungup").map(({ id }) => ({ event: id }));
    expect(leftOut(sim).map(({ args }) => args)).toEqual(hungup);
    for (const again of [replay(JSON.stringify(sim.journal())), replay(sim.journal(), { dialect })]) {
      expect(sent(again)).toEqual(sent(sim));
      expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
      expect(again.journal()).toEqual(sim.journal());
      expect(again.events.toTimeline()).toBe(sim.events.toTimeline());
    }
    expect(sent(sim.at("2026-07-01T00:01:05Z"))).toEqual(sent(sim));
  });

  test("is shown in the inspector, whose forks play on", () => {
    const recording = Recording.from(played().journal());
    const rows = recording.rows.map(({ verb }) => verb);
    expect(rows.filter((verb) => verb === "sends no call.hungup")).toHaveLength(2);
    expect(recording.simulator.network.requests).toHaveLength(5);
    expect(recording.summary.problems).toEqual([]);
  });

  test("is not written in the journal where nobody asks for it", () => {
    const sim = createSimulator({ organisation: office, dialect });
    sim.webhooks.create({ url: hook, events: ["call.ended"] });
    sim.calls.inbound({ from: caller, to: dial.alice }).answer("alice");
    sim.calls.list()[0]?.hangup("caller");
    sim.runUntilIdle();
    expect(sent(sim)).toEqual(["call.ended"]);
    expect(leftOut(sim)).toEqual([]);
  });

  test("has no copy of an undocumented type either", () => {
    const sim = played({ dialect, assume: { unspecified: "unknownEvent" } });
    expect(sent(sim)).toContain("call.unspecified");
    const only = {
      write: ({ type }: PlatformEvent) => (/unspecified/.test(type) ? undefined : { type }),
    };
    const known = played({ dialect: only, assume: { unspecified: "unknownEvent" } });
    expect(sent(known)).toEqual(types(known));
  });

  test("is refused as before if `write` throws or returns something else", () => {
    const sim = played({ dialect: { write: () => null } });
    expect(() => sim.network.requests[0]?.body).toThrow(/dialect\.write: expected an object as the body/);
  });
});
