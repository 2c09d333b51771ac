import type { AnyEventObject, EventObject, SnapshotStatus } from "xstate";

/** The immutable state of an instance of a machine. */
export interface Snapshot {
  /** The state. */
  readonly value: unknown;
  readonly context: unknown;
  readonly status: SnapshotStatus;
  /** The machine's output, once its status is `done`. */
  readonly output?: unknown;
}

/** An effect of a step. The machine requests it; the host carries it out. */
export type Effect =
  /** A fact for the platform. */
  | { readonly type: "emit"; readonly event: EventObject }
  /** A delayed event for the machine itself. The host checks the delay. */
  | {
      readonly type: "delay";
      readonly event: AnyEventObject;
      /** The timer's name, by which `cancel` finds it. */
      readonly id: string | undefined;
      /** The delay as the machine gave it. The host expects a finite number of ms, 0 or more. */
      readonly delayMs: unknown;
    }
  | { readonly type: "cancel"; readonly id: string }
  /** An action of any other kind, by name. The host throws an error for it. */
  | { readonly type: "other"; readonly action: string };

/** The result of an event. */
export interface ChartStep {
  readonly snapshot: Snapshot;
  /** In the order in which the machine's actions request them. */
  readonly effects: readonly Effect[];
  /** Whether the state takes the event, as `can` says. */
  readonly isTaken: boolean;
}

/** A transition of a machine, compared by identity. */
export interface Transition {
  readonly name: string;
}

/** Called for each transition that is taken, including eventless ones. */
export type TransitionListener = (transition: Transition) => void;

/** A machine as pure functions: compiled to tables, or run by XState where the compiler lacks support. */
export interface Chart {
  /** Starts an instance and takes its eventless transitions. */
  initial(input: unknown): ChartStep;

  /**
   * Takes an event and the eventless transitions that follow. Pure: after an error the snapshot is still valid.
   * @param onTransition called only by compiled machines
   */
  transition(snapshot: Snapshot, event: AnyEventObject, onTransition?: TransitionListener): ChartStep;

  /**
   * Whether the state takes an event. By XState's rule, the first transition whose guard holds must have a target or
   * actions. False once the instance is done.
   */
  can(snapshot: Snapshot, event: AnyEventObject): boolean;

  /** The types of events that the state takes if their guards hold, without those of timers. */
  allowedEvents(snapshot: Snapshot): string[];
}
