import * as v from "valibot";
import { object, text, wholeNumber } from "../../foundation/input-schemas.ts";

/** The fields of a member that can be set. */
export const memberEntries = {
  /** The offer priority, 1 to 100; 1 is rung first. @default 1 */
  priority: v.optional(wholeNumber(1, 100)),
};
export const setTeamMemberSchema = object({
  /** The team's id. */
  team: text(),
  /** A user's id or e-mail address, or a device's id. */
  user: text(),
  ...memberEntries,
});
export type SetTeamMemberArguments = v.InferOutput<typeof setTeamMemberSchema>;

export const removeTeamMemberSchema = object({
  /** The team's id. */
  team: text(),
  /** A user's id or e-mail address, or a device's id. */
  user: text(),
});
export type RemoveTeamMemberArguments = v.InferOutput<typeof removeTeamMemberSchema>;
