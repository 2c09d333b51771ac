import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, onEvent } from "./hooks.ts";
import { proof } from "./proof.ts";

/** Measures calls for the bill. The faulty one takes the first hang-up for the end of the call. */
function bill(sim: Simulator, { waitsForTheEnd }: { waitsForTheEnd: boolean }) {
  const seconds = new Map<string, number>();
  onEvent(sim, ({ type, createdTimestamp, data }) => {
    if (type !== (waitsForTheEnd ? "call.ended" : "call.hungup")) return;
    const { id, startedTimestamp } = data.call;
    if (!seconds.has(id)) seconds.set(id, (createdTimestamp - startedTimestamp) / 1_000);
  });
  return { seconds };
}

export const hungupIsTheEnd = proof({
  name: "hungup-is-the-end",
  scenario: `
scenario: Alice has Bob join, and leaves before the caller does
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: [call.hungup, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT30S, add: { call: c1, target: bob, by: alice } }
  - { at: PT35S, answer: { call: c1, by: bob } }
  - { at: PT60S, hangup: { call: c1, by: alice } }
  - { at: PT90S, hangup: { call: c1, by: caller } }
`,
  faulty: (sim) => bill(sim, { waitsForTheEnd: false }),
  corrected: (sim) => bill(sim, { waitsForTheEnd: true }),
  eventually: {
    "the bill says how long each call took": (sim, { seconds }) => {
      for (const [id, each] of seconds) expect(each * 1_000).toBe(sim.calls.get(id).record.duration);
    },
  },
});
