import * as v from "valibot";
import type { Keys } from "../../foundation/errors.ts";
import { object, readInput } from "../../foundation/input-schemas.ts";
import { answerEntries, answersLater, noAnswerEntries, timedAnswer } from "../../network/answer.ts";
import type { Network } from "../../network/network.ts";

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
