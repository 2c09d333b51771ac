import type { Recording } from "../../records/call.ts";
import type { Base } from "../base.ts";
import type { AfterCall } from "./after-call.ts";

export interface Needs extends Base {
  readonly afterCall: AfterCall;
}

/** `sim.recordings`. */
export interface RecordingsApi {
  /** @throws {CommandError} `not_found` */
  get(callId: string, id: string): Recording;
  /** Deletes it. Its transcript stays; if there is none yet, there will be none. @throws {CommandError} `not_found` */
  remove(callId: string, id: string): void;
}

export function recordingsApi(world: Needs): RecordingsApi {
  return {
    get: (callId, id) => world.afterCall.recording(callId, id),
    remove: (callId, id) => world.command("removeRecording", { call: callId, recording: id }),
  };
}
