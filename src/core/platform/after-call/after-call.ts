import type { AgendaItem } from "../../engine/agenda.ts";
import { CommandError, notFound } from "../../foundation/errors.ts";
import type { TranscriptRecord, TranscriptSegment } from "../../generated/records.ts";
import type { CallRecord, Recording } from "../../records/call.ts";
import { dateFields } from "../../records/date-fields.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { Purpose } from "../base/timers.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import type { Destination } from "../declare/destination.ts";
import { defineService, type Tasks } from "../declare/service.ts";
import type { VoicemailSession } from "../live/live-calls.ts";
import type { Notifications } from "../notifications/notifications.ts";
import type { Retention } from "../retention/retention.ts";
import type { Voicemail } from "../voicemail/voicemail.ts";
import { audioBytes } from "./audio.ts";
import { segmentsOf, textOf } from "./segments.ts";
import { tariffOf } from "./tariff.ts";

export interface Needs extends CoreServices {
  readonly callRecords: CallRecords;
  readonly notifications: Notifications;
  readonly retention: Retention;
  readonly voicemail: Voicemail;
}

/** A recording that will become available, and what is said in it. */
interface RecordingToCome {
  readonly callId: string;
  readonly recordingId: string;
  readonly durationMs: number;
  readonly channels: number;
  readonly segments: readonly TranscriptSegment[];
  /** The owner of the voicemail; undefined for a recorded call. */
  readonly owner?: Destination;
}

/** `isLast`: with this transcript the call's transcription is complete. */
interface TranscriptToCome extends RecordingToCome {
  readonly isLast: boolean;
}

/** Makes what follows a call: recordings, transcripts, analysis, tariff. */
export class AfterCall {
  constructor(private readonly services: Needs) {}

  /** The handlers of its scheduled tasks. */
  static readonly tasks: Tasks<AfterCall> = {
    "call.recording": (it, item) =>
      it.arrived(item, (data) => it.recordingAvailable(data as RecordingToCome)),
    "call.transcript": (it, item) => it.arrived(item, (data) => it.transcriptDue(data as TranscriptToCome)),
    "call.tariff": (it, item) => it.arrived(item, (data) => it.tariffed(data as { callId: string })),
  };

  /** Schedules the recording of an answered call, if the organisation records calls. */
  followRecording(call: CallRecord): void {
    if (this.services.settings.features.recording && call.answeredTimestamp !== null)
      this.follow(this.recordingOf(call, call.answeredTimestamp), call.voicemail === null);
  }

  /** Schedules the recording of a voicemail message. */
  followMessage(call: CallRecord, session: VoicemailSession): void {
    this.follow(this.services.voicemail.recording(call, session), true);
  }

  /** Schedules the tariff of a connected call, if the organisation calculates tariffs. */
  followTariff(call: CallRecord, wasInVoicemail: boolean): void {
    const { settings } = this.services;
    const hasConnected = call.answeredTimestamp !== null || wasInVoicemail;
    if (settings.features.tariff && settings.tariff !== undefined && hasConnected)
      this.schedule(settings.timing.callTariffed, "call.tariff", call.id, "call: tariff calculated", {
        callId: call.id,
      });
  }

  /** Notifies the owner of a voicemail. The e-mail goes out now, unless it waits for the transcript. */
  tellOwner(call: CallRecord, owner: Destination): void {
    const { notifications, settings } = this.services;
    notifications.voicemail(owner, call);
    if (!settings.features.transcription) notifications.voicemailEmail(owner, call, null);
  }

  /** @throws {CommandError} `not_found` */
  recording(callId: string, id: string): Recording {
    return recordingIn(this.services.callRecords.find(callId).recordings, callId, id);
  }

  /** @throws {CommandError} `not_found` */
  transcript(id: string): TranscriptRecord {
    const transcript = this.services.tables.transcripts.get(id);
    if (transcript === undefined) throw notFound("transcript", id, this.services.tables.transcripts);
    return transcript;
  }

  private recordingOf(call: CallRecord, answeredMs: number): RecordingToCome {
    const { engine } = this.services;
    return {
      callId: call.id,
      recordingId: engine.ids.next("recording"),
      durationMs: engine.now - answeredMs,
      channels: 2,
      segments: segmentsOf(call, answeredMs),
    };
  }

  /** Schedules a recording, then its transcript. A call may have several. */
  private follow(recording: RecordingToCome, isLast: boolean): void {
    const { timing, features } = this.services.settings;
    const { callId } = recording;
    this.schedule(
      timing.recordingAvailable,
      "call.recording",
      callId,
      "call: recording available",
      recording,
    );
    // a transcript is made from the recording
    const transcriptMs = Math.max(timing.transcriptCreated, timing.recordingAvailable);
    if (features.transcription)
      this.schedule(transcriptMs, "call.transcript", callId, "call: transcript created", {
        isLast,
        ...recording,
      } satisfies TranscriptToCome);
  }

  private schedule(delayMs: number, task: string, callId: string, purpose: Purpose, data: unknown): void {
    this.services.retention.awaits(callId);
    this.services.engine.schedule(delayMs, task, callId, purpose, data);
  }

  private arrived(item: AgendaItem, act: (data: unknown) => void): void {
    act(item.data);
    this.services.retention.settles(item.recordId);
  }

  private recordingAvailable({ callId, recordingId, durationMs, channels }: RecordingToCome): void {
    const { tables, retention } = this.services;
    const recording: Recording = {
      id: recordingId,
      callId,
      fileSize: audioBytes(durationMs, channels),
      mimeType: "audio/mpeg",
      channels,
      transcript: null,
    };
    const { recordings } = tables.calls.mustGet(callId);
    tables.recordings.insert(recording);
    retention.made(callId, { table: "recordings", id: recordingId });
    const call = this.services.callRecords.change(callId, { recordings: [...recordings, recording] });
    this.services.raise.recordingAvailable({ call, recording });
  }

  private transcriptDue(due: TranscriptToCome): void {
    const { tables, notifications } = this.services;
    // a recording that was removed meanwhile cannot be transcribed; the e-mail goes out without a transcript
    const isThere = tables.recordings.get(due.recordingId) !== undefined;
    const text = isThere ? this.transcriptCreated(due).text : null;
    if (due.isLast) this.transcriptionCompleted(due.callId);
    if (due.owner !== undefined)
      notifications.voicemailEmail(due.owner, tables.calls.mustGet(due.callId), text);
  }

  private transcriptCreated({ callId, recordingId, segments }: RecordingToCome): TranscriptRecord {
    const { engine, tables, retention } = this.services;
    const id = engine.ids.next("transcript");
    const created = { id, callId, recordingId, text: textOf(segments), ...dateFields("created", engine.now) };
    const transcript = tables.transcripts.insert(created);
    tables.segments.insert({ id, segments });
    retention.made(callId, { table: "transcripts", id }, { table: "segments", id });
    tables.recordings.patch(recordingId, { transcript: id });
    const call = this.nameTranscript(transcript, transcript);
    this.services.raise.transcriptCreated({ call, transcript });
    return transcript;
  }

  /** Tells of all transcripts of a call, if it has any. */
  private transcriptionCompleted(callId: string): void {
    const { tables } = this.services;
    const call = tables.calls.mustGet(callId);
    const transcripts = call.recordings.flatMap(({ transcript: id }) =>
      id === null ? [] : [tables.transcripts.mustGet(id)],
    );
    if (transcripts.length > 0)
      this.services.raise.transcriptionCompleted({ call, transcripts: Object.freeze(transcripts) });
  }

  /** Sets or clears the transcript of a recording in the call's record. */
  nameTranscript({ callId, recordingId }: TranscriptRecord, named: TranscriptRecord | null): CallRecord {
    const { recordings, voicemail } = this.services.tables.calls.mustGet(callId);
    const transcript = named?.id ?? null;
    const transcription = named?.text ?? null;
    return this.services.callRecords.change(callId, {
      recordings: recordings.map((each) => (each.id === recordingId ? { ...each, transcript } : each)),
      voicemail: voicemail?.id === recordingId ? { ...voicemail, transcription } : voicemail,
    });
  }

  private tariffed({ callId }: { callId: string }): void {
    const { tables, settings } = this.services;
    if (settings.tariff === undefined) throw new Error("a call is tariffed without a tariff");
    const { parties, tariff } = tariffOf(tables.calls.mustGet(callId), settings.tariff);
    const call = this.services.callRecords.change(callId, { parties, tariff });
    this.services.raise.callTariffed({ call });
  }
}

/** @throws {CommandError} `not_found` for a recording that a call does not have */
export function recordingIn(recordings: readonly Recording[], callId: string, id: string): Recording {
  const recording = recordings.find((each) => each.id === id);
  if (recording !== undefined) return recording;
  const known = recordings.map((each) => each.id).join(", ") || "none";
  throw new CommandError("not_found", `call ${callId} has no recording "${id}"; it has: ${known}`);
}

/** What follows a call after its end. */
export const afterCall = defineService({
  create: (services: Needs) => new AfterCall(services),
  tasks: AfterCall.tasks,
});
