import { object, oneOf, text } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { theUser } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Availability } from "../availability.ts";

export interface Needs extends CoreServices {
  readonly availability: Availability;
  readonly directory: Directory;
}

/**
 * Changes whether a user is invited, active or suspended. A user who is not active is offline and is not rung. A
 * call that the user is on goes on, and keeps them busy until it is over.
 */
export const setUserStatus = defineCommand({
  summary: "sets `invited`, `active` or `suspended`",
  schema: object({
    /** The user, by id or e-mail address. */
    user: text(),
    /** The new status. Only active users are rung. */
    status: oneOf(["invited", "active", "suspended"]),
  }),
  actor: theUser,
  describe: ({ status }) => (status === "active" ? "becomes active" : `is ${status}`),
  run({ availability, directory, raise, tables }: Needs, { user: who, status }) {
    const user = directory.user(who);
    if (user.status === status) return;
    tables.users.patch(user.id, { status });
    raise.entryChanged({ entryId: user.id });
    if ((status === "active") !== (user.status === "active"))
      availability.send(user.id, { type: status === "active" ? "ACTIVATE" : "DEACTIVATE" });
  },
  example: () => ({ user: "alice", status: "suspended" as const }),
});
