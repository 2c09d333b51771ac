import type { DurationInput } from "../engine/instants.ts";
import type { EventData, EventType } from "../platform/events.ts";

/** `expect.any(String)` and the like, of whatever test framework. */
export interface AsymmetricMatcher {
  asymmetricMatch(other: unknown): boolean;
}

/** A part of a value: objects by the keys that are named, lists item by item, matchers anywhere. */
export type PartOf<Value> = unknown extends Value
  ? unknown
  :
      | AsymmetricMatcher
      | (Value extends readonly (infer Item)[]
          ? readonly PartOf<Item>[]
          : Value extends object
            ? { readonly [Key in keyof Value]?: PartOf<Value[Key]> | undefined }
            : Value);

/** A part of the `data` of an event of this type. */
export type DataMatch<Type extends EventType = EventType> = { [T in Type]: PartOf<EventData[T]> }[Type];

/** One line of an expected stream: `PT6S call.answered`, or the same with a part of the event's data. */
export type StreamLine =
  | `${string} ${EventType}`
  | {
      [Type in EventType]: { readonly event: `${string} ${Type}`; readonly match?: DataMatch<Type> };
    }[EventType];

/** What `toBeSilentFor` lets pass. */
export interface SilenceOptions {
  /** Types of events that do not break the silence. */
  readonly except?: EventType | readonly EventType[];
}

/** The matchers of `ringback/vitest` and `ringback/jest`, all for `expect(simulator)`. */
export interface RingbackMatchers<Result = void> {
  /**
   * An event of this type was emitted, and its `data` holds `match`: objects by the keys that are named, lists item by
   * item; asymmetric matchers such as `expect.any(String)` may stand anywhere in it.
   */
  toHaveEmitted<Type extends EventType>(type: Type, match?: DataMatch<Type>): Result;
  /** The whole stream is this, in order and to the millisecond; lines are like those of a scenario's `expect`. */
  toHaveEmittedStream(lines: readonly StreamLine[]): Result;
  /**
   * A webhook's endpoint at exactly this URL took an event of this type: it answered with a 2xx. `match` is a part of the
   * event's data by its own names, whatever the dialect calls them on the wire.
   */
  toHaveDelivered<Type extends EventType>(url: string, type: Type, match?: DataMatch<Type>): Result;
  /** Nothing is scheduled but what goes on for ever, such as working hours. */
  toBeIdle(): Result;
  /**
   * No event would come for this long if nobody did anything. Time does not pass: a fork looks ahead. There your handlers of
   * events do not act, and your endpoints are not asked but stood in for by a 200 without a body.
   */
  toBeSilentFor(duration: DurationInput, options?: SilenceOptions): Result;
}

/** What a test framework gives a matcher as `this`; of all that Vitest and Jest give, what is used here. */
export interface MatcherContext {
  readonly currentTestName?: string | undefined;
  readonly testPath?: string | undefined;
  readonly customTesters?: readonly unknown[];
  readonly equals?: (actual: unknown, wanted: unknown, testers?: never) => boolean;
  readonly utils?: { readonly iterableEquality?: unknown };
}

/** What a matcher came to, as every `expect.extend` takes it. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}
