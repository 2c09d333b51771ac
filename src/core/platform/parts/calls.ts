import { callMachine } from "../../../../machines/call.ts";
import { ringMachine } from "../../../../machines/ring.ts";
import { copyCall } from "../../records/call.ts";
import { Table } from "../../records/table.ts";
import { belongsTo, definePart, ownMachine } from "./define-part.ts";

/** One user, device or outside number being rung for a call. */
export interface Ring {
  /** The id of its machine. */
  readonly id: string;
  readonly callId: string;
  readonly offerId: string;
  readonly partyId: string;
  /** The id of the user or device, or the number. */
  readonly entryId: string;
}

/** Calls, and the phones that ring for them. */
export const callsPart = definePart({
  tables: { calls: () => new Table(copyCall) },
  machines: {
    call: ownMachine({ machine: callMachine, about: belongsTo(), timers: {} }),
    ring: ownMachine({
      machine: ringMachine,
      about: belongsTo<{ readonly ring: Ring }>(),
      timers: { ringTimeout: { subject: "nobody", verb: "answered in time" } },
    }),
  },
  tasks: { "offer: dialling": { subject: "the call", verb: "reaches those who ring" } },
  timing: {
    /** How long a user's or device's endpoints ring. */
    ringTimeout: 30_000,
  },
});
