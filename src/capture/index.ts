/** `ringback/import`: turns captured webhook requests into a scenario, and reports how they differ from the documentation. */

export type { DialectInput } from "../core/platform/declare/settings.ts";
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
export { type CaptureWriter, captureMiddleware, captureTo } from "./capture-to.ts";
export { drift } from "./drift.ts";
export {
  type Difference,
  type ImportOptions,
  type ImportResult,
  type InventedEvent,
  importCapture,
} from "./import.ts";
export { type CaptureInput, type ReadOptions, readCapture } from "./read.ts";
export type { RuleRow } from "./rules.ts";
export type { Unexplained } from "./unexplained.ts";
