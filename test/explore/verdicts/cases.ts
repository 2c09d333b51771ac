import { createHmac } from "node:crypto";
import { parseScenario, type Scenario, type Simulator } from "ringback";
import {
  type DeviationBound,
  type DeviationKind,
  type ExploreOptions,
  type ExploreReport,
  exploreReport,
} from "ringback/explore";
import { expect } from "vitest";

/** An exploration whose failures are known exactly. */
export interface Case {
  readonly name: string;
  /** What to explore, and how far. */
  readonly bound: { readonly scenario: Scenario; readonly deviations: number | DeviationBound };
  /** What a module would export. */
  readonly app: object;
  explore(): Promise<ExploreReport>;
}

const url = "https://crm.acme.test/hooks";
const hook = (events: string) =>
  `  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [${events}] } }`;

const answered = `
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`;

/** An event as a webhook gets it. */
interface Told {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly call: { readonly id: string; readonly contactNumber: string } };
}

/** Routes the webhook's requests. A handler that returns nothing accepts. */
function hear(sim: Simulator, take: (event: Told) => unknown): void {
  sim.network.route(url, async ({ body }) => {
    await take(JSON.parse(body) as Told);
    return 204;
  });
}

/** The same without promises, for apps that are done at once. */
function hearAtOnce(sim: Simulator, take: (event: Told) => void): void {
  sim.network.route(url, ({ body }) => {
    take(JSON.parse(body) as Told);
    return 204;
  });
}

function aCase<T, D>(
  name: string,
  steps: string,
  { deviations = 1, ...app }: Omit<ExploreOptions<T, D>, "scenario">,
): Case {
  const scenario = parseScenario(`scenario: ${name}\n${steps}`);
  const bound = { scenario, deviations };
  return { name, bound, app, explore: () => exploreReport({ ...bound, ...app }) };
}

const order = `steps:\n${hook("call.started, call.ended")}${answered}`;

/** Expects each event once, in the order in which they happened. */
const inOrder: Omit<ExploreOptions<string[]>, "scenario"> = {
  subject(sim) {
    const types: string[] = [];
    hearAtOnce(sim, ({ type }) => void types.push(type));
    return types;
  },
  eventually: {
    "each event comes once, in order": (_, types) => expect(types).toEqual(["call.started", "call.ended"]),
  },
};

/** A case of the defects that shrinking had: each of these once ended in another failure, or not in the smallest. */
const once: readonly Case[] = [
  aCase(
    "counts ended calls",
    `steps:\n${hook("call.ended")}${answered}
  - { at: PT70S, inbound: { as: c2, from: "+6421555002", to: "+6495550101" } }
  - { at: PT75S, answer: { call: c2, by: alice } }
  - { at: PT95S, hangup: { call: c2, by: caller } }
`,
    {
      subject(sim) {
        const counted = { calls: 0 };
        hearAtOnce(sim, () => void counted.calls++);
        return counted;
      },
      eventually: {
        "each call counts once": (sim, { calls }) => expect(calls).toBe(sim.calls.list().length),
      },
    },
  ),
  aCase(
    "lists three missed calls",
    `steps:\n${hook("call.not_answered")}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT60S, inbound: { as: c2, from: "+6421555002", to: "+6495550103" } }
  - { at: PT120S, inbound: { as: c3, from: "+6421555003", to: "+6495550103" } }
`,
    {
      subject(sim) {
        const numbers: string[] = [];
        hearAtOnce(sim, ({ data }) => void numbers.push(data.call.contactNumber));
        return numbers;
      },
      eventually: {
        "the list is right": (sim, numbers) =>
          expect([...numbers].sort()).toEqual(
            sim.events.ofType("call.not_answered").map(({ data }) => data.call.contactNumber),
          ),
      },
    },
  ),
  aCase("shows how many are open", `steps:\n${hook("call.started, call.ended")}${answered}`, {
    subject(sim) {
      const board = { open: 0, total: 0 };
      hearAtOnce(sim, ({ type }) => {
        board.open += type === "call.started" ? 1 : -1;
        if (type === "call.started") board.total++;
      });
      return board;
    },
    eventually: {
      "the board agrees with the platform": (sim, { open, total }) =>
        expect(`${total}/${open}`).toBe(`${sim.calls.list().length}/0`),
    },
  }),
  aCase("shows the latest news", `steps:\n${hook("call.started, call.answered, call.ended")}${answered}`, {
    subject(sim) {
      const latest = new Map<string, string>();
      hearAtOnce(sim, ({ type, data }) => void latest.set(data.call.id, type));
      return latest;
    },
    eventually: {
      "a call that is over is shown as over": (sim, latest) =>
        expect([...latest.values()].filter((type) => type === "call.ended")).toHaveLength(
          sim.calls.list().length,
        ),
    },
  }),
  aCase(
    "throws for an event that it knows",
    `steps:\n${hook("call.started, call.answered, call.ended")}${answered}
  - { at: PT70S, inbound: { as: c2, from: "+6421555002", to: "+6495550101" } }
`,
    {
      subject(sim) {
        const known = new Set<string>();
        hearAtOnce(sim, ({ id, type }) => {
          if (known.has(id)) throw new Error(`UNIQUE constraint: ${id} (${type})`);
          known.add(id);
        });
        return known;
      },
    },
  ),
  aCase("has two defects behind one property", `steps:\n${hook("call.started, call.ended")}${answered}`, {
    subject(sim) {
      const totals = { started: 0, ended: 0 };
      const known = new Set<string>();
      hearAtOnce(sim, ({ id, type }) => {
        if (type === "call.started") totals.started++;
        else if (totals.started > 0 && !known.has(id)) totals.ended++;
        known.add(id);
      });
      return totals;
    },
    eventually: {
      "the totals are right": (sim, { started, ended }) =>
        expect(`${started} ${ended}`).toBe(
          `${sim.calls.list().length} ${sim.events.ofType("call.ended").length}`,
        ),
    },
  }),
  aCase(
    "fails without any deviation",
    `steps:\n${hook("call.answered, call.ended")}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT30S, transfer: { call: c1, target: bob, by: alice } }
  - { at: PT40S, answer: { call: c1, by: bob } }
  - { at: PT90S, hangup: { call: c1, by: caller } }
`,
    {
      subject(sim) {
        const counted = { answered: 0 };
        hearAtOnce(sim, ({ type }) => {
          if (type === "call.answered") counted.answered++;
        });
        return counted;
      },
      eventually: {
        "as many are answered as there are": (sim, counted) =>
          expect(counted.answered).toBe(sim.calls.list().length),
      },
    },
  ),
  aCase(
    "has an organisation of its own",
    `organisation:
  id: acme
  numbers: [{ number: "+6495550200", owner: sales }, { number: "+6495550201", owner: support }]
  users:
    - { id: bob, email: bob@acme.test, displayName: Bob Tane, extension: "102", endpoints: [desktop] }
    - { id: dave, email: dave@acme.test, displayName: Dave Okafor, extension: "104", endpoints: [desktop] }
    - { id: erin, email: erin@acme.test, displayName: Erin O, extension: "105", endpoints: [desktop] }
    - { id: fred, email: fred@acme.test, displayName: Fred O, extension: "106", endpoints: [desktop] }
  teams:
    - { id: sales, displayName: Sales, extension: "200", members: [{ user: bob, priority: 1 }, { user: erin, priority: 2 }], timeout: PT30S, unanswered: { team: support } }
    - { id: support, displayName: Support, extension: "201", members: [{ user: dave, priority: 1 }, { user: fred, priority: 1 }] }
steps:\n${hook("call.ended")}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550201" } }
  - { at: PT5S, answer: { call: c1, by: dave } }
  - { at: PT20S, hangup: { call: c1, by: caller } }
`,
    {
      subject(sim) {
        const ids: string[] = [];
        hearAtOnce(sim, ({ data }) => void ids.push(data.call.id));
        return ids;
      },
      eventually: { "each once": (sim, ids) => expect(ids).toEqual(sim.calls.list().map(({ id }) => id)) },
    },
  ),
  aCase(
    "gives every third call for nothing",
    `steps:\n${hook("call.started, call.ended")}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT100S, inbound: { as: c2, from: "+6421555002", to: "+6495550101" } }
  - { at: PT200S, inbound: { as: c3, from: "+6421555003", to: "+6495550101" } }
`,
    {
      subject(sim) {
        const bill = { starts: 0, free: 0, ends: 0 };
        const calls = new Set<string>();
        hearAtOnce(sim, ({ type, data }) => {
          if (type === "call.ended") bill.ends++;
          else bill.starts++;
          if (!calls.has(data.call.id) && calls.add(data.call.id).size === 3) bill.free = bill.starts - 2;
        });
        return bill;
      },
      eventually: {
        "each third call is free, and all are billed once": (sim, { free, ends }) =>
          expect(`${free} ${ends}`).toBe(
            `${Math.floor(sim.calls.list().length / 3)} ${sim.events.ofType("call.ended").length}`,
          ),
      },
      deviations: { atMost: 1, kinds: ["duplicated"] },
    },
  ),
  // without Bob's answer the call ends before the caller hangs up, so that no other deviation is tried
  aCase(
    "bills a transfer more than once",
    `steps:\n${hook("call.started, call.hungup, call.ended")}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT10S, answer: { call: c1, by: alice } }
  - { at: PT30S, transfer: { call: c1, target: bob, by: alice } }
  - { at: PT40S, answer: { call: c1, by: bob } }
  - { at: PT120S, hangup: { call: c1, by: caller } }
`,
    {
      subject(sim) {
        const bill = { starts: 0, transfers: 0, ends: 0 };
        const left = new Set<string>();
        hearAtOnce(sim, ({ id, type }) => {
          if (type === "call.started") bill.starts++;
          else if (type === "call.ended") bill.ends++;
          else if (!left.has(id) && left.add(id).size === 3) bill.transfers += bill.starts;
        });
        return bill;
      },
      eventually: {
        "each call and its transfer is billed once": (sim, { transfers, ends }) =>
          expect(`${transfers} ${ends}`).toBe(
            `${sim.events.ofType("call.hungup").length === 3 ? 1 : 0} ${sim.events.ofType("call.ended").length}`,
          ),
      },
      deviations: { atMost: 1, kinds: ["duplicated"] },
    },
  ),
  aCase(
    "bills a missed call more than once",
    `organisation:
  id: shop
  users: [{ id: ann, email: ann@shop.test, displayName: Ann, extension: "101", endpoints: [mobile], voicemail: false }]
  numbers: [{ number: "+6495550101", owner: ann }]
steps:\n${hook("call.started, call.not_answered, call.ended")}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`,
    {
      subject(sim) {
        const bill = { starts: 0, connections: 0, missed: 0 };
        hearAtOnce(sim, ({ type }) => {
          if (type === "call.started") bill.starts++;
          else if (type === "call.ended") bill.connections = 1;
          else {
            bill.connections = bill.starts;
            bill.missed++;
          }
        });
        return bill;
      },
      eventually: {
        "all is billed once": (sim, { connections, missed }) =>
          expect(`${connections} ${missed}`).toBe(
            `${sim.calls.list().length} ${sim.events.ofType("call.not_answered").length}`,
          ),
      },
      deviations: { atMost: 1, kinds: ["duplicated"] },
    },
  ),
  aCase(
    "counts each call twice in a world with as many deviations as calls",
    `steps:\n${hook("call.started")}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT9S, inbound: { as: c2, from: "+6421555002", to: "+6495550102" } }
`,
    {
      subject(sim) {
        const counts = new Map<string, number>();
        hearAtOnce(sim, ({ data }) => void counts.set(data.call.id, (counts.get(data.call.id) ?? 0) + 1));
        return counts;
      },
      eventually: { "one call is counted once": (_, counts) => expect([...counts.values()]).toContain(1) },
      deviations: { atMost: 2, kinds: ["unanswered"] },
    },
  ),
  aCase(
    "bears one more request for each answer",
    `steps:\n${hook("call.started, call.answered, call.ended")}${answered}`,
    {
      subject(sim) {
        const seen = { ids: new Set<string>(), again: 0, answers: 0 };
        hearAtOnce(sim, ({ id, type }) => {
          if (seen.ids.has(id)) seen.again++;
          else if (type === "call.answered") seen.answers++;
          seen.ids.add(id);
        });
        return seen;
      },
      eventually: {
        "few requests come again": (_, { again, answers }) => expect(again).toBeLessThanOrEqual(answers),
      },
      deviations: { atMost: 2, kinds: ["unanswered"] },
    },
  ),
  aCase(
    "calls nobody missed unless phones ring for 20 seconds",
    `timing: { ringTimeout: PT20S }
steps:\n${hook("call.started, call.not_answered")}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT15S, hangup: { call: c1, by: caller } }
`,
    {
      subject(sim) {
        const heard = { startedAt: 0, missed: 0 };
        hearAtOnce(sim, ({ type }) => {
          if (type === "call.started") heard.startedAt = sim.timestamp;
          else if (sim.timestamp - heard.startedAt === 20_000) heard.missed++;
        });
        return heard;
      },
      eventually: {
        "whoever was not answered is missed": (sim, { missed }) =>
          expect(missed).toBe(sim.events.ofType("call.not_answered").length),
      },
    },
  ),
  aCase(
    "is given deviations by its scenario",
    `steps:\n${hook("call.started, call.ended")}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
deviations:
  - { attempt: PT0S call.started, webhook: crm, number: 1, is: unanswered }
  - { attempt: PT65S call.ended, webhook: crm, number: 1, is: refused }
`,
    { ...inOrder, deviations: 0 },
  ),
  aCase("breaks two properties in one world", `steps:\n${hook("call.started, call.ended")}${answered}`, {
    subject(sim) {
      const types: string[] = [];
      hearAtOnce(sim, ({ type }) => void types.push(type));
      return types;
    },
    always: { "nothing comes twice": (_, types) => expect(new Set(types).size).toBe(types.length) },
    eventually: { "two events come": (_, types) => expect(types).toHaveLength(2) },
  }),
];

/** Asks the REST API for every event, and expects 200 at once. */
const asking: Omit<ExploreOptions<string[]>, "scenario"> = {
  subject(sim) {
    const answers: string[] = [];
    hear(sim, async () => {
      const since = sim.timestamp;
      const { status } = await sim.fetch("/users", { headers: { authorization: `Bearer ${sim.token()}` } });
      answers.push(`${status} after ${sim.timestamp - since} ms`);
    });
    return answers;
  },
  eventually: {
    "each answer is 200, at once": (_, answers) =>
      expect(answers.filter((each) => each !== "200 after 0 ms")).toEqual([]),
  },
};

const busy: Omit<ExploreOptions<{ most: number }>, "scenario"> = {
  subject(sim) {
    const handlers = { now: 0, most: 0 };
    hear(sim, async () => {
      handlers.most = Math.max(handlers.most, ++handlers.now);
      await sim.fetch("/users", { headers: { authorization: `Bearer ${sim.token()}` } });
      handlers.now--;
    });
    return handlers;
  },
  eventually: { "one handler is busy at a time": (_, { most }) => expect(most).toBeLessThan(2) },
};

const asksTwice: Omit<ExploreOptions<string[]>, "scenario"> = {
  subject(sim) {
    const paths: string[] = [];
    const headers = { authorization: `Bearer ${sim.token()}` };
    hear(sim, async ({ type }) => {
      if (type !== "call.started") return;
      const ask = (path: string) => sim.fetch(path, { headers }).then(() => void paths.push(path));
      await Promise.all(["/users", "/teams"].map(ask));
    });
    return paths;
  },
  eventually: { "users come first": (_, paths) => expect(paths).toEqual(["/users", "/teams"]) },
};

const twoCalls = `organisation:
  id: shop
  users:
    - { id: ann, email: ann@shop.test, displayName: Ann, extension: "101", endpoints: [mobile], voicemail: false }
    - { id: ben, email: ben@shop.test, displayName: Ben, extension: "102", endpoints: [mobile], voicemail: false }
  numbers: [{ number: "+6495550101", owner: ann }, { number: "+6495550102", owner: ben }]
steps:\n${hook("call.not_answered")}
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }
  - { at: PT0S, inbound: { from: "+6421555002", to: "+6495550102" } }
`;

const firstToGiveUp: Omit<ExploreOptions<string[]>, "scenario"> = {
  subject(sim) {
    const numbers: string[] = [];
    hearAtOnce(sim, ({ data }) => void numbers.push(data.call.contactNumber));
    return numbers;
  },
  eventually: {
    "the first to call gives up first": (_, [first]) => expect(first).toBe("+6421555001"),
  },
};

const secondTeam = `steps:\n${hook("call.not_answered")}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550200" } }
  - { at: PT70S, answer: { call: c1, by: dave } }
`;

/** Keeps the calls that are missed, and never takes one back. */
const keepsMissed: Omit<ExploreOptions<string[]>, "scenario"> = {
  subject(sim) {
    const missed: string[] = [];
    hearAtOnce(sim, ({ data }) => void missed.push(data.call.id));
    return missed;
  },
  eventually: { "no answered call is missed": (_, missed) => expect(missed).toEqual([]) },
};

/** Takes every event for one that it knows. */
const knowsTwo: Omit<ExploreOptions<string[]>, "scenario"> = {
  subject(sim) {
    const types: string[] = [];
    hearAtOnce(sim, ({ type }) => void types.push(type));
    return types;
  },
  eventually: {
    "each event is known": (_, types) =>
      expect(types.filter((type) => !["call.started", "call.ended"].includes(type))).toEqual([]),
  },
};

/** Puts each missed call on a list, and looks it up once it has answered. Without a restart, it does both once. */
const queues: Omit<
  ExploreOptions<{ called: string[] }, { queued: string[]; called: string[] }>,
  "scenario"
> = {
  durable: () => ({ queued: [], called: [] }),
  subject(sim, store) {
    const queue: string[] = [];
    hearAtOnce(sim, ({ id, data }) => {
      if (store.queued.includes(id)) return;
      store.queued.push(id);
      queue.push(data.call.contactNumber);
      sim.schedule("PT5M", () => void store.called.push(queue.shift() ?? "nobody"));
    });
    return store;
  },
  eventually: {
    "each is called back": (sim, { called }) =>
      expect(called).toEqual(
        sim.events.ofType("call.not_answered").map(({ data }) => data.call.contactNumber),
      ),
  },
};

/** Knows in memory which events it has stored. */
const storesAgain: Omit<ExploreOptions<string[], string[]>, "scenario"> = {
  durable: () => [],
  subject(sim, stored) {
    const known = new Set<string>();
    hearAtOnce(sim, ({ id, data }) => {
      if (!known.has(id)) stored.push(data.call.contactNumber);
      known.add(id);
    });
    return stored;
  },
  eventually: {
    "each is stored once": (_, stored) => expect(stored).toEqual([...new Set(stored)]),
  },
};

/** Takes what the REST API says of a call for what it is. */
const believes: Omit<ExploreOptions<Map<string, string>>, "scenario"> = {
  subject(sim) {
    const statuses = new Map<string, string>();
    hear(sim, async ({ data }) => {
      const headers = { authorization: `Bearer ${sim.token()}` };
      const answer = await sim.fetch(`/calls/${data.call.id}`, { headers });
      if (answer.ok) statuses.set(data.call.id, ((await answer.json()) as { status: string }).status);
    });
    return statuses;
  },
  eventually: {
    "each call is known as it is": (sim, statuses) =>
      expect([...statuses]).toEqual(sim.calls.list().map(({ id, status }) => [id, status])),
  },
};

/** A case in which only one kind of deviation happens. */
function only<T, D>(kind: DeviationKind, steps: string, app: Omit<ExploreOptions<T, D>, "scenario">): Case {
  return aCase(`meets only ${kind}`, steps, { ...app, deviations: { atMost: 1, kinds: [kind] } });
}

/** One case for each kind of deviation. */
const kinds: readonly Case[] = [
  ...(["lost", "unanswered", "duplicated", "refused", "rejected"] as const).map((kind) =>
    only(kind, order, inOrder),
  ),
  only("late", twoMissed(), firstToGiveUp),
  ...(["503", "429", "slow", "tokenExpired"] as const).map((kind) => only(kind, order, asking)),
  only("overlapping", twoMissed(), busy),
  only("answers", order, asksTwice),
  only("timers", twoCalls, firstToGiveUp),
  ...(["never", "outage"] as const).map((kind) => only(kind, order, inOrder)),
  only("restarted", twoMissed(), storesAgain),
  only("restartedAfter", twoMissed(), queues),
  only("behind", order, believes),
  only("assumption", secondTeam, keepsMissed),
  only("unspecified", order, knowsTwo),
];

/** Apps of which each believes another kind of forged request first. */
const careless: readonly Case[] = (
  [
    [
      "believes what is not signed",
      ({ signature, isSigned, isRecent }) => signature === undefined || (isSigned && isRecent),
    ],
    ["believes any signature", ({ signature }) => signature !== undefined],
    ["notes what it refuses", ({ isSigned, isRecent }) => isSigned && isRecent, true],
    ["believes what is old", ({ isSigned }) => isSigned],
  ] as readonly [name: string, isGenuine: (got: Signed) => boolean, notesFirst?: boolean][]
).map(([name, isGenuine, notesFirst = false]) =>
  aCase(name, twoMissed().replace("events:", "signingSecret: s3cret, events:"), {
    subject(sim) {
      const store = { noted: new Set<string>(), numbers: [] as string[] };
      sim.network.route(url, ({ headers, body }) => {
        const { id, data } = JSON.parse(body) as Told;
        const isKnown = store.noted.has(id);
        if (notesFirst) store.noted.add(id);
        const { "x-service-timestamp": at, "x-service-signature": signature } = headers;
        const own = createHmac("sha256", "s3cret").update(`${at}.${body}`).digest("hex");
        const isRecent = sim.timestamp - Number(at) <= 300_000;
        if (!isGenuine({ signature, isSigned: signature === `sha256=${own}`, isRecent })) return 401;
        store.noted.add(id);
        if (!isKnown) store.numbers.push(data.call.contactNumber);
        return 204;
      });
      return store;
    },
  }),
);

/** What an app may find out about a request's signature. */
interface Signed {
  readonly signature: string | undefined;
  readonly isSigned: boolean;
  readonly isRecent: boolean;
}

function twoMissed(): string {
  return `steps:\n${hook("call.not_answered")}
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT0S, inbound: { as: c2, from: "+6421555002", to: "+6495550103" } }
`;
}

/** Apps with a defect. Those of `consumers` are others. */
export const faulty: readonly Case[] = [...once, ...kinds, ...careless];
