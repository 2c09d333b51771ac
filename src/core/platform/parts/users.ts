import { availabilityMachine } from "../../../../machines/availability.ts";
import { copyUser } from "../../records/directory.ts";
import { Table } from "../../records/table.ts";
import { belongsTo, definePart, ownMachine } from "./define-part.ts";

/** People, and whether they can be called. */
export const usersPart = definePart({
  tables: { users: () => new Table(copyUser) },
  machines: {
    availability: ownMachine({
      machine: availabilityMachine,
      about: belongsTo(),
      facts: "shown elsewhere",
      timers: { wrapUp: { subject: "", verb: "has wrapped up" } },
    }),
  },
  tasks: {
    "availability: working hours begin": { subject: "", verb: "is in working hours" },
    "availability: working hours end": { subject: "", verb: "is out of working hours" },
  },
});
