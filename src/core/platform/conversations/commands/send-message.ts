import { theOwnerFrom } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer, numberOfAlice } from "../../guards/example.ts";
import type { Conversations } from "../conversations.ts";
import { sendMessageProblems } from "../problems.ts";
import { sendMessageSchema } from "../schemas.ts";

export interface Needs {
  readonly conversations: Conversations;
  readonly directory: Directory;
}

export const sendMessage = defineCommand({
  summary: "sends a message: the body of the deprecated `POST /messages`",
  form: "the body of `POST /messages`",
  now: "send",
  makes: "conversation",
  schema: sendMessageSchema,
  actor: theOwnerFrom,
  describe: ({ to, body }) => ({
    kind: "message",
    verb: "writes to",
    mention: { people: [to] },
    said: body,
  }),
  validate: ({ directory }: Needs, args) => sendMessageProblems(directory, args),
  run: ({ conversations }: Needs, args) => conversations.sendMessage(args),
  example: () => ({ from: numberOfAlice, to: aCustomer, body: "Hello" }),
});
