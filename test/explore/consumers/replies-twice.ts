import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, once, onEvent, type RestError, restClient } from "./hooks.ts";
import { proof } from "./proof.ts";

/**
 * Replies to messages outside working hours. The faulty one notes a reply only afterwards, so a second delivery may
 * come first.
 */
function autoReply(sim: Simulator, { notesFirst }: { notesFirst: boolean }) {
  const replied = new Set<string>();
  const replies = once();
  const rest = restClient(sim);
  onEvent(sim, async ({ type, data }) => {
    if (type !== "conversation.message.created" || data.message.author.type !== "external") return;
    const { id, author } = data.message;
    const reply = async () => {
      if (replied.has(id)) return;
      const sent = rest("POST", "/conversationMessages", {
        companyAddress: data.conversation.companyNumber,
        contactAddresses: [author.phoneNumber],
        messageContent: { text: "We are closed, and back at nine." },
      });
      // a reply whose answer is lost may have been sent: rather none than two
      await sent.catch((error: RestError) => {
        if (!notesFirst || error.status > 0) throw error;
      });
      replied.add(id);
    };
    await (notesFirst ? replies(id, reply) : reply());
  });
}

export const repliesTwice = proof({
  name: "replies-twice",
  scenario: `
scenario: A message at night
steps:
  - { at: PT0S, createWebhook: { as: bot, url: "${hooks}", events: [conversation.message.created] } }
  - { at: PT0S, receiveMessage: { as: m1, from: "+6421555001", to: "+6495550100", text: "Are you open?" } }
`,
  faulty: (sim) => autoReply(sim, { notesFirst: false }),
  corrected: (sim) => autoReply(sim, { notesFirst: true }),
  eventually: {
    "no message is replied to twice": (sim) => {
      for (const { messages } of sim.conversations.list()) {
        const replies = messages.filter(({ isApiCreated }) => isApiCreated).length;
        expect(replies).toBeLessThanOrEqual(messages.length - replies);
      }
    },
  },
  sometimes: {
    "a message is replied to": (sim) =>
      sim.conversations.list().some(({ messages }) => messages.some(({ isApiCreated }) => isApiCreated)),
  },
});
