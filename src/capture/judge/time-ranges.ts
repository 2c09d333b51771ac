import type { Inference } from "../infer/infer.ts";
import type { InferredStep } from "../infer/scenario-draft.ts";
import { isThere, type PartialEventData } from "../read/partial-records.ts";

/** A stretch of a capture that is played alone. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** With fewer steps than this, the whole capture is played: a range would cost as much. */
const MIN_STEPS = 200;
/** If a range has a larger share of the steps, the whole capture is played. */
const MAX_SHARE = 0.5;
/** A range starts with the call of the unexplained event, if that started within this time before it, ms. */
const MAX_LEAD_MS = 1_800_000;
/** How long a range goes on after its last unexplained event, ms. */
const TRAIL_MS = 60_000;
/** Ranges are merged up to this length, ms. */
const MAX_RANGE_MS = 3_600_000;

/** An event that the capture has and the run lacks, or the reverse. */
export interface UnmatchedEvent {
  readonly type: string;
  /** When it happened, ms since the Unix epoch. */
  readonly timestamp: number;
  readonly data: object;
}

/** The ranges that hold unmatched events, oldest first, without overlap. */
export function unexplainedRanges(
  events: readonly UnmatchedEvent[],
  { calls, steps, startMs, endMs }: Inference,
): TimeRange[] {
  const whole: TimeRange = { fromMs: startMs, toMs: endMs };
  if (steps.length < MIN_STEPS) return [whole];
  const starts = new Map(calls.map((call) => [call.id, call.startMs]));
  const ranges: TimeRange[] = [];
  for (const { timestamp, data } of events) {
    const startedMs = starts.get((data as PartialEventData).call?.id ?? "") ?? timestamp;
    const earliestMs = timestamp - MAX_LEAD_MS;
    const fromMs = startedMs >= earliestMs && startedMs < timestamp ? startedMs : timestamp;
    const toMs = timestamp + TRAIL_MS;
    const last = ranges.at(-1);
    if (last === undefined || fromMs > last.toMs) ranges.push({ fromMs, toMs });
    else if (toMs - last.fromMs <= MAX_RANGE_MS)
      ranges[ranges.length - 1] = { fromMs: Math.min(last.fromMs, fromMs), toMs: Math.max(last.toMs, toMs) };
    else if (toMs > last.toMs) ranges.push({ fromMs: last.toMs + 1, toMs });
  }
  return ranges;
}

/** A range that starts earlier, used when nothing is missing in a range that is played alone. */
export function widen({ fromMs, toMs }: TimeRange): TimeRange {
  return { fromMs: fromMs - 4 * (toMs - fromMs), toMs };
}

/**
 * The steps that matter in a range: every step of the calls and conversations that live in it, and the last setting of
 * each person, phone and team before it. Undefined if that is most of the steps.
 */
export function inferenceWithin(inference: Inference, { fromMs, toMs }: TimeRange): Inference | undefined {
  const { steps, calls } = inference;
  const lifetimes = new Map<string, TimeRange>();
  const extendLifetime = (name: string, startMs: number, endMs: number) => {
    const known = lifetimes.get(name) ?? { fromMs: startMs, toMs: endMs };
    lifetimes.set(name, { fromMs: Math.min(known.fromMs, startMs), toMs: Math.max(known.toMs, endMs) });
  };
  for (const { name, startMs, endedMs = Number.POSITIVE_INFINITY, events } of calls)
    extendLifetime(name, startMs, Math.max(endedMs, events.at(-1)?.timestamp ?? endedMs));
  for (const step of steps) {
    const name = nameOf(step);
    if (name !== undefined) extendLifetime(name, step.atMs, step.atMs);
  }
  const settings = new Map<string, InferredStep>();
  const kept = new Set<InferredStep>();
  for (const step of steps) {
    const name = nameOf(step);
    const lifetime = lifetimes.get(name ?? "");
    if (lifetime === undefined && step.atMs < fromMs - MAX_LEAD_MS) settings.set(settingOf(step), step);
    else if (lifetime === undefined || (lifetime.fromMs <= toMs && lifetime.toMs >= fromMs)) kept.add(step);
  }
  for (const step of settings.values()) kept.add(step);
  const remaining = steps.filter((step) => kept.has(step) && step.atMs <= toMs);
  if (remaining.length > steps.length * MAX_SHARE) return undefined;
  return { ...inference, steps: remaining, endMs: toMs };
}

/** The name of the call or conversation that a step is about. */
function nameOf({ args: { as, call, conversation } }: InferredStep): string | undefined {
  return [as, call, conversation].find((name) => typeof name === "string") as string | undefined;
}

/** Identifies what a step sets, and of whom. A later step with the same key replaces it. */
function settingOf({ command, args }: InferredStep): string {
  const { user, endpoint, team, url } = args;
  const of = [user, endpoint, team, url].filter(isThere);
  return [command, ...(of.length > 0 ? of : [JSON.stringify(args)])].join(" ");
}
