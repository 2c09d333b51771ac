import * as v from "valibot";
import { object, text, wholeNumber } from "../../engine/input.ts";

/** `user` is a user's id or e-mail address, or a device's id; `priority` the offer priority, 1 highest and default. */
export const setTeamMemberSchema = object({
  team: text(),
  user: text(),
  priority: v.optional(wholeNumber(1, 100)),
});
export type SetTeamMemberArguments = v.InferOutput<typeof setTeamMemberSchema>;

export const removeTeamMemberSchema = object({ team: text(), user: text() });
export type RemoveTeamMemberArguments = v.InferOutput<typeof removeTeamMemberSchema>;
