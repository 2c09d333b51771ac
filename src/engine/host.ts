import {
  type AnyActorLogic,
  type AnyActorScope,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  createMachine,
  type EventObject,
} from "xstate";
import type { AgendaItem } from "./agenda.ts";
import { RunawayError } from "./errors.ts";

/** What an instance of a machine stands for, known to the platform and never read by the machine. */
export interface About {
  readonly recordId: string;
  readonly [key: string]: unknown;
}

/** One machine as the host knows it: what an instance begins with, is told, tells, and stands for. */
export interface Role {
  readonly input: unknown;
  readonly event: AnyEventObject;
  readonly fact: Fact;
  readonly about: About;
}

/** The machines of a run, by name. */
export type Roles<C> = { readonly [R in keyof C]: Role };
export type AnyRoles = Readonly<Record<string, Role>>;
type NameIn<C> = keyof C & string;

interface Instance<C extends Roles<C>> {
  readonly machine: NameIn<C>;
  readonly id: string;
  readonly about: C[NameIn<C>]["about"];
  snapshot: AnyMachineSnapshot;
  /** Agenda serials of the delayed events that are pending, by XState's id of the delayed event. */
  readonly timers: Map<string, number>;
}

/** The data of an agenda item that is a machine's delayed event. */
interface TimerData {
  readonly machine: string;
  readonly id: string;
  readonly timerId: string;
  readonly event: AnyEventObject;
}

/** An effect that a machine emitted: a fact for the platform to act on. */
export type Fact = EventObject;

/** Where a machine stands: what XState calls the value and the context of its snapshot. */
export interface MachineState {
  readonly value: unknown;
  readonly context: unknown;
}

/** What the host needs of the engine. */
export interface HostPorts<C extends Roles<C>> {
  schedule(delayMs: number, task: string, recordId: string, purpose: string, data: unknown): number;
  cancel(serial: number): void;
  /** A machine started (`before` is undefined) or took an event; told before what it emits is acted on. */
  stepped(
    machine: string,
    id: string,
    about: About,
    event: AnyEventObject | undefined,
    before: MachineState | undefined,
    after: MachineState,
  ): void;
  /** Acts on a fact; may send events to machines, this one included. */
  react<R extends NameIn<C>>(machine: R, about: C[R]["about"], fact: C[R]["fact"]): void;
}

interface ExecutableAction {
  readonly type: string;
  readonly params: Record<string, unknown> | undefined;
}

export const MACHINE_TIMER = "machine.timer";
/** Far above what any flow needs, far below what overflows the stack. */
const FORWARD_LIMIT = 200;

/**
 * Runs statecharts as pure functions: `logic.transition(snapshot, event, scope)` with one inert scope, reused.
 * Delayed events go to the agenda, emitted effects to the platform; any other action is an error, since a machine
 * must decide and nothing else.
 */
export class Host<C extends Roles<C> = AnyRoles> {
  /** By machine, then by id. */
  private readonly instances = new Map<string, Map<string, Instance<C>>>();
  private collected: ExecutableAction[] = [];
  private readonly scope = inertScope((action) => this.collected.push(action));
  private forwarding = 0;

  constructor(
    private readonly machines: Readonly<Record<string, AnyStateMachine>>,
    private readonly ports: HostPorts<C>,
  ) {
    for (const machine of Object.keys(machines)) this.instances.set(machine, new Map());
  }

  /** Starts an instance of a machine under an id that no live instance of it has. */
  start<R extends NameIn<C>>(machine: R, id: string, about: C[R]["about"], input: C[R]["input"]): void {
    const live = this.of(machine);
    if (live.has(id)) throw new Error(`a ${machine} machine already runs for "${id}"`);
    const snapshot = this.logic(machine).getInitialSnapshot(this.scope, input as never) as AnyMachineSnapshot;
    const instance: Instance<C> = { machine, id, about, snapshot, timers: new Map() };
    live.set(id, instance);
    this.ports.stepped(machine, id, about, undefined, undefined, snapshot);
    this.carryOut(instance, snapshot);
  }

  /** Sends an event and carries out all that follows from it at this instant before returning. */
  send<R extends NameIn<C>>(machine: R, id: string, event: C[R]["event"]): void {
    const instance = this.of(machine).get(id);
    if (instance === undefined)
      throw new Error(`no ${machine} machine runs for "${id}" to take ${event.type}`);
    const before = instance.snapshot;
    const next = this.logic(machine).transition(before, event, this.scope) as AnyMachineSnapshot;
    this.ports.stepped(machine, id, instance.about, event, before, next);
    this.carryOut(instance, next);
  }

  /** Runs a delayed event that has come due. */
  fire(item: AgendaItem): void {
    const { machine, id, timerId, event } = item.data as TimerData;
    this.of(machine).get(id)?.timers.delete(timerId);
    this.send(machine as NameIn<C>, id, event);
  }

  isRunning(machine: NameIn<C>, id: string): boolean {
    return this.of(machine).has(id);
  }

  /** The state of a live instance (its value), or undefined. */
  state(machine: NameIn<C>, id: string): unknown {
    return this.of(machine).get(id)?.snapshot.value;
  }

  clear(): void {
    for (const live of this.instances.values()) live.clear();
  }

  /** Copies the live instances into another host; their timers keep their serials. */
  forkInto(other: Host<C>): void {
    for (const [machine, live] of this.instances)
      for (const [id, instance] of live)
        other.of(machine).set(id, { ...instance, timers: new Map(instance.timers) });
  }

  private of(machine: string): Map<string, Instance<C>> {
    const live = this.instances.get(machine);
    if (live === undefined) throw new Error(`no machine is named "${machine}"`);
    return live;
  }

  private logic(machine: string): AnyStateMachine {
    const logic = this.machines[machine];
    if (logic === undefined) throw new Error(`no machine is named "${machine}"`);
    return logic;
  }

  private carryOut(instance: Instance<C>, next: AnyMachineSnapshot): void {
    const actions = this.collected;
    this.collected = [];
    if (next.status === "error") throw next.error;
    instance.snapshot = next;
    const facts: Fact[] = [];
    for (const action of actions) this.carryOutOne(instance, action, facts);
    if (next.status === "done") this.end(instance);
    if (facts.length > 0) this.tell(instance, facts);
  }

  private carryOutOne(instance: Instance<C>, action: ExecutableAction, facts: Fact[]): void {
    const params = action.params ?? {};
    if (action.type === "xstate.emit") {
      facts.push(params.event as Fact);
    } else if (action.type === "xstate.raise") {
      // without a delay the event was already taken inside the macrostep
      if ("delay" in params && params.delay !== undefined) this.schedule(instance, params);
    } else if (action.type === "xstate.cancel") {
      this.cancel(instance, params.sendId as string);
    } else {
      throw new Error(
        `the ${instance.machine} machine wants the action "${action.type}": a machine may only raise with a delay, cancel and emit`,
      );
    }
  }

  private schedule(instance: Instance<C>, params: Record<string, unknown>): void {
    const { delay, id, event } = params as { delay: unknown; id: string; event: AnyEventObject };
    if (typeof delay !== "number" || !Number.isFinite(delay) || delay < 0) {
      throw new Error(
        `the ${instance.machine} machine of ${instance.about.recordId} set a delay of ${String(delay)} for ${event.type}: expected a finite number of ms, 0 or more`,
      );
    }
    const data: TimerData = { machine: instance.machine, id: instance.id, timerId: id, event };
    const purpose = `${instance.machine}: ${delayName(event.type)}`;
    instance.timers.set(
      id,
      this.ports.schedule(delay, MACHINE_TIMER, instance.about.recordId, purpose, data),
    );
  }

  private cancel(instance: Instance<C>, timerId: string): void {
    const serial = instance.timers.get(timerId);
    if (serial === undefined) return; // XState cancels on every exit, also of a timer that has fired
    instance.timers.delete(timerId);
    this.ports.cancel(serial);
  }

  private end(instance: Instance<C>): void {
    for (const serial of instance.timers.values()) this.ports.cancel(serial);
    this.of(instance.machine).delete(instance.id);
  }

  private tell(instance: Instance<C>, facts: readonly Fact[]): void {
    if (this.forwarding >= FORWARD_LIMIT) {
      throw new RunawayError(
        `stopped a loop: machines led to each other ${FORWARD_LIMIT} deep inside one step, the last being the ${instance.machine} machine of ${instance.about.recordId}`,
      );
    }
    this.forwarding++;
    try {
      for (const fact of facts) this.ports.react(instance.machine, instance.about, fact);
    } finally {
      this.forwarding--;
    }
  }
}

/** XState names the event of `after: { ringTimeout: … }` `xstate.after.ringTimeout.<state>`. */
function delayName(eventType: string): string {
  return eventType.startsWith("xstate.after.") ? (eventType.split(".")[2] ?? eventType) : eventType;
}

/**
 * The scope that a transition is computed in. `self` must come from a trivial machine: an actor made from the real
 * one would evaluate its initial state without input. The actor is never started.
 */
function inertScope(actionExecutor: (action: ExecutableAction) => void): AnyActorScope {
  const self = createActor(trivialMachine as AnyActorLogic);
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
  } as unknown as AnyActorScope;
}

const trivialMachine = createMachine({});
