/** `ringback/import`: turns captured webhook requests into a scenario, and reports how they differ from the documentation. */

export { type CapturedDifference, type ImportOptions, type ImportResult, importCapture } from "./import.ts";
export type { Unexplained } from "./judge/unexplained.ts";
export {
  type Capture,
  type CapturedEvent,
  type CapturedRequest,
  CaptureError,
  type CaptureFormat,
  type Drift,
} from "./read/capture.ts";
export { drift } from "./read/drift.ts";
export { type CaptureInput, type ReadOptions, readCapture } from "./read/read.ts";
export { type CaptureWriter, captureMiddleware, captureTo } from "./record/capture-to.ts";
