import { describe, expect, test } from "vitest";
import { createSimulator } from "../../../src/index.ts";
import { caller, dial, office } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });

/** The two fields of a date/time, this many seconds after the start. */
const at = <Name extends string>(name: Name, seconds: number) => {
  const ms = Date.UTC(2026, 6, 1) + seconds * 1000;
  return { [`${name}At`]: new Date(ms).toISOString(), [`${name}Timestamp`]: ms };
};
const never = (name: string) => ({ [`${name}At`]: null, [`${name}Timestamp`]: null });

const bob = { id: "bob", displayName: "Bob Tane", email: "bob@acme.test" };
const auckland = { id: "auckland", name: "Auckland", address: null, countryIso: "NZ", timezone: null };
const alice = {
  id: "alice",
  type: "user",
  displayName: "Alice Ng",
  extension: "101",
  email: "alice@acme.test",
};

const callerParty = {
  id: "party-1",
  type: "external",
  isInternal: false,
  displayName: caller,
  phoneNumber: caller,
  extension: null,
  email: null,
  tariff: null,
  dials: [],
};
const aliceParty = {
  id: "party-2",
  type: "user",
  isInternal: true,
  displayName: "Alice Ng",
  entryId: "alice",
  phoneNumber: null,
  extension: "101",
  email: "alice@acme.test",
  timezone: "Pacific/Auckland",
  manager: bob,
  location: auckland,
  tariff: null,
};
/** The fields that are the same in the calls below. */
const common = {
  id: "call-1",
  direction: "inbound",
  isInternal: false,
  isConference: false,
  contactNumber: caller,
  companyNumber: dial.alice,
  initiator: caller,
  recipient: dial.alice,
  ...at("started", 0),
  vendor: "vendor",
  vendorCallId: "vendor-call-1",
  passthroughParameters: { "x-order": "42" },
};
const summary = {
  header: `Inbound call from ${caller} to Alice Ng`,
  contactNumberDescription: caller,
  companyNumberDescription: `Alice Ng (${dial.alice})`,
};
const open = { outcome: null, ...never("ended"), duration: null, durationText: null };
const unanswered = { ...never("answered"), assignedUser: null };
const dialOf = (endpoint: string, vendorCallId: string) => ({
  reason: "direct",
  endpoint,
  ...at("started", 0),
  vendorCallIds: [vendorCallId],
});

/** What Alice's answer on the desktop app, after six seconds, leaves in a record. */
const answeredByAlice = {
  directoryTarget: alice,
  assignedCallGroup: null,
  assignedUser: { ...alice, firstName: null, lastName: null, manager: bob, location: auckland },
  parties: [
    callerParty,
    {
      ...aliceParty,
      dials: [
        { ...dialOf("mobile", "vendor-call-2"), ...at("ended", 6), outcome: "answeredElsewhere" },
        { ...dialOf("desktop", "vendor-call-3"), ...at("ended", 6), outcome: "answered" },
      ],
    },
  ],
};

const inbound = { from: caller, to: dial.alice, passthroughParameters: { "x-order": "42" } };

/** Compares all fields of a call. Those that are not expected must be null or empty. */
function expectCall(call: object | undefined, expected: object): void {
  const isNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  const said = Object.entries(call ?? {}).filter(([key, value]) => key in expected || !isNothing(value));
  expect(Object.fromEntries(said)).toEqual(expected);
}

describe("the record of a call", () => {
  test("in call.started: only the caller, and no target yet", () => {
    const sim = newSimulator();
    sim.calls.inbound(inbound);
    expectCall(sim.events.ofType("call.started")[0]?.data.call, {
      ...common,
      ...open,
      ...unanswered,
      organisationId: "acme",
      status: "started",
      ...at("lastModified", 0),
      waitTime: null,
      waitTimeText: null,
      parties: [callerParty],
      connections: [],
      summary: { ...summary, outcome: "In progress" },
    });
    expect(sim.events[0]?.data).not.toHaveProperty("call.directoryTarget");
    expect(sim.events[0]?.data).not.toHaveProperty("call.assignedCallGroup");
  });

  test("while it rings: offered, with a dial for each endpoint", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound(inbound);
    sim.advance("PT3S");
    expectCall(call.record, {
      ...common,
      ...open,
      ...unanswered,
      status: "offered",
      ...at("lastModified", 0),
      waitTime: null,
      waitTimeText: null,
      parties: [
        callerParty,
        {
          ...aliceParty,
          dials: [
            { ...dialOf("mobile", "vendor-call-2"), ...never("ended"), outcome: null },
            { ...dialOf("desktop", "vendor-call-3"), ...never("ended"), outcome: null },
          ],
        },
      ],
      connections: [],
      summary: { ...summary, outcome: "In progress" },
    });
  });

  test("in call.answered: who answered, after how long, and who is on the bridge", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound(inbound);
    sim.advance("PT6S");
    call.answer("alice", { endpoint: "desktop" });
    expectCall(sim.events.ofType("call.answered")[0]?.data.call, {
      ...common,
      ...open,
      organisationId: "acme",
      status: "accepted",
      ...at("answered", 6),
      ...at("lastModified", 6),
      waitTime: 6_000,
      waitTimeText: "6s",
      ...answeredByAlice,
      connections: [
        { partyId: "party-1", endpoint: null, ...at("joined", 6), ...never("left") },
        { partyId: "party-2", endpoint: "desktop", ...at("joined", 6), ...never("left") },
      ],
      summary: { ...summary, outcome: "In progress" },
    });
  });

  test("after call.ended: complete", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound(inbound);
    sim.advance("PT6S");
    call.answer("alice", { endpoint: "desktop" });
    sim.advance("PT1M59.999S");
    call.hangup("caller");
    const end = 125.999;
    expectCall(call.record, {
      ...common,
      status: "ended",
      outcome: { status: "answered", reason: null },
      ...at("answered", 6),
      ...at("ended", end),
      ...at("lastModified", end),
      duration: 125_999,
      durationText: "2m 5s",
      waitTime: 6_000,
      waitTimeText: "6s",
      ...answeredByAlice,
      connections: [
        { partyId: "party-1", endpoint: null, ...at("joined", 6), ...at("left", end) },
        { partyId: "party-2", endpoint: "desktop", ...at("joined", 6), ...at("left", end) },
      ],
      summary: { ...summary, outcome: "Answered by Alice Ng" },
    });
    expect(sim.events.at(-1)?.data).toEqual({ call: { ...call.record, organisationId: "acme" } });
  });

  test("names its target after call.not_answered, with a wait as long as the call", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound(inbound);
    sim.runUntilIdle();
    expectCall(call.record, {
      ...common,
      ...unanswered,
      status: "missed",
      outcome: { status: "missed", reason: "timeout" },
      ...at("ended", 30),
      ...at("lastModified", 30),
      duration: 30_000,
      durationText: "30s",
      waitTime: 30_000,
      waitTimeText: "30s",
      directoryTarget: alice,
      assignedCallGroup: null,
      parties: [
        callerParty,
        {
          ...aliceParty,
          dials: [
            { ...dialOf("mobile", "vendor-call-2"), ...at("ended", 30), outcome: "timeout" },
            { ...dialOf("desktop", "vendor-call-3"), ...at("ended", 30), outcome: "timeout" },
          ],
        },
      ],
      connections: [],
      summary: { ...summary, outcome: "Missed: nobody answered in time" },
    });
    expect(sim.events.at(-1)?.data).toEqual({ call: { ...call.record, organisationId: "acme" } });
  });

  test("has null for a user's missing manager and location, and the organisation's time zone", () => {
    const call = newSimulator().calls.inbound({ from: caller, to: dial.carol });
    call.answer("carol");
    expect(call.record.assignedUser).toMatchObject({ manager: null, location: null });
    expect(call.record.parties[1]).toMatchObject({
      manager: null,
      location: null,
      timezone: "Pacific/Auckland",
    });
  });

  test("has the user's own time zone if it is set", () => {
    const call = newSimulator().calls.inbound({ from: caller, to: dial.bob });
    expect(call.record.parties[1]?.timezone).toBe("Europe/London");
  });
});

describe("call.hungup", () => {
  test("carries the party that left, equal to the one in the call, with its connection ended", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound(inbound);
    call.answer("alice");
    sim.advance("PT9S");
    call.hangup("caller");
    const [first, second] = sim.events.ofType("call.hungup").map(({ data }) => data);
    expect(first?.party).toEqual(callerParty);
    expect(first?.party).toBe(first?.call.parties[0]);
    expect(first?.call.connections.map(({ leftAt }) => leftAt)).toEqual(["2026-07-01T00:00:09.000Z", null]);
    expect(second?.party.id).toBe("party-2");
    expect(second?.call.connections[1]?.leftAt).toBe("2026-07-01T00:00:09.000Z");
    expect(second?.call.outcome).toBeNull();
  });
});

describe("durationText and waitTimeText", () => {
  test.each([
    [0, "0s"],
    [999, "0s"],
    [1_000, "1s"],
    [45_000, "45s"],
    [59_999, "59s"],
    [125_000, "2m 5s"],
    [3_723_000, "1h 2m 3s"],
    [90_061_000, "25h 1m 1s"],
  ])("of %i ms are %s", (ms, text) => {
    const sim = createSimulator({ organisation: office, timing: { ringTimeout: "P7D" } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance(ms);
    call.hangup("caller");
    expect(call.record).toMatchObject({ duration: ms, durationText: text, waitTime: ms, waitTimeText: text });
  });
});

test("The summary names who answered first, though another rang before and came on later", () => {
  const sim = newSimulator();
  const call = sim.calls.inbound({ from: caller, to: dial.sales });
  call.decline("carol");
  call.answer("dan");
  call.transfer("carol", { by: "dan" });
  call.answer("carol");
  call.hangup("caller");
  expect(call.record.parties.map(({ displayName }) => displayName).slice(1)).toEqual([
    "Carol Diaz",
    "Dan Okafor",
  ]);
  expect(call.record.summary.outcome).toBe("Answered by Dan Okafor");
});
