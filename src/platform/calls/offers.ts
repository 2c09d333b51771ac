import type { RingFact } from "../../../machines/index.ts";
import type { About, Fact } from "../../engine/host.ts";
import {
  type CallRecord,
  type DialOutcome,
  type DialReason,
  endDials,
  type Party,
} from "../../records/call.ts";
import { moment, noMoment } from "../../records/moments.ts";
import type { Said } from "../data-actions/data-actions.ts";
import type { Entry } from "../directory/directory.ts";
import type { Platform } from "../platform.ts";
import type { Destination, Offer, Ring } from "./live-call.ts";

/** What a ring knows of itself. */
interface RingAbout extends About, Ring {}

/** How many teams a call is offered to before it closes. */
const CHAIN_LIMIT = 10;

/** Why a direct ring that stopped leaves its call unanswered. A ring that stops otherwise leads nowhere by itself. */
const unansweredReasons: Partial<Record<DialOutcome, string>> = {
  timeout: "timeout",
  declined: "declined",
  failed: "unavailable",
  withdrawn: "unavailable",
};

/** What the same is called when somebody inside dialled. */
const outboundReasons: Readonly<Record<string, string>> = {
  declined: "rejected",
  unavailable: "busy",
  noAvailableMembers: "timeout",
};

/**
 * Offering a call: to a user, a device or an outside number, which ring by themselves, or to a team, which
 * `team-offers.ts` does; and the unanswered step when an offer came to nothing.
 */
export class Offers {
  constructor(private readonly platform: Platform) {}

  /** Begins to offer a call to a destination. The dials of a team's members have that for their reason. */
  begin(
    callId: string,
    offer: Pick<Offer, "purpose" | "reason" | "destination"> & { teamsTried?: number },
  ): void {
    const { dataActions, engine, live, teamOffers } = this.platform;
    const { purpose, destination, teamsTried = 0 } = offer;
    const started: Offer = {
      id: engine.ids.next("offer"),
      callId,
      purpose,
      reason: destination.kind === "team" ? "teamOffer" : offer.reason,
      destination,
      teamsTried: destination.kind === "team" ? teamsTried + 1 : teamsTried,
      declinedBy: [],
      queuePriority: 0,
      queueSerial: 0,
    };
    live.addOffer(started);
    if (destination.kind === "team") teamOffers.isFor(started);
    if (started.purpose === "main" && live.mustGet(callId).rules.sendToVoicemail) {
      this.unanswered(started, "sentToVoicemail");
      return;
    }
    if (destination.kind !== "team") this.ringDirectly(started);
    else if (dataActions.isAsked("teamCall")) dataActions.askTeamCall(started);
    else this.queue(started);
  }

  /** Goes on with an offer to a team, as the data action said that was asked about it. */
  goOn(callId: string, offerId: string, said: Said<"teamCall"> | undefined): void {
    const { live, teamOffers } = this.platform;
    const offer = live.offer(callId, offerId);
    if (offer === undefined) return; // hung up meanwhile
    const { priority, teamNames } = live.mustGet(callId);
    const { passthroughParameters, displayName } = said ?? {};
    this.platform.mergePassthrough(callId, passthroughParameters);
    live.change(callId, {
      priority: said?.priority ?? priority,
      teamNames:
        displayName === undefined ? teamNames : { ...teamNames, [offer.destination.id]: displayName },
    });
    if (displayName !== undefined) teamOffers.isFor(offer);
    this.queue(offer);
  }

  /** Rings someone for an offer on these endpoints. */
  ring(offer: Offer, to: Destination, endpoints: readonly string[], timeoutMs: number | null): void {
    const { engine, live, tables } = this.platform;
    const { callId, reason } = offer;
    const call = tables.calls.mustGet(callId);
    // whoever was rung before, in an earlier round or by another team, is the same party
    const known = call.parties.find((each) => isParty(each, to) && !isConnected(call, each.id));
    const party = known ?? this.newParty(to);
    const dials = [...party.dials, ...this.newDials(reason, endpoints)];
    const rung = { ...party, dials };
    const parties =
      known === undefined
        ? [...call.parties, rung]
        : call.parties.map((each) => (each === known ? rung : each));
    this.markOffered(callId, { parties });
    const key = `${offer.id}:${party.id}`;
    const ring: Ring = { key, callId, offerId: offer.id, partyId: party.id, entryId: to.id };
    live.addRing(ring);
    engine.host.start("ring", key, { recordId: callId, ...ring } satisfies RingAbout, {
      endpoints,
      timeoutMs,
    });
    this.platform.behaviours.rings(ring);
  }

  /** Whether a direct call can ring this entry now. */
  canRing(entry: Entry): boolean {
    if (entry.kind === "user") return this.platform.availability.canRing(entry.record);
    return entry.kind !== "team" && this.platform.live.callOf(entry.record.id) === undefined;
  }

  /** The endpoints on which an entry can ring. */
  endpointsOf(entry: Entry): string[] {
    if (entry.kind !== "user") return ["sip"];
    return entry.record.endpoints.filter((each) => each.registered).map((each) => each.id);
  }

  /** A fact of a ring's machine. */
  react(about: About, fact: Fact): void {
    const { live } = this.platform;
    const ring = about as RingAbout;
    const told = fact as unknown as RingFact;
    if (told.type === "began") return; // the record changed with the dials
    if (told.type === "silenced") {
      this.endDials(ring, (endpoint) => (endpoint === told.endpoint ? told.outcome : undefined));
      return;
    }
    live.removeRing(ring);
    this.platform.behaviours.ringOver(ring);
    if (told.type === "answered") {
      this.answered(ring, told.endpoint);
      return;
    }
    this.endDials(ring, () => told.outcome);
    this.platform.teamOffers.memberFreed(ring.entryId);
    this.stopped(ring, told.outcome);
  }

  /** Stops whatever rings for an offer. */
  stopRings(offer: Offer, outcome: "withdrawn" | "answeredElsewhere" | "timeout"): void {
    for (const ring of this.platform.live.ringsFor(offer))
      this.platform.engine.host.send("ring", ring.key, { type: "WITHDRAW", outcome });
  }

  /** An offer is over: nothing rings or waits for it any more. */
  end(offer: Offer, outcome: "withdrawn" | "answeredElsewhere"): void {
    this.platform.live.removeOffer(offer);
    this.stopRings(offer, outcome);
    if (offer.destination.kind === "team") this.platform.teamOffers.end(offer);
  }

  /** Every offer of a call is over. */
  endAll(callId: string): void {
    for (const offer of this.platform.live.mustGet(callId).offers) this.end(offer, "withdrawn");
  }

  /** An offer came to nothing. */
  unanswered(offer: Offer, reason: string): void {
    const { engine, live, tables } = this.platform;
    live.removeOffer(offer);
    // the others go on without: an addition, or a blind transfer that someone else's answer has overtaken
    if (offer.purpose === "addition" || engine.host.state("call", offer.callId) === "accepted") return;
    const step = this.unansweredStep(offer);
    if (step !== undefined && step.kind !== "voicemail") {
      this.begin(offer.callId, { ...offer, destination: step.destination });
      return;
    }
    if (step !== undefined) {
      this.endAll(offer.callId); // nobody can join a call that voicemail has taken
      live.change(offer.callId, { voicemail: step.session });
    }
    const voicemail = step === undefined ? null : engine.ids.next("party");
    const isOutbound = tables.calls.mustGet(offer.callId).direction === "outbound";
    const why = this.isChainOver(offer) ? "timeout" : reason;
    // who reaches a voicemail missed someone, from inside as from outside
    const said = isOutbound && voicemail === null ? (outboundReasons[why] ?? why) : why;
    engine.host.send("call", offer.callId, { type: "UNANSWERED", reason: said, voicemail });
  }

  private queue(offer: Offer): void {
    this.markOffered(offer.callId, {});
    this.platform.teamOffers.begin(offer);
  }

  /** The call is offered from its first ring on, or from when it joins a team's queue. */
  private markOffered(callId: string, changes: Partial<CallRecord>): void {
    const { dataActions, engine, tables } = this.platform;
    const isFirst = tables.calls.mustGet(callId).status === "started";
    const call = this.platform.changeCall(callId, isFirst ? { status: "offered", ...changes } : changes);
    if (!isFirst) return;
    engine.host.send("call", callId, { type: "OFFER" });
    dataActions.askCallInsights(call, "precall");
  }

  private ringDirectly(offer: Offer): void {
    const { directory, settings, live } = this.platform;
    const { destination, callId } = offer;
    const timeoutMs =
      (offer.purpose === "main" ? live.mustGet(callId).rules.timeoutMs : null) ?? settings.timing.ringTimeout;
    if (destination.kind === "number") {
      // the team's outside number is the caller's own, or is rung for this call already: its line is engaged
      if (this.isEngaged(callId, destination)) this.unanswered(offer, "unavailable");
      else this.ring(offer, destination, ["phone"], timeoutMs);
      return;
    }
    const entry = directory.find(destination.id);
    if (entry === undefined)
      throw new Error(`call ${callId} is offered to ${destination.id}, who is unknown`);
    const endpoints = this.endpointsOf(entry);
    if (this.canRing(entry) && endpoints.length > 0) this.ring(offer, destination, endpoints, timeoutMs);
    else this.unanswered(offer, "unavailable");
  }

  /** Whether an outside number takes part in the call as it is: waits to be answered, rings, or is on the bridge. */
  private isEngaged(callId: string, number: Destination): boolean {
    const { live, tables } = this.platform;
    const call = tables.calls.mustGet(callId);
    const { callerPartyId, rings } = live.mustGet(callId);
    return call.parties.some(
      (party) =>
        isParty(party, number) &&
        (isConnected(call, party.id) ||
          rings.some(({ partyId }) => partyId === party.id) ||
          (party.id === callerPartyId && call.answeredTimestamp === null)),
    );
  }

  /** What follows on an offer to which nobody answered: voicemail, somewhere else to offer, or nothing. */
  private unansweredStep(offer: Offer) {
    const { teams, live } = this.platform;
    const { destination, callId } = offer;
    const voicemail = {
      kind: "voicemail",
      session: { owner: destination, recordingFromMs: null, transcript: null, hasMessage: false },
    } as const;
    const { returnTo, sendToVoicemail } = live.mustGet(callId).rules;
    if (offer.purpose === "main" && sendToVoicemail)
      return this.hasVoicemail(destination) ? voicemail : undefined;
    if (offer.purpose === "main" && returnTo !== null) return undefined;
    if (destination.kind === "user") return this.hasVoicemail(destination) ? voicemail : undefined;
    if (destination.kind !== "team") return undefined;
    const step = teams.rules(destination.id).unanswered;
    if (step === undefined) return undefined;
    if ("voicemail" in step) return voicemail;
    if ("external" in step)
      return { kind: "number", destination: { kind: "number", id: step.external } } as const;
    if (this.isChainOver(offer)) return undefined;
    return { kind: "team", destination: { kind: "team", id: step.team } } as const;
  }

  /** The last of ten teams would pass the call on to another. */
  private isChainOver({ destination, teamsTried }: Offer): boolean {
    const step =
      destination.kind === "team" ? this.platform.teams.rules(destination.id).unanswered : undefined;
    return step !== undefined && "team" in step && teamsTried >= CHAIN_LIMIT;
  }

  private hasVoicemail({ kind, id }: Destination): boolean {
    if (kind === "user") return this.platform.tables.users.mustGet(id).hasVoicemail;
    return kind === "team" && this.platform.teams.rules(id).hasVoicemail;
  }

  private answered(ring: Ring, endpoint: string): void {
    const { engine, live } = this.platform;
    const offer = live.offer(ring.callId, ring.offerId);
    if (offer !== undefined) this.end(offer, "answeredElsewhere");
    engine.host.send("call", ring.callId, { type: "ANSWER", party: ring.partyId, endpoint });
  }

  /** All that rang of one ring stopped without an answer. */
  private stopped(ring: Ring, outcome: DialOutcome): void {
    const { live, teamOffers } = this.platform;
    const offer = live.offer(ring.callId, ring.offerId);
    if (offer?.destination.kind === "team") {
      teamOffers.ringStopped(offer, ring, outcome);
      return;
    }
    const reason = unansweredReasons[outcome];
    if (offer !== undefined && reason !== undefined) this.unanswered(offer, reason);
  }

  private endDials(ring: Ring, outcomeOf: (endpoint: string) => DialOutcome | undefined): void {
    const { parties } = this.platform.tables.calls.mustGet(ring.callId);
    this.platform.changeCall(ring.callId, {
      parties: endDials(parties, ring.partyId, outcomeOf, this.platform.engine.now),
    });
  }

  private newDials(reason: DialReason, endpoints: readonly string[]) {
    const { engine } = this.platform;
    return endpoints.map((endpoint) => ({
      reason,
      endpoint,
      ...moment("started", engine.now),
      ...noMoment("ended"),
      outcome: null,
      vendorCallIds: [engine.ids.next("vendor-call")],
    }));
  }

  private newParty(to: Destination): Party {
    const { directory, parties } = this.platform;
    const entry = to.kind === "number" ? undefined : directory.find(to.id);
    return entry === undefined ? parties.external(to.id, undefined) : parties.internal(entry);
  }
}

function isParty(party: Party, to: Destination): boolean {
  return to.kind === "number" ? party.phoneNumber === to.id : party.entryId === to.id;
}

function isConnected(call: CallRecord, partyId: string): boolean {
  return call.connections.some((each) => each.partyId === partyId && each.leftTimestamp === null);
}
