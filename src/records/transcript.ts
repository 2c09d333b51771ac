export type { TranscriptRecord, TranscriptSegment } from "../generated/records.ts";
