import * as v from "valibot";
import { CommandError } from "../../../foundation/errors.ts";
import { object, oneOf, text } from "../../../foundation/input-schemas.ts";
import { theUser } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Availability } from "../availability.ts";

export interface Needs {
  readonly availability: Availability;
  readonly directory: Directory;
}

/**
 * Sets a user's availability by hand. During a call it takes effect when the call is over. Outside working hours,
 * `available` lasts until the hours next begin or end.
 */
export const setAvailability = defineCommand({
  summary: "sets `available`, `busy` or `offline` by hand",
  schema: object({
    /** The user, by id or e-mail address. */
    user: text(),
    /** Whether calls can ring the user from now on. During a call it takes effect when the call is over. */
    status: oneOf(["available", "busy", "offline"]),
    /** Why the user is not available. @default `doNotDisturb` for `busy`, `loggedOut` for `offline` */
    rule: v.optional(oneOf(["doNotDisturb", "outOfHours", "loggedOut"])),
    /** The reason in the user's own words, for others to read. */
    reason: v.optional(text()),
  }),
  actor: theUser,
  describe({ status, rule, reason }) {
    const why = [rule, reason].filter((each) => each !== undefined).join(": ");
    return `sets availability to ${status}${why === "" ? "" : ` (${why})`}`;
  },
  run({ availability, directory }: Needs, { user: who, status, rule, reason }) {
    const user = directory.user(who);
    if (status === "available" && (rule !== undefined || reason !== undefined)) {
      throw new CommandError(
        "invalid_argument",
        "setAvailability: rule and reason go with busy or offline, not with available",
      );
    }
    const usual = status === "busy" ? "doNotDisturb" : status === "offline" ? "loggedOut" : null;
    const chosen = { status, rule: rule ?? usual, reason: reason ?? null };
    availability.send(user.id, { type: "CHOOSE", chosen });
  },
  example: () => ({ user: "alice", status: "busy" as const }),
});
