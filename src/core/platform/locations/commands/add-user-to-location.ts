import { theUser } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Locations } from "../locations.ts";
import { userOfLocationSchema } from "../schemas.ts";

export interface Needs {
  readonly directory: Directory;
  readonly locations: Locations;
}

/** Assigns a user, who leaves their previous location. */
export const addUserToLocation = defineCommand({
  summary: "moves a user to a location; a user has at most one",
  schema: userOfLocationSchema,
  actor: theUser,
  describe: ({ location }) => ({ verb: "moves to", mention: { location } }),
  run({ directory, locations }: Needs, { location: locationId, user: who }) {
    const location = locations.get(locationId);
    const user = directory.user(who);
    if (user.location?.id !== location.id) locations.place(user.id, location);
  },
  example: () => ({ location: "london", user: "carol" }),
});
