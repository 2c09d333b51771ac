import type {
  AnyStateMachine,
  EmittedFrom,
  EventFrom,
  InputFrom,
  StateMachine,
  StateValueFrom,
} from "xstate";
import type { MachineOwner } from "../../engine/machine-host.ts";
import type { EventData, EventType } from "../../generated/records.ts";

/** What a timer's row on a page may mention. */
export interface TimerAbout {
  /** The team that has the call. */
  readonly team: string;
  /** How long a tier rang, or how long the team had the call. */
  readonly waited: string;
}

/** The names of those who take part in events. */
export interface EventNames {
  /** The name of an outside number. */
  number(number: string): string;
  /** The name of the owner of an extension. */
  extension(extension: string): string;
  /** The name of a user, a team or a device. @param displayName the name in a record */
  entry(id: string | null | undefined, displayName: string): string;
}

/** A method's type, so that the notes of all types of event fit one type. */
export type EventNote<Of> = { note(of: Of, names: EventNames): string }["note"];

/** A timer in words. `subject` is empty if the timer is about the user who is named beside it. */
export interface TimerWords {
  readonly subject: string;
  readonly verb: string;
  /** What only a page has room for. */
  aside?(about: TimerAbout): string;
}

/** The names of a machine's delays. */
type DelayOf<Machine> =
  Machine extends StateMachine<
    infer _Context,
    infer _Event,
    infer _Children,
    infer _Actor,
    infer _Action,
    infer _Guard,
    infer Delay,
    infer _Value,
    infer _Tag,
    infer _Input,
    infer _Output,
    infer _Emitted,
    infer _Meta,
    infer _Schema
  >
    ? Delay
    : never;
/** Events that a machine raises for itself after a while: unlike those that it is sent, they are not in capitals. */
type RaisedLater<Event extends string> = Event extends Uppercase<Event> ? never : Event;
/** The names of a machine's timers. */
type TimerName<Machine extends AnyStateMachine> = DelayOf<Machine> | RaisedLater<EventFrom<Machine>["type"]>;

/** A machine that the platform runs. */
export interface OwnMachine<Machine extends AnyStateMachine, About> {
  readonly machine: Machine;
  /** What each instance belongs to, beside the id of its record. Only its type counts. */
  readonly about: About;
  /** The words of each of its timers. One without words does not compile. */
  readonly timers: { readonly [Name in TimerName<Machine>]: TimerWords };
  /** What follows from its facts shows them, so none needs a row. Without it, `narration/fact-descriptions.ts` says each. */
  readonly facts?: "shown elsewhere";
}

/** The machines of these whose facts have rows of their own. */
export type ToldMachine<Machines> = {
  [Name in keyof Machines]: Machines[Name] extends { readonly facts: "shown elsewhere" } ? never : Name;
}[keyof Machines];

/** The types of a declared machine, as the machine declares them. */
export interface TypesOfMachine<Declared extends OwnMachine<AnyStateMachine, unknown>> {
  readonly input: InputFrom<Declared["machine"]>;
  readonly event: EventFrom<Declared["machine"]>;
  readonly fact: EmittedFrom<Declared["machine"]>;
  readonly about: MachineOwner & Declared["about"];
}

/** The states of a declared machine. */
export type StateOfMachine<Declared extends OwnMachine<AnyStateMachine, unknown>> = Extract<
  StateValueFrom<Declared["machine"]>,
  string
>;

/** Declares a machine. */
export function ownMachine<Machine extends AnyStateMachine, About = unknown>(
  declared: OwnMachine<Machine, About> & { readonly facts: "shown elsewhere" },
): OwnMachine<Machine, About> & { readonly facts: "shown elsewhere" };
export function ownMachine<Machine extends AnyStateMachine, About = unknown>(
  declared: OwnMachine<Machine, About>,
): Omit<OwnMachine<Machine, About>, "facts">;
export function ownMachine<Machine extends AnyStateMachine, About>(
  declared: OwnMachine<Machine, About>,
): OwnMachine<Machine, About> {
  return declared;
}

/** Gives what machines belong to a type: `about: belongsTo<{ readonly ring: Ring }>()`. */
export function belongsTo<About = unknown>(): About {
  // never read: it stands for its type
  return undefined as About;
}

/**
 * What a part of the platform keeps and waits for. It loads no schema, so that a simulator starts without any. `parts.ts`
 * lists it once.
 */
export interface PartDefinition {
  /** Makes its tables. A table that only one service reads is in that service's state. */
  readonly tables?: Readonly<Record<string, () => unknown>>;
  /** The machines that it runs. */
  readonly machines?: Readonly<Record<string, OwnMachine<AnyStateMachine, unknown>>>;
  /** What its services schedule for themselves, by purpose. */
  readonly tasks?: Readonly<Record<string, TimerWords>>;
  /** Its default durations in ms, each with a comment that says what lasts so long. Sources: docs/fidelity.md. */
  readonly timing?: Readonly<Record<string, number>>;
  /** The main fields in words of events whose data has no key that is known: see `carriedNotes` of `narration/words.ts`. */
  readonly eventWords?: { readonly [Type in EventType]?: EventNote<EventData[Type]> };
}

/** Declares a part. The types of its tables, machines, timers and durations are inferred. */
export function definePart<Part extends PartDefinition>(part: Part): Part {
  return part;
}
