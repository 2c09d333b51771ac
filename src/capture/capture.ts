import type { EventType } from "../core/platform/declare/events.ts";

/** The formats that captures are read from. */
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
 * A format of captures. `jsonl`: a line for each request, as `ringback record` writes it. `portal`: the portal's log of
 * deliveries. `webhook.site`, `hookdeck`, `ngrok` and `har`: what these tools export. `folder`: raw bodies, one after
 * the other.
 */
export type CaptureFormat = (typeof captureFormats)[number];

/** A part of a capture that could not be read. The rest was. */
export interface CaptureProblem {
  /** The line of the capture, from 1. Of a format without lines: the request's number. */
  readonly line: number;
  /** What is wrong, and what was expected. */
  readonly message: string;
}

/** One request of a capture, as the receiver got it. */
export interface CapturedRequest {
  /** The line of the capture, from 1. Of a format without lines: the request's number. */
  readonly line: number;
  /** When it was received, ms since the Unix epoch; null if the capture does not say. */
  readonly receivedTimestamp: number | null;
  /** The time in its timestamp header, ms since the Unix epoch; null without one. */
  readonly signedTimestamp: number | null;
  /** The status that the receiver answered; null if it did not answer or the capture does not say. */
  readonly status: number | null;
  /** How long the receiver took to answer, ms; null if the capture does not say. */
  readonly responseMs: number | null;
}

/** One event of a capture, with all requests that carried it. */
export interface CapturedEvent {
  /** The event's id. */
  readonly id: string;
  /** The event's type. It may be one that the documentation does not name. */
  readonly type: string;
  /** The event's type, if it is one of ours; otherwise undefined. */
  readonly knownType: EventType | undefined;
  /** Whether the dialect declares its type. Such an event is drift, and needs no explanation. */
  readonly isDeclared: boolean;
  /** When it happened, ms since the Unix epoch: the record's own time where it has one, else the wrapper's. */
  readonly timestamp: number;
  /** The wrapper's time, ms since the Unix epoch; null without one. */
  readonly createdTimestamp: number | null;
  /** The organisation; null if the wrapper does not say. */
  readonly organisationId: string | null;
  /** The fields of the event's data that our schemas know. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The requests that carried it, in the order of time. */
  readonly requests: readonly CapturedRequest[];
}

/** A field, a type or a value that bodies have and our schemas do not, or the other way round. */
export interface DriftItem {
  /** Where it is in the body, such as `data.call.parties[].displayValue`. For an event type: the type. */
  readonly path: string;
  /** What our schemas expect there, such as `text` or `one of user, device`. Undefined where they know nothing of it. */
  readonly expected?: string;
  /** What was found: a type, or the value of an enumeration. Undefined where nothing was. */
  readonly got?: string;
  /** How many bodies have it. */
  readonly count: number;
  /** The line that has it first. */
  readonly line: number;
}

/** How the bodies of a capture differ from our schemas. */
export interface Drift {
  /** Fields that our schemas do not have. */
  readonly fields: readonly DriftItem[];
  /** Values of another type. */
  readonly types: readonly DriftItem[];
  /** Values that an enumeration does not have. */
  readonly enums: readonly DriftItem[];
  /** Fields that are missing. */
  readonly lacking: readonly DriftItem[];
  /** Event types that we do not know. */
  readonly events: readonly DriftItem[];
}

/** Webhook requests as a receiver got them, read and grouped by event. */
export interface Capture {
  /** The format that it was read from. */
  readonly format: CaptureFormat;
  /** How many requests were read. */
  readonly requests: number;
  /** The events, in the order of time. */
  readonly events: readonly CapturedEvent[];
  /** What could not be read, in the order of lines. */
  readonly problems: readonly CaptureProblem[];
  /** How its bodies differ from our schemas. */
  readonly drift: Drift;
}

/** A capture of which nothing could be read. */
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
