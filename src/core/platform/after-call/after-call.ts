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
import { makeSegments, segmentLines } from "./segments.ts";
import { makeTariff } from "./tariff.ts";

export interface Needs extends CoreServices {
  readonly callRecords: CallRecords;
  readonly notifications: Notifications;
  readonly retention: Retention;
  readonly voicemail: Voicemail;
}

/** A recording that becomes available later, and what is said in it. */
interface PlannedRecording {
  readonly callId: string;
  readonly recordingId: string;
  readonly durationMs: number;
  readonly channels: number;
  readonly segments: readonly TranscriptSegment[];
  /** The owner of the voicemail; undefined for a recorded call. */
  readonly owner?: Destination;
}

/** `isLast`: whether this transcript completes the call's transcription. */
interface PlannedTranscript extends PlannedRecording {
  readonly isLast: boolean;
}

/** Adds to closed calls what comes later: recordings, transcripts, tariffs. */
export class AfterCall {
  constructor(private readonly services: Needs) {}

  /** The handlers of its scheduled tasks. */
  static readonly tasks: Tasks<AfterCall> = {
    "call.recording": (it, item) => it.runTask(item, (data) => it.addRecording(data as PlannedRecording)),
    "call.transcript": (it, item) => it.runTask(item, (data) => it.transcribe(data as PlannedTranscript)),
    "call.tariff": (it, item) => it.runTask(item, (data) => it.addTariff(data as { callId: string })),
  };

  /** Schedules the recording of an answered call, if the organisation records calls. */
  scheduleRecording(call: CallRecord): void {
    if (this.services.settings.features.recording && call.answeredTimestamp !== null)
      this.scheduleWithTranscript(this.planRecording(call, call.answeredTimestamp), call.voicemail === null);
  }

  /** Schedules the recording of a voicemail message. */
  scheduleMessage(call: CallRecord, session: VoicemailSession): void {
    this.scheduleWithTranscript(this.services.voicemail.recording(call, session), true);
  }

  /** Schedules the tariff of a connected call, if the organisation calculates tariffs. */
  scheduleTariff(call: CallRecord, wasInVoicemail: boolean): void {
    const { settings } = this.services;
    const hasConnected = call.answeredTimestamp !== null || wasInVoicemail;
    if (settings.features.tariff && settings.tariff !== undefined && hasConnected)
      this.schedule(settings.timing.callTariffed, "call.tariff", call.id, "call: tariff calculated", {
        callId: call.id,
      });
  }

  /** Notifies the owner of a voicemail. The e-mail goes out now, unless it waits for the transcript. */
  notifyOwner(call: CallRecord, owner: Destination): void {
    const { notifications, settings } = this.services;
    notifications.voicemail(owner, call);
    if (!settings.features.transcription) notifications.voicemailEmail(owner, call, null);
  }

  /** @throws {CommandError} `not_found` */
  recording(callId: string, id: string): Recording {
    return mustFindRecording(this.services.callRecords.find(callId).recordings, callId, id);
  }

  /** @throws {CommandError} `not_found` */
  transcript(id: string): TranscriptRecord {
    const transcript = this.services.tables.transcripts.get(id);
    if (transcript === undefined) throw notFound("transcript", id, this.services.tables.transcripts);
    return transcript;
  }

  private planRecording(call: CallRecord, answeredMs: number): PlannedRecording {
    const { engine } = this.services;
    return {
      callId: call.id,
      recordingId: engine.ids.next("recording"),
      durationMs: engine.now - answeredMs,
      channels: 2,
      segments: makeSegments(call, answeredMs),
    };
  }

  /** Schedules a recording, then its transcript. A call may have several. */
  private scheduleWithTranscript(recording: PlannedRecording, isLast: boolean): void {
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
      } satisfies PlannedTranscript);
  }

  private schedule(delayMs: number, task: string, callId: string, purpose: Purpose, data: unknown): void {
    this.services.retention.addPending(callId);
    this.services.engine.schedule(delayMs, task, callId, purpose, data);
  }

  private runTask(item: AgendaItem, run: (data: unknown) => void): void {
    run(item.data);
    this.services.retention.removePending(item.recordId);
  }

  private addRecording({ callId, recordingId, durationMs, channels }: PlannedRecording): void {
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
    retention.addRecords(callId, { table: "recordings", id: recordingId });
    const call = this.services.callRecords.change(callId, { recordings: [...recordings, recording] });
    this.services.raise.recordingAvailable({ call, recording });
  }

  private transcribe(due: PlannedTranscript): void {
    const { tables, notifications } = this.services;
    // a recording that was removed meanwhile cannot be transcribed; the e-mail goes out without a transcript
    const isThere = tables.recordings.get(due.recordingId) !== undefined;
    const text = isThere ? this.addTranscript(due).text : null;
    if (due.isLast) this.completeTranscription(due.callId);
    if (due.owner !== undefined)
      notifications.voicemailEmail(due.owner, tables.calls.mustGet(due.callId), text);
  }

  private addTranscript({ callId, recordingId, segments }: PlannedRecording): TranscriptRecord {
    const { engine, tables, retention } = this.services;
    const id = engine.ids.next("transcript");
    const created = {
      id,
      callId,
      recordingId,
      text: segmentLines(segments),
      ...dateFields("created", engine.now),
    };
    const transcript = tables.transcripts.insert(created);
    tables.segments.insert({ id, segments });
    retention.addRecords(callId, { table: "transcripts", id }, { table: "segments", id });
    tables.recordings.patch(recordingId, { transcript: id });
    const call = this.setTranscript(transcript, transcript);
    this.services.raise.transcriptCreated({ call, transcript });
    return transcript;
  }

  /** Raises the completion of a call's transcription, if it has transcripts. */
  private completeTranscription(callId: string): void {
    const { tables } = this.services;
    const call = tables.calls.mustGet(callId);
    const transcripts = call.recordings.flatMap(({ transcript: id }) =>
      id === null ? [] : [tables.transcripts.mustGet(id)],
    );
    if (transcripts.length > 0)
      this.services.raise.transcriptionCompleted({ call, transcripts: Object.freeze(transcripts) });
  }

  /** Sets or clears the transcript of a recording in the call's record. */
  setTranscript({ callId, recordingId }: TranscriptRecord, named: TranscriptRecord | null): CallRecord {
    return this.services.callRecords.edit(callId, ({ recordings, voicemail }) => {
      const recording = recordings.find(({ id }) => id === recordingId);
      if (recording !== undefined) recording.transcript = named?.id ?? null;
      if (voicemail?.id === recordingId) voicemail.transcription = named?.text ?? null;
    });
  }

  private addTariff({ callId }: { callId: string }): void {
    const { tables, settings } = this.services;
    if (settings.tariff === undefined) throw new Error("a call is tariffed without a tariff");
    const { parties, tariff } = makeTariff(tables.calls.mustGet(callId), settings.tariff);
    const call = this.services.callRecords.change(callId, { parties, tariff });
    this.services.raise.callTariffed({ call });
  }
}

/** @throws {CommandError} `not_found` for a recording that a call does not have */
export function mustFindRecording(recordings: readonly Recording[], callId: string, id: string): Recording {
  const recording = recordings.find((each) => each.id === id);
  if (recording !== undefined) return recording;
  const known = recordings.map((each) => each.id).join(", ") || "none";
  throw new CommandError("not_found", `call ${callId} has no recording "${id}"; it has: ${known}`);
}

/** Recordings, transcripts and tariffs of closed calls. */
export const afterCall = defineService({
  create: (services: Needs) => new AfterCall(services),
  tasks: AfterCall.tasks,
});
