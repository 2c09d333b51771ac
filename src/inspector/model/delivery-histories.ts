import { type Outcome, type PageRow, type RunSummary, showsFailure } from "./types.ts";

/** A run whose rows are all there: a recording, or what a page has loaded of one. */
export interface RunRows {
  readonly rows: readonly PageRow[];
  readonly summary: RunSummary;
}

/** What went wrong, the worst first. */
export const troubles = ["givenUp", "error", "loss", "refused", "request", "twice"] as const;
export type DeliveryTrouble = (typeof troubles)[number];

export const troubleNames: Readonly<Record<DeliveryTrouble, string>> = {
  givenUp: "Given up",
  error: "Late after an error",
  loss: "Late after a loss",
  refused: "Refused by the REST API",
  request: "A request to the app failed",
  twice: "Came twice",
};

/** One request of a delivery. */
export interface Attempt extends Outcome {
  readonly atMs: number;
  /** The row that shows it. Those of one instant are in the order of their rows. */
  readonly row: number;
  readonly isDuplicate: boolean;
}

/** The attempts of one delivery, or of other requests that failed in the same way. */
export interface DeliveryHistory {
  readonly key: string;
  readonly trouble: DeliveryTrouble | undefined;
  /** The event type, or the client and its request. */
  readonly what: string;
  /** The id of its webhook; empty for another request. */
  readonly webhook: string;
  /** The lane of its webhook; empty for another request. */
  readonly lane: string;
  /** The index of its call among the records; -1 for none. */
  readonly record: number;
  /** The row that shows what went wrong first. */
  readonly row: number;
  readonly atMs: number;
  readonly attempts: readonly Attempt[];
  /** When it was given up, from the start of the run, ms. */
  readonly givenUpMs: number | undefined;
}

/** All deliveries of a run, and other requests that failed. */
export function deliveryHistories({ rows, summary }: RunRows): DeliveryHistory[] {
  const found = new Map<string, NewHistory>();
  for (const row of rows) {
    if (row.outcome !== undefined && row.command !== undefined && showsFailure(row)) addOther(found, row);
    for (const { id, webhook, lane, attempt, outcome } of row.deliveries) {
      const history = found.get(id) ?? newHistory(id, row, webhook, lane);
      found.set(id, history);
      if (row.kind === "failed") history.givenUpMs = row.atMs;
      else if (row.kind === "event" || row.kind === "retry") {
        const isDuplicate = row.kind === "event" && row.firstRow !== undefined;
        history.attempts.push({ ...outcome, atMs: row.atMs, row: row.index, isDuplicate });
        if (outcome.kind !== "delivered") history.badRow ??= row.index;
        if (attempt === 1 && !isDuplicate) history.what = row.subject;
      }
    }
  }
  return [...found.values()].map((history) => ({
    ...history,
    row: history.badRow ?? history.row,
    trouble: findTrouble(history),
    // deliveries without a call have no record
    record: summary.records[history.record] === undefined ? -1 : history.record,
  }));
}

interface NewHistory extends Mutable<Omit<DeliveryHistory, "trouble" | "attempts">> {
  readonly attempts: Attempt[];
  badRow: number | undefined;
  isRest: boolean;
}
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function newHistory(
  key: string,
  { subject, record, index, atMs }: PageRow,
  webhook = "",
  lane = "",
): NewHistory {
  const base = { record, row: index, atMs, badRow: undefined, isRest: false };
  return { key, what: subject, webhook, lane, ...base, attempts: [], givenUpMs: undefined };
}

/** Requests that the REST API refuses, or data actions that fail, in the same way share a history. */
function addOther(found: Map<string, NewHistory>, row: PageRow): void {
  const { subject, verb, detail, outcome, atMs } = row;
  const key = `${subject} ${verb} ${detail} ${outcome?.text}`;
  const history = found.get(key) ?? newHistory(key, { ...row, subject: `${subject} ${verb} ${detail}` });
  history.isRest = row.command?.name === "restServed";
  history.attempts.push({ kind: "failed", text: "", ...outcome, atMs, row: row.index, isDuplicate: false });
  found.set(key, history);
}

function findTrouble({ attempts, givenUpMs, lane, isRest }: NewHistory): DeliveryTrouble | undefined {
  if (lane === "") return isRest ? "refused" : "request";
  if (givenUpMs !== undefined) return "givenUp";
  const own = attempts.filter(({ isDuplicate }) => !isDuplicate);
  const bad = own.filter(({ kind }) => kind === "failed" || kind === "lost");
  if (bad.length > 0) return bad.some(({ kind }) => kind === "failed") ? "error" : "loss";
  return attempts.length > own.length ? "twice" : undefined;
}
