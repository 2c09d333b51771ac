import { describe, expect, test } from "vitest";
import {
  type CallLogRow,
  callBacks,
  callLog,
  exploreReport,
  type ReadyProperties,
  wallboard,
} from "../../../src/explore/index.ts";
import { isUntold } from "../../../src/explore/run/told-check.ts";
import { type CallRecord, parseScenario, type Simulator } from "../../../src/index.ts";
import { someOf } from "../../counts.ts";

const url = "https://crm.acme.test/hooks";
const types = [
  "call.started",
  "call.answered",
  "call.not_answered",
  "call.ended",
  "user.availability.updated",
];
const scenarioOf = (hooks: readonly string[], calls: string) =>
  parseScenario(
    [
      "scenario: Some calls",
      "steps:",
      ...hooks.map((events) => `  - { at: PT0S, createWebhook: { url: "${url}", events: [${events}] } }`),
      calls,
    ].join("\n"),
  );

/** What an app shows in all: rows, numbers to call back, a status by user, live calls. */
interface Shown {
  readonly rows: CallLogRow[];
  readonly numbers: string[];
  readonly people: Record<string, string>;
  readonly live: string[];
}

function readyOf<T>(shown: (app: T) => Shown): Record<string, ReadyProperties<T>> {
  return {
    "call log": callLog({ rows: (app) => shown(app).rows }),
    "call-backs": callBacks({ numbers: (app) => shown(app).numbers }),
    people: wallboard({ people: (app) => shown(app).people }),
    "live calls": wallboard({ live: (app) => shown(app).live }),
  };
}

/** What the platform's own records give. */
function recordsOf(sim: Simulator): Shown {
  const records = sim.calls.list().map(({ record }) => record);
  const rows = records
    .filter(({ endedAt }) => endedAt !== null)
    .map((call): CallLogRow => {
      const { id: callId, answeredAt, duration, startedAt, direction, contactNumber: number } = call;
      const isIn = (id: string) => call.connections.some(({ partyId }) => partyId === id);
      const users = call.parties.flatMap(({ id, type, entryId = "" }) =>
        type === "user" && isIn(id) ? [entryId] : [],
      );
      const seconds = (duration ?? 0) / 1_000;
      return { ...{ callId, answered: answeredAt !== null, seconds, users }, startedAt, direction, number };
    });
  const numbers = [...new Set(records.map(({ contactNumber }) => contactNumber ?? ""))].filter(
    (number) => records.findLast(({ contactNumber }) => contactNumber === number)?.answeredAt === null,
  );
  const people = sim.users.list().map(({ id, record }) => [id, record.availability.status]);
  return {
    ...{ rows, numbers, people: Object.fromEntries(people) },
    live: records.filter(({ endedAt }) => endedAt === null).map(({ id }) => id),
  };
}

describe("The platform's own records", () => {
  const scenarios: readonly (readonly [name: string, calls: string])[] = [
    [
      "calls that are answered, missed and called back",
      `
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
  - { at: PT60S, outbound: { as: c2, from: dave, to: "+6421555001" } }
  - { at: PT65S, answer: { call: c2, by: "+6421555001" } }
  - { at: PT80S, hangup: { call: c2, by: dave } }
  - { at: PT90S, inbound: { as: c3, from: "+6421555002", to: "+6495550104" } }`,
    ],
    [
      "a transfer and a voicemail",
      `
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT30S, transfer: { call: c1, target: bob, by: alice } }
  - { at: PT40S, answer: { call: c1, by: bob } }
  - { at: PT90S, hangup: { call: c1, by: caller } }
  - { at: PT120S, inbound: { as: c2, from: "+6421555002", to: "+6495550101" } }
  - { at: PT160S, leaveVoicemail: { call: c2, duration: PT12S } }`,
    ],
    [
      "a team whose second tier answers, and a call that goes on",
      `
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550200" } }
  - { at: PT65S, answer: { call: c1, by: dave } }
  - { at: PT90S, hangup: { call: c1, by: caller } }
  - { at: PT100S, inbound: { as: c2, from: "+6421555002", to: "+6495550104" } }
  - { at: PT105S, answer: { call: c2, by: dave } }`,
    ],
  ];

  test.each(someOf(scenarios))("hold every ready-made property in each world of %s", async (_, calls) => {
    const ready = Object.values(readyOf(({ sim }: { sim: Simulator }) => recordsOf(sim)));
    const judged = ready.flatMap(({ eventually }) => Object.entries(eventually));
    const untold = judged.map(([name, check]) => [
      `${name}, as it was told`,
      (sim: Simulator) => expect(isUntold(check, sim)).toBe(false),
    ]);
    const { failures, complete, worlds } = await exploreReport({
      scenario: scenarioOf(types, calls),
      app: (sim) => {
        sim.network.route(url, () => 204);
        return { sim };
      },
      eventually: Object.fromEntries([...judged, ...untold]),
    });
    expect(failures.map(({ property, message }) => `${property}: ${message}`)).toEqual([]);
    expect([complete, worlds > 30]).toEqual([true, true]);
  });
});

/** An app that takes in no more than the first events of a kind. */
function forgetting(isLost: (call: CallRecord | undefined, nth: number) => boolean) {
  return (sim: Simulator): Shown => {
    const [calls, people, counts] = [new Map<string, CallRecord>(), {} as Record<string, string>, [0, 0]];
    const newest = () => [...calls.values()];
    sim.network.route(url, ({ body }) => {
      const { call, user } = JSON.parse(body).data as {
        call?: CallRecord;
        user?: { id: string; availability: { status: string } };
      };
      const kind = call === undefined ? 0 : 1;
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (isLost(call, counts[kind])) return 204;
      if (call !== undefined) calls.set(call.id, call);
      else if (user !== undefined) people[user.id] = user.availability.status;
      return 204;
    });
    const isMissed = ({ answeredAt, endedAt }: CallRecord) => answeredAt === null && endedAt !== null;
    return {
      get rows() {
        return newest().flatMap(({ id: callId, endedAt }) => (endedAt === null ? [] : [{ callId }]));
      },
      get numbers() {
        return newest().flatMap((call) => (isMissed(call) ? [call.contactNumber ?? ""] : []));
      },
      get live() {
        return newest().flatMap(({ id, endedAt }) => (endedAt === null ? [id] : []));
      },
      people,
    };
  };
}

describe("The smallest world that breaks a ready-made property", () => {
  const calls = `
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
  - { at: PT5S, answer: { call: c1, by: dave } }
  - { at: PT20S, hangup: { call: c1, by: caller } }
  - { at: PT60S, inbound: { as: c2, from: "+6421555002", to: "+6495550104" } }`;
  const ready = readyOf((shown: Shown) => shown);

  test.each([
    ["call log", (call?: CallRecord) => call?.id === "call-2"],
    ["call-backs", (call?: CallRecord) => call?.id === "call-2"],
    ["live calls", (call?: CallRecord) => call !== undefined && call.endedAt !== null],
    ["people", (call: CallRecord | undefined, nth: number) => !call && nth > 1],
  ] as const)("of %s is one in which a right app hears enough", async (name, isLost) => {
    const { failures } = await exploreReport({
      ...{ scenario: scenarioOf(types, calls), app: forgetting(isLost), deviations: 0 },
      ...ready[name],
    });
    const smallest = failures.map((each) => each.smallest);
    expect(smallest.map(({ isMinimal }) => isMinimal)).toEqual([true]);
    const [{ scenario = "" }] = smallest as [(typeof smallest)[0]];
    const right = { app: forgetting(() => false), scenario: parseScenario(scenario), deviations: 0 } as const;
    expect((await exploreReport({ ...right, ...ready[name] })).failures).toEqual([]);
  });

  test("stays without a webhook if the world that was found has none", async () => {
    const app = (sim: Simulator) => recordsOf(sim);
    const { failures } = await exploreReport({
      ...{ scenario: scenarioOf([], calls), app, deviations: 0, ...ready["call log"] },
    });
    expect(failures.map(({ message }) => message)).toEqual(["call-1, call-2 are missing"]);
  });
});
