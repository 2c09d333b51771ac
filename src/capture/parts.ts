import type { CapturedEvent } from "./capture.ts";
import type { DraftStep } from "./draft.ts";
import type { Inference } from "./infer.ts";
import { isThere, type SeenData } from "./seen.ts";

/** A time in a capture that is played by itself. */
export interface Part {
  readonly fromMs: number;
  readonly toMs: number;
}

/** An inference with fewer steps is played as a whole: a part would cost as much. */
const FEWEST_STEPS = 200;
/** A part of more of the steps than this is played as a whole. */
const LARGEST_SHARE = 0.5;
/** How long before something unexplained its call may have begun, to be played from there, ms. */
const LONGEST_BEFORE_MS = 1_800_000;
/** How long a part goes on after the last thing in it, ms. */
const AFTERWARDS_MS = 60_000;
/** Parts are joined only as long as they are shorter than this, ms. */
const LONGEST_MS = 3_600_000;

/** The parts of a capture in which something is not explained, in the order of time. They do not overlap. */
export function partsWith(
  missing: readonly CapturedEvent[],
  { calls, steps, startMs, endMs }: Inference,
): Part[] {
  const whole: Part = { fromMs: startMs, toMs: endMs };
  if (steps.length < FEWEST_STEPS) return [whole];
  const starts = new Map(calls.map((call) => [call.id, call.startMs]));
  const parts: Part[] = [];
  for (const { timestamp, data } of missing) {
    const begunMs = starts.get((data as SeenData).call?.id ?? "") ?? timestamp;
    const earliestMs = timestamp - LONGEST_BEFORE_MS;
    const fromMs = begunMs >= earliestMs && begunMs < timestamp ? begunMs : timestamp;
    const toMs = timestamp + AFTERWARDS_MS;
    const last = parts.at(-1);
    if (last === undefined || fromMs > last.toMs) parts.push({ fromMs, toMs });
    else if (toMs - last.fromMs <= LONGEST_MS)
      parts[parts.length - 1] = { fromMs: Math.min(last.fromMs, fromMs), toMs: Math.max(last.toMs, toMs) };
    else if (toMs > last.toMs) parts.push({ fromMs: last.toMs + 1, toMs });
  }
  return parts;
}

/** A part that begins earlier, for one in which nothing is missing when it is played by itself. */
export function widened({ fromMs, toMs }: Part): Part {
  return { fromMs: fromMs - 4 * (toMs - fromMs), toMs };
}

/**
 * What an inference has of a part: all that is done to calls and conversations that live in it, from their beginning,
 * and what people, phones and teams were last set to. Undefined if that is most of the inference.
 */
export function inferenceOf(inference: Inference, { fromMs, toMs }: Part): Inference | undefined {
  const { steps, calls } = inference;
  const lives = new Map<string, Part>();
  const live = (name: string, startMs: number, endMs: number) => {
    const known = lives.get(name) ?? { fromMs: startMs, toMs: endMs };
    lives.set(name, { fromMs: Math.min(known.fromMs, startMs), toMs: Math.max(known.toMs, endMs) });
  };
  for (const { name, startMs, closedMs = Number.POSITIVE_INFINITY, events } of calls)
    live(name, startMs, Math.max(closedMs, events.at(-1)?.timestamp ?? closedMs));
  for (const step of steps) {
    const name = nameOf(step);
    if (name !== undefined) live(name, step.atMs, step.atMs);
  }
  const settings = new Map<string, DraftStep>();
  const own = new Set<DraftStep>();
  for (const step of steps) {
    const name = nameOf(step);
    const life = lives.get(name ?? "");
    if (life === undefined && step.atMs < fromMs - LONGEST_BEFORE_MS) settings.set(settingOf(step), step);
    else if (life === undefined || (life.fromMs <= toMs && life.toMs >= fromMs)) own.add(step);
  }
  for (const step of settings.values()) own.add(step);
  const left = steps.filter((step) => own.has(step) && step.atMs <= toMs);
  if (left.length > steps.length * LARGEST_SHARE) return undefined;
  return { ...inference, steps: left, endMs: toMs };
}

/** The call or the conversation that a step is about, by its name. */
function nameOf({ args: { as, call, conversation } }: DraftStep): string | undefined {
  return [as, call, conversation].find((name) => typeof name === "string") as string | undefined;
}

/** What a step sets, of whom: a later step takes its place. */
function settingOf({ command, args }: DraftStep): string {
  const { user, endpoint, team, url } = args;
  const of = [user, endpoint, team, url].filter(isThere);
  return [command, ...(of.length > 0 ? of : [JSON.stringify(args)])].join(" ");
}
