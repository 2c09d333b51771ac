import type { AnyEventObject, EventObject, SnapshotStatus } from "xstate";

/** Where an instance of a machine stands. It never changes: a step makes the next one. */
export interface Snapshot {
  /** The state. */
  readonly value: unknown;
  readonly context: unknown;
  readonly status: SnapshotStatus;
  /** What the machine leaves behind, once its status is `done`. */
  readonly output?: unknown;
}

/** What a step asks for. A machine decides and does nothing by itself. */
export type Effect =
  /** A fact for the platform. */
  | { readonly type: "emit"; readonly event: EventObject }
  /** The machine wants to be told `event` after a while. Whoever schedules it checks the delay. */
  | {
      readonly type: "delay";
      readonly event: AnyEventObject;
      /** The timer's name, which `cancel` takes. */
      readonly id: string | undefined;
      /** Whatever the machine gave as its delay; right is a finite number of ms, 0 or more. */
      readonly delayMs: unknown;
    }
  | { readonly type: "cancel"; readonly id: string }
  /** An action of any other kind, by name: an error. */
  | { readonly type: "other"; readonly action: string };

/** What comes of an event. */
export interface Step {
  readonly snapshot: Snapshot;
  /** In the order in which the machine's actions ask for them. */
  readonly effects: readonly Effect[];
  /** The state takes the event: `can` was true. */
  readonly isTaken: boolean;
}

/**
 * A machine as pure functions. There are two: compiled to tables, and XState itself, for the machines that the compiler
 * does not know how to compile. They are the same but for speed.
 */
export interface Chart {
  /** Begins an instance, as far as it goes without an event. */
  initial(input: unknown): Step;

  /** One event, and all that follows from it by itself. Changes nothing: if it throws, the snapshot still stands. */
  transition(snapshot: Snapshot, event: AnyEventObject): Step;

  /**
   * Whether the state takes an event. XState's rule: some transition's guard holds, and the first such has a target or
   * actions. False once the instance is over.
   */
  can(snapshot: Snapshot, event: AnyEventObject): boolean;

  /** The types of events that the state takes, if their guards hold. Timers' own are not among them. */
  allowedEvents(snapshot: Snapshot): string[];
}
