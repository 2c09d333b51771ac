import type { Scenario } from "../../src/index.ts";
import { hostOf } from "./act-words.ts";
import { rowOfStep } from "./near-runs.ts";
import type { RecordedRun } from "./recorded-run.ts";

/**
 * A lesson's time as far as its first question leaves it open: when people do something, who rings and talks before it, and
 * from when on it is asked what happens. Times are ms from the start.
 */
export interface TimePicture {
  readonly lanes: readonly TimeLane[];
  readonly askedMs: number;
  /** All instants that it has, in order. */
  readonly instants: readonly number[];
}

/** Somebody who does something. */
export interface TimeLane {
  readonly name: string;
  readonly acts: readonly number[];
  readonly bars: readonly TimeBar[];
}

/** A time in which somebody rings, talks or is with voicemail. */
export interface TimeBar {
  readonly kind: "ring" | "talk" | "voicemail";
  readonly fromMs: number;
  readonly toMs: number;
}

/** @returns undefined if nobody does anything at a time that the script names */
export function timePictureOf(scenario: Scenario, run: RecordedRun): TimePicture | undefined {
  const askedMs = scenario.questions[0]?.atMs ?? 0;
  const lanes = new Map<string, number[]>();
  for (const step of scenario.steps) {
    if (step.on !== undefined) continue;
    const name = laneOf(step, run);
    if (name !== undefined) lanes.set(name, [...(lanes.get(name) ?? []), step.atMs ?? 0]);
  }
  if (lanes.size === 0) return undefined;
  const made = [...lanes].map(([name, acts]) => ({
    name,
    acts,
    bars: barsBefore(askedMs, name, scenario, run),
  }));
  const all = made.flatMap(({ acts, bars }) => [
    ...acts,
    ...bars.flatMap(({ fromMs, toMs }) => [fromMs, toMs]),
  ]);
  const instants = [...new Set([0, askedMs, ...all])].sort((one, other) => one - other);
  return { lanes: made, askedMs, instants };
}

/** Whose lane a step is drawn in; undefined for what is set up before the start. */
function laneOf({ args, atMs, ...step }: Scenario["steps"][number], run: RecordedRun): string | undefined {
  if (typeof args.url === "string") return atMs === undefined || atMs === 0 ? undefined : hostOf(args.url);
  const row = rowOfStep(run, { args, atMs, ...step });
  const lane = run.lanes.find(({ id }) => id === row?.source);
  if (lane === undefined || lane.kind === "platform" || lane.kind === "app") return undefined;
  return lane.kind === "outside" ? lane.name : lane.short;
}

/** What is known before the question: a bar that goes on then ends there, unless it is a talk that a step ends. */
function barsBefore(askedMs: number, name: string, { steps }: Scenario, run: RecordedRun): TimeBar[] {
  const lane = run.lanes.find((each) => (each.kind === "outside" ? each.name : each.short) === name);
  const atMs = (row: number) => run.rows[row]?.atMs ?? askedMs;
  const ends = new Set(steps.map((step) => step.atMs));
  const bars = run.bars.filter(
    ({ lane: id, kind, fromRow }) => id === lane?.id && isDrawn(kind) && atMs(fromRow) < askedMs,
  );
  return bars.map(({ kind, fromRow, toRow }) => {
    const endMs = atMs(toRow);
    const isTold = kind === "talk" && ends.has(endMs);
    return {
      kind: kind as TimeBar["kind"],
      fromMs: atMs(fromRow),
      toMs: isTold ? endMs : Math.min(endMs, askedMs),
    };
  });
}

const isDrawn = (kind: string): boolean => ["ring", "talk", "voicemail"].includes(kind);
