import { durationMs } from "../../core/foundation/instants.ts";
import type { CapturedEvent } from "../read/capture.ts";
import {
  isThere,
  listOrEmpty,
  type PartialContact,
  type PartialConversation,
  type PartialEventData,
  type PartialMessage,
} from "../read/partial-records.ts";
import { isEqual } from "../read/shapes.ts";
import type { DataActionAnswers } from "./data-action-answers.ts";
import { contactInput, type InferredDirectory } from "./inferred-directory.ts";
import type { ScenarioDraft } from "./scenario-draft.ts";

/** How long after its command the first message of a group is sent, ms. */
export const GROUP_DELAY_MS = 1_000;

interface KnownConversation {
  readonly name: string;
  parameters: Readonly<Record<string, unknown>>;
  unread: ReadonlyMap<string, number>;
  changedMs: number | undefined;
  /** Whether a step has started it. */
  hasStarted: boolean;
}

/** Infers the steps of conversations: nearly every event is one command. */
export class ConversationSteps {
  private readonly conversations = new Map<string, KnownConversation>();

  constructor(
    private readonly draft: ScenarioDraft,
    private readonly directory: InferredDirectory,
    private readonly actions: DataActionAnswers,
    private readonly startMs: number,
    /** The names of calls in steps, by id. */
    private readonly calls: ReadonlyMap<string, string>,
  ) {}

  addSteps(events: readonly CapturedEvent[]): void {
    for (const [index, event] of events.entries()) {
      const { type, timestamp: atMs, data } = event;
      const { conversation, message, contact, call } = data as PartialEventData;
      const known = isThere(conversation?.id) ? this.conversationWithId(conversation.id) : undefined;
      if (known !== undefined && isThere(conversation)) {
        if (known.changedMs === undefined)
          this.addEarlierMessages(conversation, known, isThere(message), atMs);
        if (type === "conversation.message.created" && isThere(message))
          this.addMessage(conversation, message, known, atMs);
        if (type === "conversation.contact_assigned" && isThere(contact))
          this.draft.add(atMs, "assignConversationContact", {
            conversation: known.name,
            contact: contactArgument(contact),
          });
        if (type === "conversation.closed") this.addClose(conversation, known, atMs);
        if (type !== "conversation.inactive") known.changedMs = atMs;
      }
      if (type === "contact.shared" && isThere(contact)) this.addShare(events, index, contact);
      if (type.startsWith("call.contact_assigned") && isThere(contact) && isThere(call?.id)) {
        const user = listOrEmpty(call.parties).find((party) => party?.type === "user")?.entryId;
        this.draft.add(atMs, "assignContact", {
          call: this.calls.get(call.id),
          contact: contactArgument(contact),
          by: user ?? [...this.directory.users.keys()][0],
        });
      }
    }
  }

  /** Adds the messages that were sent before the first captured event of the conversation. */
  private addEarlierMessages(
    conversation: PartialConversation,
    known: KnownConversation,
    hasNewMessage: boolean,
    atMs: number,
  ): void {
    const messages = listOrEmpty(conversation.messages);
    const participants = listOrEmpty(conversation.participants).map((each) => ({
      ...each,
      unreadCount: undefined,
    }));
    for (const [index, message] of messages.entries()) {
      const { createdTimestamp: sentMs } = message;
      if ((hasNewMessage && index === messages.length - 1) || !isThere(sentMs)) continue;
      this.addMessage(
        { ...conversation, participants, messages: messages.slice(0, index + 1) },
        message,
        known,
        sentMs,
      );
      known.changedMs = Math.min(sentMs, atMs);
    }
  }

  private conversationWithId(id: string): KnownConversation {
    let known = this.conversations.get(id);
    if (known === undefined) {
      known = {
        name: `m${this.conversations.size + 1}`,
        parameters: {},
        unread: new Map(),
        changedMs: undefined,
        hasStarted: false,
      };
      this.conversations.set(id, known);
    }
    return known;
  }

  private addMessage(
    conversation: PartialConversation,
    message: PartialMessage,
    known: KnownConversation,
    atMs: number,
  ): void {
    const isNew = !known.hasStarted && listOrEmpty(conversation.messages).length === 1;
    known.hasStarted ||= isNew;
    const users = listOrEmpty(conversation.participants).filter(({ type }) => type === "user");
    for (const { id, unreadCount } of users) {
      const before = known.unread.get(id ?? "") ?? 0;
      if (before > 0 && (unreadCount ?? 0) < before)
        this.draft.add(
          atMs - 1,
          "readConversation",
          { conversation: known.name, by: id },
          5,
          "read just before; no event says when",
        );
    }
    if (message.direction === "inbound") this.addReceived(conversation, message, known, atMs, isNew);
    else this.addSent(conversation, message, known, atMs, isNew);
    known.unread = new Map(users.map(({ id, unreadCount }) => [id ?? "", unreadCount ?? 0]));
    known.parameters = { ...conversation.passthroughParameters };
  }

  private addReceived(
    conversation: PartialConversation,
    message: PartialMessage,
    known: KnownConversation,
    atMs: number,
    isNew: boolean,
  ): void {
    const { closeTimer, claimRule, channel, contactAddresses, companyNumber } = conversation;
    const sentMs = message.createdTimestamp ?? atMs;
    const parameters = conversation.passthroughParameters ?? {};
    if (isNew)
      this.actions.addAnswer(
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
    const others = listOrEmpty(contactAddresses).filter((number) => number !== from);
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

  private addSent(
    conversation: PartialConversation,
    message: PartialMessage,
    known: KnownConversation,
    atMs: number,
    isNew: boolean,
  ): void {
    const { companyNumberOwner: owner, contactAddresses, passthroughParameters } = conversation;
    const users = listOrEmpty(conversation.participants).filter(({ type }) => type === "user");
    const parameters = { ...passthroughParameters };
    const isChanged = !isEqual(parameters, known.parameters);
    const { author } = message;
    const isSilent = users.length > 0 && users.every(({ unreadCount }) => unreadCount === 0);
    this.draft.add(
      startsGroup(conversation, message) ? Math.max(this.startMs, atMs - GROUP_DELAY_MS) : atMs,
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
        ...this.inferRouting(conversation),
        closeTimer: isNew ? (conversation.closeTimer ?? undefined) : undefined,
        conversationName: isNew ? (conversation.name ?? undefined) : undefined,
        claimRule: isNew ? (conversation.claimRule ?? undefined) : undefined,
        passthroughParameters: isChanged && Object.keys(parameters).length > 0 ? parameters : undefined,
        notificationMode: isSilent ? "silent_read" : undefined,
      },
    );
  }

  private inferRouting({
    companyNumberOwner: owner,
    participants,
  }: PartialConversation): Record<string, unknown> {
    const emails = listOrEmpty(participants)
      .filter(({ type }) => type === "user")
      .flatMap(({ email }) => (isThere(email) ? [email] : []));
    if (emails.length === 0) return { routingAction: "do_not_route" };
    const members = this.directory.teams.get(owner?.id ?? "")?.members ?? [];
    const ownerEmails = (owner?.type === "user" ? [owner.id] : members.map(({ id }) => id)).flatMap((id) => {
      const email = this.directory.users.get(id ?? "")?.email;
      return email === undefined ? [] : [email];
    });
    if (ownerEmails.length === 0 || !ownerEmails.every((email) => emails.includes(email)))
      return { routingAction: "assign_users", assignUsers: emails };
    const otherEmails = emails.filter((email) => !ownerEmails.includes(email));
    return { routingAction: "assign_owner", ...(otherEmails.length > 0 ? { assignUsers: otherEmails } : {}) };
  }

  private addClose(
    { closeTimer, messages }: PartialConversation,
    known: KnownConversation,
    atMs: number,
  ): void {
    const timerMs = isThere(closeTimer) ? durationMs(closeTimer) : undefined;
    const changedMs = known.changedMs ?? listOrEmpty(messages).at(-1)?.createdTimestamp;
    const isByTimer =
      timerMs !== undefined && isThere(changedMs) && Math.abs(atMs - changedMs - timerMs) <= 1_000;
    if (!isByTimer) this.draft.add(atMs, "closeConversation", { conversation: known.name });
  }

  private addShare(events: readonly CapturedEvent[], index: number, contact: PartialContact): void {
    const event = events[index];
    if (event === undefined) return;
    const atMs = event.timestamp;
    for (const step of [-1, 1])
      for (let other = index + step; events[other]?.timestamp === atMs; other += step)
        if (events[other]?.type.startsWith("call.contact_assigned")) return;
    const { participants } = event.data as PartialEventData;
    const numbers = listOrEmpty(participants).flatMap(({ type, phoneNumber }) =>
      type === "external" && isThere(phoneNumber) ? [phoneNumber] : [],
    );
    for (let before = index; before >= 0; before--) {
      const { conversation } = (events[before]?.data ?? {}) as PartialEventData;
      if (!isThere(conversation?.id)) continue;
      if (!listOrEmpty(conversation.contactAddresses).every((number) => numbers.includes(number))) continue;
      const { name } = this.conversationWithId(conversation.id);
      this.draft.add(atMs, "shareContact", { conversation: name, contact: contactArgument(contact) });
      return;
    }
  }
}

/** Whether a message starts a group. Its event comes later than its command. */
export function startsGroup(
  { contactAddresses, messages }: PartialConversation,
  { direction }: PartialMessage,
): boolean {
  return (
    direction === "outbound" && listOrEmpty(contactAddresses).length > 1 && listOrEmpty(messages).length === 1
  );
}

function mediaOf({ media }: PartialMessage): unknown {
  const files = listOrEmpty(media).flatMap(({ url, vendorResourceUrl, mimeType }) => {
    const found = url ?? vendorResourceUrl;
    return isThere(found) ? [{ url: found, ...(isThere(mimeType) ? { mimeType } : {}) }] : [];
  });
  return files.length > 0 ? files : undefined;
}

/** A contact as commands take it. The platform generates an id such as `contact-3` anew, so it is left out. */
function contactArgument(contact: PartialContact): object {
  const { id, ...rest } = contactInput(contact);
  return { ...(id === undefined || /^contact-\d+$/.test(id) ? {} : { id }), ...rest };
}
