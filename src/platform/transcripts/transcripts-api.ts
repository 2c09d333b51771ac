import { CommandError } from "../../engine/errors.ts";
import type { TranscriptRecord } from "../../records/transcript.ts";
import type { Platform } from "../platform.ts";

/** `sim.transcripts`. */
export interface TranscriptsApi {
  /** Oldest first. */
  list(): TranscriptRecord[];
  /** @throws {CommandError} `not_found` */
  get(id: string): TranscriptRecord;
}

export function transcriptsApi({ tables }: Platform): TranscriptsApi {
  return {
    list: () => [...tables.transcripts],
    get: (id) => {
      const transcript = tables.transcripts.get(id);
      if (transcript === undefined) throw new CommandError("not_found", `no transcript has the id "${id}"`);
      return transcript;
    },
  };
}
