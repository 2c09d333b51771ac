import type { TranscriptRecord, TranscriptSegment } from "../../generated/records.ts";
import type { Base } from "../base.ts";
import type { AfterCall } from "./after-call.ts";

export interface Needs extends Base {
  readonly afterCall: AfterCall;
}

/** `sim.transcripts`: transcripts of recordings. */
export interface TranscriptsApi {
  /** All transcripts, oldest first. */
  list(): TranscriptRecord[];
  /**
   * Returns a transcript.
   * @param id the transcript's id
   * @throws {CommandError} `not_found`
   */
  get(id: string): TranscriptRecord;
  /**
   * Who joined, left and spoke, in the order of time.
   * @param id the transcript's id
   * @throws {CommandError} `not_found`
   */
  segments(id: string): readonly TranscriptSegment[];
  /**
   * Deletes a transcript. Its recording and its voicemail no longer refer to one.
   * @param id the transcript's id
   * @throws {CommandError} `not_found`
   */
  remove(id: string): void;
}

export function transcriptsApi(world: Needs): TranscriptsApi {
  const { afterCall, tables } = world;
  return {
    list: () => [...tables.transcripts],
    get: (id) => afterCall.transcript(id),
    segments: (id) => tables.segments.mustGet(afterCall.transcript(id).id).segments,
    remove: (id) => world.command("removeTranscript", { transcript: id }),
  };
}
