import { ForkableList } from "../../foundation/collections.ts";
import type { CallRecord } from "../../records/call.ts";
import type { MessageRecord, StoredConversation } from "../../records/conversation.ts";
import { type DateFields, dateFields } from "../../records/date-fields.ts";
import type { UserRecord } from "../../records/directory.ts";
import type { WebhookRecord } from "../../records/webhook.ts";
import { ANONYMOUS_NAME } from "../../records/withheld.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { Destination } from "../declare/destination.ts";
import { defineService } from "../declare/service.ts";
import { counted } from "../declare/words.ts";
import type { SentTo } from "../live/live-calls.ts";

/** What every notification has. */
interface NotificationBase extends DateFields<"created"> {
  /** The notification's id. */
  readonly id: string;
  /** The user who gets it. */
  readonly to: { readonly userId: string; readonly email: string };
  /** The heading, or the subject of the e-mail. */
  readonly title: string;
  /** The text. */
  readonly body: string;
}

/** A notification about a call: `missedCall` and `voicemail` are shown in the apps; `voicemailEmail` is an e-mail. */
export interface CallNotification extends NotificationBase {
  /** What it is about, and how it is shown. */
  readonly kind: "missedCall" | "voicemail" | "voicemailEmail";
  /** The call's id. */
  readonly callId: string;
  /** Never set. */
  readonly conversationId?: undefined;
  /** Never set. */
  readonly webhookId?: undefined;
}

/** A notification about a message, shown in the apps. */
export interface MessageNotification extends NotificationBase {
  /** What it is about. */
  readonly kind: "message";
  /** The conversation's id. */
  readonly conversationId: string;
  /** Never set. */
  readonly callId?: undefined;
  /** Never set. */
  readonly webhookId?: undefined;
}

/** An e-mail about a disabled webhook, to its creator or to the first active user. */
export interface WebhookNotification extends NotificationBase {
  /** What it is about. */
  readonly kind: "webhookDisabled";
  /** The webhook's id. */
  readonly webhookId: string;
  /** Never set. */
  readonly conversationId?: undefined;
  /** Never set. */
  readonly callId?: undefined;
}

/** Something that a person is shown or e-mailed. */
export type Notification = CallNotification | MessageNotification | WebhookNotification;

/** All notifications, in order. */
export class Notifications {
  constructor(
    private readonly services: CoreServices,
    private readonly sent: ForkableList<Notification>,
  ) {}

  /**
   * A call was missed. Notifies each user to whom it was sent, alone or as a member of a team, once. Whoever was on the
   * call is not notified.
   * @param fates whom to notify, by what became of the call there
   */
  missedCall(call: CallRecord, sentTo: readonly SentTo[], fates: readonly SentTo["fate"][]): void {
    const missed = sentTo.filter(({ fate }) => fates.includes(fate));
    if (missed.length === 0) return;
    const users = new Set(missed.flatMap(({ destination }) => this.listUsers(destination)));
    const [title, body] = [`Missed call from ${callerOf(call)}`, numberOf(call)];
    for (const user of users) if (!wasOnCall(call, user)) this.sendTo(user, "missedCall", call, title, body);
  }

  /** A message was left. Shown in the apps. */
  voicemail(to: Destination, call: CallRecord): void {
    this.send("voicemail", to, call, `Voicemail from ${callerOf(call)}`, call.voicemail?.durationText ?? "");
  }

  /** A message was left. An e-mail, with the transcript if there is one. */
  voicemailEmail(to: Destination, call: CallRecord, transcript: string | null): void {
    const link = `${call.voicemail?.durationText}: ${call.voicemail?.recordingUrl}`;
    const body = transcript === null ? link : `${transcript}\n${link}`;
    this.send("voicemailEmail", to, call, `Voicemail from ${callerOf(call)}`, body);
  }

  /** A message was sent or received. Shown in the apps. */
  message(
    user: { readonly id: string; readonly email: string },
    conversation: StoredConversation,
    { author, content, media }: MessageRecord,
  ): void {
    this.add(
      Object.freeze({
        id: this.services.engine.ids.next("notification"),
        kind: "message",
        to: Object.freeze({ userId: user.id, email: user.email }),
        conversationId: conversation.id,
        title: `Message from ${author.displayName}`,
        body: content === "" ? counted(media.length, "attachment") : content,
        ...dateFields("created", this.services.engine.now),
      }),
    );
  }

  /** A webhook was disabled. An e-mail to its creator, or to the first active user. */
  webhookDisabled({ id: webhookId, url, consecutiveFailures, createdBy }: WebhookRecord): void {
    const { engine, tables } = this.services;
    const creator =
      tables.users.get(createdBy ?? "") ?? [...tables.users].find(({ status }) => status === "active");
    if (creator === undefined) return; // an organisation without active users has nobody to notify
    this.add(
      Object.freeze({
        id: engine.ids.next("notification"),
        kind: "webhookDisabled",
        to: Object.freeze({ userId: creator.id, email: creator.email }),
        webhookId,
        title: `Webhook disabled: ${url}`,
        body: `${consecutiveFailures} events in a row could not be delivered.`,
        ...dateFields("created", engine.now),
      }),
    );
  }

  list(): Notification[] {
    return [...this.sent];
  }

  private add(notification: Notification): void {
    this.sent.push(notification);
    this.sent.dropFirst(this.services.settings.keep.notifications);
  }

  /** Notifies a user, or each user of a team. Devices and outside numbers are not notified. */
  private send(
    kind: CallNotification["kind"],
    to: Destination,
    call: CallRecord,
    title: string,
    body: string,
  ): void {
    for (const user of this.listUsers(to)) this.sendTo(user, kind, call, title, body);
  }

  private sendTo(
    user: UserRecord,
    kind: CallNotification["kind"],
    call: CallRecord,
    title: string,
    body: string,
  ): void {
    const { engine } = this.services;
    this.add(
      Object.freeze({
        id: engine.ids.next("notification"),
        kind,
        to: Object.freeze({ userId: user.id, email: user.email }),
        callId: call.id,
        title,
        body,
        ...dateFields("created", engine.now),
      }),
    );
  }

  private listUsers(to: Destination): UserRecord[] {
    const { tables } = this.services;
    if (to.kind === "user") return [tables.users.mustGet(to.id)];
    if (to.kind !== "team") return [];
    return tables.teams.mustGet(to.id).teamMembers.flatMap((member) => tables.users.get(member.id) ?? []);
  }
}

/** Whether a user was on the bridge: they took the call, or they made it. */
function wasOnCall({ parties, connections }: CallRecord, { id }: UserRecord): boolean {
  return parties.some(
    (party) => party.entryId === id && connections.some(({ partyId }) => partyId === party.id),
  );
}

/** The caller's name or number. */
function callerOf(call: CallRecord): string {
  return call.isInternal
    ? (call.parties[0]?.displayName ?? call.companyNumber)
    : call.summary.contactNumberDescription;
}

function numberOf(call: CallRecord): string {
  return call.isInternal ? call.companyNumber : (call.contactNumber ?? ANONYMOUS_NAME);
}

/** What people are shown and e-mailed. */
export const notifications = defineService({
  init: () => new ForkableList<Notification>(),
  create: (services: CoreServices, sent) => new Notifications(services, sent),
});
