import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, onEvent } from "./hooks.ts";
import { proof } from "./proof.ts";

const stages = ["ringing", "talking", "over"] as const;
type Stage = (typeof stages)[number];

const stageOf: Readonly<Record<string, Stage>> = {
  "call.started": "ringing",
  "call.answered": "talking",
  "call.ended": "over",
};

/** What each call is doing. The faulty one shows what it heard last, not what happened last. */
function switchboard(sim: Simulator, { goesBack }: { goesBack: boolean }) {
  const calls = new Map<string, Stage>();
  onEvent(sim, ({ type, data }) => {
    const next = stageOf[type];
    if (next === undefined || !("call" in data)) return;
    const shown = calls.get(data.call.id);
    if (!goesBack && shown !== undefined && stages.indexOf(shown) > stages.indexOf(next)) return;
    calls.set(data.call.id, next);
  });
  return { calls };
}

export const reliesOnOrder = proof({
  name: "relies-on-order",
  scenario: `
scenario: A call is answered, and ends
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: [call.started, call.answered, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`,
  faulty: (sim) => switchboard(sim, { goesBack: true }),
  corrected: (sim) => switchboard(sim, { goesBack: false }),
  eventually: {
    "what is shown of a call is how it is": (sim, { calls }) => {
      for (const { id, record } of sim.calls.list()) {
        const unlessOver = record.answeredAt === null ? "ringing" : "talking";
        expect(calls.get(id)).toBe(record.outcome === null ? unlessOver : "over");
      }
    },
  },
  sometimes: {
    "is shown that someone talks": (_, { calls }) => [...calls.values()].includes("talking"),
  },
});
