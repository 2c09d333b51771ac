import type { EventType } from "../platform/events.ts";

/** One line of an expected stream: `PT6S call.answered`, or the same with a part of the event's data. */
export type StreamLine = string | { readonly event: string; readonly match?: object };

/** What `toBeSilentFor` lets pass. */
export interface SilenceOptions {
  /** Types of events that do not break the silence. */
  readonly except?: EventType | readonly EventType[];
}
