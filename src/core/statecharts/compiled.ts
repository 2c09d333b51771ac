import type { AnyEventObject, AnyStateMachine } from "xstate";
import { RunawayError } from "../foundation/errors.ts";
import type { Chart, Snapshot, Step, TransitionListener } from "./chart.ts";
import { isReserved, matches } from "./descriptors.ts";
import { StepContext } from "./step-context.ts";
import { type ChartTables, type State, type TransitionEntry, tablesOf } from "./tables.ts";

interface CompiledSnapshot extends Snapshot {
  readonly value: string;
  readonly context: object;
}

/**
 * A machine compiled to tables. A step looks up the candidates for an event, tries their guards, and does the actions
 * of the first that passes. XState defines what a machine means: a property test compares the two.
 */
export class CompiledChart implements Chart {
  readonly tables: ChartTables;

  /** @throws {Unknown} if the compiler does not know a part of the machine */
  constructor(private readonly machine: AnyStateMachine) {
    this.tables = tablesOf(machine);
  }

  initial(input: unknown): Step {
    const { first, start, contextOf } = this.tables;
    const work = new StepContext(contextOf(input), { type: "xstate.init", input });
    for (const act of start) act(work);
    return { snapshot: this.settle(first, work), effects: work.effects, isTaken: true };
  }

  transition(snapshot: CompiledSnapshot, event: AnyEventObject, took?: TransitionListener): Step {
    const { context, status } = snapshot;
    if (status !== "active")
      throw new Error(`the ${this.machine.id} machine is over and takes no ${event.type}`);
    const state = this.stateOf(snapshot);
    const work = new StepContext(context, event);
    const candidate = this.choose(state, work);
    if (candidate !== undefined) took?.(candidate);
    const next = this.settle(candidate === undefined ? state : take(candidate, state, work), work, took);
    const isTaken = candidate !== undefined && !candidate.isInert;
    const isSame = next.value === snapshot.value && next.context === context && next.status === status;
    return { snapshot: isSame ? snapshot : next, effects: work.effects, isTaken };
  }

  can(snapshot: CompiledSnapshot, event: AnyEventObject): boolean {
    if (snapshot.status !== "active" || isReserved(event.type)) return false;
    const candidate = this.choose(this.stateOf(snapshot), new StepContext(snapshot.context, event));
    return candidate !== undefined && !candidate.isInert;
  }

  allowedEvents(snapshot: CompiledSnapshot): string[] {
    return snapshot.status === "active" ? [...this.stateOf(snapshot).allowed()] : [];
  }

  private stateOf({ value }: CompiledSnapshot): State {
    const state = this.tables.states.get(value);
    if (state === undefined) throw new Error(`the ${this.machine.id} machine has no state "${value}"`);
    return state;
  }

  private choose(state: State, work: StepContext): TransitionEntry | undefined {
    const { type } = work.event;
    const candidates = state.candidates.get(type);
    if (candidates !== undefined) return firstOf(candidates, work);
    if (isReserved(type))
      throw new Error(
        `the ${this.machine.id} machine cannot be told ${type}: XState keeps that type for itself`,
      );
    const { wildcards } = state;
    if (wildcards.length === 0) return undefined;
    return firstOf(
      wildcards.filter(({ eventType }) => matches(eventType, type)),
      work,
    );
  }

  /**
   * Goes on until the machine can do nothing without another event. As in XState, transitions without an event are
   * tried after every other transition, and again after one of their own only if it changed something. Then raised
   * events are taken, oldest first.
   */
  private settle(from: State, work: StepContext, took?: TransitionListener): CompiledSnapshot {
    let state = from;
    let triesAlways = true;
    for (let steps = 1; state.end === undefined; steps++) {
      if (steps > this.tables.stepLimit) throw this.runaway(state);
      let candidate: TransitionEntry | undefined = triesAlways ? firstOf(state.always, work) : undefined;
      const isEventless: boolean = candidate !== undefined;
      if (!isEventless) {
        const raised = work.takeRaised();
        if (raised === undefined) break;
        work.next(raised);
        candidate = this.choose(state, work);
      }
      const before = state;
      work.hasAssigned = false;
      if (candidate !== undefined) {
        took?.(candidate);
        state = take(candidate, state, work);
      }
      triesAlways = !isEventless || work.hasAssigned || state !== before;
    }
    const { value, end } = state;
    if (end === undefined) return { value, context: work.context, status: "active", output: undefined };
    const output = end.outputOf(work);
    for (const act of end.acts) act(work);
    return { value, context: work.context, status: "done", output };
  }

  private runaway({ value }: State): RunawayError {
    const { stepLimit } = this.tables;
    return new RunawayError(
      `stopped a loop: the ${this.machine.id} machine went on by itself for ${stepLimit} steps, and is in its state ${value}`,
    );
  }
}

function firstOf(
  candidates: readonly TransitionEntry[],
  { context, event }: StepContext,
): TransitionEntry | undefined {
  for (const candidate of candidates)
    if (candidate.guard === undefined || candidate.guard(context, event)) return candidate;
  return undefined;
}

/** Does a transition's actions. Returns the state that it leads to. */
function take({ acts, target }: TransitionEntry, state: State, work: StepContext): State {
  for (const act of acts) act(work);
  return target ?? state;
}
