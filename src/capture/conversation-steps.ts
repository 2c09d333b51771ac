import { durationMs } from "../core/foundation/instants.ts";
import type { CapturedEvent } from "./capture.ts";
import type { DataActionAnswers } from "./data-action-answers.ts";
import { contactInput, type DirectorySeen } from "./directory-seen.ts";
import type { Draft } from "./draft.ts";
import {
  isThere,
  listOf,
  type SeenContact,
  type SeenConversation,
  type SeenData,
  type SeenMessage,
} from "./seen.ts";
import { isSame } from "./shapes.ts";

/** How long after its command a group's first message comes, ms. */
export const GROUP_MS = 1_000;

interface Known {
  readonly name: string;
  parameters: Readonly<Record<string, unknown>>;
  unread: ReadonlyMap<string, number>;
  changedMs: number | undefined;
  /** Whether a step has begun it. */
  isBegun: boolean;
}

/** The inverse rules of conversations: nearly each event is one command. */
export class ConversationSteps {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly draft: Draft,
    private readonly directory: DirectorySeen,
    private readonly actions: DataActionAnswers,
    private readonly startMs: number,
    /** The names of calls, by id. */
    private readonly calls: ReadonlyMap<string, string>,
  ) {}

  explain(events: readonly CapturedEvent[]): void {
    for (const [index, event] of events.entries()) {
      const { type, timestamp: atMs, data } = event;
      const { conversation, message, contact, call } = data as SeenData;
      const known = isThere(conversation?.id) ? this.conversationCalled(conversation.id) : undefined;
      if (known !== undefined && isThere(conversation)) {
        if (known.changedMs === undefined) this.before(conversation, known, isThere(message), atMs);
        if (type === "conversation.message.created" && isThere(message))
          this.message(conversation, message, known, atMs);
        if (type === "conversation.contact_assigned" && isThere(contact))
          this.draft.add(atMs, "assignConversationContact", {
            conversation: known.name,
            contact: contactArgument(contact),
          });
        if (type === "conversation.closed") this.closed(conversation, known, atMs);
        if (type !== "conversation.inactive") known.changedMs = atMs;
      }
      if (type === "contact.shared" && isThere(contact)) this.shared(events, index, contact);
      if (type.startsWith("call.contact_assigned") && isThere(contact) && isThere(call?.id)) {
        const user = listOf(call.parties).find((party) => party?.type === "user")?.entryId;
        this.draft.add(atMs, "assignContact", {
          call: this.calls.get(call.id),
          contact: contactArgument(contact),
          by: user ?? [...this.directory.users.keys()][0],
        });
      }
    }
  }

  /** The messages of a conversation that were sent before its first event. */
  private before(conversation: SeenConversation, known: Known, isOfMessage: boolean, atMs: number): void {
    const messages = listOf(conversation.messages);
    const participants = listOf(conversation.participants).map((each) => ({
      ...each,
      unreadCount: undefined,
    }));
    for (const [index, message] of messages.entries()) {
      const { createdTimestamp: sentMs } = message;
      if ((isOfMessage && index === messages.length - 1) || !isThere(sentMs)) continue;
      this.message(
        { ...conversation, participants, messages: messages.slice(0, index + 1) },
        message,
        known,
        sentMs,
      );
      known.changedMs = Math.min(sentMs, atMs);
    }
  }

  private conversationCalled(id: string): Known {
    let known = this.known.get(id);
    if (known === undefined) {
      known = {
        name: `m${this.known.size + 1}`,
        parameters: {},
        unread: new Map(),
        changedMs: undefined,
        isBegun: false,
      };
      this.known.set(id, known);
    }
    return known;
  }

  private message(conversation: SeenConversation, message: SeenMessage, known: Known, atMs: number): void {
    const isNew = !known.isBegun && listOf(conversation.messages).length === 1;
    known.isBegun ||= isNew;
    const users = listOf(conversation.participants).filter(({ type }) => type === "user");
    for (const { id, unreadCount } of users) {
      const before = known.unread.get(id ?? "") ?? 0;
      if (before > 0 && (unreadCount ?? 0) < before)
        this.draft.add(
          atMs - 1,
          "readConversation",
          { conversation: known.name, by: id },
          5,
          "read just before; events do not say when",
        );
    }
    if (message.direction === "inbound") this.received(conversation, message, known, atMs, isNew);
    else this.sent(conversation, message, known, atMs, isNew);
    known.unread = new Map(users.map(({ id, unreadCount }) => [id ?? "", unreadCount ?? 0]));
    known.parameters = { ...conversation.passthroughParameters };
  }

  private received(
    conversation: SeenConversation,
    message: SeenMessage,
    known: Known,
    atMs: number,
    isNew: boolean,
  ): void {
    const { closeTimer, claimRule, channel, contactAddresses, companyNumber } = conversation;
    const sentMs = message.createdTimestamp ?? atMs;
    const parameters = conversation.passthroughParameters ?? {};
    if (isNew)
      this.actions.answer(
        "inboundConversations",
        sentMs,
        {
          ...(isThere(claimRule) ? { claimRule } : {}),
          ...(isThere(closeTimer) ? { closeTimer } : {}),
          ...(Object.keys(parameters).length > 0 ? { passthroughParameters: parameters } : {}),
        },
        Math.max(0, atMs - sentMs),
      );
    const from = message.author?.phoneNumber;
    const others = listOf(contactAddresses).filter((number) => number !== from);
    this.draft.add(isNew ? sentMs : atMs, "receiveMessage", {
      ...(isNew ? { as: known.name } : {}),
      from,
      to: companyNumber,
      text: message.content === "" ? undefined : (message.content ?? undefined),
      channel: isThere(channel) && channel !== "sms" ? channel : undefined,
      media: mediaOf(message),
      others: others.length > 0 ? others : undefined,
    });
  }

  private sent(
    conversation: SeenConversation,
    message: SeenMessage,
    known: Known,
    atMs: number,
    isNew: boolean,
  ): void {
    const { companyNumberOwner: owner, contactAddresses, passthroughParameters } = conversation;
    const users = listOf(conversation.participants).filter(({ type }) => type === "user");
    const parameters = { ...passthroughParameters };
    const isChanged = !isSame(parameters, known.parameters);
    const { author } = message;
    const isSilent = users.length > 0 && users.every(({ unreadCount }) => unreadCount === 0);
    this.draft.add(
      beginsGroup(conversation, message) ? Math.max(this.startMs, atMs - GROUP_MS) : atMs,
      "sendConversationMessage",
      {
        ...(isNew ? { as: known.name } : {}),
        companyAddress: conversation.companyNumber,
        contactAddresses,
        messageContent: {
          ...(isThere(message.content) && message.content !== "" ? { text: message.content } : {}),
          ...(mediaOf(message) === undefined ? {} : { media: mediaOf(message) }),
          ...(author?.type === "user" && author.id !== owner?.id && isThere(author.email)
            ? { sendAsUser: author.email }
            : {}),
        },
        ...this.routing(conversation),
        closeTimer: isNew ? (conversation.closeTimer ?? undefined) : undefined,
        conversationName: isNew ? (conversation.name ?? undefined) : undefined,
        claimRule: isNew ? (conversation.claimRule ?? undefined) : undefined,
        passthroughParameters: isChanged && Object.keys(parameters).length > 0 ? parameters : undefined,
        notificationMode: isSilent ? "silent_read" : undefined,
      },
    );
  }

  private routing({ companyNumberOwner: owner, participants }: SeenConversation): Record<string, unknown> {
    const emails = listOf(participants)
      .filter(({ type }) => type === "user")
      .flatMap(({ email }) => (isThere(email) ? [email] : []));
    if (emails.length === 0) return { routingAction: "do_not_route" };
    const members = this.directory.teams.get(owner?.id ?? "")?.members ?? [];
    const own = (owner?.type === "user" ? [owner.id] : members.map(({ id }) => id)).flatMap((id) => {
      const email = this.directory.users.get(id ?? "")?.email;
      return email === undefined ? [] : [email];
    });
    if (own.length === 0 || !own.every((email) => emails.includes(email)))
      return { routingAction: "assign_users", assignUsers: emails };
    const others = emails.filter((email) => !own.includes(email));
    return { routingAction: "assign_owner", ...(others.length > 0 ? { assignUsers: others } : {}) };
  }

  private closed({ closeTimer, messages }: SeenConversation, known: Known, atMs: number): void {
    const timerMs = isThere(closeTimer) ? durationMs(closeTimer) : undefined;
    const changedMs = known.changedMs ?? listOf(messages).at(-1)?.createdTimestamp;
    const isByTimer =
      timerMs !== undefined && isThere(changedMs) && Math.abs(atMs - changedMs - timerMs) <= 1_000;
    if (!isByTimer) this.draft.add(atMs, "closeConversation", { conversation: known.name });
  }

  private shared(events: readonly CapturedEvent[], index: number, contact: SeenContact): void {
    const event = events[index];
    if (event === undefined) return;
    const atMs = event.timestamp;
    for (const step of [-1, 1])
      for (let other = index + step; events[other]?.timestamp === atMs; other += step)
        if (events[other]?.type.startsWith("call.contact_assigned")) return;
    const { participants } = event.data as SeenData;
    const numbers = listOf(participants).flatMap(({ type, phoneNumber }) =>
      type === "external" && isThere(phoneNumber) ? [phoneNumber] : [],
    );
    for (let before = index; before >= 0; before--) {
      const { conversation } = (events[before]?.data ?? {}) as SeenData;
      if (!isThere(conversation?.id)) continue;
      if (!listOf(conversation.contactAddresses).every((number) => numbers.includes(number))) continue;
      const { name } = this.conversationCalled(conversation.id);
      this.draft.add(atMs, "shareContact", { conversation: name, contact: contactArgument(contact) });
      return;
    }
  }
}

/** Whether a message begins a group, which comes later than its command. */
export function beginsGroup(
  { contactAddresses, messages }: SeenConversation,
  { direction }: SeenMessage,
): boolean {
  return direction === "outbound" && listOf(contactAddresses).length > 1 && listOf(messages).length === 1;
}

function mediaOf({ media }: SeenMessage): unknown {
  const files = listOf(media).flatMap(({ url, vendorResourceUrl, mimeType }) => {
    const found = url ?? vendorResourceUrl;
    return isThere(found) ? [{ url: found, ...(isThere(mimeType) ? { mimeType } : {}) }] : [];
  });
  return files.length > 0 ? files : undefined;
}

/** A contact as a command takes it. Ids that were made up at the moment are made up again. */
function contactArgument(contact: SeenContact): object {
  const { id, ...rest } = contactInput(contact);
  return { ...(id === undefined || /^contact-\d+$/.test(id) ? {} : { id }), ...rest };
}
