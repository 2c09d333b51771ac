import type { AgendaItem } from "../../engine/agenda.ts";
import { CommandError, notFound } from "../../engine/errors.ts";
import type { CallRecord, Recording } from "../../records/call.ts";
import { moment } from "../../records/moments.ts";
import type { TranscriptRecord, TranscriptSegment } from "../../records/transcript.ts";
import type { RemoveRecordingArguments } from "../calls/commands.ts";
import type { Destination, LiveCall } from "../calls/live-call.ts";
import type { Platform } from "../platform.ts";
import type { RemoveTranscriptArguments } from "../transcripts/commands.ts";
import { audioBytes } from "./audio.ts";
import { segmentsOf, textOf } from "./segments.ts";
import { tariffOf } from "./tariff.ts";

/** A recording that will be, and what was said in it. */
interface RecordingToCome {
  readonly callId: string;
  readonly recordingId: string;
  readonly durationMs: number;
  readonly channels: number;
  readonly segments: readonly TranscriptSegment[];
  /** Whose voicemail it was left in; undefined for a recorded call. */
  readonly owner?: Destination;
}

/** With the last transcript of a call its transcription is completed. */
interface TranscriptToCome extends RecordingToCome {
  readonly isLast: boolean;
}

/** What comes of a call after its end: recordings, transcripts, analysis, tariff. */
export class AfterCall {
  constructor(
    private readonly platform: Platform,
    /** How many artefacts each closed call still waits for. */
    private readonly awaited = new Map<string, number>(),
  ) {}

  /** The handlers of what this schedules. */
  readonly tasks = {
    "call.recording": (item: AgendaItem) =>
      this.arrived(item, (data) => this.recordingAvailable(data as RecordingToCome)),
    "call.transcript": (item: AgendaItem) =>
      this.arrived(item, (data) => this.transcriptDue(data as TranscriptToCome)),
    "call.tariff": (item: AgendaItem) =>
      this.arrived(item, (data) => this.tariffed(data as { callId: string })),
  };

  /** For a fork: the same waits, on its platform. */
  forkState(): Map<string, number> {
    return new Map(this.awaited);
  }

  /** The call closed: tells those who missed it, and schedules what follows. */
  closed(call: CallRecord, live: LiveCall): void {
    const { dataActions, notifications, redirect, settings, voicemail } = this.platform;
    dataActions.askCallInsights(call, "callhistory");
    const isUnanswered = call.assignedUser === null && call.answeredAt === null && call.status !== "blocked";
    // who is in voicemail was told of already, and the call is not returned
    const isMissed = isUnanswered && live.voicemail === null;
    if (isMissed) notifications.missedCall(live.target, call);
    if (live.rules.returnTo !== null)
      redirect.settle(call.id, isMissed && call.status === "missed" ? (call.outcome?.reason ?? "") : null);
    const hasMessage = call.voicemail !== null;
    if (settings.features.recording && call.answeredTimestamp !== null)
      this.follow(this.recordingOf(call, call.answeredTimestamp), !hasMessage);
    if (hasMessage && live.voicemail !== null) {
      this.follow(voicemail.recording(call, live.voicemail), true);
      voicemail.tellOwner(call, live.voicemail.owner);
    }
    const hasConnected = call.answeredTimestamp !== null || live.voicemail !== null;
    if (settings.features.tariff && settings.tariff !== undefined && hasConnected)
      this.schedule(settings.timing.callTariffed, "call.tariff", call.id, "call: tariff calculated", {
        callId: call.id,
      });
    if (!this.awaited.has(call.id)) this.platform.retention.finished(call.id);
  }

  /**
   * Deletes a recording. Its transcript stays, if there is one; if not, there will be none.
   * @throws {CommandError} `not_found` for a call or a recording that is not kept
   */
  removeRecording({ call: callId, recording: id }: RemoveRecordingArguments): void {
    const { calls, tables } = this.platform;
    const { recordings } = calls.find(callId).call;
    recordingIn(recordings, callId, id);
    tables.recordings.remove(id);
    this.platform.changeCall(callId, { recordings: recordings.filter((each) => each.id !== id) });
  }

  /**
   * Deletes a transcript: its recording and the voicemail that it is of have none any more.
   * @throws {CommandError} `not_found`
   */
  removeTranscript({ transcript: id }: RemoveTranscriptArguments): void {
    const { tables } = this.platform;
    const transcript = this.transcript(id);
    tables.transcripts.remove(id);
    tables.segments.remove(id);
    if (tables.recordings.get(transcript.recordingId) !== undefined)
      tables.recordings.patch(transcript.recordingId, { transcript: null });
    this.nameTranscript(transcript, null);
  }

  /** @throws {CommandError} `not_found` */
  recording(callId: string, id: string): Recording {
    return recordingIn(this.platform.calls.find(callId).call.recordings, callId, id);
  }

  /** @throws {CommandError} `not_found` */
  transcript(id: string): TranscriptRecord {
    const transcript = this.platform.tables.transcripts.get(id);
    if (transcript === undefined) throw notFound("transcript", id, this.platform.tables.transcripts);
    return transcript;
  }

  private recordingOf(call: CallRecord, answeredMs: number): RecordingToCome {
    const { engine } = this.platform;
    return {
      callId: call.id,
      recordingId: engine.ids.next("recording"),
      durationMs: engine.now - answeredMs,
      channels: 2,
      segments: segmentsOf(call, answeredMs),
    };
  }

  /** A recording becomes available, then its transcript; a call may have several. */
  private follow(recording: RecordingToCome, isLast: boolean): void {
    const { timing, features } = this.platform.settings;
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

  private schedule(delayMs: number, task: string, callId: string, purpose: string, data: unknown): void {
    this.awaits(callId);
    this.platform.engine.schedule(delayMs, task, callId, purpose, data);
  }

  /** One more artefact of a call is to come. */
  awaits(callId: string): void {
    this.awaited.set(callId, (this.awaited.get(callId) ?? 0) + 1);
  }

  /** One of them came; with the last the call is finished. */
  settles(callId: string): void {
    const left = (this.awaited.get(callId) ?? 1) - 1;
    if (left > 0) {
      this.awaited.set(callId, left);
      return;
    }
    this.awaited.delete(callId);
    this.platform.retention.finished(callId);
  }

  private arrived(item: AgendaItem, act: (data: unknown) => void): void {
    act(item.data);
    this.settles(item.recordId);
  }

  private recordingAvailable({ callId, recordingId, durationMs, channels }: RecordingToCome): void {
    const { tables, engine, settings, analysis, retention } = this.platform;
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
    const call = this.platform.changeCall(callId, { recordings: [...recordings, recording] });
    engine.publish("call.recording.available", { call, recording });
    if (settings.features.analysis) analysis.createFor(call, recording);
  }

  private transcriptDue(due: TranscriptToCome): void {
    const { tables, notifications } = this.platform;
    // a recording that was removed meanwhile leaves nothing to transcribe; the e-mail that waited goes without
    const isThere = tables.recordings.get(due.recordingId) !== undefined;
    const text = isThere ? this.transcriptCreated(due).text : null;
    if (due.isLast) this.transcriptionCompleted(due.callId);
    if (due.owner !== undefined)
      notifications.voicemailEmail(due.owner, tables.calls.mustGet(due.callId), text);
  }

  private transcriptCreated({ callId, recordingId, segments }: RecordingToCome): TranscriptRecord {
    const { engine, tables, retention } = this.platform;
    const id = engine.ids.next("transcript");
    const created = { id, callId, recordingId, text: textOf(segments), ...moment("created", engine.now) };
    const transcript = tables.transcripts.insert(created);
    tables.segments.insert({ id, segments });
    retention.made(callId, { table: "transcripts", id }, { table: "segments", id });
    tables.recordings.patch(recordingId, { transcript: id });
    const call = this.nameTranscript(transcript, transcript);
    engine.publish("call.transcript.created", { call, transcript });
    engine.publish("transcript.created", { transcript });
    return transcript;
  }

  /** Tells of every transcript that there is of a call, if there is any. */
  private transcriptionCompleted(callId: string): void {
    const { engine, tables } = this.platform;
    const call = tables.calls.mustGet(callId);
    const transcripts = call.recordings.flatMap(({ transcript: id }) =>
      id === null ? [] : [tables.transcripts.mustGet(id)],
    );
    if (transcripts.length > 0)
      engine.publish("call.transcription_completed", { call, transcripts: Object.freeze(transcripts) });
  }

  /** The call's record names the transcript of one of its recordings, or no longer does. */
  private nameTranscript(
    { callId, recordingId }: TranscriptRecord,
    named: TranscriptRecord | null,
  ): CallRecord {
    const { recordings, voicemail } = this.platform.tables.calls.mustGet(callId);
    const transcript = named?.id ?? null;
    const transcription = named?.text ?? null;
    return this.platform.changeCall(callId, {
      recordings: recordings.map((each) => (each.id === recordingId ? { ...each, transcript } : each)),
      voicemail: voicemail?.id === recordingId ? { ...voicemail, transcription } : voicemail,
    });
  }

  private tariffed({ callId }: { callId: string }): void {
    const { engine, tables, settings } = this.platform;
    if (settings.tariff === undefined) throw new Error("a call is tariffed without a tariff");
    const { parties, tariff } = tariffOf(tables.calls.mustGet(callId), settings.tariff);
    const call = this.platform.changeCall(callId, { parties, tariff });
    engine.publish("call.tariffed", { call });
  }
}

function recordingIn(recordings: readonly Recording[], callId: string, id: string): Recording {
  const recording = recordings.find((each) => each.id === id);
  if (recording !== undefined) return recording;
  const known = recordings.map((each) => each.id).join(", ") || "none";
  throw new CommandError("not_found", `call ${callId} has no recording "${id}"; it has: ${known}`);
}
