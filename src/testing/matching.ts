import type { FixtureOptions } from "../capture/judge/judge-fixture.ts";
import type { DurationInput } from "../core/foundation/instants.ts";
import type { EventData, EventType } from "../core/platform/declare/events.ts";

export type { FixtureOptions } from "../capture/judge/judge-fixture.ts";

/** A matcher such as `expect.any(String)`, of any test framework. */
export interface AsymmetricMatcher {
  /**
   * Whether a value matches.
   * @param other the actual value
   */
  asymmetricMatch(other: unknown): boolean;
}

/** A part of a value: some keys of objects, all items of lists, with matchers anywhere. */
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

/** A line of an expected stream: `PT6S call.answered`, or such a line with a part of the event's data. */
export type StreamLine =
  | `${string} ${EventType}`
  | {
      [Type in EventType]: { readonly event: `${string} ${Type}`; readonly match?: DataMatch<Type> };
    }[EventType];

/** The options of `toBeSilentFor`. */
export interface SilenceOptions {
  /** Types of events that may happen. */
  readonly except?: EventType | readonly EventType[];
}

/** The matchers of `ringback/vitest` and `ringback/jest`, for `expect(simulator)`; the last is for `expect(event)`. */
export interface RingbackMatchers<Result = void> {
  /**
   * An event of this type was emitted.
   * @param type the type of the event
   * @param match a part of its `data`: objects by the given keys, lists item by item; asymmetric matchers such as
   * `expect.any(String)` may stand anywhere
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
   * expect(sim).toHaveEmitted("call.started", { call: { contactNumber: "+6421555001" } });
   */
  toHaveEmitted<Type extends EventType>(type: Type, match?: DataMatch<Type>): Result;
  /**
   * The whole stream is this, in order and to the millisecond.
   * @param lines as in a scenario's `expect`
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
   * sim.advance("PT20S");
   * expect(sim).toHaveEmittedStream(["PT0S call.started"]);
   */
  toHaveEmittedStream(lines: readonly StreamLine[]): Result;
  /**
   * A webhook's endpoint at exactly this URL accepted an event of this type: it answered 2xx.
   * @param url the webhook's URL
   * @param type the type of the event
   * @param match a part of the event's data by the usual field names, whatever the dialect calls them on the wire
   * @example
   * sim.network.route("https://crm.test/", () => 204); // your app
   * sim.webhooks.create({ url: "https://crm.test/hooks", events: ["call.started"] });
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
   * sim.runUntilIdle();
   * expect(sim).toHaveDelivered("https://crm.test/hooks", "call.started");
   */
  toHaveDelivered<Type extends EventType>(url: string, type: Type, match?: DataMatch<Type>): Result;
  /**
   * Nothing is scheduled except what repeats for ever, such as working hours.
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
   * expect(sim).not.toBeIdle();
   * sim.runUntilIdle();
   * expect(sim).toBeIdle();
   */
  toBeIdle(): Result;
  /**
   * No event would come for this long if nobody did anything. Time does not pass: a fork looks ahead. In the fork,
   * your event handlers do not run, and a 200 without a body stands in for your endpoints.
   * @param duration how far to look ahead
   * @param options `except`: types of events that may happen
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }); // rings for 30 s
   * expect(sim).toBeSilentFor("PT29S");
   * expect(sim).toBeSilentFor("PT31S", { except: "call.not_answered" });
   */
  toBeSilentFor(duration: DurationInput, options?: SilenceOptions): Result;
  /**
   * The platform may send this event, or the event of which it is a part: `ringback fixtures` judges files the same way. The
   * failure names each field that contradicts the schemas or the laws of records, with the reason.
   * @param options the dialect, the profile or the assumptions of the platform, and saved answers that say who there is
   * @throws {TypeError} for a value that is neither an event nor a record of one
   * @example
   * const fixture = { type: "call.ended", data: { call: { status: "ended", outcome: { status: "answered", reason: null } } } };
   * expect(fixture).toBePossible();
   * expect({ type: "call.ended", data: { call: { status: "accepted" } } }).not.toBePossible();
   */
  toBePossible(options?: FixtureOptions): Result;
}

/** The part of a matcher's `this` that is used, as Vitest and Jest give it. */
export interface MatcherContext {
  /** The name of the test that runs. */
  readonly currentTestName?: string | undefined;
  /** The path of the test's file. */
  readonly testPath?: string | undefined;
  /** Equality testers that the consumer added. */
  readonly customTesters?: readonly unknown[];
  /**
   * The framework's equality.
   * @param actual the value that there is
   * @param wanted the value that there should be, which may have matchers in it
   * @param testers further testers, which are asked first
   */
  equals?(actual: unknown, wanted: unknown, testers?: unknown[]): boolean;
  /** The framework's helpers. */
  readonly utils?: { readonly iterableEquality?: unknown };
}

/** The result of a matcher, as every `expect.extend` takes it. */
export interface MatcherResult {
  /** Whether the expectation holds. */
  readonly pass: boolean;
  /** Makes the message of a failure. */
  readonly message: () => string;
}
