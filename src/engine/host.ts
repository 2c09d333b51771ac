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

interface Instance {
  readonly key: string;
  readonly machine: string;
  readonly about: About;
  snapshot: AnyMachineSnapshot;
  /** Agenda serials of the delayed events that are pending, by XState's id of the delayed event. */
  readonly timers: Map<string, number>;
}

/** The data of an agenda item that is a machine's delayed event. */
interface TimerData {
  readonly key: string;
  readonly timerId: string;
  readonly event: AnyEventObject;
}

/** An effect that a machine emitted: a fact for the platform to act on. */
export type Fact = EventObject & Record<string, unknown>;

/** What the host needs of the engine. */
export interface HostPorts {
  schedule(delayMs: number, task: string, recordId: string, purpose: string, data: unknown): number;
  cancel(serial: number): void;
  /** Acts on a fact; may send events to machines, this one included. */
  react(machine: string, about: About, fact: Fact, key: string): void;
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
export class Host {
  private readonly instances = new Map<string, Instance>();
  private collected: ExecutableAction[] = [];
  private readonly scope = inertScope((action) => this.collected.push(action));
  private forwarding = 0;

  constructor(
    private readonly machines: Readonly<Record<string, AnyStateMachine>>,
    private readonly ports: HostPorts,
  ) {}

  /** Starts an instance of a machine under a key that no live instance has. */
  start(machine: string, key: string, about: About, input: unknown): void {
    if (this.instances.has(key)) throw new Error(`a ${machine} machine already runs as "${key}"`);
    const logic = this.logic(machine);
    const snapshot = logic.getInitialSnapshot(this.scope, input as never) as AnyMachineSnapshot;
    const instance: Instance = { key, machine, about, snapshot, timers: new Map() };
    this.instances.set(key, instance);
    this.carryOut(instance, snapshot);
  }

  /** Sends an event and carries out all that follows from it at this instant before returning. */
  send(key: string, event: AnyEventObject): void {
    const instance = this.instances.get(key);
    if (instance === undefined) throw new Error(`no machine runs as "${key}" to take ${event.type}`);
    const next = this.logic(instance.machine).transition(instance.snapshot, event, this.scope);
    this.carryOut(instance, next as AnyMachineSnapshot);
  }

  /** Runs a delayed event that has come due. */
  fire(item: AgendaItem): void {
    const { key, timerId, event } = item.data as TimerData;
    this.instances.get(key)?.timers.delete(timerId);
    this.send(key, event);
  }

  isRunning(key: string): boolean {
    return this.instances.has(key);
  }

  /** The state of a live instance (its value), or undefined. */
  state(key: string): unknown {
    return this.instances.get(key)?.snapshot.value;
  }

  clear(): void {
    this.instances.clear();
  }

  /** Copies the live instances into another host; their timers keep their serials. */
  forkInto(other: Host): void {
    for (const [key, instance] of this.instances)
      other.instances.set(key, { ...instance, timers: new Map(instance.timers) });
  }

  private logic(machine: string): AnyStateMachine {
    const logic = this.machines[machine];
    if (logic === undefined) throw new Error(`no machine is named "${machine}"`);
    return logic;
  }

  private carryOut(instance: Instance, next: AnyMachineSnapshot): void {
    const actions = this.collected;
    this.collected = [];
    if (next.status === "error") throw next.error;
    instance.snapshot = next;
    const facts: Fact[] = [];
    for (const action of actions) this.carryOutOne(instance, action, facts);
    if (next.status === "done") this.end(instance);
    if (facts.length > 0) this.tell(instance, facts);
  }

  private carryOutOne(instance: Instance, action: ExecutableAction, facts: Fact[]): void {
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

  private schedule(instance: Instance, params: Record<string, unknown>): void {
    const { delay, id, event } = params as { delay: unknown; id: string; event: AnyEventObject };
    if (typeof delay !== "number" || !Number.isFinite(delay) || delay < 0) {
      throw new Error(
        `the ${instance.machine} machine of ${instance.about.recordId} set a delay of ${String(delay)} for ${event.type}: expected a finite number of ms, 0 or more`,
      );
    }
    const data: TimerData = { key: instance.key, timerId: id, event };
    const purpose = `${instance.machine}: ${delayName(event.type)}`;
    instance.timers.set(
      id,
      this.ports.schedule(delay, MACHINE_TIMER, instance.about.recordId, purpose, data),
    );
  }

  private cancel(instance: Instance, timerId: string): void {
    const serial = instance.timers.get(timerId);
    if (serial === undefined) return; // XState cancels on every exit, also of a timer that has fired
    instance.timers.delete(timerId);
    this.ports.cancel(serial);
  }

  private end(instance: Instance): void {
    for (const serial of instance.timers.values()) this.ports.cancel(serial);
    this.instances.delete(instance.key);
  }

  private tell(instance: Instance, facts: readonly Fact[]): void {
    if (this.forwarding >= FORWARD_LIMIT) {
      throw new RunawayError(
        `stopped a loop: machines led to each other ${FORWARD_LIMIT} deep inside one step, the last being the ${instance.machine} machine of ${instance.about.recordId}`,
      );
    }
    this.forwarding++;
    try {
      for (const fact of facts) this.ports.react(instance.machine, instance.about, fact, instance.key);
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
