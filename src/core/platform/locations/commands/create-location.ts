import * as v from "valibot";
import { CommandError } from "../../../foundation/errors.ts";
import { object, text } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { thePlatform } from "../../declare/description.ts";
import { newId } from "../../directory/new-id.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { locationEntries } from "../../organisation/schema.ts";
import { newLocation } from "../locations.ts";

export const createLocation = defineCommand({
  summary: "adds a location; without `id` it gets one",
  schema: object({
    /** The location's id. @default a new one */
    id: v.optional(text()),
    ...locationEntries,
  }),
  actor: thePlatform,
  describe: ({ name }) => `adds the location ${name}`,
  run({ engine, tables }: CoreServices, { id: wanted, ...fields }) {
    const isTaken = (id: string) => tables.locations.get(id) !== undefined;
    if (wanted !== undefined && isTaken(wanted))
      throw new CommandError(
        "conflict",
        `there is a location with the id "${wanted}" already: choose another`,
      );
    const id = wanted ?? newId(engine.ids, "location", isTaken);
    tables.locations.insert(newLocation({ id, ...fields }));
    return id;
  },
  example: () => ({ name: "Wellington" }),
});
