import * as v from "valibot";
import { flag, object, oneOf, positiveDuration, text } from "../../foundation/input-schemas.ts";

export const setAvailabilitySchema = object({
  /** The user, by id or e-mail address. */
  user: text(),
  /** Whether calls can ring the user from now on. During a call it takes effect when the call is over. */
  status: oneOf(["available", "busy", "offline"]),
  /** Why the user is not available. Default: `doNotDisturb` for `busy`, `loggedOut` for `offline`. */
  rule: v.optional(oneOf(["doNotDisturb", "outOfHours", "loggedOut"])),
  /** The reason in the user's own words, for others to read. */
  reason: v.optional(text()),
});
export type SetAvailabilityArguments = v.InferOutput<typeof setAvailabilitySchema>;

export const setUserStatusSchema = object({
  /** The user, by id or e-mail address. */
  user: text(),
  /** The new status. Only active users are rung. */
  status: oneOf(["invited", "active", "suspended"]),
});
export type SetUserStatusArguments = v.InferOutput<typeof setUserStatusSchema>;

export const setEndpointSchema = object({
  /** The user, by id or e-mail address. */
  user: text(),
  /** The endpoint's id. */
  endpoint: text(),
  /** Whether it is signed in. Only registered endpoints ring. */
  registered: flag(),
});
export type SetEndpointArguments = v.InferOutput<typeof setEndpointSchema>;

export const wrapUpSchema = object({
  /** The user, by id or e-mail address. */
  user: text(),
  /** How long they stay busy: after the present call, or from now on without one. */
  for: positiveDuration(),
});
export type WrapUpArguments = v.InferOutput<typeof wrapUpSchema>;
