import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, onEvent, RestError, restClient } from "./hooks.ts";
import { proof } from "./proof.ts";

/** Keeps tickets of calls that are not over. The faulty one believes that it receives every end. */
function tickets(sim: Simulator, { asks }: { asks: boolean }) {
  const open = new Set<string>();
  const closed = new Set<string>();
  const rest = restClient(sim);

  const close = (id: string) => {
    open.delete(id);
    closed.add(id);
  };
  const ask = async (id: string): Promise<void> => {
    if (!open.has(id)) return;
    try {
      const { outcome } = (await rest("GET", `/calls/${id}`)) as { outcome: object | null };
      if (outcome !== null) return close(id);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
    }
    sim.schedule("PT1H", () => ask(id));
  };

  onEvent(sim, ({ type, data }) => {
    if (type === "call.ended") close(data.call.id);
    if (type !== "call.started" || closed.has(data.call.id)) return;
    open.add(data.call.id);
    if (asks) sim.schedule("PT1H", () => ask(data.call.id));
  });
  return { open };
}

export const neverCloses = proof({
  name: "never-closes",
  scenario: `
scenario: A webhook that is attempted twice, and a call
webhooks: { schedule: [PT0S, PT10S] }
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: [call.started, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`,
  faulty: (sim) => tickets(sim, { asks: false }),
  corrected: (sim) => tickets(sim, { asks: true }),
  eventually: {
    "no ticket is open for a call that is over": (sim, { open }) =>
      expect([...open].filter((id) => sim.calls.get(id).record.outcome !== null)).toEqual([]),
  },
});
