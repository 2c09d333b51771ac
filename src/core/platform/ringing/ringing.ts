import {
  type CallRecord,
  type DialOutcome,
  type DialReason,
  endDials,
  newDial,
  type Party,
  withDials,
} from "../../records/call.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import type { PartyFactory } from "../call-record/party-factory.ts";
import type { Destination } from "../declare/destination.ts";
import { defineService } from "../declare/service.ts";
import type { Directory } from "../directory/directory.ts";
import type { LiveCalls, Offer } from "../live/live-calls.ts";
import { findConnection, partyById, ringingEndpoints } from "../live/parties.ts";
import type { Ring } from "../parts/calls.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly live: LiveCalls;
  readonly callRecords: CallRecords;
  readonly parties: PartyFactory;
}

/** Rings users, devices and outside numbers for offers, and stops their rings. */
export class Ringing {
  constructor(private readonly services: Needs) {}

  /**
   * Rings a destination for an offer.
   * @param timeoutMs when the ring stops by itself; null if the offer decides
   */
  begin(offer: Offer, to: Destination, endpoints: readonly string[], timeoutMs: number | null): void {
    const { callRecords, live, machines } = this.services;
    const { callId, reason } = offer;
    const { partyId, parties } = this.withNewDials(callId, to, () => this.newDials(reason, endpoints));
    callRecords.markOffered(callId, { parties });
    const id = `${offer.id}:${partyId}`;
    const ring: Ring = { id, callId, offerId: offer.id, partyId, entryId: to.id };
    live.addRing(ring);
    machines.start("ring", id, { recordId: callId, ring }, { endpoints, timeoutMs });
  }

  /** Notes that a destination could not be rung: a dial of its party that failed at once. */
  fail({ callId, reason }: Offer, to: Destination, endpoint: string): void {
    const { callRecords, engine } = this.services;
    const dials = () => [newDial(reason, endpoint, null, engine.now)];
    const { partyId, parties } = this.withNewDials(callId, to, dials);
    callRecords.change(callId, { parties: endDials(parties, partyId, () => "failed", engine.now) });
  }

  /** The call's parties with more dials of a destination. Whoever was rung earlier keeps their party. */
  private withNewDials(callId: string, to: Destination, newDials: () => Party["dials"]) {
    const call = this.services.callRecords.get(callId);
    const known = call.parties.find(
      (each) => isParty(each, to) && findConnection(call, each.id) === undefined,
    );
    const party = known ?? this.newParty(to, call);
    const rung = withDials(party, [...party.dials, ...newDials()]);
    const parties =
      known === undefined
        ? [...call.parties, rung]
        : call.parties.map((each) => (each === known ? rung : each));
    return { partyId: party.id, parties };
  }

  /** Stops the rings of an offer. */
  stop(offer: Offer, outcome: "withdrawn" | "answeredElsewhere" | "timeout"): void {
    for (const { id } of this.services.live.ringsFor(offer))
      this.services.machines.send("ring", id, { type: "WITHDRAW", outcome });
  }

  /** Stops the rings of a user or device that is no longer available. */
  withdrawFrom(entryId: string): void {
    for (const { id } of this.services.live.ringsOf(entryId))
      this.services.machines.send("ring", id, { type: "WITHDRAW", outcome: "withdrawn" });
  }

  /** Stops an endpoint's ring because it is no longer registered. */
  loseEndpoint(userId: string, endpointId: string): void {
    const { callRecords, live, machines } = this.services;
    for (const ring of live.ringsOf(userId)) {
      const party = partyById(callRecords.get(ring.callId), ring.partyId);
      if (ringingEndpoints(party).includes(endpointId))
        machines.send("ring", ring.id, { type: "LOSE", endpoint: endpointId });
    }
  }

  /** Ends the dials of a ring that have an outcome. */
  endDials(ring: Ring, outcomeOf: (endpoint: string) => DialOutcome | undefined): void {
    const { callRecords, engine } = this.services;
    const { parties } = callRecords.get(ring.callId);
    callRecords.change(ring.callId, { parties: endDials(parties, ring.partyId, outcomeOf, engine.now) });
  }

  /** Whether an outside number takes part in the call now: as its caller, ringing, or on the bridge. */
  isEngaged(callId: string, number: Destination): boolean {
    const call = this.services.callRecords.get(callId);
    const { callerPartyId, rings } = this.services.live.mustGet(callId);
    return call.parties.some(
      (party) =>
        isParty(party, number) &&
        (findConnection(call, party.id) !== undefined ||
          rings.some(({ partyId }) => partyId === party.id) ||
          (party.id === callerPartyId && call.answeredTimestamp === null)),
    );
  }

  private newDials(reason: DialReason, endpoints: readonly string[]): Party["dials"] {
    const { engine } = this.services;
    return endpoints.map((endpoint) => newDial(reason, endpoint, engine.ids.next("vendor-call"), engine.now));
  }

  private newParty(to: Destination, call: CallRecord): Party {
    const { directory, parties } = this.services;
    const entry = to.kind === "number" ? undefined : directory.find(to.id);
    if (entry !== undefined) return parties.internal(entry);
    // named as the person who dialled knows them
    return parties.external(to.id, call.parties[0]?.email ?? undefined);
  }
}

function isParty(party: Party, to: Destination): boolean {
  return to.kind === "number" ? party.phoneNumber === to.id : party.entryId === to.id;
}

/** Rings: who is rung for which call, on which endpoints. */
export const ringing = defineService({ create: (services: Needs) => new Ringing(services) });
