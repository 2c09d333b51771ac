import { CommandError } from "../../engine/errors.ts";
import type { TranscriptRecord, TranscriptSegment } from "../../records/transcript.ts";
import type { Platform } from "../platform.ts";

/** `sim.transcripts`. */
export interface TranscriptsApi {
  /** Oldest first. */
  list(): TranscriptRecord[];
  /** @throws {CommandError} `not_found` */
  get(id: string): TranscriptRecord;
  /** Who joined, left and spoke, in the order of time. @throws {CommandError} `not_found` */
  segments(id: string): readonly TranscriptSegment[];
}

export function transcriptsApi({ tables }: Platform): TranscriptsApi {
  const get = (id: string) => {
    const transcript = tables.transcripts.get(id);
    if (transcript === undefined) throw new CommandError("not_found", `no transcript has the id "${id}"`);
    return transcript;
  };
  return {
    list: () => [...tables.transcripts],
    get,
    segments: (id) => tables.segments.mustGet(get(id).id).segments,
  };
}
