import type { EventType } from "../../core/platform/declare/events.ts";

/** The formats that `readCapture` reads. */
export const captureFormats = [
  "jsonl",
  "portal",
  "webhook.site",
  "hookdeck",
  "ngrok",
  "folder",
  "har",
] as const;

/**
 * A format of captures. `jsonl`: one line per request, as `ringback record` writes it. `portal`: the portal's log of
 * deliveries. `webhook.site`, `hookdeck`, `ngrok` and `har`: exports of these tools. `folder`: raw bodies, one after
 * another.
 */
export type CaptureFormat = (typeof captureFormats)[number];

/** A request of a capture that could not be read. The others were. */
export interface CaptureProblem {
  /** The line in the capture, from 1. In a format without lines: the number of the request. */
  readonly line: number;
  /** What was expected and what was found. */
  readonly message: string;
}

/** One request of a capture, as the app got it. */
export interface CapturedRequest {
  /** The line in the capture, from 1. In a format without lines: the number of the request. */
  readonly line: number;
  /** When it was received, ms since the Unix epoch; null if the capture does not say. */
  readonly receivedTimestamp: number | null;
  /** The time in its timestamp header, ms since the Unix epoch; null without one. */
  readonly signedTimestamp: number | null;
  /** Its signature header; null without one. */
  readonly signature: string | null;
  /** The status of the app's answer; null if it did not answer or the capture does not say. */
  readonly status: number | null;
  /** How long the app took to answer, ms; null if the capture does not say. */
  readonly responseMs: number | null;
  /** How its body is written, by the assumption `bodyText`; null if a tool has written it anew. */
  readonly bodyText: "spaced" | "compact" | null;
}

/** One event of a capture, with every request that carried it. */
export interface CapturedEvent {
  /** The event's id. */
  readonly id: string;
  /** The event's type, which may be undocumented. */
  readonly type: string;
  /** The event's type if it is documented, else undefined. */
  readonly knownType: EventType | undefined;
  /** Whether the dialect declares its type. Such an event counts as drift and needs no explanation. */
  readonly isDeclared: boolean;
  /** When it happened, ms since the Unix epoch: the record's own time if it has one, else the wrapper's. */
  readonly timestamp: number;
  /** The wrapper's time, ms since the Unix epoch; null without one. */
  readonly createdTimestamp: number | null;
  /** The organisation; null if the wrapper does not say. */
  readonly organisationId: string | null;
  /** The documented fields of the event's data. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The requests that carried it, oldest first. */
  readonly requests: readonly CapturedRequest[];
}

/** The first line that has an event; 0 if there is none. */
export function firstEventLine(event: CapturedEvent | undefined): number {
  return event?.requests[0]?.line ?? 0;
}

/** A field, type or value in which bodies differ from the documented schemas. */
export interface DriftItem {
  /** The path in the body, such as `data.call.parties[].displayValue`. For an event type: the type. */
  readonly path: string;
  /** What the schemas expect there, such as `text` or `one of user, device`. Undefined if they do not know the path. */
  readonly expected?: string;
  /** What was found: a type, or the value of an enumeration. Undefined if nothing was. */
  readonly got?: string;
  /** How many bodies have it. */
  readonly count: number;
  /** The first line that has it. */
  readonly line: number;
}

/** How the bodies of a capture differ from the documented schemas. */
export interface Drift {
  /** Undocumented fields. */
  readonly fields: readonly DriftItem[];
  /** Values of another type than documented. */
  readonly types: readonly DriftItem[];
  /** Values that are not in the documented enumeration. */
  readonly enums: readonly DriftItem[];
  /** Documented fields that are missing. */
  readonly lacking: readonly DriftItem[];
  /** Undocumented event types. */
  readonly events: readonly DriftItem[];
}

/** The webhook requests that an app got, grouped by event. */
export interface Capture {
  /** The format it was read from. */
  readonly format: CaptureFormat;
  /** How many requests were read. */
  readonly requests: number;
  /** The events, oldest first. */
  readonly events: readonly CapturedEvent[];
  /** What could not be read, in the order of lines: at most 1,000, and one more that says how many are not listed. */
  readonly problems: readonly CaptureProblem[];
  /** How many lines could not be read. */
  readonly unread: number;
  /** How many requests are no webhook requests: of another method, or to another URL and without an event. */
  readonly leftOut: number;
  /** How its bodies differ from the documented schemas. */
  readonly drift: Drift;
}

/** No request of a capture could be read. */
export class CaptureError extends Error {
  override readonly name = "CaptureError";

  constructor(
    message: string,
    /** What could not be read, in the order of lines. */
    readonly problems: readonly CaptureProblem[] = [],
  ) {
    super(message);
  }
}
