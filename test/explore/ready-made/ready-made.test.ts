import { describe, expect, test } from "vitest";
import {
  type CallLogRow,
  callBacks,
  callLog,
  type ExploreReport,
  exploreReport,
  type ReadyProperties,
  wallboard,
} from "../../../src/explore/index.ts";
import {
  type CallRecord,
  InputError,
  type PlatformEvent,
  parseScenario,
  type Simulator,
} from "../../../src/index.ts";
import { hooks, onEvent } from "../consumers/hooks.ts";
import { hungupIsTheEnd } from "../consumers/hungup-is-the-end.ts";
import { neverCloses } from "../consumers/never-closes.ts";
import { notIdempotent } from "../consumers/not-idempotent.ts";
import { reliesOnOrder } from "../consumers/relies-on-order.ts";
import { wallboard as wallboardApp } from "../consumers/wallboard.ts";

/** Kinds of calls, as steps. */
const kinds = {
  answered: `
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
  - { at: PT5S, answer: { call: c1, by: dave } }
  - { at: PT30S, hangup: { call: c1, by: caller } }`,
  missed: `
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }`,
  transfer: `
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT30S, transfer: { call: c1, target: bob, by: alice } }
  - { at: PT40S, answer: { call: c1, by: bob } }
  - { at: PT90S, hangup: { call: c1, by: caller } }`,
  conference: `
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT30S, add: { call: c1, target: bob, by: alice } }
  - { at: PT35S, answer: { call: c1, by: bob } }
  - { at: PT60S, hangup: { call: c1, by: caller } }
  - { at: PT90S, hangup: { call: c1, by: alice } }`,
  voicemail: `
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT40S, leaveVoicemail: { call: c1, duration: PT12S } }`,
  "roll-over": `
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550200" } }
  - { at: PT65S, answer: { call: c1, by: dave } }
  - { at: PT90S, hangup: { call: c1, by: caller } }`,
  blocked: `
  - { at: PT0S, route: { url: "https://crm.acme.test/outbound", body: { action: block } } }
  - { at: PT0S, outbound: { as: c1, from: alice, to: "+6421555009" } }
  - { at: PT10S, inbound: { as: c2, from: "+6421555001", to: "+6495550104" } }`,
  withheld: `
  - { at: PT0S, inbound: { as: c1, from: anonymous, to: "+6495550104" } }
  - { at: PT40S, inbound: { as: c2, from: "+6421555001", to: "+6495550104" } }`,
} as const;
type Kind = keyof typeof kinds;
const allKinds = Object.keys(kinds) as Kind[];

const events = "[call.started, call.answered, call.not_answered, call.ended, user.availability.updated]";

function scenarioOf(steps: string) {
  const hasBlocked = steps.includes("/outbound");
  return parseScenario(`
scenario: A call
${
  hasBlocked
    ? `organisation:
  id: acme
  numbers: [{ number: "+6495550100", owner: alice }, { number: "+6495550104", owner: dave }]
  users:
    - { id: alice, email: alice@acme.test, displayName: Alice Ng, extension: "101" }
    - { id: dave, email: dave@acme.test, displayName: Dave Okafor, extension: "104", voicemail: false }
  dataActions: { outboundCall: "https://crm.acme.test/outbound" }
`
    : ""
}steps:
  - { at: PT0S, createWebhook: { url: "${hooks}", events: ${events} } }${steps}
`);
}

/** Explores an app. @returns the properties that fail */
async function failing<T>(
  steps: string,
  subject: (sim: Simulator) => T,
  properties: ReadyProperties<T>,
  atMost = 1,
): Promise<string[]> {
  const report = await exploreReport({
    scenario: scenarioOf(steps),
    subject,
    ...properties,
    deviations: { atMost, kinds: ["duplicated", "late", "unanswered"], on: [hooks] },
    shrinkFor: "PT0S",
  });
  const never = report.failures.map(({ property }) => property);
  return [...new Set([...never, ...report.neverHeld.map((name) => `never: ${name}`)])].sort();
}

type Call = CallRecord;
const callOf = (event: PlatformEvent): Call | undefined =>
  "call" in event.data ? (event.data.call as Call) : undefined;
const talkers = ({ parties, connections }: Call) =>
  connections.flatMap(({ partyId }) =>
    parties.filter(({ id, type }) => id === partyId && type === "user").map(({ entryId = "" }) => entryId),
  );

/** A log of calls, with or without one defect. */
function logOf(
  defect?: "a row per delivery" | "who answered" | "wait as length" | "live calls" | "voicemail counts",
) {
  return (sim: Simulator) => {
    const rows: CallLogRow[] = [];
    onEvent(sim, (event) => {
      const call = callOf(event);
      if (call === undefined || (call.endedAt === null && defect !== "live calls")) return;
      const known = rows.findIndex(({ callId }) => callId === call.id);
      if (known >= 0 && defect !== "a row per delivery") rows.splice(known, 1);
      const wait = defect === "wait as length" ? call.waitTime : call.duration;
      rows.push({
        callId: call.id,
        answered: call.answeredAt !== null || (defect === "voicemail counts" && call.voicemail !== null),
        ...(wait === null ? {} : { seconds: Math.round(wait / 1_000) }),
        users: defect === "who answered" ? [call.assignedUser?.id ?? []].flat() : talkers(call),
      });
    });
    return rows;
  };
}
const log = callLog({ rows: (rows: CallLogRow[]) => rows });
const [oneRow, answers, lengths, talked] = [
  "the call log has one row for each call that is over",
  "the call log says which calls were answered",
  "the call log says how long each call took",
  "the call log names everybody who talked",
];

describe("callLog", () => {
  test.each(allKinds)("holds for a right log of a call of the kind %s", async (kind) => {
    expect(await failing(kinds[kind], logOf(), log)).toEqual([]);
  });

  test.each<readonly [Parameters<typeof logOf>[0], Kind, string]>([
    ["a row per delivery", "answered", oneRow],
    ["a row per delivery", "missed", oneRow],
    ["who answered", "transfer", talked],
    ["who answered", "conference", talked],
    ["wait as length", "answered", lengths],
    ["voicemail counts", "voicemail", answers],
  ])('finds the defect "%s" in a call of the kind %s', async (defect, kind, property) => {
    expect(await failing(kinds[kind], logOf(defect), log)).toContain(property);
  });

  test("finds a row of a call that is live", async () => {
    const steps = `${kinds.missed}\n  - { at: PT40S, inbound: { as: c2, from: "+6421555002", to: "+6495550104" } }\n  - { at: PT45S, answer: { call: c2, by: dave } }`;
    expect(await failing(steps, logOf("live calls"), log)).toEqual([oneRow]);
    expect(await failing(steps, logOf(), log)).toEqual([]);
  });

  test("takes e-mail addresses, and logs that keep less", async () => {
    const short = callLog({
      rows: async (rows: CallLogRow[]) =>
        rows.map(({ callId, users = [] }) => ({ callId, users: users.map((id) => `${id}@acme.test`) })),
    });
    expect(await failing(kinds.transfer, logOf(), short)).toEqual([]);
    expect(await failing(kinds.transfer, logOf("who answered"), short)).toEqual([talked]);
  });

  test("fails if no call is over in any world, since it would hold for any log", async () => {
    const steps = kinds.answered.split("\n").slice(0, 3).join("\n");
    expect(await failing(steps, logOf(), log)).toEqual(["never: a call of the call log is over"]);
  });
});

const again = (second: string) => `${kinds.missed}${second}`;
const later = {
  answered: again(`
  - { at: PT60S, inbound: { as: c2, from: "+6421555001", to: "+6495550104" } }
  - { at: PT65S, answer: { call: c2, by: dave } }
  - { at: PT70S, hangup: { call: c2, by: caller } }`),
  called: again(`
  - { at: PT60S, outbound: { as: c2, from: dave, to: "+6421555001" } }
  - { at: PT65S, answer: { call: c2, by: "+6421555001" } }
  - { at: PT70S, hangup: { call: c2, by: "+6421555001" } }`),
};

/** A list of whom to call back, with or without one defect. */
function listOf(defect?: "by arrival" | "never clears" | "misses voicemail") {
  return (sim: Simulator) => {
    const last = new Map<string, { readonly at: number; readonly isMissed: boolean }>();
    onEvent(sim, (event) => {
      const call = callOf(event);
      if (call === undefined || call.contactNumber === null || call.status === "blocked") return;
      const { contactNumber: number, startedTimestamp: at, answeredAt, direction } = call;
      const isMissed = answeredAt === null;
      const isOver = event.type === "call.not_answered" || event.type === "call.answered";
      if (!isOver || (isMissed && direction === "outbound")) return;
      if (isMissed && defect === "misses voicemail" && call.endedAt === null) return;
      if (!isMissed && defect === "never clears") return;
      if (defect !== "by arrival" && (last.get(number)?.at ?? 0) > at) return;
      last.set(number, { at, isMissed });
    });
    return last;
  };
}
type List = ReturnType<ReturnType<typeof listOf>>;
const numbersOf = (list: List) => [...list].filter(([, { isMissed }]) => isMissed).map(([number]) => number);
const backs = callBacks({ numbers: numbersOf });
const due = "the call-backs are the numbers whose last call was missed";
const neverDue = "never: a number is to be called back";

describe("callBacks", () => {
  test.each(allKinds)("holds for a right list after a call of the kind %s", async (kind) => {
    const none = ["answered", "transfer", "conference", "roll-over"].includes(kind) ? [neverDue] : [];
    expect(await failing(kinds[kind], listOf(), backs)).toEqual(none);
  });

  test.each(Object.entries(later))("holds for a right list if the number is %s later", async (_, steps) => {
    expect(await failing(steps, listOf(), backs, 1)).toEqual([]);
  });

  test.each<readonly [Parameters<typeof listOf>[0], string]>([
    ["by arrival", later.answered],
    ["never clears", later.answered],
    ["never clears", later.called],
    ["misses voicemail", kinds.voicemail],
  ])('finds the defect "%s"', async (defect, steps) => {
    expect(await failing(steps, listOf(defect), backs)).toContain(due);
  });

  test("clearedBy says which answered calls take a number off", async () => {
    const inbound = callBacks({ numbers: numbersOf, clearedBy: ["inbound"] });
    expect(await failing(later.called, listOf(), inbound)).toEqual([due]);
    expect(await failing(later.called, listOf("never clears"), inbound)).toEqual([]);
  });
});

/** A wallboard, with or without one defect. */
function boardOf(defect?: "by arrival" | "keeps voicemail" | "forgets what is over") {
  return (sim: Simulator) => {
    const statuses = new Map<string, { readonly status: string; readonly at: number }>();
    const board = { statuses, live: new Set<string>() };
    const over = new Set<string>();
    onEvent(sim, (event) => {
      if (event.type === "user.availability.updated") {
        const { id, availability } = event.data.user;
        const { status, statusTimestamp: at } = availability;
        if (defect === "by arrival" || (statuses.get(id)?.at ?? 0) <= at) statuses.set(id, { status, at });
      }
      const call = callOf(event);
      if (call === undefined) return;
      const isOver = call.endedAt !== null && !(defect === "keeps voicemail" && event.type === "call.ended");
      if (isOver) {
        if (defect !== "forgets what is over") over.add(call.id);
        board.live.delete(call.id);
      } else if (!over.has(call.id)) board.live.add(call.id);
    });
    return board;
  };
}
type Board = ReturnType<ReturnType<typeof boardOf>>;
const shows = wallboard({
  people: ({ statuses }: Board) =>
    Object.fromEntries([...statuses].map(([id, { status }]) => [`${id}@acme.test`, status])),
  live: ({ live }: Board) => [...live],
});
const [asTheyAre, liveCalls] = [
  "the wallboard shows people as they are",
  "the wallboard shows the calls that are live",
];

describe("wallboard", () => {
  test.each(allKinds)("holds for a right board during a call of the kind %s", async (kind) => {
    const isIdle = ["missed", "withheld"].includes(kind);
    const none = isIdle ? ["never: a person's availability changed"] : [];
    const found = await failing(kinds[kind], boardOf(), shows);
    expect(found.filter((each) => !none.includes(each) && !each.startsWith("never: a person"))).toEqual([]);
  });

  test.each<readonly [Parameters<typeof boardOf>[0], Kind, string]>([
    ["by arrival", "answered", asTheyAre],
    ["keeps voicemail", "voicemail", liveCalls],
    ["forgets what is over", "answered", liveCalls],
  ])('finds the defect "%s" in a call of the kind %s', async (defect, kind, property) => {
    expect(await failing(kinds[kind], boardOf(defect), shows)).toContain(property);
  });

  test("judges only what the board shows", async () => {
    const callsAlone = wallboard({ live: ({ live }: Board) => [...live] });
    expect(await failing(kinds.answered, boardOf("by arrival"), callsAlone)).toEqual([]);
  });

  test("fails if nothing happened that it is about", async () => {
    const steps = `\n  - { at: PT0S, receiveMessage: { from: "+6421555001", to: "+6495550100", text: Hello } }`;
    expect(await failing(steps, boardOf(), shows)).toEqual([
      "never: a call of the wallboard is over",
      "never: a person's availability changed",
    ]);
  });
});

describe("What an app shows that cannot be read", () => {
  const shownBy = <T>(properties: ReadyProperties<T>, shown: T) =>
    exploreReport({
      scenario: scenarioOf(kinds.answered),
      subject: (sim) => {
        onEvent(sim, () => {});
        return shown;
      },
      ...properties,
      deviations: 0,
    });

  test("fails the first property of a call log alone", async () => {
    const { failures } = await shownBy(callLog({ rows: (rows: CallLogRow[]) => rows }), [{}] as CallLogRow[]);
    expect(failures.map(({ property, message }) => [property, message])).toEqual([
      [oneRow, "what the app shows cannot be read: [0].callId: missing"],
    ]);
  });

  test("is judged by another property of a call log if the first is left out", async () => {
    const { [answers]: only } = callLog({ rows: () => [{}] as CallLogRow[] }).eventually;
    const { failures } = await shownBy({ eventually: { only: only as never }, sometimes: {} }, []);
    expect(failures.map(({ message }) => message)).toEqual([
      "what the app shows cannot be read: [0].callId: missing",
    ]);
  });

  test.each<[string, ReadyProperties<never>, string]>([
    [
      "a Map of people",
      wallboard({ people: () => new Map() as never }),
      "expected an object, got a Map: Object.fromEntries makes one",
    ],
    ["a Set of calls", wallboard({ live: () => new Set() as never }), "expected a list, got a Set"],
    ["numbers as objects", callBacks({ numbers: () => [{}] as never }), "[0]: expected text, got {}"],
  ])("is named: %s", async (_, properties, message) => {
    const { failures } = await shownBy(properties, [] as never);
    expect(failures.map((failure) => failure.message)).toEqual([
      `what the app shows cannot be read: ${message}`,
    ]);
  });
});

describe("The ready-made properties", () => {
  test.each<[string, () => unknown, string]>([
    ["a call log without rows", () => callLog({} as never), "callLog.rows: missing"],
    ["no options", () => callLog(undefined as never), "callLog: expected an object { rows }, got nothing"],
    [
      "rows instead of a function",
      () => callLog({ rows: [] as never }),
      "callLog.rows: expected a function, got []",
    ],
    [
      "an unknown option",
      () => callBacks({ numbers: () => [], by: 1 } as never),
      "callBacks.by: unknown key, expected one of: numbers, clearedBy",
    ],
    [
      "one direction as text",
      () => callBacks({ numbers: () => [], clearedBy: "outbound" as never }),
      'callBacks.clearedBy: expected a list, got "outbound"',
    ],
    [
      "an unknown direction",
      () => callBacks({ numbers: () => [], clearedBy: ["out" as never] }),
      'callBacks.clearedBy[0]: expected one of inbound, outbound, got "out"',
    ],
    [
      "a wallboard that shows nothing",
      () => wallboard({}),
      "wallboard: expected people, live or both, or nothing would be judged",
    ],
  ])("refuse %s at once", (_, make, message) => {
    expect(make).toThrow(InputError);
    expect(make).toThrow(message);
  });

  const usual = { atMost: 1 };
  const judged = {
    "hungup-is-the-end": {
      law: lengths,
      judge: (which) =>
        hungupIsTheEnd.judge(
          which,
          callLog({
            rows: ({ seconds }) => [...seconds].map(([callId, each]) => ({ callId, seconds: each })),
          }),
          usual,
        ),
    },
    "not-idempotent": {
      law: due,
      judge: (which) => notIdempotent.judge(which, callBacks({ numbers: ({ numbers }) => numbers }), usual),
    },
    "relies-on-order": {
      law: liveCalls,
      judge: (which) =>
        reliesOnOrder.judge(
          which,
          wallboard({
            live: ({ calls }) => [...calls].filter(([, stage]) => stage !== "over").map(([id]) => id),
          }),
          usual,
        ),
    },
    "never-closes": {
      law: liveCalls,
      judge: (which) =>
        neverCloses.judge(which, wallboard({ live: ({ open }) => [...open] }), {
          atMost: 1,
          kinds: ["never"],
        }),
    },
  } satisfies Record<string, { law: string; judge(which: "faulty" | "corrected"): Promise<ExploreReport> }>;

  test.each(Object.entries(judged))("find the defect of the consumer %s", async (_, { law, judge }) => {
    const { failures } = await judge("faulty");
    expect(failures.map(({ property }) => property)).toEqual([law]);
  });

  test.each(["hungup-is-the-end", "not-idempotent", "relies-on-order"] as const)(
    "hold for the consumer %s without its defect",
    async (name) => {
      expect((await judged[name].judge("corrected")).failures).toEqual([]);
    },
  );

  test("hold for the availability that the consumer wallboard shows", async () => {
    const agents = wallboard({
      people: ({ agents: shown }: { agents: ReadonlyMap<string, { readonly status: string }> }) =>
        Object.fromEntries([...shown].map(([id, { status }]) => [id, status])),
    });
    expect((await wallboardApp.judge("corrected", agents, usual)).failures).toEqual([]);
  });
});
