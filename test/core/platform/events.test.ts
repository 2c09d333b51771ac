import { describe, expect, test } from "vitest";
import { createSimulator, type PlatformEvent, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs } from "../../helpers.ts";

/** A simulator after an answered call, and a voicemail with a transcript: every type of event but a team's. */
function eventful() {
  const sim = createSimulator({
    organisation: { ...office, features: { transcription: true } },
    ids: "counter",
  });
  const call = sim.calls.inbound({
    from: caller,
    to: dial.carol,
    passthroughParameters: { "x-order": "42" },
  });
  sim.advance("PT5S");
  call.answer("carol");
  call.hangup("caller");
  const missed = sim.calls.inbound({ from: caller, to: dial.bob });
  missed.decline("bob");
  missed.leaveVoicemail({ duration: "PT5S", transcript: "Call me" });
  sim.runUntilIdle();
  return sim;
}

const everyType = [
  "call.started",
  "call.answered",
  "user.availability.updated",
  "team.availability.updated",
  "call.hungup",
  "call.ended",
  "call.not_answered",
  "call.recording.available",
  "call.transcript.created",
  "transcript.created",
  "call.transcription_completed",
];

/** Every object inside a value that is not frozen, by its path. */
function thawed(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, part]) => thawed(part, `${path}.${key}`));
  return Object.isFrozen(value) ? inside : [path, ...inside];
}

describe("an event", () => {
  test("is wrapped in id, type, createdAt, createdTimestamp, organisationId and data", () => {
    const sim = createSimulator({ organisation: office, ids: "counter" });
    sim.advance(1_500);
    sim.calls.inbound({ from: caller, to: dial.alice });
    expect(sim.events[0]).toEqual({
      id: "event-1",
      type: "call.started",
      createdAt: "2026-07-01T00:00:01.500Z",
      createdTimestamp: startMs + 1_500,
      organisationId: "acme",
      data: { call: expect.objectContaining({ id: "call-1" }) },
    });
  });

  test.each<[PlatformEvent["type"], string[]]>([
    ["call.started", ["call"]],
    ["call.answered", ["call"]],
    ["call.not_answered", ["call"]],
    ["call.hungup", ["call", "party"]],
    ["call.ended", ["call"]],
    ["call.recording.available", ["call", "recording"]],
    ["call.transcript.created", ["call", "transcript"]],
    ["call.transcription_completed", ["call", "transcripts"]],
    ["transcript.created", ["transcript"]],
    ["user.availability.updated", ["user"]],
    ["team.availability.updated", ["team"]],
  ])("of type %s carries %j", (type, keys) => {
    const events = eventful().events.ofType(type);
    expect(events.length).toBeGreaterThan(0);
    for (const { data } of events) expect(Object.keys(data)).toEqual(keys);
  });

  test("is deeply frozen, whatever its type", () => {
    const { events } = eventful();
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(everyType));
    expect(events.flatMap((event) => thawed(event, event.type))).toEqual([]);
  });

  test("never changes once it is emitted", () => {
    const sim = createSimulator({ organisation: office });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    const then = sim.events.map((event) => JSON.stringify(event));
    sim.advance("PT1M");
    call.move("alice", { to: "desktop" });
    call.hangup("caller");
    sim.users.get("alice").setAvailability("busy");
    expect(sim.events.slice(0, then.length).map((event) => JSON.stringify(event))).toEqual(then);
  });

  test("carries the organisation's id in its call, unlike the call's own record", () => {
    const sim = eventful();
    for (const { data } of sim.events) {
      if ("call" in data) expect(data.call.organisationId).toBe("acme");
    }
    for (const call of sim.calls.list()) expect(call.record).not.toHaveProperty("organisationId");
  });
});

describe("records", () => {
  test("of calls, users, teams, devices and transcripts are deeply frozen", () => {
    const sim = eventful();
    const records = [
      ...[sim.calls, sim.users, sim.teams, sim.devices].flatMap((api) =>
        api.list().map(({ record }) => record),
      ),
      ...sim.transcripts.list(),
    ];
    expect(records.flatMap((record) => thawed(record, record.id))).toEqual([]);
  });

  test("are the same object until something changes", () => {
    const sim = createSimulator({ organisation: office });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    const before = call.record;
    expect(sim.calls.get(call.id).record).toBe(before);
    call.answer("alice");
    expect(call.record).not.toBe(before);
    expect(before.status).toBe("offered");
  });
});

describe("sim.events", () => {
  test("is an array that grows", () => {
    const sim = createSimulator({ organisation: office });
    const { events } = sim;
    expect(Array.isArray(events)).toBe(true);
    sim.calls.inbound({ from: caller, to: dial.alice });
    expect(events).toHaveLength(1);
    expect(sim.events).toBe(events);
    expect([...events].map(({ type }) => type)).toEqual(["call.started"]);
  });

  test.each(["push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin"] as const)(
    "rejects %s",
    (method) => {
      const sim = createSimulator({ organisation: office });
      sim.calls.inbound({ from: caller, to: dial.alice });
      const before = sim.events.toJSONL();
      expect(() => (sim.events as unknown as Record<string, () => void>)[method]?.()).toThrow(
        `events.${method}: the event stream is read-only; copy it first with [...sim.events]`,
      );
      expect(sim.events.toJSONL()).toBe(before);
    },
  );

  test("has no enumerable keys besides its indices", () => {
    const sim = createSimulator({ organisation: office });
    sim.calls.inbound({ from: caller, to: dial.alice });
    expect(Object.keys(sim.events)).toEqual(["0"]);
    expect(sim.events).toEqual([sim.events[0]]);
  });

  test("ofType returns the events of one type", () => {
    const sim = eventful();
    expect(sim.events.ofType("call.started").map(({ data }) => data.call.id)).toEqual(["call-1", "call-2"]);
    expect(createSimulator().events.ofType("call.started")).toEqual([]);
  });

  test("for returns the events that carry a record: a call, a user, a team, a transcript", () => {
    const { events } = eventful();
    expect(events.for("call-1").map(({ type }) => type)).toEqual([
      "call.started",
      "call.answered",
      "call.hungup",
      "call.hungup",
      "call.ended",
    ]);
    expect(events.for("carol").map(({ type }) => type)).toEqual(Array(2).fill("user.availability.updated"));
    expect(events.for("sales").map(({ type }) => type)).toEqual(Array(2).fill("team.availability.updated"));
    expect(events.for("transcript-1").map(({ type }) => type)).toContain("transcript.created");
    expect(events.for("nobody")).toEqual([]);
  });

  test("since returns the events after a mark", () => {
    const sim = createSimulator({ organisation: office });
    const start = sim.events.mark();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    const mark = sim.events.mark();
    expect(sim.events.since(mark)).toEqual([]);
    call.answer("alice");
    expect(sim.events.since(mark).map(({ type }) => type)).toEqual([
      "call.answered",
      "user.availability.updated",
    ]);
    expect(sim.events.since(start)).toEqual([...sim.events]);
  });

  test("toJSONL writes one JSON object per line, each with a line end", () => {
    const sim = eventful();
    const text = sim.events.toJSONL();
    expect(text.endsWith("\n")).toBe(true);
    const lines = text.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(sim.events)));
    expect(createSimulator().events.toJSONL()).toBe("");
  });

  test("toJSONL is byte-identical for the same seed and commands", () => {
    expect(eventful().events.toJSONL()).toBe(eventful().events.toJSONL());
  });
});

describe("an unknown event type", () => {
  const misspelt = "call.end" as never;
  const problem =
    /^(on|ofType|runUntil): got "call\.end"; did you mean "call\.ended"\? Expected one of the event types call\.started, /;

  test.each([
    ["sim.on", (sim: Simulator) => sim.on(misspelt, () => {})],
    ["sim.events.ofType", (sim: Simulator) => sim.events.ofType(misspelt)],
    ["sim.runUntil", (sim: Simulator) => sim.runUntil(misspelt)],
  ])("is refused with the list of known types by %s", (_, ask) => {
    const sim = createSimulator();
    expect(() => ask(sim)).toThrow(TypeError);
    expect(() => ask(sim)).toThrow(problem);
  });

  test("rejects the promise of runUntilAsync", async () => {
    const sim = createSimulator();
    await expect(sim.runUntilAsync(misspelt)).rejects.toThrow(
      /^runUntilAsync: got "call\.end"; did you mean "call\.ended"\?/,
    );
  });
});
