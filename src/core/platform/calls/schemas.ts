import * as v from "valibot";
import { callerNumber, e164, object, text, wholeNumber } from "../../foundation/input-schemas.ts";
import { callerBehaviourSchema } from "../organisation/behaviour.ts";
import { passthrough } from "../passthrough/schema.ts";

/** Arguments that several commands on calls share. */

export const inboundSchema = object({
  /** The caller's number, E.164; or a short code of 3 to 8 digits, or `anonymous` for a withheld number. */
  from: callerNumber(),
  /** One of the organisation's numbers, E.164. */
  to: e164(),
  /** The vendor's id for the call. @default a new one, from the seed */
  vendorCallId: v.optional(text()),
  /** Entries whose key starts with `x-` and whose value is text, or a URL-encoded query; at most 1000 bytes in all. */
  passthroughParameters: v.optional(passthrough),
  /** The priority in a team's queue, 1 (first) to 9. @default 5 */
  priority: v.optional(wholeNumber(1, 9)),
  /** How the caller acts by themselves. */
  behaviour: v.optional(callerBehaviourSchema),
});
export type InboundArguments = v.InferOutput<typeof inboundSchema>;

const who = text('expected who: an id, an e-mail address, a number, "caller" or "callee"');

/** Arguments of commands that a party of the call gives. */
export const partyEntries = {
  /** The call's id. */
  call: text(),
  /** Who acts: a user's id or e-mail address, a device's id, an outside number, `caller` or `callee`. */
  by: who,
};

/** Arguments of commands that a ringing party gives. */
export const ringingEntries = {
  /** The call's id. */
  call: text(),
  /** Who acts: a user's id or e-mail address, a device's id, an outside number, `caller` or `callee`. */
  by: who,
  /** The id of their endpoint. @default to answer, the first that rings; to decline, all of them */
  endpoint: v.optional(text()),
};
