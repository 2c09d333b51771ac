import * as v from "valibot";
import type { Keys } from "../../foundation/errors.ts";
import { duration, object, oneOf, readInput, text, wholeNumber } from "../../foundation/input-schemas.ts";
import { answerEntries, answersLater, noAnswerEntries, timedAnswer } from "../../network/answer.ts";
import { type ConditionsArguments, type FaultArguments, urlPrefix } from "../../network/conditions.ts";
import type { Network } from "../../network/network.ts";
import { requestDeviations, restDeviations } from "../../network/request-deviations.ts";
import type { Sentence } from "../declare/description.ts";
import { drawnText, spanText } from "../declare/words.ts";

export const routeSchema = object({
  /** The answer is for URLs that start like this. The longest matching start wins. */
  url: urlPrefix,
  ...answerEntries,
});

/** A deviation: something else that the platform or the network may legally do, and where. */
export const deviateSchema = object({
  /** What it is about. `overlap` is an attempt that arrives while the one before is still being handled. */
  what: oneOf(["attempt", "request", "overlap", "timer", "rest", "answer"]),
  /** When it happens, from the start of the run. */
  at: duration(),
  /** The type of the event, the data action (or `return`), the timer, or the method and path of the REST request. */
  of: text(),
  /** The webhook's id. Needed if several webhooks get the same event. */
  webhook: v.optional(text()),
  /** Which attempt of its delivery; default 1. */
  number: v.optional(wholeNumber(1)),
  /** Which of several that are alike in all of the above; default 1. */
  nth: v.optional(wholeNumber(1)),
  /** What happens instead of the usual. */
  is: oneOf([...requestDeviations, "first", ...restDeviations]),
  /** How much later the second of two requests arrives, or how long the answer says to wait. */
  after: v.optional(duration()),
  /** After how many others a late request arrives, 1 to 3, or which of the waiting answers comes first; default 1. */
  by: v.optional(wholeNumber(1)),
});

const failing = { refuse: "refuses connections", timeout: "does not answer" } as const;

export function faultWords({ url, status, times, for: forMs }: FaultArguments): Sentence {
  const doing = typeof status === "number" ? `answers ${status}` : failing[status];
  return { verb: `${doing}${spanText(times, "time", forMs)}`, aside: url };
}

export function conditionsWords(args: ConditionsArguments): Sentence {
  const { latency, loss = 0, duplicate = 0, reorder = 0 } = args;
  const percent = (chance: number, what: string) =>
    chance > 0 ? `${what} ${Math.round(chance * 100)}%` : "";
  const texts = [
    latency === undefined ? "" : `latency ${drawnText(latency)}`,
    percent(loss, "loss"),
    percent(duplicate, "twice"),
    percent(reorder, "held back"),
  ].filter((each) => each !== "");
  return { verb: `is reached with ${texts.join(", ") || "no trouble"}`, aside: args.url };
}

/** A journal entry for an endpoint's answer. */
const answerEntrySchema = object({ request: v.string(), ...answerEntries });
const noAnswerEntrySchema = object({ request: v.string(), ...noAnswerEntries });
/** A journal entry saying that the answer comes later. Another entry has the answer, at its instant. */
const pendingEntrySchema = object({ request: v.string(), pending: v.literal(true) });

/** Takes an endpoint's answer from the journal in a replay. @throws {InputError} */
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
