import * as v from "valibot";
import type { Keys } from "../../engine/errors.ts";
import { duration, object, oneOf, readInput, text, wholeNumber } from "../../engine/input.ts";
import { answerEntries, answersLater, noAnswerEntries, timedAnswer } from "../../network/answer.ts";
import { urlPrefix } from "../../network/conditions.ts";
import { requestDeviations, restDeviations } from "../../network/deviations.ts";
import type { Network } from "../../network/network.ts";

export const routeSchema = object({
  /** The start of the URLs that get this answer; the longest one counts. */
  url: urlPrefix,
  ...answerEntries,
});

/** One of the things that the platform and the network may legally do instead of the usual: which, and where. */
export const deviateSchema = object({
  /** What it is about. `overlap` is an attempt that arrives while the one before is still being handled. */
  what: oneOf(["attempt", "request", "overlap", "timer", "rest", "answer"]),
  /** From the start of the run. */
  at: duration(),
  /** The type of the event, the data action (or `return`), the timer, or the method and path of the REST request. */
  of: text(),
  /** The webhook's id; needed where several are sent the same event. */
  webhook: v.optional(text()),
  /** Which attempt of its delivery; default 1. */
  number: v.optional(wholeNumber(1)),
  /** Which of several that are alike in all of this; default 1. */
  nth: v.optional(wholeNumber(1)),
  /** What happens. */
  is: oneOf([...requestDeviations, "first", ...restDeviations]),
  /** How much later the second of two arrives, or how long to wait is said in the answer. */
  after: v.optional(duration()),
  /** After how many others a late one arrives, 1 to 3, or which of the answers that wait comes first; default 1. */
  by: v.optional(wholeNumber(1)),
});

/** An entry of the journal that is no command: what an endpoint answered. */
const answerEntrySchema = object({ request: v.string(), ...answerEntries });
const noAnswerEntrySchema = object({ request: v.string(), ...noAnswerEntries });
/** That it answers later: another such entry says what, at its instant. */
const pendingEntrySchema = object({ request: v.string(), pending: v.literal(true) });

/** Takes such an entry in a replay. @throws {InputError} */
export function expectAnswer(network: Network, args: unknown, keys: Keys): void {
  if (typeof args === "object" && args !== null && "pending" in args) {
    const { request } = readInput(pendingEntrySchema, args, keys);
    network.expectAnswer(request, answersLater);
    return;
  }
  if (typeof args === "object" && args !== null && "failure" in args) {
    const { request, ...noAnswer } = readInput(noAnswerEntrySchema, args, keys);
    network.expectAnswer(request, noAnswer);
    return;
  }
  const { request, ...answer } = readInput(answerEntrySchema, args, keys);
  network.expectAnswer(request, timedAnswer(answer));
}
