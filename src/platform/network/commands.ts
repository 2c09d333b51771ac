import * as v from "valibot";
import type { Keys } from "../../engine/errors.ts";
import { object, readInput } from "../../engine/input.ts";
import { answerEntries, noAnswerEntries, timedAnswer } from "../../network/answer.ts";
import { urlPrefix } from "../../network/conditions.ts";
import type { Platform } from "../platform.ts";

/** `url` is the start of the URLs that get this answer; the longest one counts. */
export const routeSchema = object({
  url: urlPrefix,
  ...answerEntries,
});

/** An entry of the journal that is no command: what an endpoint answered. */
const answerEntrySchema = object({ request: v.string(), ...answerEntries });
const noAnswerEntrySchema = object({ request: v.string(), ...noAnswerEntries });

/** Takes such an entry in a replay. @throws {InputError} */
export function expectAnswer(platform: Platform, args: unknown, keys: Keys): void {
  if (typeof args === "object" && args !== null && "failure" in args) {
    const { request, ...noAnswer } = readInput(noAnswerEntrySchema, args, keys);
    platform.network.expectAnswer(request, noAnswer);
    return;
  }
  const { request, ...answer } = readInput(answerEntrySchema, args, keys);
  platform.network.expectAnswer(request, timedAnswer(answer));
}
