import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, once, onEvent, restClient } from "./hooks.ts";
import { proof } from "./proof.ts";

/**
 * A chat bot that repeats each question with its answer. The faulty one answers whatever it hears, so a question that is
 * delivered late is answered last.
 */
function chatBot(sim: Simulator, { ignoresOld }: { ignoresOld: boolean }) {
  const newest = new Map<string, number>();
  const answers = once();
  const rest = restClient(sim);
  onEvent(sim, async ({ type, data, createdTimestamp }) => {
    if (type !== "conversation.message.created" || data.message.author.type !== "external") return;
    const { id, author, content } = data.message;
    const { id: conversation, companyNumber } = data.conversation;
    if (ignoresOld && createdTimestamp < (newest.get(conversation) ?? 0)) return;
    newest.set(conversation, createdTimestamp);
    await answers(id, () =>
      rest("POST", "/conversationMessages", {
        companyAddress: companyNumber,
        contactAddresses: [author.phoneNumber],
        messageContent: { text: `You asked: ${content}` },
      }),
    );
  });
}

export const answersThePast = proof({
  name: "answers-the-past",
  scenario: `
scenario: A customer changes the question
steps:
  - { at: PT0S, createWebhook: { as: bot, url: "${hooks}", events: [conversation.message.created] } }
  - { at: PT0S, receiveMessage: { as: m1, from: "+6421555001", to: "+6495550100", text: "Are you open today?" } }
  - { at: PT20S, receiveMessage: { as: m2, from: "+6421555001", to: "+6495550100", text: "And tomorrow?" } }
`,
  faulty: (sim) => chatBot(sim, { ignoresOld: false }),
  corrected: (sim) => chatBot(sim, { ignoresOld: true }),
  eventually: {
    "the last answer is to the last question": (sim) => {
      for (const { messages } of sim.conversations.list()) {
        const asked = messages.filter(({ isApiCreated }) => !isApiCreated);
        const answered = messages.filter(({ isApiCreated }) => isApiCreated);
        if (answered.length > 0) expect(answered.at(-1)?.content).toBe(`You asked: ${asked.at(-1)?.content}`);
      }
    },
  },
  sometimes: {
    "a question is answered": (sim) =>
      sim.conversations.list().some(({ messages }) => messages.some(({ isApiCreated }) => isApiCreated)),
  },
});
