import type { DeliveryHistory } from "../../model/delivery-histories.ts";
import {
  delayMs,
  deliveredMs,
  findInversions,
  type Inversion,
  isDelayed,
  isDoubled,
} from "../../model/incident.ts";
import { spaceWords } from "../../model/row-text.ts";
import type { RunRecord } from "../../model/types.ts";
import type { LoadedRun } from "../state/loading.ts";
import { shownEndMs } from "./full-times.ts";

/** The overview of a busy run: the history of each delivery, the troubles of each call, and their times. */

/** A call or a conversation, with its deliveries. */
export interface OverviewRecord {
  /** Its index among the records. */
  readonly index: number;
  readonly record: RunRecord;
  readonly from: string;
  readonly to: string;
  /** `answered`, and the reason beside it. */
  readonly outcome: readonly [string, string];
  readonly histories: readonly DeliveryHistory[];
  /** How many of its events came late, and how late the last of them did, ms. */
  readonly late: number;
  readonly latestMs: number;
  readonly lost: number;
  readonly waiting: number;
  readonly twice: number;
  /** The host that it ended for before it began. */
  readonly inverted: Inversion | undefined;
}

/** The calls and conversations: those that ended before they began first, then by what was lost, how late, and when they began. */
export function overviewRecords(
  { summary }: Pick<LoadedRun, "summary">,
  histories: readonly DeliveryHistory[],
): OverviewRecord[] {
  const byRecord = new Map<number, DeliveryHistory[]>();
  for (const history of histories) {
    const known = byRecord.get(history.record);
    if (known === undefined) byRecord.set(history.record, [history]);
    else known.push(history);
  }
  const inversions = new Map(findInversions(histories).map((each) => [each.record, each]));
  const all = summary.records.map((record, index): OverviewRecord => {
    // other requests are no events of a call
    const own = (byRecord.get(index) ?? []).filter(({ lane }) => lane !== "");
    const [, to = ""] = record.title.split(" → ");
    const [outcome = "", reason = ""] = record.outcome.split(", ");
    const late = own.filter(isDelayed);
    const failed = own.filter((each) => each.trouble !== undefined && deliveredMs(each) === undefined);
    return {
      ...{ index, record, from: callerIn(record.title), to, outcome: [outcome, spaceWords(reason)] },
      histories: own,
      late: late.length,
      latestMs: Math.max(0, ...late.map((each) => delayMs(each) ?? 0)),
      lost: failed.filter(({ givenUpMs }) => givenUpMs !== undefined).length,
      waiting: failed.filter(({ givenUpMs }) => givenUpMs === undefined).length,
      twice: own.filter(isDoubled).length,
      inverted: inversions.get(index),
    };
  });
  const lead = ({ inverted, lost, waiting }: OverviewRecord) =>
    inverted !== undefined ? 0 : lost > 0 ? 1 : waiting > 0 ? 2 : 3;
  return all.sort(
    (a, b) => lead(a) - lead(b) || b.latestMs - a.latestMs || b.twice - a.twice || a.index - b.index,
  );
}

/** The groups of calls that the page offers, with what each is called: only those that have some. */
export function groupCalls(records: readonly OverviewRecord[]): CallGroup[] {
  const of = (name: string, holds: (record: OverviewRecord) => boolean): CallGroup => ({
    name,
    records: new Set(records.filter(holds).map(({ index }) => index)),
  });
  const isOver = ({ outcome }: OverviewRecord) => outcome[0] !== "";
  return [
    of("came late", ({ late }) => late > 0),
    of("ended before they began", ({ inverted }) => inverted !== undefined),
    of("lost an event", ({ lost }) => lost > 0),
    of("wait for a retry", ({ waiting }) => waiting > 0),
    of("came twice", ({ twice }) => twice > 0),
    of("missed or abandoned", (each) => isOver(each) && each.outcome[0] !== "answered"),
    of("all", () => true),
  ].filter((group) => group.records.size > 0);
}

export interface CallGroup {
  readonly name: string;
  readonly records: ReadonlySet<number>;
}

/** A lane as its head has it. */
export function laneName({ summary }: LoadedRun, lane: string): string {
  return summary.lanes.find(({ id }) => id === lane)?.short ?? lane;
}

/** Who calls, of a title such as `Jane Smith → Alice`. */
export function callerIn(title: string): string {
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
export function makeBands(
  run: LoadedRun,
  histories: readonly DeliveryHistory[],
  records: readonly OverviewRecord[],
): Band[] {
  const endMs = shownEndMs(run);
  const attempts = histories.flatMap((history) => history.attempts);
  const missed = records.filter(({ outcome }) => outcome[0] !== "answered" && outcome[0] !== "");
  const times = (list: readonly OverviewRecord[]) => list.map(({ record }) => record.fromMs);
  const all: readonly (readonly [string, string, readonly number[]])[] = [
    ["Calls begin", "command", times(records)],
    ["Arrive late", "retry", histories.filter(isDelayed).flatMap((history) => deliveredMs(history) ?? [])],
    ["Given up", "failed", histories.flatMap(({ givenUpMs }) => givenUpMs ?? [])],
    ["Come twice", "retry", attempts.filter(({ isDuplicate }) => isDuplicate).map(({ atMs }) => atMs)],
    ["Missed", "failed", times(missed)],
  ];
  return all
    .filter(([, , at]) => at.length > 0)
    .map(([name, tone, at]) => {
      const counts = new Array<number>(PARTS).fill(0);
      for (const ms of at) {
        const part = Math.min(PARTS - 1, Math.floor((ms / endMs) * PARTS));
        counts[part] = (counts[part] ?? 0) + 1;
      }
      return { name, tone, total: at.length, counts, most: Math.max(...counts) };
    });
}
