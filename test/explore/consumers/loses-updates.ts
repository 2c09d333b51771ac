import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, onEvent, restClient, toldOf } from "./hooks.ts";
import { proof } from "./proof.ts";

/**
 * Counts missed calls of each user, by e-mail address. The faulty one reads the count, asks the platform for the
 * address, and writes the old count plus one.
 */
function missedCalls(sim: Simulator, { readsLast }: { readsLast: boolean }) {
  const missed = new Map<string, number>();
  const seen = new Set<string>();
  const rest = restClient(sim);
  onEvent(sim, async ({ id, type, data }) => {
    if (type !== "call.not_answered" || seen.has(id)) return;
    const entry = data.call.directoryTarget?.id ?? "";
    const before = missed.get(entry) ?? 0;
    await rest("GET", `/users/${entry}`);
    if (seen.has(id)) return;
    seen.add(id);
    missed.set(entry, (readsLast ? (missed.get(entry) ?? 0) : before) + 1);
  });
  return { missed };
}

export const losesUpdates = proof({
  name: "loses-updates",
  scenario: `
scenario: Two calls are missed at the same moment
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT0S, inbound: { as: c2, from: "+6421555002", to: "+6495550103" } }
`,
  faulty: (sim) => missedCalls(sim, { readsLast: false }),
  corrected: (sim) => missedCalls(sim, { readsLast: true }),
  eventually: {
    "each missed call is counted": (sim, { missed }) => {
      const counted = [...missed.values()].reduce((sum, count) => sum + count, 0);
      expect(counted).toBe(toldOf(sim, "call.not_answered").length);
    },
  },
});
