import type { AnyStateMachine, StateNode, TransitionDefinition } from "xstate";
import { machines } from "../../../machines/index.ts";

/** The result of a guard. */
export interface GuardResult {
  readonly name: string;
  readonly holds: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: machines of every type
type Transition = TransitionDefinition<any, any>;

const byId = new Map<string, AnyStateMachine>(
  Object.values(machines).map((machine) => [machine.id, machine]),
);

/** The definition of a machine, by its id. */
export function machineOf(id: string): AnyStateMachine | undefined {
  return byId.get(id);
}

/**
 * The transitions of a state for an event, in the order in which their guards are tried; then those of the whole
 * machine.
 */
export function candidates(machine: AnyStateMachine, state: string, type: string): readonly Transition[] {
  const node: StateNode | undefined = machine.root.states[state];
  const own = node?.transitions.get(type) ?? [];
  return own.length > 0 ? own : (machine.root.transitions.get(type) ?? []);
}

/** All events for which a state, or the whole machine, has a transition. */
export function listMachineEvents(machine: AnyStateMachine, state: string): string[] {
  const node: StateNode | undefined = machine.root.states[state];
  if (node === undefined || node.type === "final") return [];
  return [...new Set([...node.transitions.keys(), ...machine.root.transitions.keys()])];
}

/** Evaluates guards in order, up to the transition that is taken. */
export function evaluateGuards(
  machine: AnyStateMachine,
  state: string,
  context: unknown,
  event: { readonly type: string },
): { readonly guards: readonly GuardResult[]; readonly taken: Transition | undefined } {
  const guards: GuardResult[] = [];
  for (const transition of candidates(machine, state, event.type)) {
    const name = guardName(transition);
    if (name === undefined) return { guards, taken: transition };
    const guard = machine.implementations.guards[name] as
      | ((args: { context: unknown; event: unknown }, params: unknown) => boolean)
      | undefined;
    const holds = guard?.({ context, event }, undefined) ?? false;
    guards.push({ name, holds });
    if (holds) return { guards, taken: transition };
  }
  return { guards, taken: undefined };
}

export function guardName({ guard }: Transition): string | undefined {
  return typeof guard === "string" ? guard : undefined;
}

/**
 * The name of the delay in an event type. XState calls the event of `after: { ringTimeout: … }`
 * `xstate.after.ringTimeout.<state>`.
 */
export function eventName(type: string): string {
  return type.startsWith("xstate.after.") ? `after ${type.split(".")[2]}` : type;
}
