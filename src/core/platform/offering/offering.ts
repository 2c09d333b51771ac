import type { UnansweredReason } from "../../../../machines/call.ts";
import { draw } from "../../foundation/distributions.ts";
import type { TransferResult } from "../../generated/records.ts";
import type { DialOutcome, Party } from "../../records/call.ts";
import type { Availability } from "../availability/availability.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import type { Said } from "../data-actions/answers.ts";
import type { DataActions } from "../data-actions/data-actions.ts";
import type { Destination } from "../declare/destination.ts";
import { defineService, type Tasks } from "../declare/service.ts";
import { type Directory, type Entry, endpointsOf } from "../directory/directory.ts";
import { isOwnTarget, type LiveCalls, type Offer } from "../live/live-calls.ts";
import type { Ring } from "../parts/calls.ts";
import type { Ringing } from "../ringing/ringing.ts";
import type { Teams } from "../teams/teams.ts";
import type { TeamOffers } from "./team-offers.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly live: LiveCalls;
  readonly callRecords: CallRecords;
  readonly availability: Availability;
  readonly teams: Teams;
  readonly dataActions: DataActions;
  readonly ringing: Ringing;
  readonly teamOffers: TeamOffers;
}

const DIAL = "offer.dial";

/** How many teams a call is offered to before it closes. */
const CHAIN_LIMIT = 10;

/**
 * Outcomes of a direct ring that make the call unanswered, with the reason given. Other outcomes have no effect.
 */
const unansweredReasons: Partial<Record<DialOutcome, UnansweredReason>> = {
  timeout: "timeout",
  declined: "declined",
  failed: "unavailable",
  withdrawn: "unavailable",
};

/** The wording of these reasons for a call that a user or a device dialled. */
const outboundReasons: Readonly<Partial<Record<UnansweredReason, UnansweredReason>>> = {
  declined: "rejected",
  unavailable: "busy",
  noAvailableMembers: "timeout",
};

/**
 * Offers calls: to a user, a device or an outside number, which ring directly, or to a team by `team-offers.ts`.
 * Takes the unanswered step if nobody answers.
 */
export class Offering {
  /** The handlers of its scheduled tasks. */
  static readonly tasks: Tasks<Offering> = {
    [DIAL]: (it, { recordId, data }) => {
      const offer = it.services.live.offer(recordId, data as string);
      if (offer !== undefined) it.dial(offer);
    },
  };

  constructor(private readonly services: Needs) {}

  /**
   * Begins to offer a call to a destination.
   * @param offer.reason why its parties are rung; members of a team are rung for the reason `teamOffer`
   */
  begin(
    callId: string,
    offer: Pick<Offer, "purpose" | "reason" | "destination"> &
      Partial<Pick<Offer, "teamsTried" | "transferredBy" | "chain" | "addedBy" | "firstSerial">>,
  ): void {
    const { dataActions, engine, live, teamOffers } = this.services;
    const { purpose, destination, teamsTried = 0, transferredBy = null, addedBy = null } = offer;
    if (addedBy !== null) this.services.machines.send("call", callId, { type: "ADD", party: addedBy });
    const id = engine.ids.next("offer");
    const started: Offer = {
      id,
      chain: offer.chain ?? id,
      callId,
      purpose,
      reason: destination.kind === "team" ? "teamOffer" : offer.reason,
      destination,
      addedBy,
      transferredBy,
      teamsTried: destination.kind === "team" ? teamsTried + 1 : teamsTried,
      queuePriority: 0,
      queueSerial: 0,
      firstSerial: offer.firstSerial ?? null,
    };
    live.addOffer(started);
    if (destination.kind === "team") teamOffers.setGroup(started);
    if (started.purpose === "main" && live.mustGet(callId).rules.sendToVoicemail) {
      this.unanswered(started, "sentToVoicemail");
      return;
    }
    if (destination.kind === "team" && dataActions.isAsked("teamCall")) dataActions.askTeamCall(started);
    else this.services.raise.offerReady({ offer: started });
  }

  /**
   * Begins the offer of a transfer or an addition.
   * @returns why the destination cannot be rung now, as in `Carol Diaz is busy`. A team can always be reached, since its
   * calls wait in a queue
   */
  send(callId: string, offer: Parameters<Offering["begin"]>[1]): TransferResult {
    const entry = this.findEntry(callId, offer.destination);
    const why = this.whyUnreachable(callId, offer.destination, entry);
    this.begin(callId, offer);
    if (why === undefined) return {};
    return { unreachable: `${entry?.record.displayName ?? offer.destination.id} is ${why}` };
  }

  /** Rings the destination of an offer, or queues the call if the destination is a team. */
  dial(offer: Offer): void {
    if (offer.destination.kind === "team") this.queue(offer);
    else this.ringDirectly(offer);
  }

  /** Dials after the latency of dialling, unless the offer has ended by then. */
  dialLater({ id, callId }: Offer): void {
    const { engine, settings } = this.services;
    const delayMs = draw(settings.assume.dialLatency, () => engine.randomness.uniform("dial latency"));
    engine.schedule(delayMs, DIAL, callId, "offer: dialling", id);
  }

  /** Whether the unanswered step leads to another destination: neither to voicemail nor to the end of the call. */
  goesOn(offer: Offer): boolean {
    const step = this.unansweredStep(offer);
    return step !== undefined && step.kind !== "voicemail";
  }

  /** Continues an offer to a team after its data action has answered. */
  dataActionAnswered(callId: string, offerId: string, said: Said<"teamCall"> | undefined): void {
    const { callRecords, live, teamOffers } = this.services;
    const offer = live.offer(callId, offerId);
    if (offer === undefined) return; // the caller has hung up
    const { priority, teamNames } = live.mustGet(callId);
    const { passthroughParameters, displayName } = said ?? {};
    callRecords.mergePassthrough(callId, passthroughParameters);
    live.change(callId, {
      priority: said?.priority ?? priority,
      teamNames:
        displayName === undefined
          ? teamNames
          : new Map([...teamNames, [offer.destination.id, displayName] as const]),
    });
    if (displayName !== undefined) teamOffers.setGroup(offer);
    this.services.raise.offerReady({ offer });
  }

  /** Ends an offer: stops its rings and takes it out of the queue. */
  end(offer: Offer, outcome: "withdrawn" | "answeredElsewhere"): void {
    this.forget(offer);
    this.services.ringing.stop(offer, outcome);
    if (offer.destination.kind === "team") this.services.teamOffers.end(offer);
  }

  /** Ends every offer of a call. */
  endAll(callId: string): void {
    for (const offer of this.services.live.mustGet(callId).offers) this.end(offer, "withdrawn");
  }

  /** Ends every offer that a warm transfer or an addition made. */
  endAdditions(callId: string): void {
    for (const offer of this.services.live.mustGet(callId).offers)
      if (offer.purpose === "addition") this.end(offer, "withdrawn");
  }

  /** The offer to a destination that was added to the call and has not answered. */
  additionTo(callId: string, { id }: Destination): Offer | undefined {
    const { offers } = this.services.live.mustGet(callId);
    return offers.find(({ purpose, destination }) => purpose === "addition" && destination.id === id);
  }

  /** Notes that another party transfers the call to a target that already rings: the offer is now theirs. */
  adopt(offer: Offer, partyId: string): void {
    const { live, machines } = this.services;
    if (offer.addedBy === partyId) return;
    machines.send("call", offer.callId, { type: "ADD", party: partyId });
    if (offer.addedBy !== null)
      machines.send("call", offer.callId, { type: "ADDITION_OVER", party: offer.addedBy });
    live.changeOffer(offer, { addedBy: partyId });
  }

  /** A party leaves while targets that they added still ring. Teams among these do not ring them for this call. */
  handedOn(callId: string, { id, entryId }: Party): void {
    const { live, teamOffers } = this.services;
    if (entryId === undefined) return;
    for (const offer of live.mustGet(callId).offers)
      if (offer.addedBy === id) teamOffers.transferred(offer, entryId);
  }

  /** Ends an offer because the ring was answered. */
  answered(ring: Ring): void {
    const offer = this.services.live.offer(ring.callId, ring.offerId);
    if (offer === undefined) return;
    this.services.live.tookOffer(offer);
    this.end(offer, "answeredElsewhere");
  }

  /** A direct offer stopped ringing without an answer. */
  ringStopped(ring: Ring, outcome: DialOutcome): void {
    const offer = this.services.live.offer(ring.callId, ring.offerId);
    const reason = unansweredReasons[outcome];
    if (offer !== undefined && reason !== undefined) this.unanswered(offer, reason);
  }

  /** Runs the unanswered step of an offer. */
  unanswered(offer: Offer, reason: UnansweredReason): void {
    const { callRecords, engine, live, machines } = this.services;
    this.forget(offer);
    // two or more parties are connected, so the call continues without this target
    if (!machines.can("call", offer.callId, { type: "UNANSWERED", reason, voicemail: null })) return;
    const isAddition = offer.purpose === "addition";
    // the one connected party waits for another target, which still rings
    if (isAddition && live.mustGet(offer.callId).offers.length > 0) return;
    const step = this.unansweredStep(offer);
    if (step !== undefined && step.kind !== "voicemail") {
      // the party who added the target has left, so the call continues as after a blind transfer
      const handedOn = isAddition ? ({ purpose: "blindTransfer", addedBy: null } as const) : {};
      this.begin(offer.callId, { ...offer, ...handedOn, destination: step.destination });
      return;
    }
    if (step !== undefined) {
      this.endAll(offer.callId); // nobody can join a call that is in voicemail
      live.change(offer.callId, { voicemail: step.session });
    }
    const voicemail = step === undefined ? null : engine.ids.next("party");
    const isOutbound = callRecords.get(offer.callId).direction === "outbound";
    const why = this.isChainOver(offer) ? "timeout" : reason;
    // an outbound call has its own reasons, but not if it reaches voicemail
    const said = isOutbound && voicemail === null ? (outboundReasons[why] ?? why) : why;
    machines.send("call", offer.callId, { type: "UNANSWERED", reason: said, voicemail });
  }

  /** Removes an offer that has ended, and tells the call's machine if it was an addition. */
  private forget(offer: Offer): void {
    const { live, machines } = this.services;
    const { addedBy, callId } = live.offer(offer.callId, offer.id) ?? offer;
    live.removeOffer(offer);
    if (addedBy !== null && machines.can("call", callId, { type: "ADDITION_OVER", party: addedBy }))
      machines.send("call", callId, { type: "ADDITION_OVER", party: addedBy });
  }

  private queue(offer: Offer): void {
    this.services.callRecords.markOffered(offer.callId, {});
    this.services.teamOffers.begin(offer);
  }

  private ringDirectly(offer: Offer): void {
    const { settings, live, ringing } = this.services;
    const { destination, callId } = offer;
    const entry = this.findEntry(callId, destination);
    const why = this.whyUnreachable(callId, destination, entry);
    if (why !== undefined) {
      this.unreachable(offer, entry, why);
      return;
    }
    const timeoutMs =
      (isOwnTarget(offer) ? live.mustGet(callId).rules.timeoutMs : null) ?? settings.timing.ringTimeout;
    ringing.begin(offer, destination, entry === undefined ? ["phone"] : endpointsOf(entry), timeoutMs);
  }

  /** The entry that a destination is; undefined for an outside number. */
  private findEntry(callId: string, { kind, id }: Destination): Entry | undefined {
    if (kind === "number") return undefined;
    const entry = this.services.directory.find(id);
    if (entry === undefined) throw new Error(`call ${callId} is offered to ${id}, who is unknown`);
    return entry;
  }

  /** Why a destination cannot be rung now, such as `busy` or `engaged`; undefined if it can, and for teams. */
  private whyUnreachable(
    callId: string,
    destination: Destination,
    entry: Entry | undefined,
  ): string | undefined {
    const { availability, ringing } = this.services;
    if (entry !== undefined) return availability.unreachable(entry);
    // an outside number is engaged if it is the caller's own or already rings for this call
    return ringing.isEngaged(callId, destination) ? "engaged" : undefined;
  }

  /** Handles an offer whose destination cannot be rung. @param why such as `busy` or `out of hours` */
  private unreachable(offer: Offer, entry: Entry | undefined, why: string): void {
    const { live, ringing } = this.services;
    const { callId, destination } = offer;
    live.change(callId, { unreachable: why });
    if (offer.purpose !== "main") {
      ringing.fail(offer, destination, entry === undefined ? "phone" : (knownEndpoints(entry)[0] ?? ""));
      this.services.raise.targetUnreachable({ callId, targetId: destination.id, why });
    }
    this.unanswered(offer, "unavailable");
  }

  /** The step that follows an unanswered offer: voicemail, another destination, or none. */
  private unansweredStep(offer: Offer) {
    const { teams, live } = this.services;
    const { destination, callId } = offer;
    const voicemail = {
      kind: "voicemail",
      session: { owner: destination, speaks: false, recordingFromMs: null, transcript: null },
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

  /** Whether the unanswered step would pass the call to one team more than `CHAIN_LIMIT` allows. */
  private isChainOver({ destination, teamsTried }: Offer): boolean {
    const step =
      destination.kind === "team" ? this.services.teams.rules(destination.id).unanswered : undefined;
    return step !== undefined && "team" in step && teamsTried >= CHAIN_LIMIT;
  }

  /**
   * Whether a destination has voicemail: every team, and every user unless the organisation says `voicemail: false`.
   */
  private hasVoicemail({ kind, id }: Destination): boolean {
    return kind === "user" ? this.services.tables.users.mustGet(id).hasVoicemail : kind === "team";
  }
}

/** The endpoints of an entry, those that cannot ring last. */
function knownEndpoints(entry: Entry): string[] {
  const all = entry.kind === "user" ? entry.record.endpoints.map(({ id }) => id) : [];
  return [...endpointsOf(entry), ...all];
}

/** Offers of calls and their unanswered steps. */
export const offering = defineService({
  create: (services: Needs) => new Offering(services),
  tasks: Offering.tasks,
});
