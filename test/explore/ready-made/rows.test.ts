import { describe, expect, test } from "vitest";
import {
  type CallLogRow,
  callLog,
  exploreReport,
  type ReadyProperties,
  wallboard,
} from "../../../src/explore/index.ts";
import { type CallRecord, parseScenario, type Simulator } from "../../../src/index.ts";
import { readPhoneNumber } from "../../../src/phone-numbers/index.ts";

/** A call of Jane Smith, a contact, to Alice, who talks for 25 seconds. */
const text = `
scenario: A customer calls
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/", events: [call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT30S, hangup: { call: c1, by: caller } }
`;
const scenario = parseScenario(text);

/** An app that keeps what `write` makes of each call. */
const appOf =
  <R>(write: (call: CallRecord) => R) =>
  (sim: Simulator) => {
    const rows = new Map<string, R>();
    sim.network.route("https://crm.test/", ({ body }) => {
      const { call } = JSON.parse(body).data;
      rows.set(call.id, write(call));
      return 204;
    });
    return rows;
  };

/** Explores an app whose log has these columns besides the call's id. */
function reportOf(more: (call: CallRecord) => object, given: object = {}) {
  const log = callLog({ rows: (rows: Map<string, CallLogRow>) => [...rows.values()] });
  const subject = appOf((call) => ({ callId: call.id, ...more(call) }));
  return exploreReport({ scenario, subject, ...log, deviations: 0, ...given });
}
const messageOf = async (...given: Parameters<typeof reportOf>) =>
  (await reportOf(...given)).failures.map(({ message }) => message).join("\n");

describe("A call log says nothing wrong", () => {
  test.each<[string, object | ((call: CallRecord) => object)]>([
    ["a Date", ({ startedTimestamp }: CallRecord) => ({ startedAt: new Date(startedTimestamp) })],
    ["milliseconds", ({ startedTimestamp }: CallRecord) => ({ startedAt: startedTimestamp })],
    ["the platform's text", ({ startedAt }: CallRecord) => ({ startedAt })],
    ["another offset", { startedAt: "2026-07-01T12:00:00.000+12:00" }],
    ["a database's text", { startedAt: "2026-07-01 00:00:01+00" }],
    ["a direction", { direction: "inbound" }],
    ["a number in E.164", { number: "+6421555001" }],
    ["a number with spaces", { number: "+64 21 555-001" }],
    ["a number without its plus", { number: "6421555001" }],
    ["an international prefix", { number: "0064 21 555 001" }],
    ["the country's own way", { number: "(021) 555 001" }],
    ["a contact", { contact: "jane" }],
    ["nothing", { startedAt: null, direction: undefined, number: null, contact: null }],
  ])("by %s", async (_, columns) => {
    expect(await messageOf(typeof columns === "function" ? (columns as never) : () => columns)).toBe("");
  });
});

describe("A call log that says something wrong fails", () => {
  test.each<[object, string]>([
    [
      { startedAt: "2026-06-30T12:00:00.000Z" },
      "call-1: the log says that it started at 2026-06-30T12:00:00.000Z, and it started at 2026-07-01T00:00:00.000Z",
    ],
    [
      { startedAt: Date.parse("2026-07-01T00:00:00Z") / 1_000 },
      "call-1: the log says that it started at 1970-01-21T15:14:24.000Z, and it started at 2026-07-01T00:00:00.000Z",
    ],
    [
      { startedAt: new Date(Number.NaN) },
      "call-1: the log says that it started at an invalid date, and it started at 2026-07-01T00:00:00.000Z",
    ],
    [{ direction: "outbound" }, "call-1: the log says outbound, and it was inbound"],
    [{ number: "+6421555999" }, 'call-1: the log says the number "+6421555999", and it is +6421555001'],
    [{ number: "555 001" }, 'call-1: the log says the number "555 001", and it is +6421555001'],
    [{ number: "+021555001" }, 'call-1: the log says the number "+021555001", and it is +6421555001'],
    [{ number: "unknown" }, 'call-1: the log says the number "unknown", and it is +6421555001'],
    [
      { contact: "kiwi-freight" },
      "call-1: the log says the contact kiwi-freight, which does not have the number +6421555001",
    ],
  ])("by %j", async (columns, message) => {
    expect(await messageOf(() => columns)).toBe(message);
  });

  test.each([
    ["aswered", "answered"],
    ["second", "seconds"],
    ["started_at", "startedAt"],
    ["nubmer", "number"],
  ])("by the column %s", async (column, meant) => {
    expect(await messageOf(() => ({ [column]: 1 }))).toBe(
      `what the app shows cannot be read: [0].${column}: unknown column; did you mean "${meant}"?`,
    );
  });

  test("by a misspelt id of the call", async () => {
    const log = callLog({
      rows: (ids: Map<string, string>) => [...ids].map(([callID]) => ({ callID }) as never),
    });
    const { failures } = await exploreReport({
      scenario,
      subject: appOf(({ id }) => id),
      ...log,
      deviations: 0,
    });
    expect(failures.map(({ message }) => message)).toEqual([
      'what the app shows cannot be read: [0].callID: unknown column; did you mean "callId"?',
    ]);
  });

  test("unless the row has the column that was meant", async () => {
    expect(await messageOf(() => ({ answered: true, aswered: false }))).toBe("");
  });
});

test("A call log that lacks a call says that no webhook asks for its end", async () => {
  const unanswered = parseScenario(text.replace("5550100", "5550104").split("  - { at: PT5S")[0] ?? "");
  const { failures } = await reportOf(() => ({}), { scenario: unanswered });
  expect(failures.map(({ message }) => message)).toEqual([
    "call-1 is missing; call-1 ended with call.not_answered, which no webhook asks for",
  ]);
  expect(failures[0]?.smallest.scenario).toContain("createWebhook");
});

describe("The report of a call log", () => {
  test("names what was compared, what was not, and what is ignored", async () => {
    const report = await reportOf(() => ({
      ...{ answered: true, startedAt: "1 July 2026", direction: "in", number: 6421555001, contact: "crm-7" },
      ...{ title: "A call", owner: "alice" },
    }));
    expect(report.passed).toBe(true);
    expect(report.result.compared).toEqual([
      {
        of: "call log",
        compared: ["callId", "answered"],
        uncomparable: [
          {
            column: "startedAt",
            because:
              '"1 July 2026" is no instant: expected a Date, ms since 1970, or ISO 8601 text with an offset',
          },
          { column: "direction", because: '"in" is neither "inbound" nor "outbound"' },
          { column: "number", because: "6421555001 is no text" },
          { column: "contact", because: '"crm-7" is the id of no contact' },
        ],
        absent: ["seconds", "users"],
        ignored: ["title", "owner"],
      },
    ]);
    expect(report.toText()).toContain(
      'compared in the call log: callId, answered; not compared: startedAt, "1 July 2026" is no instant: expected a Date, ms since 1970, or ISO 8601 text with an offset; not compared: direction, "in" is neither "inbound" nor "outbound"; not compared: number, 6421555001 is no text; not compared: contact, "crm-7" is the id of no contact; not there: seconds, users; ignored: title, owner\n',
    );
  });

  test("says of a failure only what could not be compared", async () => {
    const right = await reportOf(() => ({ answered: false, seconds: 30 }));
    expect(right.toText()).not.toContain("compared in");
    const text = (await reportOf(() => ({ answered: false, direction: "in" }))).toText();
    expect(text).toContain('compared in the call log: callId; not compared: direction, "in" is neither');
  });

  test("reads numbers as `phoneNumbers` does", async () => {
    const number = { number: "+64 21 555 001 ext. 5" };
    expect(await messageOf(() => number)).toContain("the log says the number");
    expect(
      await messageOf(() => number, { scenario: parseScenario(text, { phoneNumbers: readPhoneNumber }) }),
    ).toBe("");
  });
});

/** Two calls that nobody answers: of a withheld number, and of a known one. */
const withheld = parseScenario(`
scenario: Nobody answers
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/", events: [call.started, call.not_answered, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: anonymous, to: "+6495550104" } }
  - { at: PT0S, inbound: { as: c2, from: "+6421555001", to: "+6495550103" } }
`);

describe("A call of a withheld number", () => {
  /** An app that keeps what it hears of each call. */
  const heard = (sim: Simulator) => {
    const events: { type: string; id: string; isWithheld: boolean }[] = [];
    sim.network.route("https://crm.test/", ({ body }) => {
      const { type, data } = JSON.parse(body);
      events.push({ type, id: data.call.id, isWithheld: data.call.contactNumber === null });
      return 204;
    });
    return events;
  };
  type Heard = ReturnType<typeof heard>;
  const explored = (properties: ReadyProperties<Heard>) =>
    exploreReport({ scenario: withheld, subject: heard, ...properties, deviations: 0 });
  const ended = (events: Heard) => events.filter(({ type }) => type === "call.not_answered");

  test("may be missing in a call log, and may be there once", async () => {
    const rowsOf = (events: Heard) => ended(events).map(({ id }) => ({ callId: id }));
    expect((await explored(callLog({ rows: rowsOf }))).failures).toEqual([]);
    const known = (events: Heard) => rowsOf(events.filter(({ isWithheld }) => !isWithheld));
    expect((await explored(callLog({ rows: known }))).failures).toEqual([]);
  });

  test("must not be there twice", async () => {
    const rows = (events: Heard) =>
      ended(events).flatMap(({ id, isWithheld }) => Array(isWithheld ? 2 : 1).fill({ callId: id }));
    const { failures } = await explored(callLog({ rows }));
    expect(failures.map(({ message }) => message)).toEqual(["call-1 is logged twice"]);
  });

  test("must not stay on a wallboard", async () => {
    const live = (events: Heard) => events.filter(({ isWithheld }) => isWithheld).map(({ id }) => id);
    const { failures } = await explored(wallboard({ live: (events: Heard) => [...new Set(live(events))] }));
    expect(failures.map(({ message }) => message)).toEqual(["call-1 must not be there"]);
  });
});

test("The report of a wallboard names what it ignores", async () => {
  const board = wallboard({
    people: () => ({ Alice: "busy", "bob@acme.test": "available" }),
    live: () => undefined,
  });
  const { result } = await exploreReport({
    scenario: withheld,
    subject: () => ({}),
    ...board,
    deviations: 0,
  });
  expect(result.compared).toEqual([
    { of: "wallboard", compared: ["people"], uncomparable: [], absent: ["live"], ignored: ["people.Alice"] },
  ]);
});
