import type { DialOutcome } from "../../records/call.ts";
import type { Availability } from "../availability/availability.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import { type Directory, endpointsOf, referenceTo } from "../directory/directory.ts";
import { isOwnTarget, type LiveCalls, type Offer, usualRules } from "../live/live-calls.ts";
import type { Ring } from "../parts/calls.ts";
import type { Ringing } from "../ringing/ringing.ts";
import type { Teams, Tier } from "../teams/teams.ts";
import { goesBefore, type Waiting, WaitingQueue } from "./waiting-queue.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly live: LiveCalls;
  readonly availability: Availability;
  readonly teams: Teams;
  readonly ringing: Ringing;
}

export interface State {
  readonly queue: WaitingQueue;
  nextSerial: number;
  /** Members who may have become free in this step, in order. The end of the step offers them waiting calls. */
  readonly freed: string[];
}

/** Offers calls to teams: rings the free members tier by tier, and queues calls while nobody is free. */
export class TeamOffers {
  constructor(
    private readonly services: Needs,
    private readonly state: State,
  ) {}

  /** Notes that this is the last team that the call was offered to. */
  setGroup({ callId, destination }: Offer): void {
    const { live, tables } = this.services;
    const record = tables.teams.mustGet(destination.id);
    const name = live.mustGet(callId).teamNames.get(record.id);
    live.change(callId, { group: referenceTo({ kind: "team", record }, name) });
  }

  /** Adds the call to the team's queue and offers it to the first tier. */
  begin(begun: Offer): void {
    const { live, machines, settings, teams } = this.services;
    const { priority, rules: redirected } = live.mustGet(begun.callId);
    const serial = this.state.nextSerial++;
    const queueSerial = settings.assume.queueOrder === "call" ? (begun.firstSerial ?? serial) : serial;
    const place = { queuePriority: priority, queueSerial, firstSerial: begun.firstSerial ?? serial };
    const offer = live.changeOffer(begun, place);
    const rules = teams.rules(offer.destination.id);
    const said = isOwnTarget(offer) ? redirected : usualRules;
    machines.start(
      "teamOffer",
      offer.id,
      { recordId: offer.callId, offerId: offer.id, teamId: offer.destination.id },
      {
        timeoutMs: said.timeoutMs ?? rules.timeout ?? settings.timing.teamTimeout,
        nextOfferTimeoutMs:
          said.nextOfferTimeoutMs ?? rules.nextOfferTimeout ?? settings.timing.nextOfferTimeout,
      },
    );
  }

  /** A member's ring stopped without an answer. */
  ringStopped(ring: Ring, outcome: DialOutcome): void {
    const { live, machines } = this.services;
    const offer = live.offer(ring.callId, ring.offerId);
    if (offer === undefined) return;
    if (outcome === "declined") {
      const { declined } = live.mustGet(ring.callId);
      const decline = { teamId: offer.destination.id, memberId: ring.entryId };
      live.change(ring.callId, { declined: [...declined, decline] });
    }
    if (outcome === "timeout" || live.ringsFor(offer).length > 0) return;
    machines.send("teamOffer", offer.id, { type: "SILENT" });
  }

  /** Ends an offer because the call was answered or has ended. */
  end(offer: Offer): void {
    const { machines } = this.services;
    this.leaveQueue(offer);
    if (machines.isRunning("teamOffer", offer.id)) machines.send("teamOffer", offer.id, { type: "WITHDRAW" });
  }

  /** Notes who transferred the call to the team and left it: the team does not ring them for this call. */
  transferred(offer: Offer, transferredBy: string): void {
    const isWaiting = this.isWaiting(offer);
    const changed = this.services.live.changeOffer(offer, { transferredBy });
    if (!isWaiting) return;
    this.leaveQueue(offer);
    this.joinQueue(changed);
  }

  /** Ends the call's waiting offers for which every member has declined the call or transferred it here. */
  endIfDeclinedByAll(callId: string): void {
    const { live, machines } = this.services;
    for (const offer of live.mustGet(callId).offers) {
      if (this.isWaiting(offer) && this.isDeclinedByAll(offer))
        machines.send("teamOffer", offer.id, { type: "EXHAUST" });
    }
  }

  private isWaiting({ id, destination }: Offer): boolean {
    return this.state.queue.of(destination.id).some(({ offer }) => offer.id === id);
  }

  /** Notes that a member may be free. At the end of the step they are offered a waiting call. */
  memberFreed(memberId: string): void {
    if (this.services.teams.teamsOf(memberId).length > 0) this.state.freed.push(memberId);
  }

  /** A member left a team: stops its rings for them, and ends offers that waited only for them. */
  memberRemoved(teamId: string, memberId: string): void {
    const { live, machines } = this.services;
    for (const { offer } of this.state.queue.of(teamId))
      if (this.isDeclinedByAll(offer)) machines.send("teamOffer", offer.id, { type: "EXHAUST" });
    for (const ring of live.ringsOf(memberId)) {
      const offer = live.offer(ring.callId, ring.offerId);
      if (offer?.destination.kind === "team" && offer.destination.id === teamId)
        machines.send("ring", ring.id, { type: "WITHDRAW", outcome: "withdrawn" });
    }
  }

  /** At the end of a step, offers each member who became free the first call that waits for them. */
  settle(): void {
    const { teams } = this.services;
    const { freed } = this.state;
    for (let memberId = freed.shift(); memberId !== undefined; memberId = freed.shift()) {
      if (this.state.queue.isEmpty || !this.isFree(memberId)) continue;
      const waiting = this.bestFor(memberId);
      if (waiting === undefined) continue;
      const { offer } = waiting;
      const teamId = offer.destination.id;
      const tier = teams.findTier(teamId, memberId);
      if (tier === undefined) continue;
      // a call waits only while nobody is free, so the free members of the tier became free in this step
      const inTier = new Set([memberId, ...freed.filter((each) => teams.findTier(teamId, each) === tier)]);
      const members = inTier.size === 1 ? [...inTier] : tier.members.filter((each) => inTier.has(each));
      this.ringTier(offer, tier, this.freeAmong(members, offer));
    }
  }

  /** The calls that wait for a team, in the order in which they will be offered. */
  waitingFor(teamId: string): readonly Waiting[] {
    return this.state.queue.of(teamId);
  }

  /**
   * Rings the next tier with a free member, and after the last tier the first again. If no tier has one, the call
   * waits; if every member has declined it, the offer ends.
   */
  choose(offer: Offer, after: number | null): void {
    const { machines } = this.services;
    if (this.isDeclinedByAll(offer)) {
      machines.send("teamOffer", offer.id, { type: "EXHAUST" });
      return;
    }
    const tiers = this.tiersOf(offer);
    const next = tiers.findIndex(({ priority }) => after !== null && priority > after);
    const first = Math.max(0, next);
    for (const tier of [...tiers.slice(first), ...tiers.slice(0, first)]) {
      const members = this.freeAmong(tier.members, offer);
      if (members.length > 0) {
        this.ringTier(offer, tier, members);
        return;
      }
    }
    this.joinQueue(offer);
    machines.send("teamOffer", offer.id, { type: "WAIT" });
  }

  private ringTier(offer: Offer, tier: Tier, members: readonly string[]): void {
    const { directory, machines, ringing } = this.services;
    this.leaveQueue(offer);
    machines.send("teamOffer", offer.id, { type: "RING", tier: tier.priority });
    for (const id of members) {
      const entry = directory.find(id);
      if (entry !== undefined) ringing.begin(offer, { kind: entry.kind, id }, endpointsOf(entry), null);
    }
  }

  /** The members to ring for a call: free, open to the call, and with no other waiting call that goes first. */
  private freeAmong(members: readonly string[], offer: Offer): string[] {
    const order = orderOf(offer);
    return members.filter((id) => {
      if (!this.isOpenTo(id, offer) || !this.isFree(id)) return false;
      const best = this.bestFor(id);
      return best === undefined || best.offer.id === offer.id || goesBefore(order, best);
    });
  }

  private bestFor(memberId: string): Waiting | undefined {
    return this.state.queue.bestFor(this.services.teams.teamsOf(memberId), (offer) =>
      this.isOpenTo(memberId, offer),
    );
  }

  /**
   * Whether a member may be rung for a call: they did not decline it or transfer it here, and it does not ring them
   * already, for example as an addition.
   */
  private isOpenTo(memberId: string, offer: Offer): boolean {
    if (memberId === offer.transferredBy || this.hasDeclined(memberId, offer)) return false;
    return !this.services.live.ringsOf(memberId).some(({ callId }) => callId === offer.callId);
  }

  /** Whether a member is available, has an endpoint that can ring, and is not rung by a team. */
  private isFree(memberId: string): boolean {
    const { availability, directory, live } = this.services;
    const entry = directory.find(memberId);
    if (entry === undefined || !availability.canRing(entry) || endpointsOf(entry).length === 0) return false;
    return !live
      .ringsOf(memberId)
      .some((ring) => live.offer(ring.callId, ring.offerId)?.destination.kind === "team");
  }

  /** Adds a call to the team's queue. */
  private joinQueue(offer: Offer): void {
    this.state.queue.add({ offer, ...orderOf(offer) });
  }

  /** Removes a call from the team's queue. */
  leaveQueue(offer: Offer): void {
    this.state.queue.remove({ offer, ...orderOf(offer) });
  }

  /** Whether every member declined. In a team with no member to ring, the call waits until the team's time is up. */
  private isDeclinedByAll(offer: Offer): boolean {
    const others = this.tiersOf(offer)
      .flatMap(({ members }) => members)
      .filter((id) => id !== offer.transferredBy);
    return others.length > 0 && others.every((id) => this.hasDeclined(id, offer));
  }

  /** Whether a member declined the call, in this offer or in an earlier one of this team. */
  private hasDeclined(id: string, { callId, destination }: Offer): boolean {
    const { declined } = this.services.live.mustGet(callId);
    return declined.some(({ teamId, memberId }) => memberId === id && teamId === destination.id);
  }

  private tiersOf(offer: Offer): readonly Tier[] {
    return this.services.teams.listTiers(offer.destination.id);
  }
}

function orderOf({ queuePriority, queueSerial }: Offer): Pick<Waiting, "priority" | "serial"> {
  return { priority: queuePriority, serial: queueSerial };
}

/** Offers of calls to teams, and the calls that wait for a member. */
export const teamOffers = defineService({
  init: (): State => ({ queue: new WaitingQueue(), nextSerial: 1, freed: [] }),
  create: (services: Needs, state) => new TeamOffers(services, state),
});
