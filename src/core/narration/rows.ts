import type { DependencyCalled } from "../network/dependencies/called.ts";
import type { RequestRecord } from "../records/request.ts";
import type { Lifeline, NamedSentence } from "./lifelines.ts";

/** A run as rows, from which timelines, diagrams, traces and pages are drawn. */

/** The kind of a row. */
export type RowKind =
  /** A command: a `SentenceKind`, or any other. */
  | "command"
  | "answer"
  | "voicemail"
  | "message"
  | "rest"
  /** Cards of the Call Insights data action come. */
  | "cards"
  /** Something that the platform does by itself. */
  | "timer"
  | "event"
  /** Phones begin to ring, or stop. */
  | "ring"
  | "silence"
  /** A request of the platform, or its answer, is on its way. */
  | "sending"
  /** A request arrives whose handler calls the REST API. */
  | "arrival"
  /** A request is over: to a webhook, or to any other endpoint. */
  | "attempt"
  | "request"
  /** A request takes a deviation. */
  | "deviation"
  /** The app calls a dependency, such as its CRM. */
  | "dependency"
  /** A delivery or a webhook fails for good. */
  | "failed"
  /** Something that a caller hears or waits for. */
  | "caller";

/** What a phone does in a row. */
export interface PhoneNote {
  readonly line: Lifeline;
  readonly endpoint: string;
  /** `rings`, or how its ring ended. */
  readonly does: string;
}

/** One row of a narration. */
export interface NarrationRow {
  /** Its index among all rows. */
  readonly index: number;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly kind: RowKind;
  /** Who does it, or hears it. */
  readonly actor: Lifeline;
  readonly sentence: NamedSentence;
  /** The index of its cause; undefined for a command, a timer and other rows without a cause. */
  readonly cause: number | undefined;
  /** The index of its call or conversation among the records; -1 for none. */
  record: number;
  /** The row of the request whose handler did this: it is drawn inside. */
  readonly during?: number | undefined;
  /** The name of its call, if it is ambiguous: `call of Jane Smith`. */
  readonly callName: string | undefined;
  readonly phones: PhoneNote[];
  /** The bars that begin and end with it. */
  readonly began: Bar[];
  readonly ended: Bar[];
  /** For an event, its id, its type, and its index in the stream. */
  readonly event?: { readonly id: string; readonly type: string; readonly place: number };
  readonly command?: { readonly name: string; readonly args: unknown };
  readonly request?: RequestRecord;
  /** For a call to a dependency, the call. */
  readonly called?: DependencyCalled;
  /** For cards, when they were asked for: `<service>.precall`. */
  readonly origin?: string | undefined;
  /** How the request deviates. */
  readonly is?: string;
  /** The delivery that is tried again, or has failed. */
  readonly delivery?: string;
  /** The offer that a ring belongs to. */
  readonly offer?: OfferTier | undefined;
}

/** The tier that an offer of a call to a team rings. */
export interface OfferTier {
  /** The team's short name. */
  readonly team: string;
  readonly tier: number;
  /** Whether this tier was rung before. */
  readonly isAgain: boolean;
}

export type BarKind = "wait" | "ring" | "talk" | "voicemail" | "live";
/** How a bar ends, which decides its symbol. */
export type BarEnd = "declined" | "timeout" | "answered" | "elsewhere" | "left" | "open";

/** A period on a lifeline, such as a ring or a talk. */
export interface Bar {
  /** The id of a lifeline. */
  readonly lane: string;
  readonly kind: BarKind;
  readonly record: number;
  /** For a bar about an endpoint, the endpoint. */
  readonly endpoint: string | undefined;
  /** The rows at which it begins and ends. */
  readonly fromRow: number;
  toRow: number;
  end: BarEnd;
}

/** The time in which a team holds a call. */
export interface TeamHold {
  readonly team: string;
  readonly record: number;
  readonly fromRow: number;
  toRow: number;
}

export type SpanKind = "wait" | "ring" | "talk" | "voicemail" | "message";

/** A period of a call or a conversation. Times are ms from the start of the run. */
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
  /** The index of the first record of its journey; its own, if it is alone. */
  journey: number;
  title: string;
  readonly fromMs: number;
  toMs: number;
  readonly spans: Span[];
  /** The outcome; empty while it is live. */
  outcome: string;
  readonly fromRow: number;
  toRow: number;
  /** The ids of the users and teams that took part, for the filter. */
  readonly people: string[];
}

/** The narration of a whole run. */
export interface RunNarration {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Where the narration begins, if the journal was compacted: what came before is gone. */
  readonly sinceMs?: number | undefined;
  readonly seed: string | number;
  readonly eventCount: number;
  /** The result of the comparison with the expected stream. */
  readonly verdict?: string;
  readonly platform: Lifeline;
  readonly lifelines: readonly Lifeline[];
  readonly rows: readonly NarrationRow[];
  /** The calls and conversations, in the order in which they began. */
  readonly records: readonly RunRecord[];
}

/** A cause and its effects, in order. */
export interface CausedRows {
  readonly cause: NarrationRow;
  readonly effects: readonly NarrationRow[];
}

/** The rows of a narration, grouped by cause. */
export function* rowsByCause({ rows }: Pick<RunNarration, "rows">): Generator<CausedRows> {
  let from = 0;
  while (from < rows.length) {
    let to = from + 1;
    while (to < rows.length && rows[to]?.cause !== undefined) to++;
    const [cause, ...effects] = rows.slice(from, to);
    if (cause !== undefined) yield { cause, effects };
    from = to;
  }
}
