import {
  type ConversationRecord,
  conversationRecord,
  type ReceiveResult,
  type SendResult,
} from "../../records/conversation.ts";
import type { Base, CommandInput } from "../base.ts";
import type { Conversations } from "./conversations.ts";

export interface Needs extends Base {
  readonly conversations: Conversations;
}

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

export function conversationsApi(world: Needs): ConversationsApi {
  return {
    send: (message) => world.command("sendConversationMessage", message),
    sendMessage: (message) => world.command("sendMessage", message),
    sendTeamMessage: (message) => world.command("sendTeamMessage", message),
    receive: (message) => world.command("receiveMessage", message),
    get: (id) => conversationRecord(world.conversations.find(id)),
    list: () => [...world.tables.conversations].map(conversationRecord),
    close: (id) => world.command("closeConversation", { conversation: id }),
    read: (id, by) => world.command("readConversation", { conversation: id, by }),
    assignContact: (id, contact) => world.command("assignConversationContact", { conversation: id, contact }),
    shareContact: (id, contact) => world.command("shareContact", { conversation: id, contact }),
  };
}
