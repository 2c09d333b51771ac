import type { AgendaItem } from "../../engine/agenda.ts";
import { ForkableList, ForkableMap, GrowingList } from "../../engine/collections.ts";
import { CommandError, notFound } from "../../engine/errors.ts";
import { durationMs } from "../../engine/instants.ts";
import type { Participant } from "../../generated/records.ts";
import {
  type ConversationParticipant,
  conversationRecord,
  type KeptConversation,
  type MessageRecord,
  type ReceiveResult,
  type SendResult,
} from "../../records/conversation.ts";
import { moment, noMoment } from "../../records/moments.ts";
import { Newest } from "../../records/newest.ts";
import { deepFreeze } from "../../records/table.ts";
import type { Base } from "../base.ts";
import { capability, command } from "../capability.ts";
import type { DataActions, Said } from "../data-actions/data-actions.ts";
import { type Directory, type Entry, referenceTo } from "../directory/directory.ts";
import type { Notifications } from "../notifications/notifications.ts";
import { accept, merge } from "../passthrough/passthrough.ts";
import type { Phonebooks } from "../phonebooks/phonebooks.ts";
import {
  type CloseConversationArguments,
  closeConversationSchema,
  type ReadConversationArguments,
  type ReceiveArguments,
  readConversationSchema,
  receiveSchema,
  type SendArguments,
  type SendMessageArguments,
  type SendTeamMessageArguments,
  sendMessageSchema,
  sendSchema,
  sendTeamMessageSchema,
} from "./commands.ts";
import { hasUnread, usersAmong, withUnread, withUsers } from "./participants.ts";
import { type Letter, type Posting, Postings } from "./posting.ts";
import {
  receiveProblems,
  senderProblem,
  sendMessageProblems,
  sendProblems,
  sendTeamMessageProblems,
} from "./problems.ts";
import { keyOf, type Thread } from "./thread.ts";

export interface Needs extends Base {
  readonly directory: Directory;
  readonly phonebooks: Phonebooks;
  readonly notifications: Notifications;
  readonly dataActions: DataActions;
}

/** A posting with the ids that it was told by. */
interface Posted extends Posting {
  readonly messageId: string;
  readonly vendorMessageId: string;
}

/** A conversation that is not there yet, and what waits to be in it. Replaced, never changed, so forks share it. */
interface Beginning {
  readonly conversationId: string;
  readonly vendorConversationId: string;
  readonly thread: Thread;
  readonly posted: readonly Posted[];
}

/** What changes during a run beside the records. */
export interface State {
  /** Those that are not closed, by the key of their thread. */
  readonly open: ForkableMap<string, string>;
  /** All of them, by the vendor's id. */
  readonly byVendorId: ForkableMap<string, string>;
  /** Those that are about to be, by the key of their thread. */
  readonly beginnings: Map<string, Beginning>;
  /** Those that are closed, while there is a limit on them. */
  readonly closed: ForkableList<string>;
}

const newState = (): State => ({
  open: new ForkableMap(),
  byVendorId: new ForkableMap(),
  beginnings: new Map(),
  closed: new ForkableList(),
});

/** Where the vendor keeps what was sent: a host that leads nowhere. */
const VENDOR_MEDIA = "https://media.ringback.test";
/** Messages, the conversations that they belong to, and the timers of these. */
export class Conversations {
  private readonly postings: Postings;
  private readonly newest: Newest;

  constructor(
    private readonly world: Needs,
    private readonly state: State,
  ) {
    this.postings = new Postings(world);
    this.newest = new Newest(world.settings.keep.conversations, (id) => this.forget(id), state.closed);
  }

  /** Who is who: what is wrong with a message depends on it. */
  get directory(): Directory {
    return this.world.directory;
  }

  /** The handlers of what this schedules. */
  readonly tasks = {
    "conversation.begin": (item: AgendaItem) => this.begin((item.data as { key: string }).key),
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

  /** @throws {CommandError} `unknown_number`; `not_allowed` for a number without messages */
  receive(message: ReceiveArguments): ReceiveResult {
    const { directory } = this.world;
    const problem = senderProblem(directory, message.to);
    if (problem !== undefined)
      throw new CommandError(
        directory.findOwner(message.to) === undefined ? "unknown_number" : "not_allowed",
        problem,
      );
    const author = this.externalParticipant(message.from, directory.ownerOf(message.to));
    const { conversationId, posted, isExisting } = this.post(this.postings.ofReceive(message, author));
    return { conversationId, messageId: posted.messageId, hasExistingConversation: isExisting };
  }

  /** @throws {CommandError} `not_found`, `conversation_closed` */
  close({ conversation }: CloseConversationArguments): void {
    const { id } = this.mustBeLive(conversation, "closed again");
    this.world.machines.send("conversation", id, { type: "CLOSE" });
  }

  /** @throws {CommandError} `not_found` also for someone whom it is not assigned to */
  read({ conversation, by }: ReadConversationArguments): void {
    const { id, participants } = this.find(conversation);
    const user = this.world.directory.user(by);
    const users = usersAmong(participants).map((each) => each.id);
    if (!users.includes(user.id))
      throw new CommandError(
        "not_found",
        `conversation ${id} is not assigned to ${user.id}; assigned to: ${users.join(", ") || "nobody"}`,
      );
    this.world.tables.conversations.patch(id, {
      participants: participants.map((each) =>
        each.type === "user" && each.id === user.id ? { ...each, unreadCount: 0 } : each,
      ),
    });
  }

  /** By our id or the vendor's. @throws {CommandError} `not_found` */
  find(id: string): KeptConversation {
    const { conversations } = this.world.tables;
    const conversation = conversations.get(id) ?? conversations.get(this.state.byVendorId.get(id) ?? "");
    if (conversation === undefined) throw notFound("conversation", id, conversations);
    return conversation;
  }

  /** By our id or the vendor's. @throws {CommandError} `not_found`, `conversation_closed` */
  mustBeLive(given: string, what: string): KeptConversation {
    const conversation = this.find(given);
    if (conversation.status === "closed")
      throw new CommandError(
        "conversation_closed",
        `conversation ${conversation.id} is closed and cannot be ${what}: the next message begins another`,
      );
    return conversation;
  }

  /** An update: it is open, modified now, and its timers start again. */
  update(id: string, changes: Partial<KeptConversation>): KeptConversation {
    const conversation = this.change(id, { ...changes, status: "open" });
    this.restartTimers(id, conversation.closeTimer);
    return conversation;
  }

  /** Whether a thread has a conversation that is not closed, or will have as soon as the vendor or a data action answers. */
  isThere(key: string): boolean {
    return this.state.open.has(key) || this.state.beginnings.has(key);
  }

  /** Someone outside, by the name that the owner of the number, or the organisation, knows them by. */
  externalParticipant(phoneNumber: string, owner: Entry): Extract<Participant, { type: "external" }> {
    const email = owner.kind === "user" ? owner.record.email : undefined;
    const contact = this.world.phonebooks.contactOf(phoneNumber, email);
    return { type: "external", phoneNumber, displayName: contact?.name ?? phoneNumber };
  }

  /** Nothing was updated for a while. */
  inactive(id: string): void {
    this.change(id, { status: "inactive" });
  }

  /** It is over: the next message of its thread begins another. */
  closed(id: string): void {
    const conversation = this.change(id, { status: "closed", ...moment("closed", this.world.engine.now) });
    const { companyNumber, contactAddresses, channel } = conversation;
    this.state.open.delete(keyOf(companyNumber, contactAddresses, channel));
  }

  /** A closed conversation may be forgotten once there are newer ones. */
  finish(id: string): void {
    this.newest.over(id);
  }

  /** The Inbound Conversations data action has spoken, or not: the conversation that waited for it begins. */
  goOn(key: string, said: Said<"inboundConversations"> | undefined): void {
    this.begin(key, said);
  }

  private sent(letter: Letter): SendResult {
    const { vendorConversationId, posted, isExisting } = this.post(letter);
    const { vendor } = this.world.settings.dialect;
    const answer = { hasExistingConversation: isExisting, vendor, vendorConversationId };
    const isNewGroup = !isExisting && letter.thread.contactAddresses.length > 1;
    return isNewGroup ? answer : { ...answer, vendorMessageId: posted.vendorMessageId };
  }

  /** Every message goes through here: into the thread's conversation, or into one that begins with it. */
  private post({ thread, posting }: Letter) {
    const { engine, tables } = this.world;
    const key = keyOf(thread.companyNumber, thread.contactAddresses, thread.channel);
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

  /** A group that is sent to takes the vendor a moment, a message from outside waits for the data action; the rest begins. */
  private prepare(
    key: string,
    { conversationId, vendorConversationId, thread }: Beginning,
    first: Posted,
  ): void {
    const { dataActions, directory, engine, settings } = this.world;
    if (first.direction === "inbound" && dataActions.isAsked("inboundConversations")) {
      const { author, text: content, media, vendorMessageId } = first;
      dataActions.askInboundConversations(key, {
        conversationId,
        ...thread,
        companyNumberOwner: referenceTo(directory.ownerOf(thread.companyNumber)),
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

  /** The conversation is there, with all that waited for it. */
  private begin(key: string, said: Said<"inboundConversations"> = {}): void {
    const beginning = this.state.beginnings.get(key);
    const first = beginning?.posted[0];
    if (beginning === undefined || first === undefined) throw new Error(`no conversation begins as "${key}"`);
    const { conversationId, vendorConversationId, thread, posted } = beginning;
    const { directory, engine, settings, tables } = this.world;
    const owner = directory.ownerOf(thread.companyNumber);
    this.state.beginnings.delete(key);
    this.state.open.set(key, conversationId);
    this.state.byVendorId.set(vendorConversationId, conversationId);
    tables.conversations.insert({
      id: conversationId,
      status: "open",
      channel: thread.channel,
      name: first.name ?? null,
      companyNumber: thread.companyNumber,
      companyNumberOwner: referenceTo(owner),
      contactAddresses: thread.contactAddresses,
      initiatedBy: first.author,
      participants: thread.contactAddresses.map((number) => this.externalParticipant(number, owner)),
      vendor: settings.dialect.vendor,
      vendorConversationId,
      messages: new GrowingList(),
      claimRule: said.claimRule ?? first.claimRule ?? null,
      closeTimer: said.closeTimer ?? null,
      passthroughParameters: accept(said.passthroughParameters),
      ...moment("created", engine.now),
      ...moment("lastModified", engine.now),
      ...noMoment("closed"),
    });
    for (const each of posted) this.add(conversationId, each, each === first);
  }

  /** A message goes into a conversation that is there. */
  private add(id: string, posted: Posted, isFirst: boolean): void {
    const { engine, tables } = this.world;
    const before = tables.conversations.mustGet(id);
    const message = this.newMessage(before, posted);
    const joining = isFirst || posted.joinsExisting ? posted.assign : [];
    const assigned = withUsers(
      before.participants,
      joining.map((user) => tables.users.mustGet(user)),
    );
    const isRead = posted.isRead && !hasUnread(assigned);
    const conversation = this.update(id, {
      participants: isRead ? assigned : withUnread(assigned),
      messages: before.messages.with(message),
      closeTimer: posted.closeTimer ?? before.closeTimer,
      passthroughParameters: merge(before.passthroughParameters, posted.passthroughParameters),
    });
    engine.publish("conversation.message.created", () => ({
      conversation: conversationRecord(conversation),
      message,
    }));
    this.tell(conversation, message, posted, isFirst ? [] : before.participants);
  }

  private newMessage({ vendorConversationId }: KeptConversation, posted: Posted): MessageRecord {
    const { engine } = this.world;
    const media = posted.media.map(({ url, mimeType = null }) => {
      const id = engine.ids.next("media");
      const vendorResourceUrl = `${VENDOR_MEDIA}/${vendorConversationId}/${id}`;
      return { id, url, mimeType, vendorResourceUrl };
    });
    return deepFreeze({
      id: posted.messageId,
      author: posted.author,
      direction: posted.direction,
      content: posted.text,
      vendorMessageId: posted.vendorMessageId,
      isApiCreated: posted.direction === "outbound",
      media,
      ...moment("created", engine.now),
    });
  }

  /** The users whom it is assigned to; also one in whose name the API sent it. */
  private tell(
    conversation: KeptConversation,
    message: MessageRecord,
    { notify }: Posted,
    before: readonly ConversationParticipant[],
  ): void {
    if (notify === "none") return;
    const told = notify === "all" ? conversation.participants : before;
    for (const user of usersAmong(told)) this.world.notifications.message(user, conversation, message);
  }

  /** Both timers start again; those of a conversation that begins start. */
  private restartTimers(id: string, closeTimer: string | null): void {
    const { machines } = this.world;
    const closeTimerMs = closeTimer === null ? null : (durationMs(closeTimer) ?? null);
    if (machines.isRunning("conversation", id)) {
      machines.send("conversation", id, { type: "UPDATE", closeTimerMs });
      return;
    }
    const inactivityMs = this.world.settings.timing.conversationInactive;
    machines.start("conversation", id, { recordId: id }, { inactivityMs, closeTimerMs });
  }

  private forget(id: string): void {
    const { conversations } = this.world.tables;
    this.state.byVendorId.delete(conversations.mustGet(id).vendorConversationId);
    conversations.remove(id);
  }

  private change(id: string, changes: Partial<KeptConversation>): KeptConversation {
    const { engine, tables } = this.world;
    return tables.conversations.patch(id, { ...changes, ...moment("lastModified", engine.now) });
  }
}

/** Messages and conversations. */
export const conversations = capability({
  begin: newState,
  make: (world: Needs, state) => new Conversations(world, state),
  tasks: (it) => it.tasks,
  commands: {
    sendConversationMessage: command(
      sendSchema,
      (it: Conversations, args) => it.send(args),
      (it, args) => sendProblems(it.directory, it, args),
    ),
    sendMessage: command(
      sendMessageSchema,
      (it: Conversations, args) => it.sendMessage(args),
      (it, args) => sendMessageProblems(it.directory, args),
    ),
    sendTeamMessage: command(
      sendTeamMessageSchema,
      (it: Conversations, args) => it.sendTeamMessage(args),
      (it, args) => sendTeamMessageProblems(it.directory, args),
    ),
    receiveMessage: command(
      receiveSchema,
      (it: Conversations, args) => it.receive(args),
      (_it, args) => receiveProblems(args),
    ),
    closeConversation: command(closeConversationSchema, (it: Conversations, args) => it.close(args)),
    readConversation: command(readConversationSchema, (it: Conversations, args) => it.read(args)),
  },
});
