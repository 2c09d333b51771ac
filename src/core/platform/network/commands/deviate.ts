import * as v from "valibot";
import { duration, object, oneOf, text, wholeNumber } from "../../../foundation/input-schemas.ts";
import { dependencyDeviations } from "../../../network/dependencies/kinds.ts";
import type { Network } from "../../../network/network.ts";
import { requestDeviations, restDeviations } from "../../../network/request-deviations.ts";
import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aWebhook } from "../../guards/example.ts";

/** A deviation: something else that the platform or the network may legally do, and where. */
export const deviate = defineCommand({
  summary: "lets one unusual thing happen at one place, as an item of the list `deviations` does",
  now: "deviations",
  schema: object({
    /** What it is about. `overlap` is an attempt that arrives while the one before is still being handled. */
    what: oneOf(["attempt", "request", "overlap", "timer", "rest", "answer", "dependency", "wait"]),
    /** When it happens, from the start of the run. */
    at: duration(),
    /**
     * The type of the event, the data action (or `return`), or the timer. For others the method and path of the REST request, the
     * dependency and what it is asked, or how long the app waits.
     */
    of: text(),
    /** The webhook's id. Needed if several webhooks get the same event. */
    webhook: v.optional(text()),
    /** Which attempt of its delivery. @default 1 */
    number: v.optional(wholeNumber(1)),
    /** Which of several that are alike in all of the above. @default 1 */
    nth: v.optional(wholeNumber(1)),
    /** What happens instead of the usual. */
    is: oneOf([
      ...new Set([...requestDeviations, "first", ...restDeviations, ...dependencyDeviations] as const),
    ]),
    /** How much later the second of two requests arrives, or how long the answer says to wait. */
    after: v.optional(duration()),
    /** After how many others a late request arrives, 1 to 3, or which of the waiting answers comes first. @default 1 */
    by: v.optional(wholeNumber(1)),
  }),
  actor: thePlatform,
  describe: ({ is, of }) => `${of} is to be ${is}`,
  run: ({ network }: { readonly network: Network }, args) => network.deviate(args),
  example(before) {
    const webhook = aWebhook(before);
    return { what: "attempt", at: "PT0S", of: "call.started", webhook, is: "lost" } as const;
  },
});
