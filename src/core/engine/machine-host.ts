import type { AnyEventObject, AnyStateMachine, EventObject } from "xstate";
import { RunawayError } from "../foundation/errors.ts";
import type { Chart, ChartStep, Effect, Snapshot, TransitionListener } from "../statecharts/chart.ts";
import { chartOf } from "../statecharts/chart-of.ts";
import type { AgendaItem } from "./agenda.ts";
import { Probes } from "./probe.ts";

/** The record that an instance of a machine belongs to. The platform reads it, the machine never does. */
export interface MachineOwner {
  readonly recordId: string;
  readonly [key: string]: unknown;
}

/** The types of one machine: its input, events and facts, and the record of an instance. */
export interface MachineType {
  readonly input: unknown;
  readonly event: AnyEventObject;
  readonly fact: Fact;
  readonly about: MachineOwner;
}

/** The machines of a run, by name. */
export type MachineTypeMap<C> = { readonly [R in keyof C]: MachineType };
export type AnyMachineTypes = Readonly<Record<string, MachineType>>;
type NameOf<C> = keyof C & string;

/** A machine's chart and its running instances. */
interface MachineInstances<C extends MachineTypeMap<C>> {
  readonly chart: Chart;
  /** Instances by id. */
  readonly live: Map<string, Instance<C>>;
}

interface Instance<C extends MachineTypeMap<C>> {
  readonly machine: NameOf<C>;
  readonly id: string;
  readonly about: C[NameOf<C>]["about"];
  snapshot: Snapshot;
  /** The delayed events that are pending, oldest first. */
  timers: readonly Timer[];
}

export interface Timer {
  /** The machine's name for the timer, if it gave one. Not unique. */
  readonly id: string | undefined;
  /** The serial of the timer's item in the agenda. */
  readonly serial: number;
}

/** What an agenda item holds for a machine's delayed event. */
interface TimerData {
  readonly machine: string;
  readonly id: string;
  readonly event: AnyEventObject;
}

/** A fact that a machine emitted, to which the platform reacts. */
export type Fact = EventObject;

/** The value and context of a machine's snapshot. */
export interface MachineState {
  readonly value: unknown;
  readonly context: unknown;
}

/** What the host needs of the engine. */
export interface MachineHostPorts<C extends MachineTypeMap<C>> {
  schedule(delayMs: number, task: string, recordId: string, purpose: string, data: unknown): number;
  cancel(serial: number): void;
  /**
   * Called when a machine started (`before` is undefined) or took an event, before anything reacts to its facts.
   */
  onStep(
    machine: string,
    id: string,
    about: MachineOwner,
    event: AnyEventObject | undefined,
    before: MachineState | undefined,
    after: MachineState,
  ): void;
  /** Reacts to a fact. It may send events to machines, this one included. */
  react<R extends NameOf<C>>(machine: R, about: C[R]["about"], fact: C[R]["fact"]): void;
}

export const MACHINE_TIMER = "machine.timer";
/** More than any flow needs, and less than overflows the stack. */
const FORWARD_LIMIT = 200;

/**
 * Runs machines as pure functions and performs their effects: schedules delayed events, and passes facts to the platform.
 * Any other action is an error.
 */
export class MachineHost<C extends MachineTypeMap<C> = AnyMachineTypes> {
  private readonly byMachine = new Map<string, MachineInstances<C>>();
  private forwarding = 0;
  private readonly reportTransition: TransitionListener = (transition) =>
    this.probes.current?.transitionTaken?.(transition);

  constructor(
    private readonly machines: Readonly<Record<string, AnyStateMachine>>,
    private readonly ports: MachineHostPorts<C>,
    private readonly probes: Probes = new Probes(),
  ) {}

  /** Starts an instance of a machine under an id that no live instance of it has. */
  start<R extends NameOf<C>>(machine: R, id: string, about: C[R]["about"], input: C[R]["input"]): void {
    const { chart, live } = this.mustFindInstances(machine);
    if (live.has(id)) throw new Error(`a ${machine} machine already runs for "${id}"`);
    const step = chart.initial(input);
    const instance: Instance<C> = { machine, id, about, snapshot: step.snapshot, timers: noTimers };
    checkEffects(instance, step.effects);
    live.set(id, instance);
    this.ports.onStep(machine, id, about, undefined, undefined, step.snapshot);
    this.probes.current?.machineStarted?.(machine, step.snapshot.value);
    this.performEffects(instance, step);
  }

  /**
   * Sends an event. All that follows at this instant has happened when it returns. An event that the state does not take
   * is an error; test it with `can` first. If the machine throws, nothing has changed.
   */
  send<R extends NameOf<C>>(machine: R, id: string, event: C[R]["event"]): void {
    const { chart, live } = this.mustFindInstances(machine);
    const instance = live.get(id);
    if (instance === undefined)
      throw new Error(`no ${machine} machine runs for "${id}" to take ${event.type}`);
    const step = chart.transition(
      instance.snapshot,
      event,
      this.probes.current?.transitionTaken && this.reportTransition,
    );
    if (!step.isTaken) throw eventNotTaken(instance, event, chart);
    this.take(instance, event, step);
  }

  /** Runs a due delayed event, which the state may ignore, unlike a sent one. */
  fire(item: AgendaItem): void {
    const { machine, id, event } = item.data as TimerData;
    const { chart, live } = this.mustFindInstances(machine);
    const instance = live.get(id);
    if (instance === undefined)
      throw new Error(`no ${machine} machine runs for "${id}" to take ${event.type}`);
    instance.timers = instance.timers.filter(({ serial }) => serial !== item.serial);
    this.take(
      instance,
      event,
      chart.transition(
        instance.snapshot,
        event,
        this.probes.current?.transitionTaken && this.reportTransition,
      ),
    );
  }

  /** Forgets an instance and its timers, with its record. It does not reach an end, so nothing reacts. */
  forget(machine: NameOf<C>, id: string): void {
    const instance = this.mustFindInstances(machine).live.get(id);
    if (instance === undefined) throw new Error(`no ${machine} machine runs for "${id}" to be forgotten`);
    this.end(instance);
  }

  isRunning(machine: NameOf<C>, id: string): boolean {
    return this.mustFindInstances(machine).live.has(id);
  }

  /** The state of a live instance (its value), or undefined. */
  state(machine: NameOf<C>, id: string): unknown {
    return this.mustFindInstances(machine).live.get(id)?.snapshot.value;
  }

  /** The context of a live instance, or undefined. */
  context(machine: NameOf<C>, id: string): unknown {
    return this.mustFindInstances(machine).live.get(id)?.snapshot.context;
  }

  /** Whether the state of an instance takes an event. False without an instance. */
  can<R extends NameOf<C>>(machine: R, id: string, event: C[R]["event"]): boolean {
    const { chart, live } = this.mustFindInstances(machine);
    const instance = live.get(id);
    return instance !== undefined && chart.can(instance.snapshot, event);
  }

  /**
   * The types of events that the state of an instance takes if their guards hold. Empty without an instance.
   */
  allowedEvents(machine: NameOf<C>, id: string): string[] {
    const { chart, live } = this.mustFindInstances(machine);
    const instance = live.get(id);
    return instance === undefined ? [] : chart.allowedEvents(instance.snapshot);
  }

  /** The state of each live instance. */
  states(): { readonly machine: string; readonly value: unknown }[] {
    return [...this.byMachine].flatMap(([machine, { live }]) =>
      [...live.values()].map(({ snapshot }) => ({ machine, value: snapshot.value })),
    );
  }

  clear(): void {
    this.byMachine.clear();
  }

  /** Copies the live instances into another host; their timers keep their serials. */
  forkInto(other: MachineHost<C>): void {
    for (const [machine, { live }] of this.byMachine)
      for (const [id, instance] of live) other.mustFindInstances(machine).live.set(id, { ...instance });
  }

  /** The live instances, for `load`. */
  save() {
    return [...this.byMachine.values()].flatMap(({ live }) =>
      Array.from(live.values(), ({ machine, id, about, snapshot, timers }) => ({
        ...{ machine, id, about, timers },
        snapshot: { value: snapshot.value, context: snapshot.context, status: snapshot.status },
      })),
    );
  }

  /** Restores saved instances into this empty host. Their timers keep their serials. */
  load(saved: ReturnType<MachineHost<C>["save"]>): void {
    for (const { machine, id, about, timers, snapshot } of saved)
      this.mustFindInstances(machine).live.set(id, {
        ...{ machine, id, about, timers },
        snapshot: { ...snapshot, output: undefined },
      });
  }

  private mustFindInstances(machine: string): MachineInstances<C> {
    let instances = this.byMachine.get(machine);
    if (instances === undefined) {
      const definition = this.machines[machine];
      if (definition === undefined) throw new Error(`no machine is named "${machine}"`);
      instances = { chart: chartOf(definition), live: new Map() };
      this.byMachine.set(machine, instances);
    }
    return instances;
  }

  private take(instance: Instance<C>, event: AnyEventObject, step: ChartStep): void {
    const { machine, id, about, snapshot: before } = instance;
    checkEffects(instance, step.effects);
    instance.snapshot = step.snapshot;
    this.ports.onStep(machine, id, about, event, before, step.snapshot);
    this.performEffects(instance, step);
  }

  /** Sets timers first: the platform may react to a fact by sending this machine its next event. */
  private performEffects(instance: Instance<C>, { snapshot, effects }: ChartStep): void {
    let facts = 0;
    for (const effect of effects) {
      if (effect.type === "emit") facts++;
      else if (effect.type === "delay") this.schedule(instance, effect);
      else if (effect.type === "cancel") this.cancel(instance, effect.id);
    }
    if (snapshot.status === "done") this.end(instance);
    if (facts > 0) this.emitFacts(instance, effects);
  }

  private schedule(instance: Instance<C>, { event, id, delayMs }: Extract<Effect, { type: "delay" }>): void {
    const { machine, about } = instance;
    const data: TimerData = { machine, id: instance.id, event };
    const purpose = `${machine}: ${delayName(event.type)}`;
    const serial = this.ports.schedule(Number(delayMs), MACHINE_TIMER, about.recordId, purpose, data);
    instance.timers = [...instance.timers, { id, serial }];
  }

  private cancel(instance: Instance<C>, timerId: string): void {
    const { timers } = instance;
    // a machine cancels its timers on every exit, including those that have fired
    if (!timers.some(({ id }) => id === timerId)) return;
    for (const { id, serial } of timers) if (id === timerId) this.ports.cancel(serial);
    instance.timers = timers.filter(({ id }) => id !== timerId);
  }

  private end(instance: Instance<C>): void {
    for (const { serial } of instance.timers) this.ports.cancel(serial);
    this.mustFindInstances(instance.machine).live.delete(instance.id);
  }

  private emitFacts({ machine, about }: Instance<C>, effects: readonly Effect[]): void {
    if (this.forwarding >= FORWARD_LIMIT) {
      throw new RunawayError(
        `stopped a loop: machines led to each other ${FORWARD_LIMIT} deep inside one step, the last being the ${machine} machine of ${about.recordId}`,
      );
    }
    this.forwarding++;
    try {
      for (const effect of effects)
        if (effect.type === "emit") this.ports.react(machine, about, effect.event);
    } finally {
      this.forwarding--;
    }
  }
}

const noTimers: readonly Timer[] = [];

/** Throws for a forbidden effect, before anything has changed. */
function checkEffects(
  { machine, about }: { machine: string; about: MachineOwner },
  effects: readonly Effect[],
): void {
  for (const effect of effects) {
    if (effect.type === "delay" && !isDelay(effect.delayMs))
      throw new Error(
        `the ${machine} machine of ${about.recordId} set a delay of ${String(effect.delayMs)} for ${effect.event.type}: expected a finite number of ms, 0 or more`,
      );
    if (effect.type === "other")
      throw new Error(
        `the ${machine} machine wants the action "${effect.action}": a machine may only raise with a delay, cancel and emit`,
      );
  }
}

function isDelay(delayMs: unknown): boolean {
  return typeof delayMs === "number" && Number.isFinite(delayMs) && delayMs >= 0;
}

function eventNotTaken<C extends MachineTypeMap<C>>(
  { machine, about, snapshot }: Instance<C>,
  event: AnyEventObject,
  chart: Chart,
): Error {
  const allowed = chart.allowedEvents(snapshot).join(", ") || "nothing";
  return new Error(
    `the ${machine} machine of ${about.recordId} does not take ${JSON.stringify(event)} in its state ${String(snapshot.value)}, which allows ${allowed}`,
  );
}

/**
 * The name of the delay in an event type. XState calls the event of `after: { ringTimeout: … }`
 * `xstate.after.ringTimeout.<state>`.
 */
function delayName(eventType: string): string {
  return eventType.startsWith("xstate.after.") ? (eventType.split(".")[2] ?? eventType) : eventType;
}
