import { type CallRecord, type Connection, isOnBridge, isRinging, type Party } from "../../records/call.ts";
import { ANONYMOUS } from "../../records/withheld.ts";
import type { LiveCall } from "./live-calls.ts";

/** Finds parties in a call record, and describes their state. */

/** An endpoint that rings now, as `call.ringing()` lists it. */
export type RingingEndpoint = { readonly endpoint: string } & (
  | { readonly user: string }
  | { readonly device: string }
  | { readonly number: string }
);

/** Whether `who` names this party: an id, an e-mail address, a number, `caller` or `callee`. */
export function isNamed(party: Party, who: string, live: LiveCall): boolean {
  if (who === "caller") return party.id === live.callerPartyId;
  if (who === "callee") return party.id !== live.callerPartyId && party.type !== "voicemail";
  if (who === ANONYMOUS) return party.type === "external" && party.phoneNumber === null;
  return (
    party.entryId === who || party.phoneNumber === who || party.email?.toLowerCase() === who.toLowerCase()
  );
}

export function partyById(call: CallRecord, partyId: string): Party {
  const party = call.parties.find((each) => each.id === partyId);
  if (party === undefined) throw new Error(`call ${call.id} has no party ${partyId}`);
  return party;
}

/** The party's connection, while it is on the bridge. */
export function findConnection(call: CallRecord, partyId: string): Connection | undefined {
  return call.connections.find((connection) => connection.partyId === partyId && isOnBridge(connection));
}

/** The endpoints of a party that ring now. */
export function ringingEndpoints(party: Party): string[] {
  return party.dials.filter(isRinging).map((dial) => dial.endpoint);
}

/** All endpoints that ring now, in the order in which they began. */
export function listRinging(call: CallRecord, live: LiveCall | undefined): RingingEndpoint[] {
  return (live?.rings ?? []).flatMap((ring) => {
    const party = partyById(call, ring.partyId);
    return ringingEndpoints(party).map((endpoint): RingingEndpoint => {
      if (party.type === "user") return { user: ring.entryId, endpoint };
      return party.type === "device"
        ? { device: ring.entryId, endpoint }
        : { number: ring.entryId, endpoint };
    });
  });
}

/** The name by which commands refer to a party: the id of a user or a device, or a number. */
export function nameOf(party: Party): string {
  return party.entryId ?? party.phoneNumber ?? party.displayName;
}

/** Describes a call: `call-1 is offered; ringing: Alice Ng (alice) on mobile, desktop`. */
export function callText(call: CallRecord, live: LiveCall | undefined): string {
  const ringing = (live?.rings ?? []).map((ring) => {
    const party = partyById(call, ring.partyId);
    return `${nameOf(party)} on ${ringingEndpoints(party).join(", ")}`;
  });
  const connected = call.connections
    .filter(isOnBridge)
    .map(
      ({ partyId, endpoint }) =>
        `${nameOf(partyById(call, partyId))}${endpoint === null ? "" : ` on ${endpoint}`}`,
    );
  const parts = [
    `call ${call.id} is ${call.status}`,
    ...(ringing.length > 0 ? [`ringing: ${ringing.join("; ")}`] : []),
    ...(connected.length > 0 ? [`connected: ${connected.join(", ")}`] : []),
  ];
  return parts.join("; ");
}
