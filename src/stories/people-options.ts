import * as v from "valibot";
import { list, object, oneOf, text, wholeNumber } from "../core/foundation/input-schemas.ts";

/** The kinds of things that a person may do in a story. */
export const personKinds = [
  "answer",
  "decline",
  "hangup",
  "transfer",
  "add",
  "move",
  "voicemail",
  "busy",
  "logout",
  "dial",
  "call",
] as const;

/**
 * A kind of thing that a person may do in a story: `voicemail` is to leave a message of 10 s or of 1 s, `busy` to go busy
 * or available again, `logout` to take all endpoints off or on again, `dial` that a user calls out, `call` that an outside
 * number calls.
 */
export type PersonKind = (typeof personKinds)[number];

/** What people may do besides what the scenario says. */
export interface People {
  /** How many things people do more, or leave undone, in a story at most. */
  readonly acts: number;
  /**
   * The users who may act, by id. Outside callers always may. Default: whom the scenario's calls ring, and one colleague if
   * that is one user.
   */
  readonly who?: readonly string[];
  /** Whom they may hand a call to or add besides each other: extensions or outside numbers. Default: nobody. */
  readonly targets?: readonly string[];
  /** How many calls there may be. Default: those of the scenario. */
  readonly calls?: number;
  /** What they may do. Default: all. */
  readonly kinds?: readonly PersonKind[];
  /** How many deviations of the network a story may have besides. Default: 0. */
  readonly deviations?: number;
}

/** The schema of `people`. */
export const peopleSchema = object({
  acts: wholeNumber(1),
  who: v.optional(list(text())),
  targets: v.optional(list(text())),
  calls: v.optional(wholeNumber(1)),
  kinds: v.optional(list(oneOf(personKinds))),
  deviations: v.optional(wholeNumber(0)),
});
