import { ForkableList } from "../../engine/collections.ts";
import type { Engine } from "../../engine/engine.ts";
import type { CallRecord } from "../../records/call.ts";
import type { UserRecord } from "../../records/directory.ts";
import { type Moment, moment } from "../../records/moments.ts";

/** Something that a person would have been shown or e-mailed. */
export interface Notification extends Moment<"created"> {
  readonly id: string;
  /** `missedCall` and `voicemail` are shown in the apps; `voicemailEmail` is an e-mail. */
  readonly kind: "missedCall" | "voicemail" | "voicemailEmail";
  readonly to: { readonly userId: string; readonly email: string };
  readonly callId: string;
  readonly title: string;
  readonly body: string;
}

/** What people were told, in order. */
export class Notifications {
  constructor(
    private readonly engine: Engine,
    private readonly sent = new ForkableList<Notification>(),
  ) {}

  /** Always, when nobody answered a call to a user. */
  missedCall(to: UserRecord, call: CallRecord): void {
    this.send("missedCall", to, call.id, `Missed call from ${callerOf(call)}`, call.contactNumber);
  }

  /** In the apps, when a message was left. */
  voicemail(to: UserRecord, call: CallRecord): void {
    this.send(
      "voicemail",
      to,
      call.id,
      `Voicemail from ${callerOf(call)}`,
      call.voicemail?.durationText ?? "",
    );
  }

  /** The e-mail about a message, with its transcript if there is one. */
  voicemailEmail(to: UserRecord, call: CallRecord, transcript: string | null): void {
    const link = `${call.voicemail?.durationText}: ${call.voicemail?.recordingUrl}`;
    const body = transcript === null ? link : `${transcript}\n${link}`;
    this.send("voicemailEmail", to, call.id, `Voicemail from ${callerOf(call)}`, body);
  }

  list(): Notification[] {
    return [...this.sent];
  }

  fork(engine: Engine): Notifications {
    return new Notifications(engine, this.sent.fork());
  }

  private send(
    kind: Notification["kind"],
    to: UserRecord,
    callId: string,
    title: string,
    body: string,
  ): void {
    this.sent.push(
      Object.freeze({
        id: this.engine.ids.next("notification"),
        kind,
        to: Object.freeze({ userId: to.id, email: to.email }),
        callId,
        title,
        body,
        ...moment("created", this.engine.now),
      }),
    );
  }
}

function callerOf(call: CallRecord): string {
  return call.summary.contactNumberDescription;
}
