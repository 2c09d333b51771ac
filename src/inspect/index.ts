/** `ringback/inspect`: a recorded run as one page that needs nothing else, to look at, scrub, fork and explain. */
export { type Inspectable, type InspectOptions, inspectHtml, playgroundHtml } from "./inspectable.ts";
export type { InspectableFailure, InspectableReport } from "./report.ts";
