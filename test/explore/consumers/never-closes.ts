import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, onEvent, RestError, restClient } from "./integration.ts";
import { proof } from "./proof.ts";

const HOUR_MS = 3_600_000;

interface Tickets {
  readonly open: ReadonlySet<string>;
  /** The same tickets on another simulator. */
  fork(sim: Simulator): Tickets;
}

/** What is known of the tickets. */
class Known {
  readonly open = new Set<string>();
  readonly closed = new Set<string>();
  /** About which calls the platform will be asked, and when, in virtual ms. */
  questions: readonly { readonly id: string; readonly atMs: number }[] = [];
}

/** Keeps tickets of calls that are not over. The faulty one believes that it receives every end. */
function tickets(sim: Simulator, asks: boolean, known = new Known()): Tickets {
  const { open, closed } = known;
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
    askAt(id, sim.timestamp + HOUR_MS);
  };
  const askAt = (id: string, atMs: number) => {
    const question = { id, atMs };
    known.questions = [...known.questions, question];
    sim.schedule(atMs - sim.timestamp, () => {
      known.questions = known.questions.filter((each) => each !== question);
      return ask(id);
    });
  };

  onEvent(sim, ({ type, data }) => {
    if (type === "call.ended") close(data.call.id);
    if (type !== "call.started" || closed.has(data.call.id)) return;
    open.add(data.call.id);
    if (asks) askAt(data.call.id, sim.timestamp + HOUR_MS);
  });
  const { questions } = known;
  known.questions = [];
  for (const { id, atMs } of questions) askAt(id, atMs);
  return {
    open,
    fork: (other) =>
      tickets(other, asks, { open: new Set(open), closed: new Set(closed), questions: known.questions }),
  };
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
  faulty: (sim) => tickets(sim, false),
  corrected: (sim) => tickets(sim, true),
  eventually: {
    "no ticket is open for a call that is over": (sim, { open }) =>
      expect([...open].filter((id) => sim.calls.get(id).record.outcome !== null)).toEqual([]),
  },
});
