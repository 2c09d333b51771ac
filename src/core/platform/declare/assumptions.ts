import * as v from "valibot";
import { type DrawnMs, drawnDuration } from "../../foundation/distributions.ts";
import type { Keys } from "../../foundation/errors.ts";
import { object, oneOf, readInput } from "../../foundation/input-schemas.ts";

/**
 * Rules that the documentation leaves open, where a reasonable platform may do otherwise. Each has a name, a default
 * and alternatives: docs/fidelity/events.md#assumptions. Assumptions are read only by reactions and by body writers.
 * `docs/assumptions.md` has them in words.
 */

const optional = v.optional;

/** A time that passes, or none. */
const time = v.union(
  [
    v.pipe(
      v.literal("none"),
      v.transform(() => 0),
    ),
    drawnDuration,
  ],
  'expected "none", a duration or a distribution such as { uniform: ["PT1S", "PT3S"] }',
);

/** What `createSimulator({ assume })` accepts. */
export const assumptionsSchema = object({
  /** For which teams `call.not_answered` comes: `once`, for the last, or `perTeam`. @default "once" */
  notAnswered: optional(oneOf(["once", "perTeam"])),
  /**
   * Whether `call.started` of an inbound call has `directoryTarget`: `absent`, `present`, or only for calls to
   * `people`, not to teams.
   * @default "absent"
   */
  startedTarget: optional(oneOf(["absent", "present", "people"])),
  /** The call's status in `call.answered`: `accepted` or `started`. @default "accepted" */
  answeredStatus: optional(oneOf(["accepted", "started"])),
  /** Whether ringing makes events of availability: `silent` or `announced`. @default "silent" */
  ringingAvailability: optional(oneOf(["silent", "announced"])),
  /** The time from what happens to its event: `none`, a duration or a distribution. @default "none" */
  eventDelay: optional(time),
  /** The time from a call's offer to the first ring: `none`, a duration or a distribution. @default "none" */
  dialLatency: optional(time),
  /**
   * The order of events of one step: `score`, the order of the reactions; `reversed`, the last permissible event
   * first; or `seeded`, drawn from the seed.
   * @default "score"
   */
  sameInstant: optional(oneOf(["score", "reversed", "seeded"])),
  /** When those on a call that ends are free again: after their `hangup`, or after `ended`. @default "hangup" */
  freedAfter: optional(oneOf(["hangup", "ended"])),
  /** What closes a call whose caller gives up: `notAnswered` or `ended`. @default "notAnswered" */
  abandoned: optional(oneOf(["notAnswered", "ended"])),
  /**
   * Whether a call that goes to voicemail tells so by `call.not_answered`: `notAnswered` or `silent`.
   * @default "notAnswered"
   */
  voicemailTaken: optional(oneOf(["notAnswered", "silent"])),
  /** When a team has news: if its `totals` change, or with any change of its `members`. @default "totals" */
  teamNews: optional(oneOf(["totals", "members"])),
  /**
   * Who goes first among waiting calls of equal priority after a roll-over: by when the caller joined this `queue`, or
   * the first queue of the `call`.
   * @default "queue"
   */
  queueOrder: optional(oneOf(["queue", "call"])),
  /**
   * What a handler reads of a single record by the REST API the first time at an instant: the record as it is now
   * (`immediate`), or as it was before this instant (`behind`).
   * @default "immediate"
   */
  restConsistency: optional(oneOf(["immediate", "behind"])),
  /** The ids of parties in bodies of webhooks: their `own`, or those of their `entry`. @default "own" */
  partyIds: optional(oneOf(["own", "entry"])),
  /** Which instant the timestamp header has: of the `attempt`, or of the `event`. @default "attempt" */
  signedAt: optional(oneOf(["attempt", "event"])),
  /**
   * How bodies of webhooks are written: `spaced`, with one space after the first brace, which no JSON serialiser writes, or
   * `compact`. An app that verifies the signature of a body that it has parsed and written again fails with `spaced`.
   * @default "spaced"
   */
  bodyText: optional(oneOf(["spaced", "compact"])),
  /**
   * What requests to webhooks have that no documentation promises to leave out: `nothing`, an `unknownField`, an
   * `unknownEvent`, an `unknownValue`, `null` for what is absent, no field (`absent`) for what is null, another
   * `keyOrder`, `ids` of another form, or instants in whole `seconds`.
   * @default "nothing"
   */
  unspecified: optional(
    oneOf([
      "nothing",
      "unknownField",
      "unknownEvent",
      "unknownValue",
      "null",
      "absent",
      "keyOrder",
      "ids",
      "seconds",
    ]),
  ),
});

/** What `createSimulator({ assume })` accepts. */
export type AssumptionsInput = v.InferInput<typeof assumptionsSchema>;
/** Every assumption with the value that it has, times in ms. */
export type Assumptions = { readonly [Name in keyof AssumptionsInput]-?: Defined<Read[Name]> };
type Read = v.InferOutput<typeof assumptionsSchema>;
type Defined<Value> = Exclude<Value, undefined>;
export type AssumptionName = keyof Assumptions;
/** The names of the assumptions that have words as values, not times. */
export type ChoiceName = {
  [Name in AssumptionName]: Assumptions[Name] extends string ? Name : never;
}[AssumptionName];

/** What a run assumes unless it says otherwise. */
export const usualAssumptions: Assumptions = Object.freeze({
  notAnswered: "once",
  startedTarget: "absent",
  answeredStatus: "accepted",
  ringingAvailability: "silent",
  eventDelay: 0,
  dialLatency: 0,
  sameInstant: "score",
  freedAfter: "hangup",
  abandoned: "notAnswered",
  voicemailTaken: "notAnswered",
  teamNews: "totals",
  queueOrder: "queue",
  restConsistency: "immediate",
  partyIds: "own",
  signedAt: "attempt",
  bodyText: "spaced",
  unspecified: "nothing",
});

/** Whether something takes no time. */
export const isNone = (time: DrawnMs): boolean => time === 0;

/**
 * @param defaults what is assumed where the input says nothing
 * @throws {InputError} naming the assumption and its values
 */
export function readAssumptions(input: unknown, root: Keys = [], defaults = usualAssumptions): Assumptions {
  if (input === undefined) return defaults;
  const given = readInput(assumptionsSchema, input, [...root, "assume"]);
  return { ...defaults, ...given };
}
