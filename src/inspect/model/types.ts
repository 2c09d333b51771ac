/** What the page shows of a run: plain data, made in the worker and sent to the page. */

/** What a row tells of; each kind has a colour and a shape of its own. */
export type RowKind =
  | "command"
  | "ring"
  | "answer"
  | "voicemail"
  | "message"
  | "event"
  | "failed"
  | "retry"
  | "lost"
  | "timer"
  | "rest";

/** How a request came out, or how the first attempt of an event's delivery did. */
export interface Outcome {
  readonly kind: "delivered" | "failed" | "lost" | "pending";
  /** `200`, `503`, `lost`, `refused`. */
  readonly text: string;
}

/** What one endpoint does in a row: `mobile` stops with `timeout`. */
export interface EndpointNote {
  readonly lane: string;
  readonly endpoint: string;
  /** `rings`, or how its ringing ended. */
  readonly does: string;
}

/** A delivery that a row tells of. */
export interface RowDelivery {
  readonly id: string;
  /** The lane of the webhook's host. */
  readonly lane: string;
  /** 1 for the first. */
  readonly attempt: number;
  outcome: Outcome;
  /** How many attempts the delivery had in all. */
  tries: number;
  /** When the next attempt is due, from the start of the run, ms: of the last one, if the run is over before. */
  readonly nextMs?: number;
}

/** One thing that happened. */
export interface Row {
  /** Its place among all rows. */
  readonly index: number;
  /** From the start of the run, ms. */
  readonly atMs: number;
  kind: RowKind;
  /** The place of its call or conversation in the list of records; -1 for none. */
  record: number;
  /** Who or what: bold. */
  subject: string;
  /** What it does. */
  verb: string;
  /** What else is worth a look. */
  detail: string;
  /** The lane that it comes from. */
  from: string;
  /** The lanes that it goes to. */
  to: string[];
  /** How many steps the run had made when it was over: where a fork begins. */
  readonly step: number;
  /** The place of the event in the stream, of rows that are about one. */
  readonly event?: number;
  /** The row of the first attempt, of rows that are about another one. */
  readonly first?: number;
  deliveries: RowDelivery[];
  /** How a request that is not a delivery came out. */
  outcome?: Outcome;
  readonly endpoints: EndpointNote[];
  /** The command and its arguments, of rows that are about one. */
  readonly command?: { readonly name: string; readonly args: unknown };
}

/** Someone or something that takes part. */
export interface Lane {
  /** A number, the id of a user or a device, a host, or `platform`. */
  readonly id: string;
  readonly kind: "outside" | "app" | "platform" | "member" | "other";
  /** In full. */
  name: string;
  /** For the head of the lane. */
  short: string;
  /** The team in whose bracket it stands. */
  readonly team?: string;
}

export type BarKind = "wait" | "ring" | "talk" | "voicemail" | "live";
/** How a bar ends: what is drawn there. */
export type BarEnd = "declined" | "timeout" | "answered" | "elsewhere" | "left" | "open";

/** A state that lasts: a phone that rings, two who talk. */
export interface Bar {
  readonly lane: string;
  readonly kind: BarKind;
  readonly record: number;
  /** The endpoint, of bars that are about one. */
  readonly endpoint: string | undefined;
  /** The rows that it begins and ends at. */
  readonly fromRow: number;
  toRow: number;
  end: BarEnd;
}

/** How long a team holds a call. */
export interface Hold {
  readonly team: string;
  readonly record: number;
  readonly fromRow: number;
  toRow: number;
}

export type SpanKind = "wait" | "ring" | "talk" | "voicemail" | "message";

/** What a record was doing for a while, from the start of the run, ms. */
export interface Span {
  readonly kind: SpanKind;
  readonly fromMs: number;
  toMs: number;
}

/** A call or a conversation. */
export interface RunRecord {
  readonly id: string;
  readonly kind: "call" | "conversation";
  /** `A`, `B` … */
  readonly label: string;
  title: string;
  readonly fromMs: number;
  toMs: number;
  readonly spans: Span[];
  /** How it came out; empty while it lives. */
  outcome: string;
  readonly fromRow: number;
  toRow: number;
  /** Users and teams that took part, for the filter. */
  readonly people: string[];
}

/** What a run has the more of the longer it is: it comes to the page in pieces, as the rows do. */
export interface RunLists {
  readonly records: readonly RunRecord[];
  readonly lanes: readonly Lane[];
  readonly bars: readonly Bar[];
  readonly holds: readonly Hold[];
}

/** A whole run, but for its rows. */
export interface RunShape extends RunLists {
  readonly title: string;
  readonly seed: string | number;
  /** ISO 8601. */
  readonly start: string;
  readonly startMs: number;
  /** From the start, ms. */
  readonly endMs: number;
  readonly eventCount: number;
  readonly journalBytes: number;
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  /** What in the run was not as expected, in words. */
  readonly problems: readonly string[];
  /** Commands of a fork that its state did not allow. */
  readonly skipped: readonly string[];
}

/** Whether a row tells of a failure. */
export function isFailure(row: Row): boolean {
  if (row.kind === "failed" || row.kind === "lost") return true;
  const bad = ({ kind }: Outcome) => kind === "failed" || kind === "lost";
  return (
    (row.outcome !== undefined && bad(row.outcome)) || row.deliveries.some(({ outcome }) => bad(outcome))
  );
}
