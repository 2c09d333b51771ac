import {
  type AnyActorScope,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  createMachine,
  getNextTransitions,
} from "xstate";
import { isObject } from "../foundation/values.ts";
import type { Chart, ChartStep, Effect } from "./chart.ts";
import { isReserved, matches, reservedError } from "./descriptors.ts";
import { asEvent, readField } from "./xstate-private.ts";

interface ExecutableAction {
  readonly type: string;
  readonly params: unknown;
}

/**
 * Runs any machine by XState's own pure functions: `machine.transition(snapshot, event, scope)`, with one inert scope.
 * Several times slower than a compiled machine.
 */
export class XStateChart implements Chart {
  private executed: ExecutableAction[] = [];
  private readonly scope = inertScope((action) => this.executed.push(action));

  constructor(private readonly machine: AnyStateMachine) {}

  initial(input: unknown): ChartStep {
    this.executed = [];
    return this.step(this.machine.getInitialSnapshot(this.scope, input), true);
  }

  transition(snapshot: AnyMachineSnapshot, event: AnyEventObject): ChartStep {
    if (snapshot.status !== "active")
      throw new Error(`the ${this.machine.id} machine is over and takes no ${event.type}`);
    if (isReserved(event.type)) throw reservedError(this.machine.id, event.type);
    const isTaken = snapshot.can(event);
    this.executed = [];
    return this.step(this.machine.transition(snapshot, event, this.scope), isTaken);
  }

  can(snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean {
    return snapshot.status === "active" && !isReserved(event.type) && snapshot.can(event);
  }

  allowedEvents(snapshot: AnyMachineSnapshot): string[] {
    if (snapshot.status !== "active") return [];
    const all = getNextTransitions(snapshot);
    const isHidden = (one: Transition, index: number) =>
      all.some(
        (other, place) =>
          other.guard === undefined &&
          matches(other.eventType, one.eventType) &&
          (other.source === one.source
            ? place < index && other.eventType === one.eventType
            : isInside(other.source, one.source)),
      );
    const allowed = all.filter(
      (one, index) =>
        one.eventType !== "" &&
        !one.eventType.startsWith("xstate.") &&
        (one.target !== undefined || one.actions.length > 0) &&
        !isHidden(one, index),
    );
    return [...new Set(allowed.map(({ eventType }): string => eventType))];
  }

  private step(snapshot: AnyMachineSnapshot, isTaken: boolean): ChartStep {
    if (snapshot.status === "error") throw snapshot.error;
    const effects = this.executed.flatMap(effectOf);
    for (const id of Object.keys(snapshot.children))
      effects.push({ type: "other", action: `spawn of ${id}` });
    return { snapshot, effects, isTaken };
  }
}

type Transition = ReturnType<typeof getNextTransitions>[number];

function isInside(inner: Transition["source"], outer: Transition["source"]): boolean {
  return inner.path.length > outer.path.length && outer.path.every((key, at) => inner.path[at] === key);
}

/** An event raised without a delay is no effect: XState has already taken it. */
function effectOf({ type, params }: ExecutableAction): Effect[] {
  const of = (name: string) => (isObject(params) ? readField(params, name) : undefined);
  switch (type) {
    case "xstate.emit":
      return [{ type: "emit", event: asEvent(of("event"), "an emit") }];
    case "xstate.raise": {
      const event = asEvent(of("event"), "a raise");
      const [id, delayMs] = [of("id"), of("delay")];
      if (delayMs === undefined && !event.type.startsWith("xstate.after.")) return [];
      return [{ type: "delay", event, id: id === undefined ? undefined : String(id), delayMs }];
    }
    case "xstate.cancel":
      return [{ type: "cancel", id: String(of("sendId")) }];
    default:
      return [{ type: "other", action: type }];
  }
}

/**
 * The scope in which transitions are computed. `self` is a never started actor of a trivial machine: one of the real
 * machine would evaluate its initial state without input.
 */
function inertScope(actionExecutor: (action: ExecutableAction) => void): AnyActorScope {
  const self = createActor(createMachine({}));
  const nothing = () => {};
  return {
    self,
    id: "ringback",
    sessionId: "ringback",
    system: self.system,
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    actionExecutor,
  };
}
