import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, onEvent } from "./hooks.ts";
import { proof } from "./proof.ts";

/**
 * Measures how long each user talked. The faulty one counts from answer to end for the user who answered, and ignores
 * transfers.
 */
function talkTime(sim: Simulator, { readsConnections }: { readsConnections: boolean }) {
  const seconds = new Map<string, number>();
  const seen = new Set<string>();
  const add = (user: string, ms: number) => seconds.set(user, (seconds.get(user) ?? 0) + ms / 1_000);
  onEvent(sim, ({ id, type, data }) => {
    if (type !== "call.ended" || seen.has(id)) return;
    seen.add(id);
    const { answeredTimestamp, endedTimestamp, assignedUser, parties, connections } = data.call;
    if (!readsConnections) {
      add(assignedUser?.id ?? "nobody", Number(endedTimestamp) - Number(answeredTimestamp));
      return;
    }
    for (const { partyId, joinedTimestamp, leftTimestamp } of connections) {
      const party = parties.find((each) => each.id === partyId);
      if (party?.entryId !== undefined) add(party.entryId, Number(leftTimestamp) - joinedTimestamp);
    }
  });
  return { seconds };
}

export const losesTransfers = proof({
  name: "loses-transfers",
  scenario: `
scenario: Alice hands a call to Bob
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: [call.answered, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT30S, transfer: { call: c1, target: bob, by: alice } }
  - { at: PT40S, answer: { call: c1, by: bob } }
  - { at: PT90S, hangup: { call: c1, by: caller } }
`,
  faulty: (sim) => talkTime(sim, { readsConnections: false }),
  corrected: (sim) => talkTime(sim, { readsConnections: true }),
  eventually: {
    "all who talked have their time": (sim, { seconds }) => {
      const over = sim.events.ofType("call.ended").map(({ data }) => data.call);
      const joined = over.flatMap(({ parties, connections }) =>
        connections.map(({ partyId }) => parties.find(({ id }) => id === partyId)?.entryId),
      );
      for (const user of joined.filter((each) => each !== undefined))
        expect([...seconds.keys()]).toContain(user);
    },
  },
});
