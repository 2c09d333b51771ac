import type { MessageAuthor } from "../../records/conversation.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { Directory, Entry } from "../directory/directory.ts";
import type {
  MediaInput,
  ReceiveArguments,
  SendArguments,
  SendMessageArguments,
  SendTeamMessageArguments,
} from "./schemas.ts";
import { findDefaultNumber, type Thread } from "./thread.ts";

/**
 * A message to add to a conversation, with its options for the conversation. It may have to wait, so it is plain data
 * that a snapshot can hold.
 */
export interface Posting {
  readonly direction: "inbound" | "outbound";
  readonly text: string;
  readonly media: readonly MediaInput[];
  readonly author: MessageAuthor;
  /** Users to assign the conversation to, by id, in order. */
  readonly assign: readonly string[];
  /** Whether those users join an existing conversation. True if a routing action was given. */
  readonly joinsExisting: boolean;
  /** Which users are notified: all, those who were there before, or none. */
  readonly notify: "all" | "existing" | "none";
  /** Whether the message counts as read if nothing else is unread. */
  readonly isRead: boolean;
  readonly closeTimer: string | undefined;
  /** Only for a new conversation. */
  readonly claimRule: string | undefined;
  /** Only for a new conversation. */
  readonly name: string | undefined;
  readonly passthroughParameters: Readonly<Record<string, string>> | undefined;
}

/** A message and its thread. */
export interface OutgoingMessage {
  readonly thread: Thread;
  readonly posting: Posting;
}

/** The properties that all three endpoints accept. */
type SendOptions = Pick<SendArguments, "closeTimer" | "conversationName" | "passthroughParameters">;

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

/** Makes postings from the bodies of the three endpoints and from inbound messages. */
export class Postings {
  constructor(private readonly services: Needs) {}

  /** `POST /conversationMessages`. */
  ofSend(body: SendArguments): OutgoingMessage {
    const { companyAddress, contactAddresses, channel = "sms", messageContent, notificationMode } = body;
    const owner = this.services.directory.mustFindOwner(companyAddress);
    return {
      thread: { companyNumber: companyAddress, contactAddresses, channel },
      posting: {
        ...this.outbound(messageContent, owner, body),
        assign: this.assigned(body, owner),
        joinsExisting: body.routingAction !== undefined,
        claimRule: body.claimRule,
        notify: notificationMode === undefined || notificationMode === "notify_unread" ? "all" : "none",
        isRead: notificationMode === "silent_read",
      },
    };
  }

  /** `POST /messages`: a new conversation is assigned to the sending user. */
  ofSendMessage(body: SendMessageArguments): OutgoingMessage {
    const { directory } = this.services;
    const isNumber = body.from.startsWith("+");
    const companyNumber = isNumber ? body.from : findDefaultNumber(directory, directory.user(body.from));
    if (companyNumber === undefined) throw new Error(`${body.from} was checked to have a number`);
    const owner = directory.mustFindOwner(companyNumber);
    return {
      thread: { companyNumber, contactAddresses: [body.to], channel: "sms" },
      posting: {
        ...this.outbound({ text: body.body }, owner, body),
        assign: [owner.record.id],
        notify: body.notifyUsers === false ? "existing" : "all",
      },
    };
  }

  /** `POST /teamMessages`: a new conversation is assigned to the team, unless the body says otherwise. */
  ofSendTeamMessage(body: SendTeamMessageArguments): OutgoingMessage {
    const { companyAddress, contactAddress, contactAddresses = [], messageContent } = body;
    const owner = this.services.directory.mustFindOwner(companyAddress);
    const recipients = contactAddress === undefined ? contactAddresses : [contactAddress];
    return {
      thread: { companyNumber: companyAddress, contactAddresses: recipients, channel: "sms" },
      posting: {
        ...this.outbound(messageContent, owner, body),
        assign: this.assigned({ ...body, routingAction: body.routingAction ?? "assign_team" }, owner),
        joinsExisting: body.routingAction !== undefined,
        claimRule: body.claimRule,
        notify: body.notifyUsers === false ? "existing" : "all",
      },
    };
  }

  /** A message from outside: a new conversation is assigned to the number's owner. */
  ofReceive(message: ReceiveArguments, author: MessageAuthor): OutgoingMessage {
    const { from, to, others = [], text = "", channel = "sms", media = [] } = message;
    const owner = this.services.directory.mustFindOwner(to);
    return {
      thread: { companyNumber: to, contactAddresses: [from, ...others], channel },
      posting: {
        direction: "inbound",
        text,
        media,
        author,
        assign: this.usersOf(owner),
        joinsExisting: false,
        notify: "all",
        isRead: false,
        closeTimer: undefined,
        claimRule: undefined,
        name: undefined,
        passthroughParameters: undefined,
      },
    };
  }

  private outbound(
    { text = "", media = [], sendAsUser }: SendArguments["messageContent"],
    owner: Entry,
    { closeTimer, conversationName, passthroughParameters }: SendOptions,
  ): Posting {
    const user = sendAsUser === undefined ? undefined : this.services.directory.user(sendAsUser);
    return {
      direction: "outbound",
      text,
      media,
      author: authorOf(user === undefined ? owner : { kind: "user", record: user }),
      assign: [],
      joinsExisting: false,
      notify: "all",
      isRead: false,
      closeTimer,
      claimRule: undefined,
      name: conversationName,
      passthroughParameters,
    };
  }

  /** The users to assign: the owner's users first, then the listed ones. */
  private assigned(
    { routingAction, assignUsers = [] }: { readonly routingAction?: string; readonly assignUsers?: string[] },
    owner: Entry,
  ): string[] {
    const listed = assignUsers.map((user) => this.services.directory.user(user).id);
    if (routingAction === "assign_users") return listed;
    const hasOwner = routingAction === "assign_owner" || routingAction === "assign_team";
    return hasOwner ? [...this.usersOf(owner), ...listed] : [];
  }

  /** The user who owns a number, or the users of the team that does. */
  private usersOf({ kind, record }: Entry): string[] {
    if (kind === "user") return [record.id];
    if (kind !== "team") return [];
    return record.teamMembers.map(({ id }) => id).filter((id) => this.services.tables.users.get(id));
  }
}

function authorOf({ kind, record }: Entry): MessageAuthor {
  const { id, displayName } = record;
  return kind === "user"
    ? { type: "user", id, displayName, email: record.email }
    : { type: "team", id, displayName };
}
