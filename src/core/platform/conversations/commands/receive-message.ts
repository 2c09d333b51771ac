import { theOutsider } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer, numberOfAlice } from "../../guards/example.ts";
import type { Conversations } from "../conversations.ts";
import { receiveProblems } from "../problems.ts";
import { receiveSchema } from "../schemas.ts";

export interface Needs {
  readonly conversations: Conversations;
}

export const receiveMessage = defineCommand({
  summary: "an incoming message, such as an SMS, from outside; `as` names the conversation for later steps",
  makes: "conversation",
  schema: receiveSchema,
  actor: theOutsider,
  describe({ to, text: said, channel = "sms", media: files = [] }) {
    const by = channel === "sms" ? {} : { detail: `by ${channel}` };
    return {
      kind: "message",
      verb: "writes to",
      mention: { number: to },
      ...by,
      said,
      attachments: files.length,
    };
  },
  validate: ({ conversations }: Needs, args) => receiveProblems(conversations, args),
  run: ({ conversations }: Needs, args) => conversations.receive(args),
  example: () => ({ from: aCustomer, to: numberOfAlice, text: "Hello" }),
});
