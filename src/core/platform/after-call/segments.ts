import type { TranscriptSegment } from "../../generated/records.ts";
import type { CallRecord } from "../../records/call.ts";

/** Who joined and left a recorded call, in the order of time. Moving between endpoints counts as neither. */
export function makeSegments(call: CallRecord, recordedFromMs: number): TranscriptSegment[] {
  const segments = call.parties.flatMap((party) => {
    const connections = call.connections.filter((each) => each.partyId === party.id);
    const [first] = connections;
    const leftMs = connections.at(-1)?.leftTimestamp;
    if (first === undefined) return [];
    const at = (type: "JOIN" | "LEAVE", ms: number): TranscriptSegment => {
      const offset = Math.max(0, ms - recordedFromMs);
      return { type, speaker: party.displayName, text: "", startOffset: offset, endOffset: offset };
    };
    return [at("JOIN", first.joinedTimestamp), ...(leftMs == null ? [] : [at("LEAVE", leftMs)])];
  });
  // at one instant, joins come before leaves; sort is stable
  const rank = (segment: TranscriptSegment) => (segment.type === "JOIN" ? 0 : 1);
  return segments.sort((a, b) => a.startOffset - b.startOffset || rank(a) - rank(b));
}

/** Writes one line for each segment. */
export function segmentLines(segments: readonly TranscriptSegment[]): string {
  return segments
    .map(({ type, speaker, text }) => (type === "SPEECH" ? text : `${type} ${speaker}`))
    .join("\n");
}
