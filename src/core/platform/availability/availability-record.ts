import { internInstant, iso, shareInstants } from "../../foundation/instants.ts";
import type { CallRecord } from "../../records/call.ts";
import type { Availability } from "../../records/directory.ts";

const summaries = {
  busyOnACall: "Busy on a call",
  doNotDisturb: "Do not disturb",
  outOfHours: "Out of hours",
  loggedOut: "Logged out",
  ringing: "Ringing",
} as const;
const statusSummaries = { available: "Available", busy: "Busy", offline: "Offline" } as const;

/** The availability that a user's record shows for a machine's state. `call` is the call that the user is on. */
export function makeAvailability(
  settled: Pick<Availability, "status"> & {
    readonly rule: Availability["notAvailableRule"];
    readonly reason: string | null;
  },
  call: Pick<CallRecord, "id" | "vendor" | "vendorCallId"> | undefined,
  nowMs: number,
): Availability {
  const { status, rule, reason } = settled;
  return {
    status,
    statusAt: iso(nowMs),
    statusTimestamp: internInstant(nowMs),
    availabilitySummary: rule === null ? statusSummaries[status] : summaries[rule],
    notAvailableRule: rule,
    notAvailableReason: reason,
    callId: call?.id ?? null,
    vendor: call?.vendor ?? null,
    vendorCallId: call?.vendorCallId ?? null,
  };
}

const nobody = { status: "available", rule: null, reason: null } as const;
shareInstants((nothing) => makeAvailability(nobody, undefined, nothing));
