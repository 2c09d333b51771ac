import type { VoicemailFact } from "../../../machines/index.ts";
import type { About, Fact } from "../../engine/host.ts";
import { durationText } from "../../engine/instants.ts";
import { type CallRecord, isConference, newConnection, type Party } from "../../records/call.ts";
import type { Destination, LiveCall, VoicemailSession } from "../calls/live-call.ts";
import type { Platform } from "../platform.ts";
import { recordingUrl } from "../urls.ts";

/** Callers who could not be answered leave a message. */
export class Voicemail {
  constructor(private readonly platform: Platform) {}

  /** Puts the caller on the bridge with voicemail and plays the greeting. */
  begin(callId: string, partyId: string): void {
    const { engine, live, settings, tables, notifications, directory } = this.platform;
    const call = tables.calls.mustGet(callId);
    const { voicemail, callerPartyId } = live.mustGet(callId);
    if (voicemail === null) throw new Error(`call ${callId} is sent to nobody's voicemail`);
    const party: Party = {
      id: partyId,
      type: "voicemail",
      isInternal: true,
      displayName: `Voicemail of ${directory.find(voicemail.owner.id)?.record.displayName}`,
      tariff: null,
      dials: [],
    };
    // who dialled from inside, or was left by a transfer, is on the bridge already
    const isFirst = !call.connections.some((each) => each.leftTimestamp === null);
    const joining = (isFirst ? [callerPartyId, partyId] : [partyId]).map((each) =>
      newConnection(each, null, engine.now),
    );
    const connections = [...call.connections, ...joining];
    this.platform.changeCall(callId, {
      parties: [...call.parties, party],
      connections,
      isConference: isConference(connections),
    });
    notifications.missedCall(voicemail.owner, call);
    const { voicemailGreeting: greetingMs, voicemailMaxMessage: maxMessageMs } = settings.timing;
    engine.host.start("voicemail", callId, { recordId: callId }, { greetingMs, maxMessageMs });
    this.platform.behaviours.inVoicemail(callId);
  }

  /** The caller begins a message of this length: at the tone, or at once if that has sounded. */
  speak({ callId, voicemail }: LiveCall, messageMs: number, transcript: string | null): void {
    const { engine, live } = this.platform;
    if (voicemail === null) throw new Error(`call ${callId} is in nobody's voicemail`);
    this.platform.behaviours.spoke(callId);
    const recordingFromMs = voicemail.recordingFromMs === null ? null : engine.now;
    live.change(callId, { voicemail: { ...voicemail, recordingFromMs, transcript, hasMessage: true } });
    engine.host.send("voicemail", callId, { type: "SPEAK", messageMs });
  }

  react(about: About, fact: Fact): void {
    const { engine, live } = this.platform;
    const told = fact as unknown as VoicemailFact;
    const { callId, voicemail } = live.mustGet(about.recordId);
    if (voicemail === null) throw new Error(`call ${callId} is in nobody's voicemail`);
    if (told.type === "tone") {
      live.change(callId, { voicemail: { ...voicemail, recordingFromMs: engine.now } });
      return;
    }
    const messageMs = this.messageMs(voicemail);
    if (messageMs > 0) this.keepMessage(callId, messageMs);
    engine.host.send("call", callId, { type: "VOICEMAIL_ENDED", message: messageMs > 0 });
  }

  /** The recording that follows on a message. */
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

  /** The message is there: its owner is told, by e-mail too unless that waits for the transcript. */
  tellOwner(call: CallRecord, owner: Destination): void {
    const { notifications, settings } = this.platform;
    notifications.voicemail(owner, call);
    if (!settings.features.transcription) notifications.voicemailEmail(owner, call, null);
  }

  private keepMessage(callId: string, messageMs: number): void {
    const { engine, settings } = this.platform;
    const id = engine.ids.next("recording");
    this.platform.changeCall(callId, {
      voicemail: {
        id,
        duration: Math.floor(messageMs / 1000),
        durationText: durationText(messageMs),
        recordingUrl: recordingUrl(settings.urls, callId, id),
        recordingUrlExpiresTimestamp: engine.now + settings.timing.recordingUrlLifetime,
        transcription: null,
      },
    });
  }

  /** The length of the message so far; 0 if it is too short to be one. */
  private messageMs(session: VoicemailSession): number {
    if (session.recordingFromMs === null) return 0;
    const ms = this.platform.engine.now - session.recordingFromMs;
    return ms < this.platform.settings.timing.voicemailMinMessage ? 0 : ms;
  }
}
