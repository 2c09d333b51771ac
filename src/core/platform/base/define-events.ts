import type * as v from "valibot";
import type { ExampleSetup } from "../declare/example-setup.ts";
import type { TimingMs } from "../declare/settings.ts";
import type { CommandName } from "./core-services.ts";
import type { LawName } from "./laws.ts";
import type { ShortestScenario } from "./shortest.ts";
import type { Purpose } from "./timers.ts";

/** A setting, by its place in the options of a simulator. */
export type Setting =
  | `timing.${keyof TimingMs}`
  | `organisation.${string}`
  | "behaviour"
  | "webhooks.schedule";

/** What a declaration says of what brings something about. The commands and timers are measured: see `event-causes.ts`. */
export interface CauseDeclaration {
  /** The commands and timers to list first, if they are among its causes. */
  readonly listedFirst?: readonly (CommandName | Purpose)[];
  /** Commands that set its timer, so that it follows later. */
  readonly begunBy?: readonly CommandName[];
  /** Settings that decide whether or when it happens. */
  readonly settings: readonly Setting[];
}

/** A field of the event's data with an instant: the path of its `…Timestamp` without that ending. */
export interface InstantField {
  /** The keys that lead to it, such as `call.answered`. `[]` is the last item of a list. */
  readonly path: string;
  /** False if another event may have set it: then it counts only if the wrapper's time is close. */
  readonly isOwn: boolean;
}

/** An instant that only this event sets. */
export const ownField = (path: string): InstantField => ({ path, isOwn: true });
/** An instant that other events set too. */
export const sharedField = (path: string): InstantField => ({ path, isOwn: false });

/** The pages of the reference that describe events: the title of each, in their order. */
export const eventPages = {
  calls: "Events of a call",
  "after-a-call": "Events after a call",
  contacts: "Events of contacts",
  conversations: "Events of conversations",
  availability: "Events of availability",
} as const;

/**
 * Everything about one type of event. `reactions/` publishes it; all else follows from this: its types, its body in
 * documents, what explains it in a capture, its place in the reference, and what `ringback trigger` plays.
 */
export interface EventDeclaration<Data extends v.GenericSchema = v.GenericSchema> extends CauseDeclaration {
  /** The schema of its `data`, whose description says in a sentence what happened. */
  readonly data: Data;
  /** The page of the reference that describes it. */
  readonly page: keyof typeof eventPages;
  /** The instant at which it happened, by its record. Undefined if its record does not have it: then the wrapper's. */
  readonly instant: InstantField | undefined;
  /** The laws that its record keeps. */
  readonly laws: readonly LawName[];
  /** The shortest scenario that reaches it. */
  readonly shortest: ShortestScenario;
  /**
   * What brings it about in the simulator of the document's examples, after the examples of the types before it. Leave it
   * out if it has happened by then: Alice had a call with Jane, `call-1`, and Jane wrote to her, `conversation-1`.
   */
  readonly example?: (sim: ExampleSetup) => void;
}

/** Declares events by their types. The types of their data are inferred. */
export function defineEvents<const Events extends Readonly<Record<string, EventDeclaration>>>(
  events: Events,
): Events {
  return events;
}
