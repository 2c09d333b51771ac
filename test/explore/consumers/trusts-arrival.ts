import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, onEvent } from "./hooks.ts";
import { proof } from "./proof.ts";

/** Measures how long callers waited. The faulty one reads its own clock when an event arrives. */
function waitTimes(sim: Simulator, { asksOwnClock }: { asksOwnClock: boolean }) {
  const started = new Map<string, number>();
  const answered = new Map<string, number>();
  onEvent(sim, ({ type, createdTimestamp, data }) => {
    const ms = asksOwnClock ? sim.timestamp : createdTimestamp;
    if (type === "call.started") started.set(data.call.id, ms);
    if (type === "call.answered") answered.set(data.call.id, ms);
  });
  return {
    waits: () =>
      [...answered].flatMap(([id, ms]) => {
        const startedMs = started.get(id);
        return startedMs === undefined ? [] : [[id, ms - startedMs] as const];
      }),
  };
}

export const trustsArrival = proof({
  name: "trusts-arrival",
  scenario: `
scenario: A caller waits for ten seconds
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: [call.started, call.answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT10S, answer: { call: c1, by: alice } }
  - { at: PT70S, hangup: { call: c1, by: caller } }
`,
  faulty: (sim) => waitTimes(sim, { asksOwnClock: true }),
  corrected: (sim) => waitTimes(sim, { asksOwnClock: false }),
  eventually: {
    "each wait is as long as it was": (sim, { waits }) => {
      for (const [id, ms] of waits()) expect(ms).toBe(sim.calls.get(id).record.waitTime);
    },
  },
});
