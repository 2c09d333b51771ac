import type { CommandName } from "../core/platform/base/core-services.ts";
import type { Timing } from "../core/platform/declare/settings.ts";

/** A step that explains something in a capture. */
export interface InferredStep {
  readonly atMs: number;
  readonly command: CommandName;
  readonly args: Record<string, unknown>;
  /** Of steps of one instant, lower ones come first. */
  readonly rank: number;
  /** What is assumed in it, in words. */
  readonly assumed: string[];
}

/** What is read out of a capture: the steps of a scenario and its settings, in the making. */
export class ScenarioDraft {
  readonly steps: InferredStep[] = [];
  readonly timing: { -readonly [Name in keyof Timing]?: string } = {};
  /** What is assumed beside steps. */
  readonly assumed: string[] = [];
  private readonly startSteps = new Map<string, InferredStep>();
  private readonly stepsByCall = new Map<string, InferredStep[]>();

  /**
   * Adds a step.
   * @param assumed what is assumed in it, in words
   */
  add(
    atMs: number,
    command: CommandName,
    args: Record<string, unknown>,
    rank = 5,
    ...assumed: readonly string[]
  ): InferredStep {
    const step: InferredStep = { atMs, command, args: withoutUndefined(args), rank, assumed: [...assumed] };
    this.steps.push(step);
    const { as, call } = args;
    if (typeof as === "string") this.startSteps.set(as, step);
    if (typeof call === "string") {
      const steps = this.stepsByCall.get(call) ?? [];
      steps.push(step);
      this.stepsByCall.set(call, steps);
    }
    return step;
  }

  /** The step that gave a name. */
  startStep(name: string): InferredStep | undefined {
    return this.startSteps.get(name);
  }

  /** The steps on a call, by its name. */
  stepsOn(name: string): readonly InferredStep[] {
    return this.stepsByCall.get(name) ?? [];
  }

  /** The steps, in the order in which they are played. */
  orderedSteps(): InferredStep[] {
    return this.steps
      .map((step, index) => ({ step, index }))
      .sort((a, b) => a.step.atMs - b.step.atMs || a.step.rank - b.step.rank || a.index - b.index)
      .map(({ step }) => step);
  }
}

/** Without what is undefined. */
function withoutUndefined(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

/** A duration as scenarios write it. */
export function durationOf(ms: number): string {
  return `PT${ms / 1_000}S`;
}

/** The most frequent of some numbers, the largest of several; undefined of none. Cut-off times do not spoil it. */
export function mode(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: number | undefined;
  for (const [value, count] of counts)
    if (best === undefined || count > (counts.get(best) ?? 0) || (count === counts.get(best) && value > best))
      best = value;
  return best;
}
