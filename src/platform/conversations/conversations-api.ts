import type { ConversationRecord, ReceiveResult, SendResult } from "../../records/conversation.ts";
import { type CommandInput, runCommand } from "../commands.ts";
import type { Platform } from "../platform.ts";

type ContactInput = CommandInput<"assignConversationContact">["contact"];

/** `sim.conversations`. A conversation is named by its id, or by the vendor's. */
export interface ConversationsApi {
  /**
   * Sends an SMS (one contact) or a group MMS (several) from a number of a user or a team: the body of
   * `POST /conversationMessages`. A new group begins `timing.groupMessageCreated` later, and has no `vendorMessageId`.
   * @throws {CommandError} `invalid_argument`; its `details` name everything that is wrong
   */
  send(message: CommandInput<"sendConversationMessage">): SendResult;
  /** The body of `POST /messages`, deprecated: sends on behalf of a user. @throws {CommandError} as `send` */
  sendMessage(message: CommandInput<"sendMessage">): SendResult;
  /** The body of `POST /teamMessages`, deprecated: sends on behalf of a team. @throws {CommandError} as `send` */
  sendTeamMessage(message: CommandInput<"sendTeamMessage">): SendResult;
  /**
   * An outside contact writes to a number of the organisation.
   * @param message.others the further contacts of a group, E.164
   * @param message.channel `sms` (default) or `whatsApp`, which has no groups
   * @throws {CommandError} `invalid_argument`, `unknown_number`; `not_allowed` for a number without `sms: true`
   */
  receive(message: CommandInput<"receiveMessage">): ReceiveResult;
  /** The record as it is now, frozen. @throws {CommandError} `not_found` */
  get(id: string): ConversationRecord;
  /** Every conversation, closed or not, in the order in which they began. */
  list(): ConversationRecord[];
  /** @throws {CommandError} `not_found`, `conversation_closed` */
  close(id: string): void;
  /** A user has read it. @throws {CommandError} `not_found` also for a user whom it is not assigned to */
  read(id: string, by: string): void;
  /**
   * Says who the outside contact is, as an update of the conversation.
   * @param contact the id of a contact in a phonebook that a user of the conversation sees, or the contact itself
   * @throws {CommandError} `not_found`, `conversation_closed`; `not_allowed` for one who is none of a group
   */
  assignContact(id: string, contact: ContactInput): void;
  /** Shares a contact from the conversation, which stays as it is. @throws {CommandError} `not_found` */
  shareContact(id: string, contact: ContactInput): void;
}

export function conversationsApi(platform: Platform): ConversationsApi {
  return {
    send: (message) => runCommand(platform, "sendConversationMessage", message),
    sendMessage: (message) => runCommand(platform, "sendMessage", message),
    sendTeamMessage: (message) => runCommand(platform, "sendTeamMessage", message),
    receive: (message) => runCommand(platform, "receiveMessage", message),
    get: (id) => platform.conversations.find(id),
    list: () => [...platform.tables.conversations],
    close: (id) => runCommand(platform, "closeConversation", { conversation: id }),
    read: (id, by) => runCommand(platform, "readConversation", { conversation: id, by }),
    assignContact: (id, contact) =>
      runCommand(platform, "assignConversationContact", { conversation: id, contact }),
    shareContact: (id, contact) => runCommand(platform, "shareContact", { conversation: id, contact }),
  };
}
