import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer } from "../../guards/example.ts";
import type { Conversations } from "../conversations.ts";
import { sendTeamMessageProblems } from "../problems.ts";
import { sendTeamMessageSchema } from "../schemas.ts";
import { sendWords, theSender } from "../words.ts";

export interface Needs {
  readonly conversations: Conversations;
  readonly directory: Directory;
}

export const sendTeamMessage = defineCommand({
  summary: "sends a message: the body of the deprecated `POST /teamMessages`",
  form: "the body of `POST /teamMessages`",
  now: "send",
  makes: "conversation",
  schema: sendTeamMessageSchema,
  actor: theSender,
  describe: sendWords,
  validate: ({ conversations, directory }: Needs, args) =>
    sendTeamMessageProblems(directory, conversations, args),
  run: ({ conversations }: Needs, args) => conversations.sendTeamMessage(args),
  example: () => ({
    companyAddress: "+6495550200",
    contactAddress: aCustomer,
    messageContent: { text: "Hello" },
  }),
});
