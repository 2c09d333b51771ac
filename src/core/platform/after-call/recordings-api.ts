import type { Recording } from "../../records/call.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { AfterCall } from "./after-call.ts";

export interface Needs extends CoreServices {
  readonly afterCall: AfterCall;
}

/** `sim.recordings`: recordings of calls and of voicemail messages. */
export interface RecordingsApi {
  /**
   * Returns a recording of a call.
   * @param callId the call's id
   * @param id the recording's id
   * @throws {CommandError} `not_found`
   * @example
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features: { recording: true } } });
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.answer("alice");
   * sim.advance("PT1M");
   * call.hangup("caller");
   * const { data } = sim.runUntil("call.recording.available");
   * sim.recordings.get(call.id, data.recording.id).id; // => data.recording.id
   */
  get(callId: string, id: string): Recording;
  /**
   * Deletes a recording. Its transcript stays if it exists, and is never made otherwise.
   * @param callId the call's id
   * @param id the recording's id
   * @throws {CommandError}
   * `not_found`
   * @example
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features: { recording: true } } });
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.answer("alice");
   * sim.advance("PT1M");
   * call.hangup("caller");
   * sim.recordings.remove(call.id, sim.runUntil("call.recording.available").data.recording.id);
   */
  remove(callId: string, id: string): void;
}

export function recordingsApi(services: Needs): RecordingsApi {
  return {
    get: (callId, id) => services.afterCall.recording(callId, id),
    remove: (callId, id) => services.command("removeRecording", { call: callId, recording: id }),
  };
}
