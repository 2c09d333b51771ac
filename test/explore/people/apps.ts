import { callBacks, callLog, type ExploreOptions } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

/** What the apps read of a call. */
interface Call {
  readonly id: string;
  readonly direction: string;
  readonly contactNumber: string | null;
  readonly startedTimestamp: number;
  readonly answeredAt: string | null;
  readonly answeredTimestamp: number;
  readonly endedAt: string | null;
  readonly endedTimestamp: number;
  readonly assignedUser: { readonly id: string } | null;
  readonly connections: readonly { readonly partyId: string }[];
  readonly parties: readonly { readonly id: string; readonly type: string; readonly entryId?: string }[];
}

type Properties = Pick<ExploreOptions<Map<string, Row>>, "eventually" | "sometimes">;
interface Row {
  readonly callId: string;
  readonly [column: string]: unknown;
}

/** An app that goes wrong in a story which its only test does not tell, and the same app mended. */
export interface Sample {
  readonly people: NonNullable<ExploreOptions<unknown>["people"]>;
  readonly properties: Properties;
  readonly wrong: (call: Call) => Row | undefined;
  readonly right: (call: Call) => Row | undefined;
  /** What people do in the smallest world, as the sentence tells it. */
  readonly story: string;
}

const url = "https://crm.test/hooks";

/** The test that the team has today: a call that is answered. */
export const answeredCall = parseScenario(`
scenario: A call is answered
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`);

/** An app that keeps a row of each call that is over, by the call's id. */
export function appOf(rowOf: (call: Call) => Row | undefined) {
  return (sim: Simulator) => {
    const rows = new Map<string, Row>();
    sim.network.route(url, ({ body }) => {
      const { call } = (JSON.parse(body) as { readonly data: { readonly call: Call } }).data;
      const row = call.endedAt === null ? undefined : rowOf(call);
      if (row !== undefined) rows.set(row.callId, row);
      return 204;
    });
    return rows;
  };
}

const whoTalked = ({ connections, parties }: Call) => [
  ...new Set(
    connections.flatMap(({ partyId }) =>
      parties.flatMap(({ id, type, entryId }) => (id === partyId && type === "user" ? [entryId] : [])),
    ),
  ),
];
const log = callLog({ rows: (rows: Map<string, Row>) => [...rows.values()] as never });
const call = (more: (call: Call) => object) => (of: Call) => ({ callId: of.id, ...more(of) });

export const samples: Readonly<Record<string, Sample>> = {
  "takes a call that is hung up within a second for one that nobody answered": {
    people: { acts: 1, kinds: ["answer", "decline", "hangup", "voicemail"] },
    properties: log,
    wrong: call((of) => ({
      answered: of.answeredAt !== null && Math.round((of.endedTimestamp - of.answeredTimestamp) / 1_000) > 0,
    })),
    right: call(({ answeredAt }) => ({ answered: answeredAt !== null })),
    story: "Alice Ng answers on mobile, and 0.4 seconds later Jane Smith (+6421555001) hangs up",
  },
  "logs a transferred call for its last user alone": {
    people: { acts: 2, kinds: ["answer", "transfer"] },
    properties: log,
    wrong: call(({ assignedUser }) => ({ users: assignedUser === null ? [] : [assignedUser.id] })),
    right: call((of) => ({ users: whoTalked(of) })),
    story:
      "Alice Ng answers on mobile, 0.4 seconds later Alice Ng transfers the call to Bob Tane and stays, 4.6 seconds later Bob Tane answers on mobile, 50 seconds later Jane Smith (+6421555001) hangs up, and 60 seconds later Alice Ng hangs up",
  },
  "calls back a number that it has dialled in vain": {
    people: { acts: 1, calls: 2, kinds: ["dial"] },
    properties: callBacks({
      numbers: (rows: Map<string, Row>) =>
        [...rows.values()].flatMap(({ isMissed, number }) => (isMissed === true ? [String(number)] : [])),
    }),
    wrong: ({ answeredAt, contactNumber }) => ({
      ...{ callId: String(contactNumber), number: contactNumber, isMissed: answeredAt === null },
    }),
    right: ({ direction, answeredAt, contactNumber }) => ({
      callId: String(contactNumber),
      ...{ number: contactNumber, isMissed: answeredAt === null && direction === "inbound" },
    }),
    story: "Alice Ng calls +6421555009",
  },
};
