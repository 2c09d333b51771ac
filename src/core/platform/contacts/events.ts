import * as v from "valibot";
import { deprecated, eventDataSchema, many, one, textField } from "../../records/fields.ts";
import { defineEvents, sharedField } from "../base/define-events.ts";
import { alice, exampleContact, inboundStep, jane, received, step, stranger } from "../base/shortest.ts";
import { callInEvent, callLaws } from "../calls/events.ts";
import { conversationParticipant, participant } from "../conversations/record.ts";
import type { ExampleSetup } from "../declare/example-setup.ts";
import { contact as contactRecord } from "../phonebooks/record.ts";

const contactOfCall = {
  call: callInEvent,
  contact: one(contactRecord, "The contact who the outside party is."),
};
const replaced = "`contact.shared` replaces it, which it follows.";

/** Assigns a contact who is known, another one, and a new one after the call. */
function assignedContacts(sim: ExampleSetup): void {
  sim.command("assignContact", { call: "call-1", by: "alice", contact: "jane" });
  const another = { name: "Jo Park", phoneNumbers: [jane] };
  sim.command("assignContact", { call: "call-1", by: "alice", contact: another });
  const missed = sim.command("inbound", { from: stranger, to: "+6495550103" });
  sim.command("decline", { call: missed, by: "carol" });
  const answered = sim.command("inbound", { from: stranger, to: "+6495550200" });
  sim.command("answer", { call: answered, by: "bob" });
  sim.command("assignContact", { call: missed, by: "carol", contact: exampleContact });
}

/** The events of contacts of calls and conversations. */
export const contactEvents = defineEvents({
  "call.contact_assigned_with_add": {
    data: deprecated(
      replaced,
      eventDataSchema("A call's outside party was made a new contact.", contactOfCall),
    ),
    page: "contacts",
    settings: ["organisation.phonebooks"],
    instant: sharedField("call.lastModified"),
    laws: callLaws,
    shortest: {
      title: "A caller becomes a new contact",
      steps: [
        inboundStep(stranger, alice),
        step("assignContact", "PT5S", { call: "c1", by: "alice", contact: exampleContact }),
      ],
    },
    example: assignedContacts,
  },
  "call.contact_assigned_with_update": {
    data: deprecated(replaced, eventDataSchema("A call's outside party is a known contact.", contactOfCall)),
    page: "contacts",
    settings: ["organisation.phonebooks"],
    instant: sharedField("call.lastModified"),
    laws: callLaws,
    shortest: {
      title: "A caller is a known contact",
      steps: [
        inboundStep(jane, alice),
        step("assignContact", "PT5S", { call: "c1", by: "alice", contact: "jane" }),
      ],
    },
  },
  "contact.shared": {
    data: eventDataSchema("A contact is shared with those who take part in a call or a conversation.", {
      contact: one(contactRecord, "The contact."),
      participants: many(
        v.union([participant, conversationParticipant]),
        "Those who take part in the call or the conversation.",
      ),
      channel: textField("`call`, or the channel of a conversation."),
    }),
    page: "contacts",
    settings: [],
    instant: undefined,
    laws: [],
    shortest: {
      title: "A contact is shared with a conversation",
      steps: [received, step("shareContact", "PT5S", { conversation: "m1", contact: "jane" })],
    },
  },
});
