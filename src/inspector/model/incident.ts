import type { Attempt, DeliveryHistory } from "./delivery-histories.ts";

/** What a webhook's outage did: which events came late, which were lost, and which calls ended before they began. */

/** A time in which every request to a host failed, between requests that it took. */
export interface Outage {
  /** The lane of the host. */
  readonly lane: string;
  /** What the host answered, the most frequent first: `503`, `refused`, `no answer`. */
  readonly answers: readonly string[];
  /** The first request that failed, from the start of the run, ms. */
  readonly fromMs: number;
  /** The last request that failed. */
  readonly toMs: number;
  /** Whether the host took a request after it. */
  readonly isOver: boolean;
  /** The deliveries whose first request failed in it, and that arrived later. */
  readonly late: readonly DeliveryHistory[];
  /** Those that were given up. */
  readonly lost: readonly DeliveryHistory[];
  /** Those that had not arrived when the run ended. */
  readonly waiting: readonly DeliveryHistory[];
}

/** When a delivery arrived; undefined if it did not. */
export function deliveredMs(history: DeliveryHistory): number | undefined {
  return arrivalOf(history)?.atMs;
}

/** The request by which a delivery arrived; undefined if none did. */
function arrivalOf({ attempts }: DeliveryHistory): Attempt | undefined {
  return attempts.find(({ kind }) => kind === "delivered");
}

/** How long after its first request a delivery arrived, ms; undefined if it did not arrive. */
export function delayMs(history: DeliveryHistory): number | undefined {
  const [first] = history.attempts;
  const arrived = deliveredMs(history);
  return first === undefined || arrived === undefined ? undefined : arrived - first.atMs;
}

/** Whether a delivery arrived, but not with its first request. */
export function isDelayed(history: DeliveryHistory): boolean {
  return history.attempts[0]?.kind !== "delivered" && deliveredMs(history) !== undefined;
}

/** Results of requests that the app may have handled all the same. */
const unheard: readonly string[] = ["no answer", "answer lost", "connection reset"];

/**
 * Whether an app may have handled a delivery before the platform knew of it: it answered too late, or its answer was lost.
 * Nobody can say then that the event came late, or not at all.
 */
export function isUnheard(history: DeliveryHistory): boolean {
  const { attempts } = history;
  if (isDelayed(history)) return unheard.includes(attempts[0]?.text ?? "");
  return deliveredMs(history) === undefined && attempts.some(({ text }) => unheard.includes(text));
}

/** Whether the platform sent a delivery again. */
export function isRetried({ attempts }: DeliveryHistory): boolean {
  return attempts.filter(({ isDuplicate }) => !isDuplicate).length > 1;
}

/** Whether one of its requests arrived twice. */
export function isDoubled({ attempts }: DeliveryHistory): boolean {
  return attempts.some(({ isDuplicate }) => isDuplicate);
}

/** Whether a delivery had neither arrived nor been given up when the run ended. */
export function isWaiting(history: DeliveryHistory): boolean {
  return history.lane !== "" && history.givenUpMs === undefined && deliveredMs(history) === undefined;
}

/**
 * The outage that may stand for the whole run: the largest, if it has at least half of the deliveries whose first request failed.
 * @param outages of these histories, the largest first
 */
export function mainOutage(
  [largest]: readonly Outage[],
  histories: readonly DeliveryHistory[],
): Outage | undefined {
  const failed = histories.filter(
    ({ lane, attempts: [first] }) => lane !== "" && first !== undefined && hasFailed(first),
  );
  return largest !== undefined && 2 * sizeOf(largest) >= failed.length ? largest : undefined;
}

const hasFailed = ({ kind }: Attempt) => kind === "failed" || kind === "lost";

/** The outages of a run, the one that delayed or lost most events first. */
export function findOutages(histories: readonly DeliveryHistory[]): Outage[] {
  const byLane = new Map<string, Made[]>();
  for (const history of histories) {
    if (history.lane === "") continue;
    const made = byLane.get(history.lane) ?? [];
    byLane.set(history.lane, made);
    for (const attempt of history.attempts) if (attempt.kind !== "pending") made.push({ attempt, history });
  }
  return [...byLane]
    .flatMap(([lane, made]) => outagesOfLane(lane, made))
    .sort((a, b) => sizeOf(b) - sizeOf(a) || a.fromMs - b.fromMs);
}

interface Made {
  readonly attempt: Attempt;
  readonly history: DeliveryHistory;
}

const sizeOf = ({ late, lost, waiting }: Outage) => late.length + lost.length + waiting.length;

function outagesOfLane(lane: string, made: readonly Made[]): Outage[] {
  const inOrder = [...made].sort((a, b) => a.attempt.row - b.attempt.row);
  const outages: Outage[] = [];
  let failed: Made[] = [];
  for (const each of [...inOrder, undefined]) {
    if (each !== undefined && each.attempt.kind !== "delivered") {
      failed.push(each);
      continue;
    }
    // one event that a host does not take says nothing about the host
    if (new Set(failed.map(({ history }) => history)).size > 1)
      outages.push(makeOutage(lane, failed, each !== undefined));
    failed = [];
  }
  return outages;
}

function makeOutage(lane: string, failed: readonly Made[], isOver: boolean): Outage {
  const hit = [
    ...new Set(failed.flatMap(({ history, attempt }) => (isFirst(history, attempt) ? [history] : []))),
  ];
  const counts = new Map<string, number>();
  for (const { attempt } of failed) counts.set(attempt.text, (counts.get(attempt.text) ?? 0) + 1);
  return {
    lane,
    answers: [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text),
    fromMs: failed[0]?.attempt.atMs ?? 0,
    toMs: failed.at(-1)?.attempt.atMs ?? 0,
    isOver,
    late: hit.filter(isDelayed),
    lost: hit.filter((history) => !isDelayed(history) && !isWaiting(history)),
    waiting: hit.filter(isWaiting),
  };
}

const isFirst = ({ attempts }: DeliveryHistory, attempt: Attempt) => attempts[0] === attempt;

/** A call whose end reached a host before its `call.started`. The end is `call.ended`, or `call.not_answered` if that closed the call. */
export interface Inversion {
  /** The index of the call among the records. */
  readonly record: number;
  readonly lane: string;
  readonly endedMs: number;
  readonly startedMs: number;
}

/** The calls that ended before they began, for each webhook. */
export function findInversions(histories: readonly DeliveryHistory[]): Inversion[] {
  const arrivals = new Map<string, { record: number; lane: string; byEvent: Map<string, Arrival> }>();
  for (const history of histories) {
    const { record, webhook, lane, what } = history;
    const arrived = arrivalOf(history);
    if (record < 0 || lane === "" || arrived === undefined) continue;
    const key = `${record} ${webhook}`;
    const of = arrivals.get(key) ?? { record, lane, byEvent: new Map() };
    arrivals.set(key, of);
    if (!of.byEvent.has(what)) of.byEvent.set(what, arrived);
  }
  const sent = new Set(histories.map(({ record, what }) => `${record} ${what}`));
  return [...arrivals.values()].flatMap(({ record, lane, byEvent }) => {
    const [started, ended] = [
      byEvent.get("call.started"),
      byEvent.get("call.ended") ??
        (sent.has(`${record} call.ended`) ? undefined : byEvent.get("call.not_answered")),
    ];
    if (started === undefined || ended === undefined || started.row < ended.row) return [];
    return [{ record, lane, endedMs: ended.atMs, startedMs: started.atMs }];
  });
}

type Arrival = Pick<Attempt, "atMs" | "row">;
