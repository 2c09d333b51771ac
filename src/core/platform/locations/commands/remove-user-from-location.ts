import { CommandError } from "../../../foundation/errors.ts";
import { theUser } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Locations } from "../locations.ts";
import { userOfLocationSchema } from "../schemas.ts";

export interface Needs {
  readonly directory: Directory;
  readonly locations: Locations;
}

export const removeUserFromLocation = defineCommand({
  summary: "takes a user away from a location",
  schema: userOfLocationSchema,
  actor: theUser,
  describe: ({ location }) => ({ verb: "leaves", mention: { location } }),
  run({ directory, locations }: Needs, { location: locationId, user: who }) {
    const location = locations.get(locationId);
    const user = directory.user(who);
    if (user.location?.id !== location.id) {
      const where = user.location === null ? "has no location" : `is at ${user.location.id}`;
      throw new CommandError("not_found", `${user.id} is not at ${location.id}: ${user.id} ${where}`);
    }
    locations.place(user.id, null);
  },
  example: () => ({ location: "london", user: "dave" }),
});
