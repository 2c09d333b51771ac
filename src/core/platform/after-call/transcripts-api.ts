import type { TranscriptRecord, TranscriptSegment } from "../../generated/records.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { AfterCall } from "./after-call.ts";

export interface Needs extends CoreServices {
  readonly afterCall: AfterCall;
}

/** `sim.transcripts`: transcripts of recordings. */
export interface TranscriptsApi {
  /**
   * All transcripts, oldest first.
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.runUntil("call.not_answered");
   * call.leaveVoicemail({ duration: "PT12S", transcript: "Please call me back." });
   * sim.runUntilIdle();
   * sim.transcripts.list().length; // => 1
   */
  list(): TranscriptRecord[];
  /**
   * Returns a transcript.
   * @param id the transcript's id
   * @throws {CommandError} `not_found`
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.runUntil("call.not_answered");
   * call.leaveVoicemail({ duration: "PT12S", transcript: "Please call me back." });
   * const { data } = sim.runUntil("call.transcript.created");
   * sim.transcripts.get(data.transcript.id).id; // => data.transcript.id
   */
  get(id: string): TranscriptRecord;
  /**
   * Who joined, left and spoke, in the order of time.
   * @param id the transcript's id
   * @throws {CommandError} `not_found`
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.runUntil("call.not_answered");
   * call.leaveVoicemail({ duration: "PT12S", transcript: "Please call me back." });
   * const { data } = sim.runUntil("call.transcript.created");
   * const said = sim.transcripts.segments(data.transcript.id);
   * said.some((segment) => JSON.stringify(segment).includes("Please call me back.")); // => true
   */
  segments(id: string): readonly TranscriptSegment[];
  /**
   * Deletes a transcript. Its recording and its voicemail no longer refer to one.
   * @param id the transcript's id
   * @throws {CommandError} `not_found`
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.runUntil("call.not_answered");
   * call.leaveVoicemail({ duration: "PT12S", transcript: "Please call me back." });
   * sim.transcripts.remove(sim.runUntil("call.transcript.created").data.transcript.id);
   * sim.transcripts.list(); // => []
   */
  remove(id: string): void;
}

export function transcriptsApi(services: Needs): TranscriptsApi {
  const { afterCall, tables } = services;
  return {
    list: () => [...tables.transcripts],
    get: (id) => afterCall.transcript(id),
    segments: (id) => tables.segments.mustGet(afterCall.transcript(id).id).segments,
    remove: (id) => services.command("removeTranscript", { transcript: id }),
  };
}
