import { callBacks, callLog, type ExploreOptions } from "../../../src/explore/index.ts";
import { type CallRecord, parseScenario, type Scenario, type Simulator } from "../../../src/index.ts";

type People = NonNullable<ExploreOptions<unknown>["people"]>;

/** What an app of this file keeps: rows, by what they are about. */
type Rows = Map<string, Record<string, unknown>>;

/** An app that is right only of what its author thought that people do. `hear` gets each event once. */
export interface MoreSample {
  readonly scenario: Scenario;
  readonly people: People;
  readonly properties: Pick<ExploreOptions<Rows>, "eventually" | "sometimes">;
  readonly wrong: Hear;
  readonly right: Hear;
  /** What people do in the smallest world, as the sentence tells it. */
  readonly story: string;
}
/** What apps read of a call. */
type Call = Omit<CallRecord, "organisationId">;
type Hear = (rows: Rows, type: string, call: Call) => void;

const url = "https://crm.test/hooks";
const events = ["call.started", "call.answered", "call.hungup", "call.not_answered", "call.ended"];

const answered = (to: string, by: string) =>
  parseScenario(`
scenario: A call is answered
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [${events.join(", ")}] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "${to}" } }
  - { at: PT5S, answer: { call: c1, by: ${by} } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`);
const toAlice = answered("+6495550100", "alice");
const twice = parseScenario(`
scenario: A customer calls twice, and is answered
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [${events.join(", ")}] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT20S, hangup: { call: c1, by: caller } }
  - { at: PT60S, inbound: { as: c2, from: "+6421555001", to: "+6495550100" } }
  - { at: PT65S, answer: { call: c2, by: alice } }
  - { at: PT90S, hangup: { call: c2, by: caller } }
`);
const toSales = answered("+6495550200", "bob");

export function moreAppOf(hear: Hear) {
  return (sim: Simulator): Rows => {
    const rows: Rows = new Map();
    sim.network.route(url, ({ body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { call: Call } };
      hear(rows, type, data.call);
      return 204;
    });
    return rows;
  };
}

const isOver = ({ endedAt }: Call) => endedAt !== null;
const overIn = (sim: Simulator) => sim.calls.list().flatMap(({ record }) => (isOver(record) ? [record] : []));
const listOf = (rows: Rows) => [...rows.values()];
/** Whom of ours each connection is of, however many one has. */
const connectedOf = ({ connections, parties }: Pick<Call, "connections" | "parties">) =>
  connections.flatMap(({ partyId }) =>
    parties.flatMap((each) => (each.id === partyId && each.type === "user" ? [String(each.entryId)] : [])),
  );
/** The users who talked, in the order in which they joined, or those who are still there. */
const usersOf = ({ connections, parties }: Call, arePresent = false) => [
  ...new Set(
    connectedOf({
      connections: connections.filter(({ leftAt }) => !arePresent || leftAt === null),
      parties,
    }),
  ),
];
const dialsOf = ({ parties }: Call) =>
  parties.flatMap(({ type, entryId, dials }) =>
    type === "user" ? dials.map((dial) => ({ user: String(entryId), ...dial })) : [],
  );

/** The property that an app has the same list as the platform. */
function same(
  name: string,
  ours: (rows: Rows) => readonly unknown[],
  theirs: (sim: Simulator) => readonly unknown[],
) {
  const text = (list: readonly unknown[]) => list.map((each) => JSON.stringify(each)).sort();
  return {
    eventually: {
      [name](sim: Simulator, rows: Rows) {
        const [app, platform] = [text(ours(rows)), text(theirs(sim))].map(String);
        if (app !== platform)
          throw new Error(`the app has ${app || "none"}, the platform ${platform || "none"}`);
      },
    },
  };
}

const log = callLog({ rows: (rows: Rows) => listOf(rows) as never });
/** An app that writes a row of each call that is over. */
const rowOf =
  (more: (call: Call) => Record<string, unknown> | undefined): Hear =>
  (rows, _, call) => {
    const row = isOver(call) ? more(call) : undefined;
    if (row !== undefined) rows.set(call.id, { callId: call.id, ...row });
  };
const two: People = { acts: 2 };

export const moreSamples: Readonly<Record<string, MoreSample>> = {
  "keeps no row of a call that somebody declined": {
    scenario: toAlice,
    people: two,
    properties: log,
    wrong: rowOf((call) => (dialsOf(call).some(({ outcome }) => outcome === "declined") ? undefined : {})),
    right: rowOf(() => ({})),
    story: "Alice Ng declines",
  },
  "leaves the light of an agent on who has handed the call on": {
    scenario: toAlice,
    people: two,
    properties: same(
      "the light is on of who is on a call",
      (rows) => [...rows].flatMap(([user, { isOn }]) => (isOn === true ? [user] : [])),
      (sim) => sim.calls.live().flatMap(({ record }) => usersOf(record, true)),
    ),
    wrong(rows, _, call) {
      for (const user of usersOf(call)) if (!isOver(call)) rows.set(user, { isOn: true });
      if (isOver(call) && call.assignedUser !== null) rows.set(call.assignedUser.id, { isOn: false });
    },
    right(rows, _, call) {
      const present = usersOf(call, true);
      for (const user of usersOf(call)) rows.set(user, { isOn: present.includes(user) });
    },
    story:
      "Alice Ng answers on mobile, 0.4 seconds later Alice Ng transfers the call to Bob Tane and stays, 4.6 seconds later Bob Tane answers on mobile, 50 seconds later Jane Smith (+6421555001) hangs up, and 60 seconds later Alice Ng hangs up",
  },
  "apologises to a caller who has left a message": {
    scenario: toAlice,
    people: two,
    properties: same(
      "who was missed without a message gets an apology",
      (rows) => [...rows.keys()],
      (sim) => overIn(sim).flatMap((each) => (isMissed(each) && each.voicemail === null ? [each.id] : [])),
    ),
    wrong: (rows, _, call) => void (isOver(call) && isMissed(call) && rows.set(call.id, {})),
    right: (rows, _, call) =>
      void (isOver(call) && isMissed(call) && call.voicemail === null && rows.set(call.id, {})),
    story: "Alice Ng declines, and 0.6 seconds later Jane Smith (+6421555001) has a message of 10s",
  },
  "counts the calls that its agents make into how fast they answer": {
    scenario: toAlice,
    people: { acts: 2, calls: 2 },
    properties: same("each answered call from outside has its wait", listOf, (sim) =>
      overIn(sim).flatMap((each) =>
        each.direction === "inbound" && each.answeredAt !== null ? [{ waited: each.waitTime }] : [],
      ),
    ),
    wrong: (rows, _, call) =>
      void (isOver(call) && call.answeredAt !== null && rows.set(call.id, { waited: call.waitTime })),
    right: (rows, _, call) =>
      void (
        isOver(call) &&
        call.direction === "inbound" &&
        call.answeredAt !== null &&
        rows.set(call.id, { waited: call.waitTime })
      ),
    story:
      "Alice Ng calls +6421555009, a second later +6421555009 answers on phone, and 119 seconds later Alice Ng hangs up",
  },
  "closes the customer's page when somebody else leaves the call": {
    scenario: toAlice,
    people: two,
    properties: same("the page closes when the last of ours leaves", listOf, (sim) =>
      overIn(sim).flatMap((each) => (each.answeredAt === null ? [] : [{ closes: lastLeft(each, true) }])),
    ),
    wrong(rows, type, call) {
      if (type === "call.hungup" && call.answeredAt !== null && !rows.has(call.id))
        rows.set(call.id, { closes: lastLeft(call, false) });
    },
    right(rows, type, call) {
      if (type === "call.hungup" && call.answeredAt !== null)
        rows.set(call.id, { closes: lastLeft(call, true) });
    },
    story:
      "Alice Ng answers on mobile, 0.4 seconds later Alice Ng transfers the call to Bob Tane and stays, 4.6 seconds later Bob Tane answers on mobile, 50 seconds later Jane Smith (+6421555001) hangs up, and 60 seconds later Alice Ng hangs up",
  },
  "takes a call that an agent moves to another phone for one of two agents": {
    scenario: toAlice,
    people: two,
    properties: same("each call has its agents", listOf, (sim) =>
      overIn(sim).map((each) => ({ agents: usersOf(each).length })),
    ),
    wrong: (rows, _, call) => void (isOver(call) && rows.set(call.id, { agents: connectedOf(call).length })),
    right: (rows, _, call) => void (isOver(call) && rows.set(call.id, { agents: usersOf(call).length })),
    story:
      "Alice Ng answers on mobile, 5 seconds later Alice Ng moves the call to desktop, and 50 seconds later Jane Smith (+6421555001) hangs up",
  },
  "asks a customer twice how the calls were": {
    scenario: toAlice,
    people: { acts: 2, calls: 2 },
    properties: same(
      "a number is asked once",
      (rows) => listOf(rows).filter(({ asked }) => Number(asked) > 1),
      () => [],
    ),
    wrong(rows, type, call) {
      if (type !== "call.ended" || call.answeredAt === null || call.direction !== "inbound") return;
      const before = rows.get(String(call.contactNumber))?.asked ?? 0;
      rows.set(String(call.contactNumber), { asked: Number(before) + 1 });
    },
    right(rows, type, call) {
      if (type === "call.ended" && call.answeredAt !== null && call.direction === "inbound")
        rows.set(String(call.contactNumber), { asked: 1 });
    },
    story:
      "Alice Ng answers on mobile, 55 seconds later Jane Smith (+6421555001) hangs up, Jane Smith (+6421555001) calls +6495550100 (Alice Ng, 101), 5 seconds later Alice Ng answers on mobile, and 50 seconds later Jane Smith (+6421555001) hangs up",
  },
  "calls somebody back who has got through since": {
    scenario: twice,
    people: { acts: 2, kinds: ["answer", "decline", "hangup"] },
    properties: callBacks({
      numbers: (rows: Rows) => [...rows].flatMap(([number, { isDue }]) => (isDue === true ? [number] : [])),
    }),
    wrong(rows, type, call) {
      if (isOver(call) && isMissed(call) && call.direction === "inbound" && type !== "call.started")
        rows.set(String(call.contactNumber), { isDue: true });
    },
    right(rows, _, call) {
      const before = Number(rows.get(String(call.contactNumber))?.at ?? 0);
      if (!isOver(call) || before > call.startedTimestamp) return;
      const isDue = isMissed(call) && call.direction === "inbound";
      rows.set(String(call.contactNumber), { isDue, at: call.startedTimestamp });
    },
    story:
      "Alice Ng declines, 59.6 seconds later Jane Smith (+6421555001) calls +6495550100 (Alice Ng, 101), 10 seconds later Alice Ng answers on mobile, and 50 seconds later Jane Smith (+6421555001) hangs up",
  },
  "logs the agent who rang first for the one who answered": {
    scenario: toSales,
    people: two,
    properties: log,
    wrong: rowOf((call) => ({ users: call.answeredAt === null ? [] : [String(dialsOf(call)[0]?.user)] })),
    right: rowOf((call) => ({ users: usersOf(call) })),
    story: "Carol Diaz answers on mobile, and 59.6 seconds later Jane Smith (+6421555001) hangs up",
  },
  "reads the e-mail address of everybody on a call": {
    scenario: toAlice,
    people: { acts: 2, targets: ["+6421555009"] },
    properties: log,
    wrong: rowOf(({ parties, connections }) => {
      const joined = new Set(connections.map(({ partyId }) => partyId));
      for (const { id, type, email } of parties.slice(1))
        if (joined.has(id) && type !== "voicemail") (email as string).toLowerCase();
      return {};
    }),
    right: rowOf(({ parties }) => {
      for (const { email } of parties) email?.toLowerCase();
      return {};
    }),
    story:
      "Alice Ng answers on mobile, 0.4 seconds later Alice Ng transfers the call to +6421555009 and stays, 4.6 seconds later +6421555009 answers on phone, 50 seconds later Jane Smith (+6421555001) hangs up, and 60 seconds later Alice Ng hangs up",
  },
  "drops messages of a second": {
    scenario: toAlice,
    people: two,
    properties: same(
      "each message is in the inbox",
      (rows) => [...rows.keys()],
      (sim) => overIn(sim).flatMap(({ id, voicemail }) => (voicemail === null ? [] : [id])),
    ),
    wrong: (rows, _, call) =>
      void (isOver(call) && (call.voicemail?.duration ?? 0) >= 2 && rows.set(call.id, {})),
    right: (rows, _, call) => void (isOver(call) && call.voicemail !== null && rows.set(call.id, {})),
    story: "Alice Ng declines, and 0.6 seconds later Jane Smith (+6421555001) has a message of 1s",
  },
  "blames the team for callers who give up": {
    scenario: toSales,
    people: two,
    properties: same(
      "a call that nobody answered in time is the team's",
      (rows) => [...rows.keys()],
      (sim) => overIn(sim).flatMap((each) => (isMissed(each) && !gaveUp(each) ? [each.id] : [])),
    ),
    wrong: (rows, _, call) => void (isOver(call) && isMissed(call) && rows.set(call.id, {})),
    right: (rows, _, call) => void (isOver(call) && isMissed(call) && !gaveUp(call) && rows.set(call.id, {})),
    story: "Jane Smith (+6421555001) hangs up",
  },
};

function isMissed({ answeredAt }: Call): boolean {
  return answeredAt === null;
}

/** Whether the caller hung up before the time of whoever rang was over. */
function gaveUp({ outcome }: Call): boolean {
  return outcome?.status === "abandoned";
}

/** When the last left whom an event knows to have left: of ours, or of all. */
function lastLeft({ connections, parties }: Call, ofOurs: boolean): number {
  const ours = new Set(parties.flatMap(({ id, type }) => (type === "user" ? [id] : [])));
  const left = connections.flatMap(({ partyId, leftTimestamp }) =>
    leftTimestamp !== null && (!ofOurs || ours.has(partyId)) ? [leftTimestamp] : [],
  );
  return Math.max(0, ...left);
}
