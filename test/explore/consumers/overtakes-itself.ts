import { expect } from "vitest";
import type { PlatformEvent, Simulator } from "../../../src/index.ts";
import { hooks, onEvent, RestError, restClient } from "./hooks.ts";
import { proof } from "./proof.ts";

/** A ticket of a help desk, one for each call. */
interface Ticket {
  readonly status: string;
  /** When its status came about, ms. */
  readonly sinceMs: number;
  readonly caller: string;
}

/**
 * Keeps tickets. Events go into a queue and are acknowledged at once; a worker looks up the call and writes the ticket, and
 * puts what fails back into the queue. The faulty one compares times only when an event comes in, so a job that is done
 * again overtakes a later one.
 */
function helpDesk(sim: Simulator, { comparesLast }: { comparesLast: boolean }) {
  const tickets = new Map<string, Ticket>();
  const newest = new Map<string, number>();
  const rest = restClient(sim);
  const work = async (event: PlatformEvent) => {
    const { type, createdTimestamp: sinceMs, data } = event;
    if (!("call" in data)) return;
    const { id } = data.call;
    try {
      const { contactNumber } = (await rest("GET", `/calls/${id}`)) as { contactNumber: string };
      if (comparesLast && sinceMs < (tickets.get(id)?.sinceMs ?? 0)) return;
      tickets.set(id, { status: type, sinceMs, caller: contactNumber });
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      sim.schedule("PT30S", () => work(event));
    }
  };
  onEvent(sim, (event) => {
    if (!("call" in event.data)) return;
    const { id } = event.data.call;
    if (event.createdTimestamp < (newest.get(id) ?? 0)) return;
    newest.set(id, event.createdTimestamp);
    sim.schedule("PT1S", () => work(event));
  });
  return { tickets };
}

export const overtakesItself = proof({
  name: "overtakes-itself",
  scenario: `
scenario: A call that becomes a ticket
steps:
  - { at: PT0S, createWebhook: { as: desk, url: "${hooks}", events: [call.started, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT5S, answer: { call: c1, by: alice } }
  - { at: PT10S, hangup: { call: c1, by: caller } }
`,
  faulty: (sim) => helpDesk(sim, { comparesLast: false }),
  corrected: (sim) => helpDesk(sim, { comparesLast: true }),
  eventually: {
    "the ticket of a call that has ended says so": (sim, { tickets }) => {
      for (const { data } of sim.events.ofType("call.ended"))
        expect(tickets.get(data.call.id)?.status).toBe("call.ended");
    },
  },
});
