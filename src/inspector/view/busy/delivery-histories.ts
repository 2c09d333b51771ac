import { spaceWords } from "../../model/row-text.ts";
import { isFailure, type Outcome, type PageRow, type RunRecord } from "../../model/types.ts";
import type { LoadedRun } from "../state/loading.ts";

/** The overview of a busy run: the history of each delivery, the troubles of each call, and their times. */

/** What went wrong, the worst first. */
export const troubles = ["givenUp", "error", "loss", "refused", "twice"] as const;
export type Trouble = (typeof troubles)[number];

export const troubleNames: Readonly<Record<Trouble, string>> = {
  givenUp: "Given up",
  error: "Late after an error",
  loss: "Late after a loss",
  refused: "Refused by the REST API",
  twice: "Came twice",
};

/** One request of a delivery. */
export interface Attempt extends Outcome {
  readonly atMs: number;
  readonly isDuplicate: boolean;
}

/** The attempts of one delivery, or of REST requests that were refused in the same way. */
export interface DeliveryHistory {
  readonly key: string;
  readonly trouble: Trouble | undefined;
  /** The event type, or the client and its request. */
  readonly what: string;
  /** The lane of its webhook; empty for the REST API. */
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

/** A call or a conversation, with what went wrong. */
export interface OverviewRecord {
  /** Its index among the records. */
  readonly index: number;
  readonly record: RunRecord;
  readonly from: string;
  readonly to: string;
  /** `answered`, and the reason beside it. */
  readonly outcome: readonly [string, string];
  /** The histories with a trouble. */
  readonly histories: readonly DeliveryHistory[];
  /** The index of its worst trouble in `troubles`; their number if nothing went wrong. */
  readonly rank: number;
}

/** All deliveries of a run, and refused requests. */
export function deliveryHistories({ rows, summary }: LoadedRun): DeliveryHistory[] {
  const found = new Map<string, NewHistory>();
  for (const row of rows) {
    if (row.outcome !== undefined && isFailure(row)) addRefused(found, row);
    for (const { id, lane, attempt, outcome } of row.deliveries) {
      const history = found.get(id) ?? newHistory(id, row, lane);
      found.set(id, history);
      if (row.kind === "failed") history.givenUpMs = row.atMs;
      else if (row.kind === "event" || row.kind === "retry") {
        const isDuplicate = row.kind === "event" && row.firstRow !== undefined;
        history.attempts.push({ ...outcome, atMs: row.atMs, isDuplicate });
        if (outcome.kind !== "delivered" && history.attempts.length > 0) history.badRow ??= row.index;
        if (attempt === 1 && !isDuplicate) history.what = row.subject;
      }
    }
  }
  return [...found.values()].map((history) => ({
    ...history,
    row: history.badRow ?? history.row,
    trouble: troubleOf(history),
    // deliveries without a call have no record
    record: summary.records[history.record] === undefined ? -1 : history.record,
  }));
}

interface NewHistory extends Mutable<Omit<DeliveryHistory, "trouble" | "attempts">> {
  readonly attempts: Attempt[];
  badRow: number | undefined;
}
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function newHistory(key: string, { subject, record, index, atMs }: PageRow, lane: string): NewHistory {
  const base = { record, row: index, atMs, badRow: undefined };
  return { key, what: subject, lane, ...base, attempts: [], givenUpMs: undefined };
}

/** Requests that the REST API refuses in the same way share a history. */
function addRefused(found: Map<string, NewHistory>, row: PageRow): void {
  const { subject, verb, detail, outcome, atMs } = row;
  const key = `${subject} ${verb} ${detail} ${outcome?.text}`;
  const history = found.get(key) ?? newHistory(key, { ...row, subject: `${subject} ${verb} ${detail}` }, "");
  history.attempts.push({ kind: "failed", text: "", ...outcome, atMs, isDuplicate: false });
  found.set(key, history);
}

function troubleOf({ attempts, givenUpMs, lane }: NewHistory): Trouble | undefined {
  if (lane === "") return "refused";
  if (givenUpMs !== undefined) return "givenUp";
  const own = attempts.filter(({ isDuplicate }) => !isDuplicate);
  const bad = own.filter(({ kind }) => kind === "failed" || kind === "lost");
  if (bad.length > 0) return bad.some(({ kind }) => kind === "failed") ? "error" : "loss";
  return attempts.length > own.length ? "twice" : undefined;
}

/** The calls and conversations: those with the worst troubles first, otherwise as they began. */
export function overviewRecords(
  { summary }: LoadedRun,
  histories: readonly DeliveryHistory[],
): OverviewRecord[] {
  const byRecord = new Map<number, DeliveryHistory[]>();
  for (const history of histories) {
    if (history.trouble === undefined) continue;
    const known = byRecord.get(history.record);
    if (known === undefined) byRecord.set(history.record, [history]);
    else known.push(history);
  }
  const all = summary.records.map((record, index): OverviewRecord => {
    const own = byRecord.get(index) ?? [];
    const from = callerOf(record.title);
    const [, to = ""] = record.title.split(" → ");
    const [outcome = "", reason = ""] = record.outcome.split(", ");
    const ranks = own.map(({ trouble }) => troubles.indexOf(trouble as Trouble));
    const rank = Math.min(troubles.length, ...ranks);
    return { index, record, from, to, outcome: [outcome, spaceWords(reason)], histories: own, rank };
  });
  return all.sort((a, b) => a.rank - b.rank || b.histories.length - a.histories.length || a.index - b.index);
}

/** Who calls, of a title such as `Jane Smith → Alice`. */
export function callerOf(title: string): string {
  return title.split(" → ")[0] ?? title;
}

/** A band of the overview: how often something happened in each part of the run. */
export interface Band {
  readonly name: string;
  readonly tone: string;
  readonly total: number;
  readonly counts: readonly number[];
  /** The largest of the counts. */
  readonly most: number;
}

/** How many parts a run has in the bands. */
const PARTS = 120;

/** The bands of a run: what went wrong first. Each has a scale of its own. */
export function bandsOf(
  run: LoadedRun,
  histories: readonly DeliveryHistory[],
  records: readonly OverviewRecord[],
): Band[] {
  const { rows, summary } = run;
  const attempts = histories.flatMap((history) => history.attempts);
  const answered = records.filter(({ outcome }) => outcome[0] === "answered");
  const missed = records.filter(({ outcome }) => outcome[0] !== "answered" && outcome[0] !== "");
  const times = (list: readonly OverviewRecord[]) => list.map(({ record }) => record.fromMs);
  const events = rows.filter(
    ({ kind, event, firstRow }) => kind === "event" && event !== undefined && !firstRow,
  );
  const all: readonly (readonly [string, string, readonly number[]])[] = [
    ["Given up", "failed", histories.flatMap(({ givenUpMs }) => givenUpMs ?? [])],
    ["Failed attempts", "failed", attempts.filter(({ kind }) => kind === "failed").map(({ atMs }) => atMs)],
    ["Lost", "lost", attempts.filter(({ kind }) => kind === "lost").map(({ atMs }) => atMs)],
    ["Came twice", "retry", attempts.filter(({ isDuplicate }) => isDuplicate).map(({ atMs }) => atMs)],
    ["Calls begin", "command", times(records)],
    ["Answered", "answer", times(answered)],
    ["Missed, abandoned", "retry", times(missed)],
    ["All events", "event", events.map(({ atMs }) => atMs)],
  ];
  return all
    .filter(([, , at]) => at.length > 0)
    .map(([name, tone, at]) => {
      const counts = new Array<number>(PARTS).fill(0);
      for (const ms of at) {
        const part = Math.min(PARTS - 1, Math.floor((ms / Math.max(1, summary.endMs)) * PARTS));
        counts[part] = (counts[part] ?? 0) + 1;
      }
      return { name, tone, total: at.length, counts, most: Math.max(...counts) };
    });
}
