import {
  type ConversationRecord,
  conversationRecord,
  type ReceiveResult,
  type SendResult,
} from "../../records/conversation.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import type { Conversations } from "./conversations.ts";

export interface Needs extends CoreServices {
  readonly conversations: Conversations;
}

type ContactInput = CommandInput<"assignConversationContact">["contact"];

/** `sim.conversations`. A conversation's id is our own or the vendor's. */
export interface ConversationsApi {
  /**
   * Sends an SMS (one contact) or a group MMS (several) from a number of a user or a team. Takes the body of each of the
   * three endpoints that send, and knows them by their keys: `from`, `to` and `body` are of `POST /messages`;
   * `contactAddress`, `notifyUsers` and `routingAction: "assign_team"` of `POST /teamMessages`.
   * A new group begins `timing.groupMessageCreated` later, so its result has no `vendorMessageId`.
   * @param message the body of `POST /conversationMessages`, or of the deprecated `POST /messages` or `POST /teamMessages`
   * @throws {CommandError} `invalid_argument`; its `details` list every problem, or name a key of each of two bodies
   * @example
   * const { vendorMessageId } = sim.conversations.send({
   *   companyAddress: "+6495550100",
   *   contactAddresses: ["+6421555001"],
   *   messageContent: { text: "Your parcel is here." },
   *   routingAction: "assign_owner",
   * });
   * sim.conversations.send({ from: "+6495550100", to: "+6421555001", body: "It is on your desk." });
   * sim.conversations.list().length; // => 1
   */
  send(message: CommandInput<"sendConversationMessage">): SendResult;
  /**
   * Sends on behalf of a user.
   * @param message the body of the deprecated `POST /messages`
   * @deprecated `send` takes the same.
   * @throws {CommandError} as `send`
   * @example
   * sim.conversations.sendMessage({ from: "+6495550100", to: "+6421555001", body: "Your parcel is here." });
   * sim.conversations.list().length; // => 1
   */
  sendMessage(message: CommandInput<"sendMessage">): SendResult;
  /**
   * Sends on behalf of a team.
   * @param message the body of the deprecated `POST /teamMessages`
   * @deprecated `send` takes the same.
   * @throws {CommandError} as `send`
   * @example
   * sim.conversations.sendTeamMessage({
   *   companyAddress: "+6495550200",
   *   contactAddress: "+6421555001",
   *   messageContent: { text: "Your parcel is here." },
   *   routingAction: "do_not_route",
   * });
   */
  sendTeamMessage(message: CommandInput<"sendTeamMessage">): SendResult;
  /**
   * An outside contact writes to a number of the organisation.
   * @param message.others a group's further contacts, E.164
   * @param message.channel `sms` (default) or `whatsApp`, which has no groups
   * @throws {CommandError} `invalid_argument`, `unknown_number`; `not_allowed` for a number without `sms: true`
   * @example
   * sim.conversations.receive({ from: "+6421555001", to: "+6495550200", text: "Are you open?" });
   * sim.events.at(-1)?.type; // => "conversation.message.created"
   */
  receive(message: CommandInput<"receiveMessage">): ReceiveResult;
  /**
   * Returns the current record of a conversation, frozen.
   * @param id the conversation's id, our own or the vendor's
   * @throws {CommandError} `not_found`
   * @example
   * const { conversationId } = sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "Are you open?" });
   * sim.conversations.get(conversationId).messages[0]?.content; // => "Are you open?"
   */
  get(id: string): ConversationRecord;
  /**
   * All conversations, open or closed, in the order in which they began.
   * @example
   * sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "Are you open?" });
   * sim.conversations.list().map(({ status }) => status); // => ["open"]
   */
  list(): ConversationRecord[];
  /**
   * Closes a conversation.
   * @param id the conversation's id, our own or the vendor's
   * @throws {CommandError} `not_found`, `conversation_closed`
   * @example
   * const { conversationId } = sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "Are you open?" });
   * sim.conversations.close(conversationId);
   * sim.events.at(-1)?.type; // => "conversation.closed"
   */
  close(id: string): void;
  /**
   * A user reads a conversation.
   * @param id the conversation's id, our own or the vendor's
   * @param by the user, by id or e-mail address
   * @throws {CommandError} `not_found`, also if it is not assigned to the user
   * @example
   * const { conversationId } = sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "Are you open?" });
   * sim.conversations.read(conversationId, "alice");
   */
  read(id: string, by: string): void;
  /**
   * Assigns a contact to the outside participant. This updates the conversation.
   * @param id the conversation's id, our own or the vendor's
   * @param contact the id of a contact in a phonebook that a user of the conversation sees, or the contact itself
   * @throws {CommandError} `not_found`, `conversation_closed`; `not_allowed` if nobody in a group has the contact's
   * number
   * @example
   * const { conversationId } = sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "Are you open?" });
   * sim.conversations.assignContact(conversationId, "jane");
   * sim.events.at(-1)?.type; // => "conversation.contact_assigned"
   */
  assignContact(id: string, contact: ContactInput): void;
  /**
   * Shares a contact. The conversation does not change.
   * @param id the conversation's id, our own or the vendor's
   * @param contact as for `assignContact`
   * @throws {CommandError} `not_found`
   * @example
   * const { conversationId } = sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "Are you open?" });
   * sim.conversations.shareContact(conversationId, "kiwi-freight");
   * sim.events.at(-1)?.type; // => "contact.shared"
   */
  shareContact(id: string, contact: ContactInput): void;
}

export function conversationsApi(services: Needs): ConversationsApi {
  return {
    send: (message) => services.command("sendConversationMessage", message),
    sendMessage: (message) => services.command("sendMessage", message),
    sendTeamMessage: (message) => services.command("sendTeamMessage", message),
    receive: (message) => services.command("receiveMessage", message),
    get: (id) => conversationRecord(services.conversations.find(id)),
    list: () => [...services.tables.conversations].map(conversationRecord),
    close: (id) => services.command("closeConversation", { conversation: id }),
    read: (id, by) => services.command("readConversation", { conversation: id, by }),
    assignContact: (id, contact) =>
      services.command("assignConversationContact", { conversation: id, contact }),
    shareContact: (id, contact) => services.command("shareContact", { conversation: id, contact }),
  };
}
