import { durationText } from "../../foundation/instants.ts";
import type { CallRecord, Party } from "../../records/call.ts";
import { dateFields } from "../../records/date-fields.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import { defineService } from "../declare/service.ts";
import { recordingUrl } from "../declare/urls.ts";
import type { Directory } from "../directory/directory.ts";
import type { LiveCalls, VoicemailSession } from "../live/live-calls.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly live: LiveCalls;
  readonly callRecords: CallRecords;
}

/** Callers in voicemail and their messages. */
export class Voicemail {
  constructor(private readonly services: Needs) {}

  /** Puts the caller on the bridge with voicemail. */
  join(callId: string, partyId: string): void {
    const { directory, callRecords } = this.services;
    const { owner } = this.mustFindSession(callId);
    const party: Party = {
      id: partyId,
      type: "voicemail",
      isInternal: true,
      displayName: `Voicemail of ${directory.find(owner.id)?.record.displayName}`,
      phoneNumber: null,
      extension: null,
      email: null,
      tariff: null,
      dials: [],
    };
    callRecords.connectVoicemail(callId, party);
  }

  /** Plays the greeting. */
  begin(callId: string): void {
    const { machines, settings } = this.services;
    const {
      voicemailGreeting: greetingMs,
      voicemailMaxMessage: maxMessageMs,
      voicemailSilence: silenceMs,
    } = settings.timing;
    machines.start("voicemail", callId, { recordId: callId }, { greetingMs, maxMessageMs, silenceMs });
  }

  /** Starts recording at the tone if the caller speaks. A silent caller leaves no message. */
  recordFromNow(callId: string): void {
    const session = this.mustFindSession(callId);
    if (!session.speaks) return;
    const { owner, speaks, transcript } = session;
    const recordingFromMs = this.services.engine.now;
    this.services.live.change(callId, { voicemail: { owner, speaks, recordingFromMs, transcript } });
  }

  /** Ends the session when the caller has left, and keeps the message if there is one. */
  over(callId: string): void {
    const messageMs = this.messageMs(this.mustFindSession(callId));
    if (messageMs > 0) this.keepMessage(callId, messageMs);
    this.services.machines.send("call", callId, { type: "VOICEMAIL_ENDED", message: messageMs > 0 });
  }

  /** The recording of a message. */
  recording(call: CallRecord, session: VoicemailSession) {
    const durationMs = this.messageMs(session);
    const text = session.transcript ?? "";
    const outside = call.parties.find((party) => party.type === "external");
    const speaker = (outside ?? call.parties[0])?.displayName ?? "caller";
    const speech = { type: "SPEECH" as const, speaker, text, startOffset: 0, endOffset: durationMs };
    return {
      callId: call.id,
      recordingId: call.voicemail?.id ?? "",
      durationMs,
      channels: 1,
      owner: session.owner,
      segments: [speech],
    };
  }

  private mustFindSession(callId: string): VoicemailSession {
    const { voicemail } = this.services.live.mustGet(callId);
    if (voicemail === null) throw new Error(`call ${callId} is in nobody's voicemail`);
    return voicemail;
  }

  private keepMessage(callId: string, messageMs: number): void {
    const { engine, settings } = this.services;
    const id = engine.ids.next("recording");
    this.services.callRecords.change(callId, {
      voicemail: {
        id,
        duration: Math.floor(messageMs / 1000),
        durationText: durationText(messageMs),
        recordingUrl: recordingUrl(settings.urls, callId, id),
        // 8.64e15 ms is the latest time that a Date can hold
        ...dateFields(
          "recordingUrlExpires",
          Math.min(8.64e15, engine.now + settings.timing.recordingUrlLifetime),
        ),
        transcription: null,
      },
    });
  }

  /** The length of the message so far, ms; 0 if it is too short to keep. */
  private messageMs(session: VoicemailSession): number {
    if (session.recordingFromMs === null) return 0;
    const ms = this.services.engine.now - session.recordingFromMs;
    return ms < this.services.settings.timing.voicemailMinMessage ? 0 : ms;
  }
}

/** Callers in voicemail and their messages. */
export const voicemail = defineService({
  create: (services: Needs) => new Voicemail(services),
});
