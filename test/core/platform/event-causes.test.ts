import { describe, expect, test } from "vitest";
import { eventTypes } from "../../../src/core/generated/records.ts";
import { type LawEvent, LawHistory, laws } from "../../../src/core/platform/base/laws.ts";
import { dialReason } from "../../../src/core/platform/calls/record.ts";
import { defaultTiming } from "../../../src/core/platform/parts/parts.ts";
import { dialCauses, eventCauses } from "../../../src/core/platform/reactions/event-causes.ts";
import { createSimulator } from "../../../src/index.ts";
import { captured, lessons } from "../../capture/support.ts";
import { office } from "../../helpers.ts";
import { expectNone } from "../../lists.ts";
import { answerReturned, takeovers } from "./rare-runs.ts";

const events = lessons.flatMap((name) =>
  captured(name).map(({ body }): LawEvent & { name: string } => {
    const { id, type, createdTimestamp, data } = JSON.parse(body);
    return { id, type, timestamp: createdTimestamp, data, name };
  }),
);

describe("the causes of events and dials", () => {
  test("have an entry for each event type and dial reason, with at least a command or a timer", () => {
    expect(Object.keys(eventCauses).sort()).toEqual([...eventTypes].sort());
    expect(Object.keys(dialCauses).sort()).toEqual([...dialReason.options].sort());
    const unexplained = Object.entries({ ...eventCauses, ...dialCauses }).filter(
      ([, { commands, timers }]) => commands.length + timers.length === 0,
    );
    expectNone(unexplained.map(([type]) => `${type}: neither a command nor a timer explains it`));
  });

  test("name only settings that exist", () => {
    const named = Object.values({ ...eventCauses, ...dialCauses }).flatMap(({ settings }) => settings);
    const timings = named.flatMap((name) => (name.startsWith("timing.") ? [name.slice(7)] : []));
    expectNone(timings.filter((name) => !(name in defaultTiming)));
  });

  test("read the instant of each event of the lessons from its record", () => {
    const wrong = events.flatMap(({ name, type, timestamp, data }) => {
      const { instant } = eventCauses[type as keyof typeof eventCauses];
      if (instant?.isOwn !== true) return [];
      const keys = `${instant.path}Timestamp`.split(".");
      // biome-ignore lint/suspicious/noExplicitAny: a path of keys
      const own = keys.reduce<any>((value, key) => (key === "[]" ? value.at(-1) : value[key]), data);
      return own === timestamp ? [] : [`${name}: ${type} at ${timestamp}, its record says ${own}`];
    });
    expectNone(wrong);
  });
});

describe("the causes of a call's end", () => {
  test.each(takeovers)("have the command %s, which takes the call over", (command, begin) => {
    const sim = createSimulator({ organisation: office });
    answerReturned(sim);
    expect(sim.calls.returns).toHaveLength(1);
    const mark = sim.events.mark();
    begin(sim);
    expect(sim.events.since(mark).map(({ type }) => type)).toEqual([
      "call.hungup",
      "call.hungup",
      "user.availability.updated",
      "call.ended",
      "call.started",
    ]);
    for (const type of ["call.hungup", "call.ended"] as const)
      expect(eventCauses[type].commands).toContain(command);
  });
});

describe("the laws of events", () => {
  test("are each kept by some type of event", () => {
    const used = new Set(Object.values(eventCauses).flatMap((causes) => [...causes.laws]));
    expectNone(Object.keys(laws).filter((name) => !used.has(name as keyof typeof laws)));
  });

  test.each(lessons)("hold in the lesson %s", (name) => {
    const history = new LawHistory(0);
    const broken = events
      .filter((event) => event.name === name)
      .flatMap((event) =>
        eventCauses[event.type as keyof typeof eventCauses].laws.flatMap((law) => {
          const because = laws[law].judge(event, history);
          return because === undefined ? [] : [`${event.id} ${event.type} breaks "${law}": ${because}`];
        }),
      );
    expectNone(broken);
  });

  test("pass bodies that lack every field", () => {
    for (const data of [{}, { call: {} }, { call: null, user: {}, team: {}, conversation: {}, party: {} }])
      for (const law of Object.values(laws))
        expect(law.judge({ id: "x", type: "x", timestamp: 0, data }, new LawHistory())).toBeUndefined();
  });
});
