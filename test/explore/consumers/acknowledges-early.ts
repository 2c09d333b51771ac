import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, onEvent, RestError, restClient, toldOf } from "./hooks.ts";
import { proof } from "./proof.ts";

/** Keeps callers in a phonebook. The faulty one answers 204 at once, and writes a moment later. */
function phonebook(sim: Simulator, { storesFirst }: { storesFirst: boolean }) {
  const rest = restClient(sim);
  const store = (number: string) =>
    rest("PUT", "/phonebooks/customers/contacts", {
      contacts: [{ id: `caller-${number.slice(1)}`, name: "A caller", phoneNumbers: [number] }],
    });
  onEvent(sim, async ({ type, data }) => {
    if (type !== "call.started" || data.call.contactNumber === null) return;
    const { contactNumber } = data.call;
    if (storesFirst) await store(contactNumber);
    else
      sim.schedule("PT0.1S", async () => {
        await store(contactNumber).catch((error: unknown) => {
          if (!(error instanceof RestError)) throw error; // the error goes to the log, which nobody reads
        });
      });
  });
}

export const acknowledgesEarly = proof({
  name: "acknowledges-early",
  scenario: `
scenario: A caller who is not known yet
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: [call.started] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555987", to: "+6495550101" } }
  - { at: PT10S, hangup: { call: c1, by: caller } }
`,
  faulty: (sim) => phonebook(sim, { storesFirst: false }),
  corrected: (sim) => phonebook(sim, { storesFirst: true }),
  eventually: {
    "what was acknowledged is stored": (sim) => {
      const known = sim.phonebooks
        .get("customers")
        .record.contacts.flatMap(({ phoneNumbers }) => phoneNumbers);
      for (const { contactNumber } of toldOf(sim, "call.started")) expect(known).toContain(contactNumber);
    },
  },
});
