import * as v from "valibot";
import { flag, object, oneOf, text } from "../../engine/input.ts";

/** `user` is an id or an e-mail address. */
export const setAvailabilitySchema = object({
  user: text(),
  status: oneOf(["available", "busy", "offline"]),
  rule: v.optional(oneOf(["doNotDisturb", "outOfHours", "loggedOut"])),
  reason: v.optional(text()),
});
export type SetAvailabilityArguments = v.InferOutput<typeof setAvailabilitySchema>;

export const setUserStatusSchema = object({
  user: text(),
  status: oneOf(["invited", "active", "suspended"]),
});
export type SetUserStatusArguments = v.InferOutput<typeof setUserStatusSchema>;

export const setEndpointSchema = object({ user: text(), endpoint: text(), registered: flag() });
export type SetEndpointArguments = v.InferOutput<typeof setEndpointSchema>;
