import { CommandError, InputError } from "../../core/foundation/errors.ts";
import type { CommandInput, CommandName } from "../../core/platform/base/core-services.ts";
import type { AssumptionsInput } from "../../core/platform/declare/assumptions.ts";
import type { PlatformEvent } from "../../core/platform/declare/events.ts";
import { namedKinds } from "../../core/scenario/scenario.ts";
import { createSimulator } from "../../core/simulator/simulator.ts";
import type { Inference } from "../infer/infer.ts";
import type { InferredStep } from "../infer/scenario-draft.ts";

/** A step that the state of the run did not allow. */
export interface RefusedInferredStep {
  readonly step: InferredStep;
  /** The message of the simulator's error. */
  readonly because: string;
}

/** A run of an inference. */
export interface InferenceRun {
  readonly events: readonly PlatformEvent[];
  readonly refused: readonly RefusedInferredStep[];
}

/** How long a run continues after the last event of the capture, ms. */
export const TAIL_MS = 1_000;

/** Plays an inference. Steps that the state does not allow are skipped and collected. */
export function playInference({
  organisation,
  timing,
  assume,
  startMs,
  endMs,
  steps,
}: Inference): InferenceRun {
  // captured events are dated by their records, so this run sends its events without delay
  const { eventDelay: _, ...rules } = assume;
  const simulator = createSimulator({
    organisation,
    timing,
    assume: rules as AssumptionsInput,
    start: startMs,
    ids: "counter",
    seed: 1,
    retain: { journal: false },
  });
  const named = new Map<string, string>();
  const refused: RefusedInferredStep[] = [];
  for (const step of steps) {
    simulator.advanceTo(Math.max(step.atMs, simulator.timestamp));
    try {
      const { as, ...args } = resolveIds(step.args, named);
      const result = simulator.command(step.command, args as CommandInput<CommandName>);
      if (typeof as === "string") named.set(as, idOf(result));
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof InputError)) throw error;
      refused.push({ step, because: error.message });
    }
  }
  simulator.advanceTo(Math.max(endMs + TAIL_MS, simulator.timestamp));
  return { events: simulator.events, refused };
}

function resolveIds(args: InferredStep["args"], named: ReadonlyMap<string, string>): InferredStep["args"] {
  const resolved = { ...args };
  for (const key of namedKinds) {
    const name = args[key];
    if (typeof name === "string") resolved[key] = named.get(name) ?? name;
  }
  return resolved;
}

function idOf(result: unknown): string {
  if (typeof result === "string") return result;
  const { callId, conversationId, vendorConversationId } = result as Record<string, string>;
  return callId ?? conversationId ?? vendorConversationId ?? "";
}
