import type { Recording } from "../../records/call.ts";
import { runCommand } from "../commands.ts";
import type { Platform } from "../platform.ts";

/** `sim.recordings`. */
export interface RecordingsApi {
  /** @throws {CommandError} `not_found` */
  get(callId: string, id: string): Recording;
  /** Deletes it. Its transcript stays; if there is none yet, there will be none. @throws {CommandError} `not_found` */
  remove(callId: string, id: string): void;
}

export function recordingsApi(platform: Platform): RecordingsApi {
  return {
    get: (callId, id) => platform.afterCall.recording(callId, id),
    remove: (callId, id) => runCommand(platform, "removeRecording", { call: callId, recording: id }),
  };
}
