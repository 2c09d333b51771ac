import { DateTime, Duration } from "luxon";
import { describe, expect, test } from "vitest";
import { createSimulator, InputError, LimitError } from "../../../src/index.ts";
import { caller, dial, office, startMs, stream } from "../../helpers.ts";

const day = 86_400_000;

/** A simulator in which a call has just begun to ring Alice, who has 30 s to answer. */
function ringing(timing: { ringTimeout?: string } = {}) {
  const sim = createSimulator({ organisation: office, ids: "counter", timing });
  sim.calls.inbound({ from: caller, to: dial.alice });
  return sim;
}

describe("now and timestamp", () => {
  test("are by default the start 2026-07-01 in UTC", () => {
    const sim = createSimulator();
    expect(sim.timestamp).toBe(startMs);
    expect(sim.now.toISO()).toBe("2026-07-01T00:00:00.000Z");
    expect(sim.now.zoneName).toBe("UTC");
  });

  test.each([
    ["an ISO 8601 string", "2027-01-01T12:00:00+13:00"],
    ["an ISO 8601 string without an offset, read as UTC", "2026-12-31T23:00:00"],
    ["an ISO 8601 string of other precision and offset", "2026-12-31T13:30-0930"],
    ["a Date", new Date("2026-12-31T23:00:00Z")],
    ["a Luxon DateTime of another zone", DateTime.fromISO("2027-01-01T08:00:00", { zone: "Asia/Tokyo" })],
    ["milliseconds", Date.UTC(2026, 11, 31, 23)],
  ])("are the start given as %s", (_form, start) => {
    expect(createSimulator({ start }).now.toISO()).toBe("2026-12-31T23:00:00.000Z");
  });

  test.each([
    "soon",
    "09:00",
    "T09:00",
    "09",
    "",
    "2026-13-01",
    "2026-02-30",
    Number.NaN,
    1.5,
    8.64e15 + 1,
    {},
    5n,
  ])("reject the start %s, which is not a complete instant", (start) => {
    expect(() => createSimulator({ start: start as never })).toThrow(/^start: expected an instant .+, got /);
  });
});

describe("advance", () => {
  test("ends exactly at now + duration if nothing is due", () => {
    const sim = createSimulator();
    sim.advance("PT1M0.001S");
    sim.advance(1);
    expect(sim.timestamp).toBe(startMs + 60_002);
  });

  test("runs everything due, each at its own instant", () => {
    const sim = ringing();
    sim.advance("PT12.345S");
    sim.calls.inbound({ from: caller, to: dial.carol });
    sim.advance("PT1H");
    expect(stream(sim)).toEqual([
      "0 call.started",
      "12345 call.started",
      "30000 call.not_answered",
      "42345 call.not_answered",
    ]);
    expect(sim.timestamp).toBe(startMs + 12_345 + 3_600_000);
  });

  test("has the instant of each item as now in listeners", () => {
    const sim = ringing();
    const heard: number[] = [];
    sim.on("call.not_answered", () => heard.push(sim.timestamp));
    sim.advance("PT1H");
    expect(heard).toEqual([startMs + 30_000]);
  });

  test("runs items due at the target instant", () => {
    const sim = ringing();
    sim.advance("PT30S");
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
  });

  test("does not run items due one millisecond after the target instant", () => {
    const sim = ringing();
    sim.advance(29_999);
    expect(stream(sim)).toEqual(["0 call.started"]);
    expect(sim.pending()).toHaveLength(1);
  });

  test.each([
    ["ISO 8601", "PT1M30.5S", 90_500],
    ["ISO 8601 weeks", "P1W", 7 * day],
    ["ISO 8601 that says nothing lasts", "PT0S", 0],
    ["milliseconds", 1_500, 1_500],
    ["a Luxon Duration", Duration.fromObject({ minutes: 2 }), 120_000],
    ["a DurationLike of several units", { hours: 1, seconds: 5 }, 3_605_000],
    ["a DurationLike of a fraction that is whole in milliseconds", { seconds: 1.001 }, 1_001],
  ])("accepts a duration as %s", (_form, duration, ms) => {
    const sim = createSimulator();
    sim.advance(duration);
    expect(sim.timestamp).toBe(startMs + ms);
  });

  test.each([
    ["text that is not ISO 8601", "30 seconds", '"30 seconds"'],
    ["digits in quotes", "30", '"30"'],
    ["empty text", "", '""'],
    ["ISO 8601 without a unit", "PT", '"PT"'],
    ["less than nothing", -1, "-1"],
    ["less than nothing in ISO 8601", "-PT1S", '"-PT1S"'],
    ["a fraction of a millisecond", 0.5, "0.5"],
    ["a fraction of a millisecond in ISO 8601", "PT0.0005S", '"PT0.0005S"'],
    ["a long text, of which the beginning is shown", "P".repeat(100), `"${"P".repeat(76)}...`],
    ["a number that is none", Number.NaN, "NaN"],
    ["for ever", Number.POSITIVE_INFINITY, "Infinity"],
    ["an unknown unit", { secs: 1 }, '{"secs":1}'],
    ["no unit", {}, "{}"],
    ["a list", [], "[]"],
    ["a Date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["null", null, "null"],
    ["nothing", undefined, "nothing"],
    ["a BigInt", 10n, "10"],
    ["true", true, "true"],
  ])("rejects %s with its value and does not advance", (_form, duration, got) => {
    const sim = createSimulator();
    expect(() => sim.advance(duration as never)).toThrow(InputError);
    expect(() => sim.advance(duration as never)).toThrow(
      `advance: expected a duration of whole milliseconds, 0 or more (ISO 8601 such as "PT30S", a Luxon Duration, { seconds: 30 } or ms), got ${got}`,
    );
    expect(sim.timestamp).toBe(startMs);
  });
});

describe("advanceTo", () => {
  test.each([
    ["ISO 8601", "2026-07-01T00:00:30Z"],
    ["ISO 8601 without an offset, read as UTC", "2026-07-01T00:00:30"],
    ["a Date", new Date(startMs + 30_000)],
    ["a Luxon DateTime", DateTime.fromMillis(startMs + 30_000)],
    ["milliseconds", startMs + 30_000],
  ])("ends exactly at an instant given as %s, with everything due by then done", (_form, instant) => {
    const sim = ringing();
    sim.advanceTo(instant);
    expect(sim.timestamp).toBe(startMs + 30_000);
    expect(stream(sim)).toEqual(["0 call.started", "30000 call.not_answered"]);
  });

  test("runs what is still due now if given the current instant", () => {
    const sim = ringing();
    sim.calls.inbound({ from: caller, to: dial.carol });
    sim.step();
    sim.advanceTo(sim.timestamp);
    expect(sim.pending()).toEqual([]);
  });

  test("throws for the past without moving", () => {
    const sim = createSimulator();
    sim.advance("PT1H");
    expect(() => sim.advanceTo(startMs + 3_599_999)).toThrow(
      new InputError(
        ["advanceTo"],
        "2026-07-01T00:59:59.999Z is in the past: it is 2026-07-01T01:00:00.000Z, and time never goes backwards",
      ),
    );
    expect(sim.timestamp).toBe(startMs + 3_600_000);
  });

  test("rejects an invalid instant", () => {
    expect(() => createSimulator().advanceTo("tomorrow")).toThrow(/^advanceTo: expected an instant/);
  });
});

describe("runUntil", () => {
  test("returns the first event of a type and stops at its instant", () => {
    const sim = ringing();
    sim.advance(1);
    sim.calls.inbound({ from: caller, to: dial.carol });
    const event = sim.runUntil("call.not_answered");
    expect(event).toBe(sim.events.at(-1));
    expect(event.data.call.id).toBe("call-1");
    expect(sim.timestamp).toBe(startMs + 30_000);
  });

  test("stops right after the event, leaving the rest of that instant due", () => {
    const sim = ringing();
    sim.calls.inbound({ from: caller, to: dial.carol });
    sim.runUntil("call.not_answered");
    expect(sim.pending()).toMatchObject([{ recordId: "call-2", dueTimestamp: sim.timestamp }]);
  });

  test("returns the first event that a predicate accepts", () => {
    const sim = ringing();
    sim.calls.inbound({ from: caller, to: dial.carol });
    const event = sim.runUntil(
      ({ type, data }) => "call" in data && `${type} ${data.call.id}` === "call.not_answered call-2",
    );
    expect(event).toMatchObject({ type: "call.not_answered", data: { call: { id: "call-2" } } });
  });

  test("ignores earlier events", () => {
    const sim = ringing();
    sim.advance("PT1M");
    expect(() => sim.runUntil("call.not_answered")).toThrow(LimitError);
  });

  test("finds an event that a listener's command emits", () => {
    const sim = ringing();
    sim.on("call.not_answered", () => void sim.calls.inbound({ from: caller, to: dial.carol }));
    expect(sim.runUntil("call.started").data.call.id).toBe("call-2");
  });

  test("finds an event exactly at the limit within", () => {
    expect(ringing().runUntil("call.not_answered", { within: "PT30S" }).type).toBe("call.not_answered");
  });

  test("throws with past events and the next item if no event comes within the limit", () => {
    const sim = ringing();
    sim.advance("PT10S");
    sim.calls.inbound({ from: caller, to: dial.carol });
    expect(() => sim.runUntil("call.answered", { within: "PT25S" })).toThrow(
      new LimitError(
        [
          "runUntil: no call.answered: none came within 25s; next is ring: ringTimeout of call-2 at 2026-07-01T00:00:40.000Z. What did happen:",
          "  2026-07-01T00:00:30.000Z call.not_answered",
        ].join("\n"),
      ),
    );
  });

  test("throws that nothing more is scheduled if the run ends", () => {
    expect(() => createSimulator().runUntil(() => true)).toThrow(
      "runUntil: no matching event: nothing more is scheduled. Nothing happened meanwhile.",
    );
  });

  test("waits at most 7 days by default", () => {
    expect(ringing({ ringTimeout: "P7D" }).runUntil("call.not_answered").createdTimestamp).toBe(
      startMs + 7 * day,
    );
    expect(() => ringing({ ringTimeout: "P7DT0.001S" }).runUntil("call.not_answered")).toThrow(LimitError);
  });

  test("rejects a limit that is not a duration", () => {
    expect(() => ringing().runUntil("call.ended", { within: "soon" })).toThrow(
      /^within: expected a duration/,
    );
  });
});

describe("runUntilIdle", () => {
  test("runs until nothing is scheduled and ends at the last item's instant", () => {
    const sim = ringing();
    sim.runUntilIdle();
    expect(sim.pending()).toEqual([]);
    expect(sim.timestamp).toBe(startMs + 30_000);
  });

  test("throws with the remaining items if the limit comes first", () => {
    const sim = ringing();
    sim.calls.inbound({ from: caller, to: dial.carol });
    expect(() => sim.runUntilIdle({ within: "PT29.999S" })).toThrow(
      new LimitError(
        "runUntilIdle: not idle by 2026-07-01T00:00:29.999Z; still scheduled: ring: ringTimeout of call-1, ring: ringTimeout of call-2",
      ),
    );
  });

  test("waits at most 400 days by default", () => {
    ringing({ ringTimeout: "P400D" }).runUntilIdle();
    expect(() => ringing({ ringTimeout: "P400DT0.001S" }).runUntilIdle()).toThrow(LimitError);
  });
});

describe("step and pending", () => {
  test("step runs only the next due item and returns it", () => {
    const sim = ringing();
    sim.calls.inbound({ from: caller, to: dial.carol });
    expect(sim.step()).toEqual({
      dueAt: "2026-07-01T00:00:30.000Z",
      dueTimestamp: startMs + 30_000,
      purpose: "ring: ringTimeout",
      recordId: "call-1",
    });
    expect(sim.timestamp).toBe(startMs + 30_000);
    expect(sim.calls.live().map(({ id }) => id)).toEqual(["call-2"]);
  });

  test("step returns undefined and does not move if nothing is scheduled", () => {
    const sim = createSimulator();
    expect(sim.step()).toBeUndefined();
    expect(sim.timestamp).toBe(startMs);
  });

  test("pending lists items in the order of their run, ties first in, first out", () => {
    const sim = createSimulator({
      organisation: office,
      ids: "counter",
      timing: { voicemailGreeting: "PT30S" },
    });
    sim.users.get("bob").setAvailability("busy");
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.calls.inbound({ from: caller, to: dial.bob });
    sim.advance(1);
    sim.calls.inbound({ from: caller, to: dial.carol });
    expect(
      sim.pending().map((item) => `${item.dueTimestamp - startMs} ${item.purpose} ${item.recordId}`),
    ).toEqual([
      "30000 ring: ringTimeout call-1",
      "30000 voicemail: greeting call-2",
      "30001 ring: ringTimeout call-3",
    ]);
  });
});
