import { eventDataSchema, one } from "../../records/fields.ts";
import { defineEvents, sharedField } from "../base/define-events.ts";
import { step } from "../base/shortest.ts";
import { workingHours } from "../base/timers.ts";
import { team, user } from "../directory/record.ts";

/** The events of who can be called. */
export const availabilityEvents = defineEvents({
  "user.availability.updated": {
    data: eventDataSchema("The availability of a user changed.", {
      user: one(user, "The user as they are from that instant on."),
    }),
    page: "availability",
    listedFirst: ["availability: wrapUp", ...workingHours],
    settings: ["organisation.users.workingHours", "behaviour"],
    instant: sharedField("user.availability.status"),
    laws: ["busy on a call names it", "available is not busy"],
    shortest: {
      title: "A user asks not to be disturbed",
      steps: [step("setAvailability", "PT0S", { user: "alice", status: "busy" })],
    },
  },
  "team.availability.updated": {
    data: eventDataSchema("The availability of a team's members changed.", {
      team: one(team, "The team as it is from that instant on."),
    }),
    page: "availability",
    listedFirst: ["availability: wrapUp", ...workingHours],
    settings: ["organisation.teams.members"],
    instant: undefined,
    laws: ["team counts its members"],
    shortest: {
      title: "The only member of a team asks not to be disturbed",
      steps: [step("setAvailability", "PT0S", { user: "dave", status: "busy" })],
    },
  },
});
