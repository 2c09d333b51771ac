/** `ringback/inspect`: shows a recorded run as one self-contained page, to scrub, fork and explain. */
export { type Inspectable, type InspectOptions, inspectHtml, playgroundHtml } from "./inspectable.ts";
export type { InspectableFailure, InspectableReport } from "./report.ts";
