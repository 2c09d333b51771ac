import { ForkableList, ForkableMap, GrowingList } from "../../foundation/collections.ts";
import { CommandError, notFound } from "../../foundation/errors.ts";
import { durationMs } from "../../foundation/instants.ts";
import type { Participant } from "../../generated/records.ts";
import type {
  ConversationParticipant,
  MessageRecord,
  ReceiveResult,
  SendResult,
  StoredConversation,
} from "../../records/conversation.ts";
import { dateFields, emptyDateFields } from "../../records/date-fields.ts";
import { RetentionQueue } from "../../records/retention-queue.ts";
import { deepFreeze } from "../../records/table.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { Said } from "../data-actions/answers.ts";
import type { DataActions } from "../data-actions/data-actions.ts";
import { defineService, type Tasks } from "../declare/service.ts";
import { type Directory, type Entry, referenceTo } from "../directory/directory.ts";
import type { Notifications } from "../notifications/notifications.ts";
import { accept, merge } from "../passthrough/passthrough.ts";
import type { Phonebooks } from "../phonebooks/phonebooks.ts";
import { hasUnread, newParticipant, usersAmong, withUnread } from "./participants.ts";
import { type OutgoingMessage, type Posting, Postings } from "./posting.ts";
import { senderProblem } from "./problems.ts";
import type {
  ReceiveArguments,
  SendArguments,
  SendMessageArguments,
  SendTeamMessageArguments,
} from "./schemas.ts";
import { type Thread, threadKey } from "./thread.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly phonebooks: Phonebooks;
  readonly notifications: Notifications;
  readonly dataActions: DataActions;
}

/** A posting with the ids of its message. */
interface Posted extends Posting {
  readonly messageId: string;
  readonly vendorMessageId: string;
}

/**
 * A conversation that is about to begin, and the messages that wait for it. Forks share this object, so replace it
 * and never change it.
 */
interface Beginning {
  readonly conversationId: string;
  readonly vendorConversationId: string;
  readonly thread: Thread;
  readonly posted: readonly Posted[];
}

/** The state besides the records. */
export interface State {
  /** Conversations that are not closed, by the key of their thread. */
  readonly open: ForkableMap<string, string>;
  /** All conversations, by the vendor's id. */
  readonly byVendorId: ForkableMap<string, string>;
  /** Conversations that are about to begin, by the key of their thread. */
  readonly beginnings: Map<string, Beginning>;
  /** Closed conversations; kept only if `retain` limits them. */
  readonly closed: ForkableList<string>;
  /** Inactive conversations without a close timer, in the order in which they became so; kept only if `retain` limits them. */
  readonly resting: Set<string>;
}

const newState = (): State => ({
  open: new ForkableMap(),
  byVendorId: new ForkableMap(),
  beginnings: new Map(),
  closed: new ForkableList(),
  resting: new Set(),
});

/** Conversations that began before this date have neither `initiatedBy` nor `companyNumberOwner`. */
const AUTHORS_SINCE_MS = Date.UTC(2023, 0, 1);

/** The host where the vendor keeps media. Requests to it go nowhere. */
const VENDOR_MEDIA = "https://media.ringback.test";
/** Messages, their conversations, and the conversations' timers. */
export class Conversations {
  private readonly postings: Postings;
  private readonly newest: RetentionQueue;

  constructor(
    private readonly services: Needs,
    private readonly state: State,
  ) {
    this.postings = new Postings(services);
    this.newest = new RetentionQueue(
      services.settings.keep.conversations,
      (id) => this.forget(id),
      state.closed,
    );
  }

  /** The directory, which the checks of messages use. */
  get directory(): Directory {
    return this.services.directory;
  }

  /** The handlers of its scheduled tasks. */
  static readonly tasks: Tasks<Conversations> = {
    "conversation.begin": (it, { data }) => it.begin((data as { key: string }).key),
  };

  /** `POST /conversationMessages`. */
  send(body: SendArguments): SendResult {
    return this.sent(this.postings.ofSend(body));
  }

  /** `POST /messages`, deprecated. */
  sendMessage(body: SendMessageArguments): SendResult {
    return this.sent(this.postings.ofSendMessage(body));
  }

  /** `POST /teamMessages`, deprecated. */
  sendTeamMessage(body: SendTeamMessageArguments): SendResult {
    return this.sent(this.postings.ofSendTeamMessage(body));
  }

  /** @throws {CommandError} `unknown_number`; `not_allowed` for a number that cannot receive messages */
  receive(message: ReceiveArguments): ReceiveResult {
    const { directory } = this.services;
    const problem = senderProblem(directory, message.to);
    if (problem !== undefined)
      throw new CommandError(
        directory.findOwner(message.to) === undefined ? "unknown_number" : "not_allowed",
        problem,
      );
    const author = this.externalParticipant(message.from, directory.mustFindOwner(message.to));
    const { conversationId, posted, isExisting } = this.post(this.postings.ofReceive(message, author));
    return { conversationId, messageId: posted.messageId, hasExistingConversation: isExisting };
  }

  /** Finds a conversation by its own id or the vendor's. @throws {CommandError} `not_found` */
  find(id: string): StoredConversation {
    const conversation = this.known(id);
    if (conversation === undefined) throw notFound("conversation", id, this.services.tables.conversations);
    return conversation;
  }

  /** A conversation by its own id or the vendor's, if its record is kept. */
  known(id: string): StoredConversation | undefined {
    const { conversations } = this.services.tables;
    return conversations.get(id) ?? conversations.get(this.state.byVendorId.get(id) ?? "");
  }

  /** Updates a conversation: it becomes open, and its timers restart. */
  update(id: string, changes: Partial<StoredConversation>): StoredConversation {
    const conversation = this.open(id, changes);
    const closeTimerMs = closeTimerOf(conversation);
    this.services.machines.send("conversation", id, { type: "UPDATE", closeTimerMs });
    return conversation;
  }

  /** Adds a user to the participants. */
  joined(id: string, userId: string): void {
    const { conversations, users } = this.services.tables;
    const { participants } = conversations.mustGet(id);
    conversations.patch(id, { participants: [...participants, newParticipant(users.mustGet(userId))] });
  }

  /** Updates a user's location in their conversations that are not closed. */
  personChanged(userId: string): void {
    const { conversations, users } = this.services.tables;
    const location = users.get(userId)?.location;
    if (location === undefined) return;
    for (const { id, status, participants } of [...conversations]) {
      const isOld = (each: ConversationParticipant) =>
        each.type === "user" && each.id === userId && each.location !== location;
      if (status === "closed" || !participants.some(isOld)) continue;
      conversations.update(id, (draft) => {
        for (const each of draft.participants)
          if (each.type === "user" && each.id === userId) each.location = location;
      });
    }
  }

  /** Whether a thread has an open conversation, or one that begins once the vendor or a data action has answered. */
  isThere(key: string): boolean {
    return this.state.open.has(key) || this.state.beginnings.has(key);
  }

  /** Makes an outside participant, with the contact's name from the owner's or the organisation's phonebooks. */
  externalParticipant(phoneNumber: string, owner: Entry): Extract<Participant, { type: "external" }> {
    const email = owner.kind === "user" ? owner.record.email : undefined;
    const displayName = this.services.phonebooks.findName(phoneNumber, email);
    return { type: "external", phoneNumber, displayName };
  }

  /** Marks a conversation as inactive. */
  inactive(id: string): void {
    this.change(id, { status: "inactive" });
  }

  /** Adds an inactive conversation to those that `retain` limits, if nothing else ends it: the longest inactive are dropped first. */
  rest(id: string): void {
    const { machines, settings, tables } = this.services;
    const keep = settings.keep.conversations;
    if (keep === Number.POSITIVE_INFINITY || closeTimerOf(tables.conversations.mustGet(id)) !== null) return;
    const { resting } = this.state;
    resting.add(id);
    for (const oldest of resting) {
      if (resting.size <= keep) break;
      resting.delete(oldest);
      machines.forget("conversation", oldest);
      this.state.open.delete(threadKeyOf(tables.conversations.mustGet(oldest)));
      this.forget(oldest);
    }
  }

  /** Marks a conversation as closed. The next message of its thread begins another. */
  closed(id: string): void {
    const conversation = this.change(id, {
      status: "closed",
      ...dateFields("closed", this.services.engine.now),
    });
    this.state.resting.delete(id);
    this.state.open.delete(threadKeyOf(conversation));
  }

  /** Adds a closed conversation to those that `retain` limits: the oldest are dropped first. */
  finish(id: string): void {
    this.newest.addFinished(id);
  }

  /** Begins the conversation that waited for the Inbound Conversations data action, even if it failed. */
  dataActionAnswered(key: string, said: Said<"inboundConversations"> | undefined): void {
    this.begin(key, said);
  }

  private sent(outgoing: OutgoingMessage): SendResult {
    const { vendorConversationId, posted, isExisting } = this.post(outgoing);
    const { vendor } = this.services.settings.dialect;
    const answer = { hasExistingConversation: isExisting, vendor, vendorConversationId };
    const isNewGroup = !isExisting && outgoing.thread.contactAddresses.length > 1;
    return isNewGroup ? answer : { ...answer, vendorMessageId: posted.vendorMessageId };
  }

  /** Takes every message: adds it to its thread's conversation, or begins one. */
  private post({ thread, posting }: OutgoingMessage) {
    const { engine, tables } = this.services;
    const key = threadKey(thread.companyNumber, thread.contactAddresses, thread.channel);
    const posted: Posted = {
      messageId: engine.ids.next("message"),
      vendorMessageId: engine.ids.next("vendor-message"),
      ...posting,
    };
    const existing = this.state.open.get(key);
    if (existing !== undefined) {
      this.add(existing, posted, false);
      const { vendorConversationId } = tables.conversations.mustGet(existing);
      return { conversationId: existing, vendorConversationId, posted, isExisting: true };
    }
    const beginning = this.state.beginnings.get(key);
    if (beginning !== undefined) {
      this.state.beginnings.set(key, { ...beginning, posted: [...beginning.posted, posted] });
      return { ...beginning, posted, isExisting: true };
    }
    const conversationId = engine.ids.next("conversation");
    const vendorConversationId = engine.ids.next("vendor-conversation");
    const begun: Beginning = { conversationId, vendorConversationId, thread, posted: [posted] };
    this.state.beginnings.set(key, begun);
    this.prepare(key, begun, posted);
    return { conversationId, vendorConversationId, posted, isExisting: false };
  }

  /**
   * Begins a conversation, at once or later: a new group waits for the vendor, an inbound message for its data action.
   */
  private prepare(
    key: string,
    { conversationId, vendorConversationId, thread }: Beginning,
    first: Posted,
  ): void {
    const { dataActions, directory, engine, settings } = this.services;
    if (first.direction === "inbound" && dataActions.isAsked("inboundConversations")) {
      const { author, text: content, media, vendorMessageId } = first;
      dataActions.askInboundConversations(key, {
        conversationId,
        ...thread,
        companyNumberOwner: referenceTo(directory.mustFindOwner(thread.companyNumber)),
        vendor: settings.dialect.vendor,
        vendorConversationId,
        message: { author, content, media, vendorMessageId },
      });
    } else if (first.direction === "outbound" && thread.contactAddresses.length > 1)
      engine.schedule(
        settings.timing.groupMessageCreated,
        "conversation.begin",
        conversationId,
        "conversation: group created",
        { key },
      );
    else this.begin(key);
  }

  /** Begins a conversation with all messages that waited for it. */
  private begin(key: string, said: Said<"inboundConversations"> = {}): void {
    const beginning = this.state.beginnings.get(key);
    const first = beginning?.posted[0];
    if (beginning === undefined || first === undefined) throw new Error(`no conversation begins as "${key}"`);
    const { conversationId, vendorConversationId, thread, posted } = beginning;
    const { directory, engine, settings, tables } = this.services;
    const owner = directory.mustFindOwner(thread.companyNumber);
    const hasAuthors = engine.now >= AUTHORS_SINCE_MS;
    this.state.beginnings.delete(key);
    this.state.open.set(key, conversationId);
    this.state.byVendorId.set(vendorConversationId, conversationId);
    tables.conversations.insert({
      id: conversationId,
      status: "open",
      channel: thread.channel,
      name: first.name ?? null,
      companyNumber: thread.companyNumber,
      companyNumberOwner: hasAuthors ? referenceTo(owner) : null,
      contactAddresses: thread.contactAddresses,
      initiatedBy: hasAuthors ? first.author : null,
      participants: thread.contactAddresses.map((number) => this.externalParticipant(number, owner)),
      vendor: settings.dialect.vendor,
      vendorConversationId,
      messages: new GrowingList(),
      claimRule: said.claimRule ?? first.claimRule ?? null,
      closeTimer: said.closeTimer ?? null,
      passthroughParameters: accept(said.passthroughParameters),
      ...dateFields("created", engine.now),
      ...dateFields("lastModified", engine.now),
      ...emptyDateFields("closed"),
    });
    for (const each of posted) this.add(conversationId, each, each === first);
  }

  /** Adds a message to a conversation. */
  private add(id: string, posted: Posted, isFirst: boolean): void {
    const { tables } = this.services;
    const before = tables.conversations.mustGet(id);
    const message = this.newMessage(before, posted);
    const closeTimer = posted.closeTimer ?? before.closeTimer;
    if (isFirst) this.start({ ...before, closeTimer });
    if (isFirst || posted.joinsExisting) for (const user of posted.assign) this.join(id, user);
    const { participants: assigned } = tables.conversations.mustGet(id);
    const isRead = posted.isRead && !hasUnread(assigned);
    const changes = {
      participants: isRead ? assigned : withUnread(assigned),
      messages: before.messages.with(message),
      closeTimer,
      passthroughParameters: merge(before.passthroughParameters, posted.passthroughParameters),
    };
    const conversation = isFirst ? this.open(id, changes) : this.update(id, changes);
    this.services.raise.messageAdded({ conversation, message });
    this.notify(conversation, message, posted, isFirst ? [] : before.participants);
  }

  private newMessage({ vendorConversationId }: StoredConversation, posted: Posted): MessageRecord {
    const { engine, settings } = this.services;
    const media = posted.media.map(({ url, mimeType = null }) => {
      const id = engine.ids.next("media");
      const vendorResourceUrl = `${VENDOR_MEDIA}/${vendorConversationId}/${id}`;
      return { id, url, mimeType, ...(settings.vendorAccount === "own" ? { vendorResourceUrl } : {}) };
    });
    return deepFreeze({
      id: posted.messageId,
      author: posted.author,
      direction: posted.direction,
      content: posted.text,
      vendorMessageId: posted.vendorMessageId,
      isApiCreated: posted.direction === "outbound",
      media,
      ...dateFields("created", engine.now),
    });
  }

  /** Notifies the users of a conversation, including the one on whose behalf the API sent the message. */
  private notify(
    conversation: StoredConversation,
    message: MessageRecord,
    { notify }: Posted,
    before: readonly ConversationParticipant[],
  ): void {
    if (notify === "none") return;
    const recipients = notify === "all" ? conversation.participants : before;
    for (const user of usersAmong(recipients))
      this.services.notifications.message(user, conversation, message);
  }

  /** Starts the machine of a conversation, and with it both timers. */
  private start(begun: StoredConversation): void {
    const { machines, settings } = this.services;
    machines.start(
      "conversation",
      begun.id,
      { recordId: begun.id },
      {
        inactivityMs: settings.timing.conversationInactive,
        closeTimerMs: closeTimerOf(begun),
        participants: begun.contactAddresses,
      },
    );
  }

  /** Lets a user join if the conversation's machine allows it. */
  private join(id: string, participant: string): void {
    const { machines } = this.services;
    const event = { type: "JOIN", participant } as const;
    if (machines.can("conversation", id, event)) machines.send("conversation", id, event);
  }

  private open(id: string, changes: Partial<StoredConversation>): StoredConversation {
    this.state.resting.delete(id);
    return this.change(id, { ...changes, status: "open" });
  }

  private forget(id: string): void {
    const { conversations } = this.services.tables;
    this.state.byVendorId.delete(conversations.mustGet(id).vendorConversationId);
    conversations.remove(id);
  }

  private change(id: string, changes: Partial<StoredConversation>): StoredConversation {
    const { engine, tables } = this.services;
    return tables.conversations.patch(id, { ...changes, ...dateFields("lastModified", engine.now) });
  }
}

/** The key of a conversation's thread. */
function threadKeyOf({ companyNumber, contactAddresses, channel }: StoredConversation): string {
  return threadKey(companyNumber, contactAddresses, channel);
}

/** The time after its last update at which a conversation closes, ms; null if it stays open. */
function closeTimerOf({ closeTimer }: StoredConversation): number | null {
  return closeTimer === null ? null : (durationMs(closeTimer) ?? null);
}

/** Messages and conversations. */
export const conversations = defineService({
  init: newState,
  create: (services: Needs, state) => new Conversations(services, state),
  tasks: Conversations.tasks,
});
