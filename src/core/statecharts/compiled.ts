import type { AnyEventObject, AnyStateMachine } from "xstate";
import { RunawayError } from "../foundation/errors.ts";
import type { Chart, ChartStep, Snapshot, TransitionListener } from "./chart.ts";
import { isReserved, matches, reservedError } from "./descriptors.ts";
import { StepContext } from "./step-context.ts";
import { type ChartTables, compileTables, type TableState, type TransitionEntry } from "./tables.ts";

interface CompiledSnapshot extends Snapshot {
  readonly value: string;
  readonly context: object;
}

/**
 * A machine compiled to tables. A step looks up an event's candidates and runs the actions of the first whose guard
 * passes. XState defines the behaviour: a property test compares the two.
 */
export class CompiledChart implements Chart {
  readonly tables: ChartTables;

  /** @throws {Unsupported} if the compiler does not support a part of the machine */
  constructor(private readonly machine: AnyStateMachine) {
    this.tables = compileTables(machine);
  }

  initial(input: unknown): ChartStep {
    const { first, start, contextOf } = this.tables;
    const step = new StepContext(contextOf(input), { type: "xstate.init", input });
    for (const action of start) action(step);
    return { snapshot: this.runToCompletion(first, step), effects: step.effects, isTaken: true };
  }

  transition(
    snapshot: CompiledSnapshot,
    event: AnyEventObject,
    onTransition?: TransitionListener,
  ): ChartStep {
    const { context, status } = snapshot;
    if (status !== "active")
      throw new Error(`the ${this.machine.id} machine is over and takes no ${event.type}`);
    const state = this.mustFindState(snapshot);
    const step = new StepContext(context, event);
    const candidate = this.chooseTransition(state, step);
    if (candidate !== undefined) onTransition?.(candidate);
    const next = this.runToCompletion(
      candidate === undefined ? state : takeTransition(candidate, state, step),
      step,
      onTransition,
    );
    const isTaken = candidate !== undefined && !candidate.isInert;
    const isSame = next.value === snapshot.value && next.context === context && next.status === status;
    return { snapshot: isSame ? snapshot : next, effects: step.effects, isTaken };
  }

  can(snapshot: CompiledSnapshot, event: AnyEventObject): boolean {
    if (snapshot.status !== "active" || isReserved(event.type)) return false;
    const candidate = this.chooseTransition(
      this.mustFindState(snapshot),
      new StepContext(snapshot.context, event),
    );
    return candidate !== undefined && !candidate.isInert;
  }

  allowedEvents(snapshot: CompiledSnapshot): string[] {
    return snapshot.status === "active" ? [...this.mustFindState(snapshot).allowed()] : [];
  }

  private mustFindState({ value }: CompiledSnapshot): TableState {
    const state = this.tables.states.get(value);
    if (state === undefined) throw new Error(`the ${this.machine.id} machine has no state "${value}"`);
    return state;
  }

  private chooseTransition(state: TableState, step: StepContext): TransitionEntry | undefined {
    const { type } = step.event;
    const candidates = state.candidates.get(type);
    if (candidates !== undefined) return firstPassing(candidates, step);
    if (isReserved(type)) throw reservedError(this.machine.id, type);
    const { wildcards } = state;
    if (wildcards.length === 0) return undefined;
    return firstPassing(
      wildcards.filter(({ eventType }) => matches(eventType, type)),
      step,
    );
  }

  /**
   * Takes eventless transitions and raised events until the machine needs another event. As in XState, eventless
   * transitions are tried after every other transition, and after one of their own only if it changed something; then
   * raised events are taken, oldest first.
   */
  private runToCompletion(
    from: TableState,
    step: StepContext,
    onTransition?: TransitionListener,
  ): CompiledSnapshot {
    let state = from;
    let triesAlways = true;
    for (let steps = 1; state.end === undefined; steps++) {
      if (steps > this.tables.stepLimit) throw this.runaway(state);
      let candidate: TransitionEntry | undefined = triesAlways ? firstPassing(state.always, step) : undefined;
      const isEventless: boolean = candidate !== undefined;
      if (!isEventless) {
        const raised = step.takeRaised();
        if (raised === undefined) break;
        step.next(raised);
        candidate = this.chooseTransition(state, step);
      }
      const before = state;
      step.hasAssigned = false;
      if (candidate !== undefined) {
        onTransition?.(candidate);
        state = takeTransition(candidate, state, step);
      }
      triesAlways = !isEventless || step.hasAssigned || state !== before;
    }
    const { value, end } = state;
    if (end === undefined) return { value, context: step.context, status: "active", output: undefined };
    const output = end.outputOf(step);
    for (const action of end.actions) action(step);
    return { value, context: step.context, status: "done", output };
  }

  private runaway({ value }: TableState): RunawayError {
    const { stepLimit } = this.tables;
    return new RunawayError(
      `stopped a loop: the ${this.machine.id} machine went on by itself for ${stepLimit} steps, and is in its state ${value}`,
    );
  }
}

function firstPassing(
  candidates: readonly TransitionEntry[],
  { context, event }: StepContext,
): TransitionEntry | undefined {
  for (const candidate of candidates)
    if (candidate.guard === undefined || candidate.guard(context, event)) return candidate;
  return undefined;
}

/** Runs a transition's actions and returns its target state. */
function takeTransition(
  { actions, target }: TransitionEntry,
  state: TableState,
  step: StepContext,
): TableState {
  for (const action of actions) action(step);
  return target ?? state;
}
