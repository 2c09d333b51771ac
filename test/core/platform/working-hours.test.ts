import { describe, expect, test } from "vitest";
import { createSimulator, type OrganisationInput, replay, type Simulator } from "../../../src/index.ts";
import { caller, stateOf, thrownBy } from "../../helpers.ts";

type Hours = NonNullable<NonNullable<OrganisationInput["users"]>[number]["workingHours"]>;

const nineToFive = [{ from: "09:00", to: "17:00" }];
const office: Hours = {
  monday: nineToFive,
  tuesday: nineToFive,
  wednesday: nineToFive,
  thursday: nineToFive,
  friday: nineToFive,
};
const all = [{ from: "00:00", to: "24:00" }];

/** Ann has these hours in this zone and is the team's only member but Ben, who has none. */
function acme(workingHours: Hours, timezone = "UTC", more: object = {}): OrganisationInput {
  const person = (id: string, extension: string) => ({
    id,
    email: `${id}@acme.test`,
    displayName: id,
    extension,
    endpoints: ["mobile" as const],
  });
  return {
    id: "acme",
    numbers: [
      { number: "+6495550101", owner: "ann" },
      { number: "+6495550200", owner: "team" },
    ],
    users: [
      { ...person("ann", "101"), timezone, workingHours, voicemail: true, ...more },
      { ...person("ben", "102"), status: "suspended" },
    ],
    teams: [
      { id: "team", displayName: "Team", extension: "200", members: [{ user: "ann" }, { user: "ben" }] },
    ],
  };
}

/** Starts on a Wednesday. */
const newSimulator = (workingHours: Hours, start = "2026-07-01T12:00:00Z", timezone = "UTC", more = {}) =>
  createSimulator({ organisation: acme(workingHours, timezone, more), start, ids: "counter" });

/** When Ann's availability changed, and what it became. */
const changesOf = (sim: Simulator) =>
  sim.events
    .ofType("user.availability.updated")
    .map(({ createdAt, data: { user } }) => `${createdAt.slice(0, 16)} ${textOf(user.availability)}`);

const textOf = ({ status, notAvailableRule }: { status: string; notAvailableRule: string | null }) =>
  notAvailableRule === null ? status : `${status} ${notAvailableRule}`;
const ann = (sim: Simulator) => textOf(sim.users.get("ann").record.availability);

describe("at the start", () => {
  test.each([
    ["a minute before they begin", "2026-07-01T08:59:00Z", "offline outOfHours"],
    ["as they begin", "2026-07-01T09:00:00Z", "available"],
    ["a millisecond before they end", "2026-07-01T16:59:59.999Z", "available"],
    ["as they end", "2026-07-01T17:00:00Z", "offline outOfHours"],
    ["on a day that is not named", "2026-07-04T12:00:00Z", "offline outOfHours"],
  ])("%s the record says so and no event is emitted", (_when, start, expected) => {
    const sim = newSimulator(office, start);
    expect(ann(sim)).toBe(expected);
    expect(sim.events).toHaveLength(0);
    expect(sim.users.get("ann").record.availability.availabilitySummary).toBe(
      expected === "available" ? "Available" : "Out of hours",
    );
  });

  test("the team's totals do not count users outside their hours as available", () => {
    expect(newSimulator(office, "2026-07-01T20:00:00Z").teams.get("team").record).toMatchObject({
      availability: { status: "busy", totalAvailable: 0 },
      teamMembers: [{ id: "ann", availability: { status: "offline" } }, { id: "ben" }],
    });
  });

  test("logged out takes precedence over out of hours", () => {
    const sim = newSimulator(office, "2026-07-01T20:00:00Z", "UTC", { endpoints: [] });
    expect(ann(sim)).toBe("offline loggedOut");
    sim.advance("P7D");
    expect(sim.events).toHaveLength(0);
  });

  test("the hours are those of the user's time zone, or of the organisation's", () => {
    const start = "2026-06-30T22:00:00Z"; // Wednesday, 10:00 in Auckland
    expect(ann(newSimulator(office, start, "Pacific/Auckland"))).toBe("available");
    expect(ann(newSimulator(office, start))).toBe("offline outOfHours");
    const { users, ...rest } = acme(office);
    const organisation = {
      ...rest,
      timezone: "Pacific/Auckland",
      users: users?.map(({ timezone: _, ...user }) => user) ?? [],
    };
    expect(ann(createSimulator({ organisation, start }))).toBe("available");
  });
});

describe("as time passes", () => {
  test("each boundary emits an event of the user, then of their teams", () => {
    const sim = newSimulator(office);
    sim.advance("P1D");
    expect(sim.events.map(({ createdAt, type }) => `${createdAt} ${type}`)).toEqual([
      "2026-07-01T17:00:00.000Z user.availability.updated",
      "2026-07-01T17:00:00.000Z team.availability.updated",
      "2026-07-02T09:00:00.000Z user.availability.updated",
      "2026-07-02T09:00:00.000Z team.availability.updated",
    ]);
    expect(changesOf(sim)).toEqual(["2026-07-01T17:00 offline outOfHours", "2026-07-02T09:00 available"]);
  });

  test("a weekend is one period out of hours", () => {
    const sim = newSimulator(office, "2026-07-03T12:00:00Z");
    sim.advance("P3D");
    expect(changesOf(sim)).toEqual(["2026-07-03T17:00 offline outOfHours", "2026-07-06T09:00 available"]);
  });

  test.each<[string, Hours, string[]]>([
    [
      "several spans a day",
      {
        wednesday: [
          { from: "14:00", to: "15:00" },
          { from: "12:30", to: "13:00" },
        ],
      },
      [
        "2026-07-01T12:30 available",
        "2026-07-01T13:00 offline outOfHours",
        "2026-07-01T14:00 available",
        "2026-07-01T15:00 offline outOfHours",
      ],
    ],
    [
      "spans that touch, or overlap, as one",
      {
        wednesday: [
          { from: "13:00", to: "14:00" },
          { from: "13:30", to: "13:45" },
          { from: "14:00", to: "15:00" },
        ],
      },
      ["2026-07-01T13:00 available", "2026-07-01T15:00 offline outOfHours"],
    ],
    [
      "spans that touch over midnight as one",
      { wednesday: [{ from: "22:00", to: "24:00" }], thursday: [{ from: "00:00", to: "06:00" }] },
      ["2026-07-01T22:00 available", "2026-07-02T06:00 offline outOfHours"],
    ],
  ])("take %s", (_what, hours, expected) => {
    const sim = newSimulator(hours);
    sim.advance("P2D");
    expect(changesOf(sim)).toEqual(expected);
  });

  test.each<[string, Hours | undefined, string]>([
    ["a user without a table is always in hours", undefined, "available"],
    ["a user with an empty table never is", {}, "offline outOfHours"],
    [
      "a user who works around the clock always is",
      {
        ...office,
        monday: all,
        tuesday: all,
        wednesday: all,
        thursday: all,
        friday: all,
        saturday: all,
        sunday: all,
      },
      "available",
    ],
  ])("%s, and nothing is scheduled", (_who, hours, expected) => {
    const sim = newSimulator(hours as Hours);
    expect(ann(sim)).toBe(expected);
    expect(sim.pending()).toEqual([]);
    sim.advance("P30D");
    expect(sim.events).toHaveLength(0);
  });

  test("ringing calls are withdrawn when the hours end", () => {
    const sim = newSimulator(office, "2026-07-01T16:59:50Z");
    const call = sim.calls.inbound({ from: caller, to: "+6495550101" });
    sim.advance("PT10S");
    expect(sim.events.map(({ type }) => type)).toEqual([
      "call.started",
      "user.availability.updated",
      "team.availability.updated",
      "call.not_answered",
    ]);
    call.hangup("caller");
    expect(call.record.outcome).toEqual({ status: "missed", reason: "unavailable" });
  });

  test("a call waiting in a team's queue is offered when the hours begin", () => {
    const sim = newSimulator(office, "2026-07-01T08:59:30Z");
    const call = sim.calls.inbound({ from: caller, to: "+6495550200" });
    expect(call.ringing()).toEqual([]);
    sim.advance("PT30S");
    expect(call.ringing()).toEqual([{ user: "ann", endpoint: "mobile" }]);
  });
});

describe("when the clock changes", () => {
  const sunday = (from: string, to: string): Hours => ({ sunday: [{ from, to }] });

  test.each<[string, string, string, Hours, string[]]>([
    [
      "Monday to Friday keep their local times",
      "Europe/London",
      "2026-10-23T12:00:00Z",
      office,
      [
        "2026-10-23T16:00 offline outOfHours",
        "2026-10-26T09:00 available",
        "2026-10-26T17:00 offline outOfHours",
      ],
    ],
    [
      "a time that is skipped is taken at the skip",
      "Europe/London",
      "2027-03-27T12:00:00Z",
      sunday("01:30", "03:00"),
      ["2027-03-28T01:00 available", "2027-03-28T02:00 offline outOfHours"],
    ],
    [
      "a span that is skipped is left out until the next week",
      "Pacific/Auckland",
      "2026-09-24T12:00:00Z",
      sunday("02:10", "02:50"),
      ["2026-10-03T13:10 available", "2026-10-03T13:50 offline outOfHours"],
    ],
    [
      "a time that is shown twice is the first",
      "Europe/London",
      "2026-10-24T12:00:00Z",
      sunday("01:15", "01:45"),
      ["2026-10-25T00:15 available", "2026-10-25T00:45 offline outOfHours"],
    ],
    [
      "a span over the repeated hour is an hour longer",
      "Pacific/Auckland",
      "2027-04-03T00:00:00Z",
      sunday("01:00", "04:00"),
      ["2027-04-03T12:00 available", "2027-04-03T16:00 offline outOfHours"],
    ],
    [
      "half an hour is skipped",
      "Australia/Lord_Howe",
      "2026-10-03T00:00:00Z",
      sunday("02:10", "09:00"),
      ["2026-10-03T15:30 available", "2026-10-03T22:00 offline outOfHours"],
    ],
    [
      "half an hour is shown twice",
      "Australia/Lord_Howe",
      "2027-04-03T00:00:00Z",
      sunday("01:45", "02:15"),
      ["2027-04-03T14:45 available", "2027-04-03T15:45 offline outOfHours"],
    ],
  ])("%s: %s", (_what, timezone, start, hours, expected) => {
    const sim = newSimulator(hours, start, timezone);
    for (const _ of expected) sim.runUntil("user.availability.updated", { within: "P14D" });
    expect(changesOf(sim)).toEqual(expected);
  });
});

describe("working hours with calls and manual statuses", () => {
  test("a call continues past the end of the hours, which apply afterwards", () => {
    const sim = newSimulator(office, "2026-07-01T16:59:00Z");
    const call = sim.calls.inbound({ from: caller, to: "+6495550101" });
    call.answer("ann");
    sim.advance("PT10M");
    expect(ann(sim)).toBe("busy busyOnACall");
    call.hangup("caller");
    expect(changesOf(sim)).toEqual([
      "2026-07-01T16:59 busy busyOnACall",
      "2026-07-01T17:09 offline outOfHours",
    ]);
  });

  test.each([
    ["busy", "busy doNotDisturb"],
    ["offline", "offline loggedOut"],
  ] as const)("manual %s stays across the hours until it is withdrawn", (status, shown) => {
    const sim = newSimulator(office);
    sim.users.get("ann").setAvailability(status);
    sim.advance("P1D");
    expect(changesOf(sim)).toEqual([`2026-07-01T12:00 ${shown}`]);
    sim.users.get("ann").setAvailability("available");
    sim.advance("PT5H");
    expect(changesOf(sim).slice(1)).toEqual([
      "2026-07-02T12:00 available",
      "2026-07-02T17:00 offline outOfHours",
    ]);
  });

  test("manual available out of hours lasts until the hours begin and end again", () => {
    const sim = newSimulator(office, "2026-07-01T20:00:00Z");
    sim.users.get("ann").setAvailability("available");
    sim.advance("P1D");
    expect(changesOf(sim)).toEqual(["2026-07-01T20:00 available", "2026-07-02T17:00 offline outOfHours"]);
    expect(sim.calls.inbound({ from: caller, to: "+6495550101" }).ringing()).toEqual([]);
  });

  test("manual available in hours ends with the hours", () => {
    const sim = newSimulator(office);
    sim.users.get("ann").setAvailability("available");
    sim.advance("PT5H");
    expect(changesOf(sim)).toEqual(["2026-07-01T17:00 offline outOfHours"]);
  });

  test("withdrawing busy out of hours leaves the user available until the hours next end", () => {
    const sim = newSimulator(office, "2026-07-01T20:00:00Z");
    sim.users.get("ann").setAvailability("busy");
    sim.users.get("ann").setAvailability("available");
    expect(ann(sim)).toBe("available");
  });

  test("logging in makes a user out of hours or available, by the time of day", () => {
    const sim = newSimulator(office);
    const user = sim.users.get("ann");
    user.setEndpoint("mobile", { registered: false });
    sim.advance("PT6H");
    user.setEndpoint("mobile", { registered: true });
    sim.advance("P1D");
    expect(changesOf(sim)).toEqual([
      "2026-07-01T12:00 offline loggedOut",
      "2026-07-01T18:00 offline outOfHours",
      "2026-07-02T09:00 available",
      "2026-07-02T17:00 offline outOfHours",
    ]);
  });
});

describe("the timers of working hours", () => {
  test("are pending once per user, and runUntilIdle does not wait for them", () => {
    const sim = newSimulator(office);
    sim.runUntilIdle();
    expect(sim.timestamp).toBe(Date.UTC(2026, 6, 1, 12));
    expect(sim.pending()).toEqual([
      {
        dueAt: "2026-07-01T17:00:00.000Z",
        dueTimestamp: Date.UTC(2026, 6, 1, 17),
        purpose: "availability: working hours end",
        recordId: "ann",
        isBackground: true,
      },
    ]);
  });

  test("run when runUntilIdle passes them", async () => {
    for (const way of ["runUntilIdle", "runUntilIdleAsync"] as const) {
      const sim = newSimulator(office, "2026-07-01T16:59:55Z");
      sim.calls.inbound({ from: caller, to: "+6495550101" });
      await sim[way]();
      expect(changesOf(sim)).toEqual(["2026-07-01T17:00 offline outOfHours"]);
      expect(sim.calls.live()).toEqual([]);
    }
  });

  test("run by step, and by runUntil up to its limit", () => {
    const sim = newSimulator(office);
    expect(sim.step()?.purpose).toBe("availability: working hours end");
    expect(sim.runUntil("user.availability.updated").createdAt).toBe("2026-07-02T09:00:00.000Z");
    expect(() => sim.runUntil("call.started", { within: "P1D" })).toThrow("none came within 24h; next is");
    expect(sim.timestamp).toBe(Date.UTC(2026, 6, 3, 9));
  });

  test("are not listed among the reasons why a run is not idle", () => {
    const sim = newSimulator(office);
    sim.calls.inbound({ from: caller, to: "+6495550101" });
    const { message } = thrownBy(() => sim.runUntilIdle({ within: "PT1S" })) as Error;
    expect(message).toContain("still scheduled: ring: ringTimeout of call-1");
    expect(message).not.toContain("working hours");
  });

  test("continue separately in a fork", () => {
    const sim = newSimulator(office);
    sim.advance("PT1H");
    const fork = sim.fork();
    fork.advance("P3D");
    expect(sim.events).toHaveLength(0);
    sim.advance("P3D");
    expect(stateOf(sim)).toEqual(stateOf(fork));
    expect(changesOf(sim)).toHaveLength(5);
  });

  test("are replayed, rewound to, and shown in the timeline", () => {
    const sim = newSimulator(office);
    sim.advance("P2D");
    sim.users.get("ann").setAvailability("busy");
    sim.advance("P2D");
    expect(stateOf(replay(JSON.stringify(sim.journal())))).toEqual(stateOf(sim));
    expect(ann(sim.at("2026-07-02T03:00:00Z"))).toBe("offline outOfHours");
    expect(sim.events.toTimeline()).toContain("ann is in working hours");
  });
});

test.each([
  ["09:00", "09:00", 'expected a time after 09:00, at most 24:00, got "09:00"'],
  ["22:00", "06:00", 'expected a time after 22:00, at most 24:00, got "06:00"'],
  ["24:00", "24:00", 'expected a time after 24:00, at most 24:00, got "24:00"'],
])("hours from %s to %s are rejected with their path", (from, to, problem) => {
  expect(
    thrownBy(() => newSimulator({ monday: nineToFive, friday: [...nineToFive, { from, to }] })),
  ).toMatchObject({
    name: "InputError",
    path: "users[0].workingHours.friday[1].to",
    message: `users[0].workingHours.friday[1].to: ${problem}. Split a night shift at 24:00: { from: "${from}", to: "24:00" }, and on the next day { from: "00:00", to: "${to}" }`,
  });
});
