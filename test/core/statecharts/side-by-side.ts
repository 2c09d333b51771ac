import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import {
  type AnyActorScope,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  createMachine,
} from "xstate";
import { XStateChart } from "../../../src/core/statecharts/by-xstate.ts";
import type { ChartStep } from "../../../src/core/statecharts/chart.ts";
import { CompiledChart } from "../../../src/core/statecharts/compiled.ts";

type Transition = NonNullable<AnyStateMachine["root"]["always"]>[number];

/** XState's inspection report of a step. */
interface Microstep {
  readonly _transitions: readonly Transition[];
}

/** A timer that is pending. */
interface Timer {
  readonly id: string | undefined;
  readonly event: AnyEventObject;
  readonly delayMs: unknown;
}

/** One machine run by XState itself, with XState's own reports of what it did. */
class Oracle {
  readonly microsteps: Microstep[] = [];
  private readonly actions: { readonly type: string; readonly params?: unknown }[] = [];
  private readonly scope: AnyActorScope;

  constructor(private readonly machine: AnyStateMachine) {
    const nothing = () => {};
    const system = { _sendInspectionEvent: (report: Microstep) => this.microsteps.push(report) };
    this.scope = {
      ...{ id: "oracle", sessionId: "oracle", self: createActor(createMachine({})) },
      ...{ logger: nothing, defer: nothing, emit: nothing, stopChild: nothing },
      actionExecutor: (action) => this.actions.push(action),
      system: system as unknown as AnyActorScope["system"],
    };
  }

  initial(input: unknown): AnyMachineSnapshot {
    const snapshot = this.machine.getInitialSnapshot(this.scope, input);
    if (snapshot.status === "error") throw snapshot.error;
    return snapshot;
  }

  transition(snapshot: AnyMachineSnapshot, event: AnyEventObject): AnyMachineSnapshot {
    return this.machine.transition(snapshot, event, this.scope);
  }

  /** What the machine asked for since the last call: facts, delayed events and cancellations. */
  effects(): unknown[] {
    return this.actions.splice(0).flatMap(({ type, params }): unknown[] => {
      const { event, id, delay, sendId } = params as Record<string, unknown>;
      if (type === "xstate.emit") return [{ type: "emit", event }];
      if (type === "xstate.cancel") return [{ type: "cancel", id: sendId }];
      if (type === "xstate.raise")
        return delay === undefined ? [] : [{ type: "delay", event, id, delayMs: delay }];
      return [{ type, params }];
    });
  }
}

/** Runs one machine compiled and by XState, step by step, and expects the same of both. */
export class SideBySide {
  readonly timers: Timer[] = [];
  private readonly compiled: CompiledChart;
  private readonly byXState: XStateChart;
  private readonly oracle: Oracle;
  private ours: ChartStep["snapshot"];
  private theirs: AnyMachineSnapshot;

  /** @param taken called for each transition that is taken */
  constructor(
    machine: AnyStateMachine,
    input: unknown,
    private readonly taken: (transition: Transition) => void = () => {},
  ) {
    this.compiled = new CompiledChart(machine);
    this.byXState = new XStateChart(machine);
    this.oracle = new Oracle(machine);
    this.theirs = this.oracle.initial(input);
    const step = this.compiled.initial(input);
    this.ours = step.snapshot;
    this.note();
    this.compare("the start", step);
  }

  get isDone(): boolean {
    return this.theirs.status === "done";
  }

  get state(): string {
    return String(this.theirs.value);
  }

  get context(): unknown {
    return this.theirs.context;
  }

  send(event: AnyEventObject): void {
    const before = this.state;
    const could = this.theirs.can(event);
    this.theirs = this.oracle.transition(this.theirs, event);
    const step = this.compiled.transition(this.ours as never, event);
    this.ours = step.snapshot;
    this.note();
    this.compare(`${JSON.stringify(event)} in ${before}`, step);
    if (step.isTaken !== could) expect.fail(`isTaken is ${step.isTaken} of ${event.type} in ${before}`);
  }

  /** A pending timer runs out. */
  fire(timer: Timer): void {
    this.timers.splice(this.timers.indexOf(timer), 1);
    this.send(timer.event);
  }

  /** Checks that both agree on the events that the state takes. */
  compareCan(event: AnyEventObject): void {
    const [ours, theirs] = [this.compiled.can(this.ours as never, event), this.theirs.can(event)];
    if (ours !== theirs) expect(ours, `can ${JSON.stringify(event)} in ${this.state}`).toBe(theirs);
  }

  compareAllowed(): void {
    const ours = this.compiled.allowedEvents(this.ours as never);
    const theirs = this.byXState.allowedEvents(this.theirs);
    if (!isDeepStrictEqual(ours.toSorted(), theirs.toSorted()))
      expect(ours, `allowed in ${this.state}`).toEqual(theirs);
  }

  /** Copies the pair in its current state. */
  fork(): SideBySide {
    const copy: SideBySide = Object.create(SideBySide.prototype);
    return Object.assign(copy, this, { timers: [...this.timers] });
  }

  private compare(what: string, { snapshot, effects }: ChartStep): void {
    const { value, context, status, output } = this.theirs;
    const theirs = { value, context, status, output, effects: this.oracle.effects() };
    const ours = {
      ...{ value: snapshot.value, context: snapshot.context },
      ...{ status: snapshot.status, output: snapshot.output, effects },
    };
    if (!isDeepStrictEqual(ours, theirs)) expect(ours, `after ${what}`).toEqual(theirs);
    for (const effect of effects) {
      if (effect.type === "delay") this.timers.push(effect);
      if (effect.type === "cancel") this.cancel(effect.id);
    }
  }

  private cancel(id: string): void {
    for (const timer of this.timers.filter((each) => each.id === id))
      this.timers.splice(this.timers.indexOf(timer), 1);
  }

  private note(): void {
    for (const { _transitions } of this.oracle.microsteps.splice(0)) _transitions.forEach(this.taken);
  }
}
