import * as v from "valibot";
import type { Problem } from "../../foundation/errors.ts";
import { extension, object, text, wholeNumber } from "../../foundation/input-schemas.ts";
import type { Description } from "../declare/description.ts";

const optional = v.optional;

/** Where a flow sends a call that it has taken back. Whoever called and the call's parameters stay. */
export const flowRedirectSchema = object({
  /** The extension number of the entry that the call goes to next. */
  extension: extension(),
  /** Seconds before the next tier of a team is rung, 5 to 60. */
  nextOfferTimeout: optional(v.number("expected seconds")),
  /** The priority in a team's queue, 1 (first) to 9. @default 5 */
  priority: optional(wholeNumber(1, 9)),
  /** Where the call returns to if nobody answers: `flow`, `taskQueue`, `postEndpoint` or `application`. */
  returnTo: optional(text()),
  /** The id of that place. */
  returnToId: optional(text()),
  /** Whether it goes to voicemail without ringing. @default false */
  sendToVoicemail: optional(v.boolean("expected true or false")),
  /** Seconds to wait for an answer: 10 to 70 for users and devices, 10 to 300 for teams. */
  timeout: optional(v.number("expected seconds")),
});

/** What a flow does with a call: redirects it again, hangs up, or neither: it says nothing. */
export const decisionEntries = {
  /** Redirects the call to this extension. */
  redirect: optional(flowRedirectSchema),
  /** Whether it hangs up on the caller. */
  hangup: optional(v.literal(true, "expected true; leave out `hangup` to say nothing")),
};

const decisionSchema = object(decisionEntries);
export type Decision = v.InferOutput<typeof decisionSchema>;

/** Finds a decision that redirects and hangs up. */
export function decisionProblems({ redirect, hangup }: Partial<Decision>): readonly Problem[] {
  return redirect !== undefined && hangup !== undefined
    ? [{ keys: ["hangup"], message: "expected redirect or hangup, not both" }]
    : [];
}

/** What a flow does, in words. @param begin the words before it */
export function decisionWords(begin: string, { redirect, hangup }: Decision): Description {
  if (redirect !== undefined)
    return { verb: `${begin} redirects to`, mention: { called: redirect.extension } };
  return `${begin} ${hangup === undefined ? "says nothing" : "hangs up"}`;
}
