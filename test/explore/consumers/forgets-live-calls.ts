import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, onEvent, restClient } from "./hooks.ts";
import { proof } from "./proof.ts";

const HOUR_MS = 3_600_000;
/** The hours of a working day in which the counter asks for what it has missed. */
const HOURS = 4;

interface Listed {
  readonly id: string;
  readonly outcome: { readonly status: string };
}

/**
 * Counts the calls that are billed. Events tell of them at once, and every hour the calls that have ended are listed. The
 * faulty one asks for those that started since it last asked, and so never sees one that was live then.
 */
function billing(sim: Simulator, { looksBackMs }: { looksBackMs: number }) {
  const billed = new Set<string>();
  const rest = restClient(sim);
  for (let hour = 1; hour <= HOURS; hour++)
    sim.schedule(hour * HOUR_MS, async () => {
      const since = sim.timestamp - HOUR_MS - looksBackMs;
      const list = () => rest("GET", `/calls?since=${since}`) as Promise<{ calls: readonly Listed[] }>;
      // a connection may break once
      const { calls } = await list().catch(list);
      for (const { id, outcome } of calls) if (outcome.status === "answered") billed.add(id);
    });
  onEvent(sim, ({ type, data }) => {
    if (type === "call.ended" && data.call.outcome?.status === "answered") billed.add(data.call.id);
  });
  return { billed };
}

export const forgetsLiveCalls = proof({
  name: "forgets-live-calls",
  scenario: `
scenario: A call that lasts beyond the hour
steps:
  - { at: PT0S, createWebhook: { as: billing, url: "${hooks}", events: [call.ended] } }
  - { at: PT50M, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT50M5S, answer: { call: c1, by: alice } }
  - { at: PT70M, hangup: { call: c1, by: caller } }
`,
  kinds: ["lost", "unanswered", "duplicated", "late", "refused", "rejected", "never"],
  faulty: (sim) => billing(sim, { looksBackMs: 0 }),
  corrected: (sim) => billing(sim, { looksBackMs: 12 * HOUR_MS }),
  eventually: {
    "each answered call is billed": (sim, { billed }) => {
      const sent = sim.webhooks.list().flatMap(({ id }) => sim.webhooks.deliveries(id));
      const events = new Set(sent.map(({ event }) => event.id));
      for (const { id, data } of sim.events.ofType("call.ended"))
        if (events.has(id) && data.call.outcome?.status === "answered")
          expect(billed).toContain(data.call.id);
    },
  },
});
