import type { CommandName } from "../../core/platform/base/core-services.ts";
import type { Timing } from "../../core/platform/declare/settings.ts";
import { append } from "../read/lists.ts";

/** A step of a scenario that was inferred from a capture. */
export interface InferredStep {
  readonly atMs: number;
  readonly command: CommandName;
  readonly args: Record<string, unknown>;
  /** At the same instant, steps with a lower rank come first. */
  readonly rank: number;
  /** What the step assumes beyond the capture, as sentences. */
  readonly assumed: string[];
}

/** Collects the steps and settings that are inferred from a capture. */
export class ScenarioDraft {
  readonly steps: InferredStep[] = [];
  readonly timing: { -readonly [Name in keyof Timing]?: string } = {};
  /** What is assumed about the organisation and the settings. */
  readonly assumed: string[] = [];
  private readonly startSteps = new Map<string, InferredStep>();
  private readonly stepsByCall = new Map<string, InferredStep[]>();

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
    if (typeof call === "string") append(this.stepsByCall, call, step);
    return step;
  }

  /** Begins a call by another command than before, at the same instant. */
  restart(name: string, command: CommandName, args: Record<string, unknown>): void {
    const step = this.startSteps.get(name);
    if (step === undefined) return;
    const other = { ...step, command, args: withoutUndefined({ as: name, ...args }) };
    this.steps[this.steps.indexOf(step)] = other;
    this.startSteps.set(name, other);
  }

  /** The step that names a call or conversation, by `as`. */
  startStep(name: string): InferredStep | undefined {
    return this.startSteps.get(name);
  }

  /** The steps on the call with a name. */
  stepsOn(name: string): readonly InferredStep[] {
    return this.stepsByCall.get(name) ?? [];
  }

  /** The steps in the order in which they are played. */
  orderedSteps(): InferredStep[] {
    return this.steps
      .map((step, index) => ({ step, index }))
      .sort((a, b) => a.step.atMs - b.step.atMs || a.step.rank - b.step.rank || a.index - b.index)
      .map(({ step }) => step);
  }
}

function withoutUndefined(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

/** The most frequent number; of equally frequent ones the largest. Ring times that were cut short do not distort it. */
export function mode(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: number | undefined;
  for (const [value, count] of counts)
    if (best === undefined || count > (counts.get(best) ?? 0) || (count === counts.get(best) && value > best))
      best = value;
  return best;
}
