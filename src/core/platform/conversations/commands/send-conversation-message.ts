import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer, numberOfAlice } from "../../guards/example.ts";
import type { Conversations } from "../conversations.ts";
import { sendProblems } from "../problems.ts";
import { sendSchema } from "../schemas.ts";
import { sendWords, theSender } from "../words.ts";

export interface Needs {
  readonly conversations: Conversations;
  readonly directory: Directory;
}

export const sendConversationMessage = defineCommand({
  summary:
    "sends a message: the body of `POST /conversationMessages`, or of the deprecated `POST /messages` (`{ from, to, body }`) or `POST /teamMessages` (with `contactAddress`, `notifyUsers` or `assign_team`)",
  form: "the body of `POST /conversationMessages`",
  forms: {
    sendMessage: ["from", "to", "body"],
    sendTeamMessage: ["contactAddress", "notifyUsers", { routingAction: "assign_team" }],
  },
  makes: "conversation",
  schema: sendSchema,
  actor: theSender,
  describe: sendWords,
  validate: ({ conversations, directory }: Needs, args) => sendProblems(directory, conversations, args),
  run: ({ conversations }: Needs, args) => conversations.send(args),
  example: () => ({
    companyAddress: numberOfAlice,
    contactAddresses: [aCustomer],
    messageContent: { text: "Hello" },
    routingAction: "assign_owner" as const,
  }),
});
