import { callMachine } from "../../../../machines/call.ts";
import { ringMachine } from "../../../../machines/ring.ts";
import { type CallRecord, copyCall, findAnswerer } from "../../records/call.ts";
import { Table } from "../../records/table.ts";
import { ANONYMOUS } from "../../records/withheld.ts";
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
    // its events show them, but for the greeting of voicemail
    call: ownMachine({ machine: callMachine, about: belongsTo(), facts: "shown elsewhere", timers: {} }),
    ring: ownMachine({
      machine: ringMachine,
      // the phones show them: see `readPhones` of `narration/`
      facts: "shown elsewhere",
      about: belongsTo<{ readonly ring: Ring }>(),
      timers: { ringTimeout: { subject: "nobody", verb: "answered in time" } },
    }),
  },
  tasks: { "offer: dialling": { subject: "the call", verb: "reaches those who ring" } },
  timing: {
    /** How long a user's or device's endpoints ring. */
    ringTimeout: 30_000,
  },
  eventWords: {
    "call.started": ({ call: { direction, isInternal, contactNumber, companyNumber } }, names) =>
      isInternal
        ? `internal, ${names.extension(companyNumber)} to ${names.extension(contactNumber ?? "")}`
        : `${direction} ${direction === "inbound" ? "from" : "to"} ${names.number(contactNumber ?? ANONYMOUS)}`,
    "call.answered": ({ call }, names) => {
      const answerer = findAnswerer(call);
      return `by ${names.entry(answerer?.entryId, answerer?.displayName ?? "nobody")}, waited ${call.waitTimeText}`;
    },
    "call.not_answered": ({ call }) => endText(call),
    "call.ended": ({ call }) => endText(call),
  },
});

function endText({ outcome, status, duration, durationText }: CallRecord): string {
  const reason = outcome?.reason ?? null;
  const end = `${outcome?.status ?? status}${reason === null ? "" : ` - ${reason}`}`;
  return duration === null ? end : `${end}, ${durationText}`;
}
