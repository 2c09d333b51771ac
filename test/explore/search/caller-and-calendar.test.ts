import { describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { createSimulator, parseScenario, replay, runScenario, type Simulator } from "../../../src/index.ts";

const hook = "https://crm.test/h";
/** Jane Smith, who is a contact, is missed after thirty seconds. */
const missed = (from = '"+6421555001"', more = "") =>
  parseScenario(`
scenario: A missed call
${more}
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hook}", events: [call.not_answered] } }
  - { at: PT20S, inbound: { as: c1, from: ${from}, to: "+6495550104" } }
`);
const asFunction = (sim: Simulator) => {
  sim.webhooks.create({ url: hook, events: ["call.not_answered"] });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550104" });
};

interface Seen {
  readonly number: string | null;
  readonly from: string;
  readonly to: string;
}

/** An app that keeps what it hears, of all of its worlds. */
function listener() {
  const worlds: Seen[] = [];
  const subject = (sim: Simulator) => {
    sim.network.route(hook, ({ body }) => {
      const { contactNumber, startedAt, endedAt } = JSON.parse(body).data.call;
      worlds.push({ number: contactNumber, from: startedAt, to: endedAt });
      return 204;
    });
    return {};
  };
  return { worlds, subject };
}

describe("The kind caller", () => {
  test.each([
    ["a scenario", missed()],
    ["a function", asFunction],
  ])("lets the caller of %s withhold the number, have a short code, be unknown", async (_, scenario) => {
    const { worlds, subject } = listener();
    const report = await exploreReport({ scenario, subject, deviations: { kinds: ["caller"] } });
    expect(report.worlds).toBe(4);
    const numbers = [...new Set(worlds.map(({ number }) => number))];
    expect(numbers).toEqual(["+6421555001", null, "24680", "+6421555004"]);
  });

  test.each([
    ["anonymous", [null, "24680", "+6495550106", "+6421555001"]],
    ['"2580"', ["2580", null, "+6495550106", "+6421555001"]],
    ['"+6421555777"', ["+6421555777", null, "24680", "+6421555001"]],
  ])("is whoever %s is not", async (from, expected) => {
    const { worlds, subject } = listener();
    await exploreReport({ scenario: missed(from), subject, deviations: { kinds: ["caller"] } });
    expect([...new Set(worlds.map(({ number }) => number))]).toEqual(expected);
  });

  test("is tried only if it is named", async () => {
    const { worlds, subject } = listener();
    await exploreReport({ scenario: missed(), subject, deviations: 2 });
    expect(new Set(worlds.map(({ number }) => number))).toEqual(new Set(["+6421555001"]));
  });

  test("finds who takes the number for text, in a scenario that plays", async () => {
    const subject = (sim: Simulator) => {
      sim.network.route(hook, ({ body }) => {
        JSON.parse(body).data.call.contactNumber.replace("+", "00");
        return 204;
      });
      return {};
    };
    const report = await exploreReport({ scenario: missed(), subject, deviations: { kinds: ["caller"] } });
    const [{ story, smallest }] = report.failures as [(typeof report.failures)[0]];
    expect(story).toBe(
      "When +6421555001 withholds the number, the app throws: Cannot read properties of null (reading 'replace').",
    );
    expect(smallest.scenario).toContain("  - { caller: PT0S +6421555001, is: withheld }\n");
    const again = await exploreReport({
      scenario: parseScenario(smallest.scenario ?? ""),
      subject,
      deviations: 0,
    });
    expect(again.failures.map(({ property }) => property)).toEqual(["the app throws"]);
    // the call's own command has the number, so a journal needs no deviation
    const { simulator } = runScenario(parseScenario(smallest.scenario ?? ""));
    expect(
      replay(simulator.journal())
        .calls.list()
        .map(({ record }) => record.contactNumber),
    ).toEqual([null]);
  });

  test("is refused in a scenario where nobody could call so", () => {
    const scenario = missed(undefined, "deviations: [{ caller: PT20S +6421555001, is: contact }]");
    expect(() => runScenario(scenario)).toThrow(
      "the run never reaches this deviation: caller: PT20S +6421555001",
    );
  });
});

describe("The kind calendar", () => {
  test.each([["a scenario", missed()]])(
    "lets %s stand at each turn of the organisation's calendar",
    async (_, scenario) => {
      const { worlds, subject } = listener();
      await exploreReport({ scenario, subject, deviations: { kinds: ["calendar"] } });
      const turns = [...new Set(worlds.map(({ from, to }) => `${from} ${to}`))];
      // Auckland is 12 hours ahead, and 13 in summer
      expect(turns).toEqual([
        "2026-07-01T00:00:20.000Z 2026-07-01T00:00:50.000Z",
        "2026-07-01T11:59:50.000Z 2026-07-01T12:00:20.000Z",
        "2026-09-26T13:59:50.000Z 2026-09-26T14:00:20.000Z",
        "2027-04-03T13:59:50.000Z 2027-04-03T14:00:20.000Z",
        "2026-07-31T11:59:50.000Z 2026-07-31T12:00:20.000Z",
        "2026-12-31T10:59:50.000Z 2026-12-31T11:00:20.000Z",
      ]);
    },
  );

  test("leaves out clocks that never change", async () => {
    const { worlds, subject } = listener();
    const organisation = `
organisation:
  id: acme
  timezone: Asia/Tokyo
  numbers: [{ number: "+6495550104", owner: dave }]
  users: [{ id: dave, email: dave@acme.test, displayName: Dave, extension: "104", endpoints: [mobile] }]`;
    const scenario = missed(undefined, organisation);
    await exploreReport({ scenario, subject, deviations: { kinds: ["calendar"] } });
    expect([...new Set(worlds.map(({ from }) => from))]).toEqual([
      "2026-07-01T00:00:20.000Z",
      "2026-07-01T14:59:50.000Z",
      "2026-07-31T14:59:50.000Z",
      "2026-12-31T14:59:50.000Z",
    ]);
  });

  test("finds who takes a call to be of one month, in a scenario that plays", async () => {
    const subject = (sim: Simulator) => {
      const calls: { months: number[] }[] = [];
      const monthOf = (at: string) =>
        Number(new Date(at).toLocaleDateString("en", { month: "numeric", timeZone: "Pacific/Auckland" }));
      sim.network.route(hook, ({ body }) => {
        const { startedAt, endedAt } = JSON.parse(body).data.call;
        calls.push({ months: [monthOf(startedAt), monthOf(endedAt)] });
        return 204;
      });
      return calls;
    };
    const eventually = {
      "a call is of one month": (_: Simulator, calls: { months: number[] }[]) =>
        calls.every(({ months: [one, other] }) => one === other),
    };
    const given = { subject, eventually };
    const kinds = ["calendar" as const];
    const report = await exploreReport({ scenario: missed(), ...given, deviations: { kinds } });
    expect(report.failures.map(({ story }) => story)).toEqual([
      expect.stringContaining(
        'When a month ends in the middle of it, "a call is of one month" does not hold',
      ),
      expect.stringContaining('When a year ends in the middle of it, "a call is of one month" does not hold'),
    ]);
    for (const { smallest } of report.failures) {
      const scenario = parseScenario(smallest.scenario ?? "");
      const again = await exploreReport({ scenario, ...given, deviations: 0 });
      expect(again.failures.map(({ property }) => property)).toEqual(["a call is of one month"]);
    }
  });
});

test("A call in a plain simulator has the number that it was given", () => {
  const sim = createSimulator();
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550104" });
  expect(call.record.contactNumber).toBe("+6421555001");
});
