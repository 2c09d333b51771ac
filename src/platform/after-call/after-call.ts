import type { AgendaItem } from "../../engine/agenda.ts";
import type { CallRecord, Recording } from "../../records/call.ts";
import { moment } from "../../records/moments.ts";
import type { TranscriptSegment } from "../../records/transcript.ts";
import type { Destination, LiveCall } from "../calls/live-call.ts";
import type { Platform } from "../platform.ts";
import { segmentsOf, textOf } from "./segments.ts";
import { tariffOf } from "./tariff.ts";

/** Audio as MP3 at 32 kbit/s a channel: what `fileSize` follows from. */
const BYTES_PER_SECOND = 4_000;

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

/** What comes of a call after its end: recordings, transcripts, analysis, tariff. Decisions, section 3. */
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
      this.arrived(item, (data) => this.transcriptCreated(data as RecordingToCome)),
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
    if (call.voicemail !== null && live.voicemail !== null) {
      this.follow(voicemail.recording(call, live.voicemail));
      voicemail.tellOwner(call, live.voicemail.owner);
    } else if (settings.features.recording && call.answeredTimestamp !== null) {
      this.follow(this.recordingOf(call, call.answeredTimestamp));
    }
    if (settings.features.tariff && settings.tariff !== undefined && call.answeredTimestamp !== null)
      this.schedule(settings.timing.callTariffed, "call.tariff", call.id, "call: tariff calculated", {
        callId: call.id,
      });
    if (!this.awaited.has(call.id)) this.platform.callFinished(call.id);
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

  /** A recording becomes available, then its transcript. */
  private follow(recording: RecordingToCome): void {
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
      this.schedule(transcriptMs, "call.transcript", callId, "call: transcript created", recording);
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
    this.platform.callFinished(callId);
  }

  private arrived(item: AgendaItem, act: (data: unknown) => void): void {
    act(item.data);
    this.settles(item.recordId);
  }

  private recordingAvailable({ callId, recordingId, durationMs, channels }: RecordingToCome): void {
    const { tables, engine, settings, analysis } = this.platform;
    const recording: Recording = {
      id: recordingId,
      callId,
      fileSize: Math.round((durationMs * BYTES_PER_SECOND * channels) / 1000),
      mimeType: "audio/mpeg",
      channels,
      transcript: null,
    };
    const { recordings } = tables.calls.mustGet(callId);
    tables.recordings.insert(recording);
    const call = this.platform.changeCall(callId, { recordings: [...recordings, recording] });
    engine.publish("call.recording.available", { call, recording });
    if (settings.features.analysis) analysis.createFor(call, recording);
  }

  private transcriptCreated({ callId, recordingId, segments, owner }: RecordingToCome): void {
    const { engine, tables, notifications } = this.platform;
    const id = engine.ids.next("transcript");
    const created = { id, callId, recordingId, text: textOf(segments), ...moment("created", engine.now) };
    const transcript = tables.transcripts.insert(created);
    tables.segments.insert({ id, segments });
    tables.recordings.patch(recordingId, { transcript: id });
    const { recordings, voicemail } = tables.calls.mustGet(callId);
    const call = this.platform.changeCall(callId, {
      recordings: recordings.map((each) => (each.id === recordingId ? { ...each, transcript: id } : each)),
      voicemail: voicemail && { ...voicemail, transcription: transcript.text },
    });
    engine.publish("call.transcript.created", { call, transcript });
    engine.publish("transcript.created", { transcript });
    engine.publish("call.transcription_completed", { call, transcripts: Object.freeze([transcript]) });
    if (owner !== undefined) notifications.voicemailEmail(owner, call, transcript.text);
  }

  private tariffed({ callId }: { callId: string }): void {
    const { engine, tables, settings } = this.platform;
    if (settings.tariff === undefined) throw new Error("a call is tariffed without a tariff");
    const { parties, tariff } = tariffOf(tables.calls.mustGet(callId), settings.tariff);
    const call = this.platform.changeCall(callId, { parties, tariff });
    engine.publish("call.tariffed", { call });
  }
}
