/** `ringback/import`: reads webhook requests that a receiver got, and how their bodies differ from ours. */
export {
  type Capture,
  type CapturedEvent,
  type CapturedRequest,
  CaptureError,
  type CaptureFormat,
  type CaptureProblem,
  type Drift,
  type DriftItem,
} from "./capture.ts";
export type { CaptureDialect } from "./dialect.ts";
export { drift } from "./drift.ts";
export { type CaptureInput, type ReadOptions, readCapture } from "./read.ts";
