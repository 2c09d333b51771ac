import type { AnyEventObject } from "xstate";
import type { AgendaItem } from "./agenda.ts";
import type { Deviation } from "./deviations.ts";
import type { LoggedEvent } from "./event-log.ts";
import type { AnyMachineTypes, MachineOwner, MachineState, MachineTypeMap } from "./machine-host.ts";

/** Reads along with a run. Timelines get from it what the event stream does not show. */
export interface Tracer<C extends MachineTypeMap<C> = AnyMachineTypes> {
  /** Called before a command is tried. */
  command(name: string, args: unknown): void;
  /** Called if the last command was refused; it changed nothing. */
  commandRefused?(): void;
  item(item: AgendaItem): void;
  fact<R extends keyof C & string>(machine: R, about: C[R]["about"], fact: C[R]["fact"]): void;
  event(event: LoggedEvent): void;
  /** Called when a request to an endpoint is over. */
  requestOver(request: unknown): void;
  /** Called when a request to an endpoint takes a deviation. */
  requestDeviates(request: unknown, deviation: Pick<Deviation, "is" | "by">): void;
  /** Called when the later of two timers of one instant runs first. */
  timerDeviates?(first: string, before: string, atMs: number): void;
  /** Called when a machine started (`before` is undefined) or took an event. */
  machine?(step: MachineStep): void;
  /** Called when a domain event is raised, before its reactions run. */
  domainEvent?(what: string, of: object): void;
  /** Called with each reaction to a fact or a domain event. It must call `run`, which runs the reaction. */
  reaction?(reaction: object, run: () => void): void;
}

/** What a machine did with an event. */
export interface MachineStep {
  readonly machine: string;
  /** The id of the machine's instance. */
  readonly id: string;
  readonly about: MachineOwner;
  /** The event; undefined when the machine started. */
  readonly event: AnyEventObject | undefined;
  readonly previous: MachineState | undefined;
  readonly next: MachineState;
}
