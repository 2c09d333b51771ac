import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, once, onEvent, restClient, toldOf } from "./hooks.ts";
import { proof } from "./proof.ts";

/**
 * Sends a text to the caller of a missed call and writes them into the phonebook. If the second request fails, the
 * faulty one starts over.
 */
function apology(sim: Simulator, { remembersTexts }: { remembersTexts: boolean }) {
  const handled = once();
  const texted = once();
  const rest = restClient(sim);
  onEvent(sim, async ({ id, type, data }) => {
    if (type !== "call.not_answered") return;
    const { companyNumber, contactNumber } = data.call;
    const text = () =>
      rest("POST", "/conversationMessages", {
        companyAddress: companyNumber,
        contactAddresses: [contactNumber],
        messageContent: { text: "Sorry that we missed you. We call back soon." },
        routingAction: "assign_owner",
      });
    await handled(id, async () => {
      await (remembersTexts ? texted(id, text) : text());
      await rest("PUT", "/phonebooks/customers/contacts", {
        contacts: [
          { id: `caller-${contactNumber?.slice(1)}`, name: "A caller", phoneNumbers: [contactNumber] },
        ],
      });
    });
  });
}

export const retriesPost = proof({
  name: "retries-post",
  scenario: `
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555987", to: "+6495550100" } }
  - { at: PT20S, hangup: { call: c1, by: caller } }
`,
  faulty: (sim) => apology(sim, { remembersTexts: false }),
  corrected: (sim) => apology(sim, { remembersTexts: true }),
  eventually: {
    "nobody gets two texts": (sim) => {
      for (const { messages } of sim.conversations.list()) expect(messages.length).toBe(1);
    },
    "whoever was missed gets a text, and is in the phonebook": (sim) => {
      const texted = sim.conversations.list().flatMap(({ contactAddresses }) => contactAddresses);
      const known = sim.phonebooks
        .get("customers")
        .record.contacts.flatMap(({ phoneNumbers }) => phoneNumbers);
      for (const { contactNumber } of toldOf(sim, "call.not_answered")) {
        expect(texted).toContain(contactNumber);
        expect(known).toContain(contactNumber);
      }
    },
  },
});
