import { teamOfferMachine } from "../../../../machines/team-offer.ts";
import type { TeamRecord } from "../../records/directory.ts";
import { Table } from "../../records/table.ts";
import { belongsTo, definePart, ownMachine } from "./define-part.ts";

/** Teams, to which calls are offered tier by tier. */
export const teamsPart = definePart({
  tables: { teams: () => new Table<TeamRecord>() },
  machines: {
    teamOffer: ownMachine({
      machine: teamOfferMachine,
      about: belongsTo<{ readonly offerId: string; readonly teamId: string }>(),
      timers: {
        nextOffer: {
          subject: "the next tier's turn",
          verb: "",
          aside: ({ team, waited }) => `${team} did not answer in ${waited}`,
        },
        teamTimeout: {
          subject: "the team's time",
          verb: "is over",
          aside: ({ team, waited }) => `for ${team}, after ${waited}`,
        },
      },
    }),
  },
  timing: {
    /** How long a team has for a call, from when it joins the team's queue. */
    teamTimeout: 60_000,
    /** How long one tier of a team rings before the next tier rings. */
    nextOfferTimeout: 20_000,
  },
});
