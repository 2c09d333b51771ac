import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, onEvent, toldOf } from "./hooks.ts";
import { proof } from "./proof.ts";

/** Lists the callers to call back. The faulty one takes each delivery for a new missed call. */
function callBackList(sim: Simulator, { remembersEvents }: { remembersEvents: boolean }) {
  const numbers: string[] = [];
  const seen = new Set<string>();
  onEvent(sim, ({ id, type, data }) => {
    if (type !== "call.not_answered" || (remembersEvents && seen.has(id))) return;
    seen.add(id);
    numbers.push(data.call.contactNumber ?? "unknown");
  });
  return { numbers };
}

export const notIdempotent = proof({
  name: "not-idempotent",
  scenario: `
scenario: Two calls, of which one is missed
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT5S, answer: { call: c1, by: carol } }
  - { at: PT20S, hangup: { call: c1, by: caller } }
  - { at: PT40S, inbound: { as: c2, from: "+6421555002", to: "+6495550103" } }
`,
  faulty: (sim) => callBackList(sim, { remembersEvents: false }),
  corrected: (sim) => callBackList(sim, { remembersEvents: true }),
  eventually: {
    "nobody is called back twice": (_, { numbers }) => expect(numbers).toEqual([...new Set(numbers)]),
    "whoever was missed is called back": (sim, { numbers }) => {
      for (const { contactNumber } of toldOf(sim, "call.not_answered"))
        expect(numbers).toContain(contactNumber);
    },
  },
});
