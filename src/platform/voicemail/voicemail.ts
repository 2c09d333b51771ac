import type { VoicemailFact } from "../../../machines/index.ts";
import type { AgendaItem } from "../../engine/agenda.ts";
import type { About, Fact } from "../../engine/host.ts";
import { durationText } from "../../engine/instants.ts";
import { type CallRecord, newConnection, type Party, type Recording } from "../../records/call.ts";
import { moment } from "../../records/moments.ts";
import type { TranscriptRecord } from "../../records/transcript.ts";
import { callKey, voicemailKey } from "../calls/calls.ts";
import type { LiveCall, VoicemailSession } from "../calls/live-call.ts";
import type { Platform } from "../platform.ts";
import { urls } from "../settings.ts";

/** Audio of a message, as MP3 at 32 kbit/s: what `fileSize` follows from. */
const BYTES_PER_SECOND = 4_000;

interface Artefact {
  readonly callId: string;
  readonly recordingId: string;
  readonly messageMs: number;
  readonly transcript: string | null;
}

/** Callers who could not be answered leave a message. Decisions, section 4, "Voicemail". */
export class Voicemail {
  constructor(private readonly platform: Platform) {}

  /** The handlers of what this schedules. */
  readonly tasks = {
    "voicemail.recording": (item: AgendaItem) => this.recordingAvailable(item.data as Artefact),
    "voicemail.transcript": (item: AgendaItem) => this.transcriptCreated(item.data as Artefact),
  };

  /** Puts the caller on the bridge with voicemail and plays the greeting. */
  begin(call: CallRecord, partyId: string): void {
    const { engine, live, settings } = this.platform;
    const session = live.mustGet(call.id);
    const party: Party = {
      id: partyId,
      type: "voicemail",
      isInternal: true,
      displayName: `Voicemail of ${this.owner(session).displayName}`,
      tariff: null,
      dials: [],
    };
    const joining = [session.callerPartyId, partyId].map((each) => newConnection(each, null, engine.now));
    this.platform.changeCall(call.id, {
      parties: [...call.parties, party],
      connections: [...call.connections, ...joining],
    });
    live.set({ ...session, voicemail: { recordingFromMs: null, transcript: null, hasMessage: false } });
    this.platform.notifications.missedCall(this.owner(session), call);
    const { voicemailGreeting: greetingMs, voicemailMaxMessage: maxMessageMs } = settings.timing;
    engine.host.start(
      "voicemail",
      voicemailKey(call.id),
      { recordId: call.id },
      { greetingMs, maxMessageMs },
    );
  }

  /** The caller begins a message of this length: at the tone, or at once if that has sounded. */
  speak(live: LiveCall, messageMs: number, transcript: string | null): void {
    const { engine } = this.platform;
    const session = live.voicemail;
    const recordingFromMs = session?.recordingFromMs == null ? null : engine.now;
    this.platform.live.set({ ...live, voicemail: { recordingFromMs, transcript, hasMessage: true } });
    engine.host.send(voicemailKey(live.callId), { type: "SPEAK", messageMs });
  }

  react(about: About, fact: Fact): void {
    const { engine, live } = this.platform;
    const told = fact as unknown as VoicemailFact;
    const call = live.mustGet(about.recordId);
    if (call.voicemail === null) throw new Error(`call ${call.callId} is not in voicemail`);
    if (told.type === "tone") {
      live.set({ ...call, voicemail: { ...call.voicemail, recordingFromMs: engine.now } });
      return;
    }
    const message = this.messageMs(call.voicemail) > 0;
    if (message) this.keepMessage(call.callId, this.messageMs(call.voicemail));
    engine.host.send(callKey(call.callId), { type: "VOICEMAIL_ENDED", message });
  }

  /**
   * The call closed: if there is a message, people are told and the recording follows.
   * @returns whether anything follows
   */
  closed(call: CallRecord, session: VoicemailSession): boolean {
    if (call.voicemail === null) return false;
    const { engine, settings, notifications } = this.platform;
    const owner = this.ownerOf(call);
    notifications.voicemail(owner, call);
    if (!settings.features.transcription) notifications.voicemailEmail(owner, call, null);
    const artefact: Artefact = {
      callId: call.id,
      recordingId: call.voicemail.id,
      messageMs: this.messageMs(session),
      transcript: session.transcript,
    };
    const { recordingAvailable, transcriptCreated } = settings.timing;
    engine.schedule(
      recordingAvailable,
      "voicemail.recording",
      call.id,
      "voicemail: recording available",
      artefact,
    );
    if (settings.features.transcription)
      engine.schedule(
        Math.max(transcriptCreated, recordingAvailable), // a transcript is made from the recording
        "voicemail.transcript",
        call.id,
        "voicemail: transcript created",
        artefact,
      );
    return true;
  }

  private keepMessage(callId: string, messageMs: number): void {
    const { engine, settings } = this.platform;
    const id = engine.ids.next("recording");
    this.platform.changeCall(callId, {
      voicemail: {
        id,
        duration: Math.floor(messageMs / 1000),
        durationText: durationText(messageMs),
        recordingUrl: `${urls.api}/call/${callId}/recordings/${id}`,
        recordingUrlExpiresTimestamp: engine.now + settings.timing.recordingUrlLifetime,
        transcription: null,
      },
    });
  }

  private recordingAvailable({ callId, recordingId, messageMs }: Artefact): void {
    const recording: Recording = {
      id: recordingId,
      callId,
      fileSize: Math.round((messageMs * BYTES_PER_SECOND) / 1000),
      mimeType: "audio/mpeg",
      channels: 1,
      transcript: null,
    };
    const { recordings } = this.platform.tables.calls.mustGet(callId);
    const call = this.platform.changeCall(callId, { recordings: [...recordings, recording] });
    this.platform.engine.publish("call.recording.available", { call, recording });
    if (!this.platform.settings.features.transcription) this.platform.callFinished(callId);
  }

  private transcriptCreated({ callId, recordingId, transcript: text }: Artefact): void {
    const { engine, tables, notifications } = this.platform;
    const transcript: TranscriptRecord = tables.transcripts.insert({
      id: engine.ids.next("transcript"),
      callId,
      recordingId,
      text: text ?? "",
      ...moment("created", engine.now),
    });
    const { recordings, voicemail } = tables.calls.mustGet(callId);
    const call = this.platform.changeCall(callId, {
      recordings: recordings.map((each) =>
        each.id === recordingId ? { ...each, transcript: transcript.id } : each,
      ),
      voicemail: voicemail && { ...voicemail, transcription: transcript.text },
    });
    engine.publish("call.transcript.created", { call, transcript });
    engine.publish("transcript.created", { transcript });
    engine.publish("call.transcription_completed", { call, transcripts: Object.freeze([transcript]) });
    notifications.voicemailEmail(this.ownerOf(call), call, transcript.text);
    this.platform.callFinished(callId);
  }

  /** The length of the message so far; 0 if it is too short to be one. */
  private messageMs(session: VoicemailSession): number {
    if (session.recordingFromMs === null) return 0;
    const ms = this.platform.engine.now - session.recordingFromMs;
    return ms < this.platform.settings.timing.voicemailMinMessage ? 0 : ms;
  }

  private owner(live: LiveCall) {
    return this.platform.tables.users.mustGet(live.target.id);
  }

  private ownerOf(call: CallRecord) {
    return this.platform.tables.users.mustGet(call.directoryTarget?.id ?? "");
  }
}
