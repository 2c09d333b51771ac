/** What the page shows of a run: plain data that the worker makes and sends. */
import type { Bar, RunRecord, TeamHold } from "../../core/narration/rows.ts";
import type { DependencyCalled } from "../../core/network/dependencies/called.ts";
import type { CaptureSource, UnexplainedRequest } from "../data.ts";

export type { Bar, BarKind, RunRecord, SpanKind, TeamHold } from "../../core/narration/rows.ts";

/** The kinds of rows. Each has its own colour and shape. */
export type PageRowKind =
  | "command"
  | "ring"
  | "answer"
  | "voicemail"
  | "message"
  | "cards"
  | "event"
  | "failed"
  | "retry"
  | "lost"
  | "timer"
  | "rest"
  | "unexplained"
  | "state";

/** The result of a request, or of the first attempt of a delivery. */
export interface Outcome {
  readonly kind: "delivered" | "failed" | "lost" | "pending";
  /** `200`, `503`, `lost`, `refused`. */
  readonly text: string;
}

/** What one endpoint does in a row, such as `mobile` stopping with `timeout`. */
export interface EndpointNote {
  readonly lane: string;
  readonly endpoint: string;
  /** `rings`, or how the ring ended. */
  readonly does: string;
}

/** The delivery of a row. */
export interface RowDelivery {
  readonly id: string;
  /** The webhook's id. */
  readonly webhook: string;
  /** The lane of the webhook's host. */
  readonly lane: string;
  /** The number of the attempt, 1 for the first. */
  readonly attempt: number;
  outcome: Outcome;
  /** How many attempts the delivery had in all. */
  attemptCount: number;
  /** When the next attempt is due, from the start of the run, ms, if the run ends before it. */
  readonly nextMs?: number;
}

/** One thing that happened. */
export interface PageRow {
  /** Its index among all rows. */
  readonly index: number;
  /** From the start of the run, ms. */
  readonly atMs: number;
  kind: PageRowKind;
  /** The index of its call or conversation among the records; -1 for none. */
  record: number;
  /** What the row is about, shown in bold. */
  subject: string;
  /** The verb. */
  verb: string;
  /** Further details. */
  detail: string;
  /** The lane where its arrow begins. */
  source: string;
  /** The lanes where its arrows end. */
  targets: string[];
  /** The number of steps that the run has made after it. A fork begins there. */
  readonly step: number;
  /** For a row about an event, the event's index in the stream. */
  readonly event?: number;
  /** For a row about cards, when they were asked for: `<service>.precall`. */
  readonly origin?: string | undefined;
  /** For a row about a later attempt, the row of the first one. */
  readonly firstRow?: number;
  deliveries: RowDelivery[];
  /** For a request that is not a delivery, its result. */
  outcome?: Outcome;
  readonly endpoints: EndpointNote[];
  /** Whether a handler did it while handling the request above. */
  readonly isInsideHandler?: boolean;
  /** For a step that is not in the capture, what the import assumed. */
  readonly assumed?: readonly string[];
  /** For a request of a capture that no run explains. */
  readonly unexplained?: UnexplainedRequest;
  /** For a change of the app's state: the state before (undefined if unknown) and after. */
  readonly state?: { readonly previous: string | undefined; readonly next: string };
  /** For a call of the app to one of its dependencies, the call. */
  readonly called?: DependencyCalled;
  /** For a row about a command, the command and its arguments. */
  readonly command?: { readonly name: string; readonly args: unknown };
}

/** A lane: someone or something that takes part. */
export interface Lane {
  /** A number, the id of a user or a device, a host, or `platform`. */
  readonly id: string;
  readonly kind: "outside" | "app" | "platform" | "member" | "other";
  /** The whole name, told apart from all others. */
  name: string;
  /** The name in the head of the lane. */
  short: string;
  /** What tells it apart, below the name: the surname, the extension or the end of the number. */
  secondLine?: string;
  /** The team in whose bracket the lane is. */
  readonly team?: string;
}

/** The lists that grow with the run. They arrive in chunks, as rows do. */
export interface RunLists {
  readonly records: readonly RunRecord[];
  readonly lanes: readonly Lane[];
  readonly bars: readonly Bar[];
  readonly holds: readonly TeamHold[];
}

/** A whole run without its rows. */
export interface RunSummary extends RunLists {
  readonly title: string;
  readonly seed: string | number;
  /** ISO 8601. */
  readonly start: string;
  readonly startMs: number;
  /** The time zone of the organisation, by which the page shows the time of day. */
  readonly zone: string;
  /** From the start, ms. */
  readonly endMs: number;
  readonly eventCount: number;
  readonly journalBytes: number;
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  /** Deviations from the expected outcome, in words. */
  readonly problems: readonly string[];
  /** Commands that a fork's state did not allow. */
  readonly skipped: readonly string[];
  /** What it was imported from. */
  readonly capture?: CaptureSource | undefined;
  /** Says that earlier instants are missing, if the journal was compacted. */
  readonly compactionNote?: string | undefined;
}

/** Whether a row shows a failure. */
export function showsFailure(row: PageRow): boolean {
  if (row.kind === "failed" || row.kind === "lost" || row.kind === "unexplained") return true;
  const bad = ({ kind }: Outcome) => kind === "failed" || kind === "lost";
  return (
    (row.outcome !== undefined && bad(row.outcome)) || row.deliveries.some(({ outcome }) => bad(outcome))
  );
}
