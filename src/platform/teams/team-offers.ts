import type { TeamOfferFact } from "../../../machines/index.ts";
import type { About, Fact } from "../../engine/host.ts";
import type { DialOutcome } from "../../records/call.ts";
import { type Offer, type Ring, usualRules } from "../calls/live-call.ts";
import { referenceTo } from "../directory/directory.ts";
import type { Platform } from "../platform.ts";
import type { Tier } from "./teams.ts";
import { goesBefore, type Waiting, WaitingQueue } from "./waiting-queue.ts";

interface OfferAbout extends About {
  readonly offerId: string;
}

export interface TeamOffersState {
  readonly queue: WaitingQueue;
  readonly nextSerial: number;
}

/**
 * Offering calls to teams: tier by tier, to the members who are free, and a queue of those for whom nobody is.
 */
export class TeamOffers {
  private readonly queue: WaitingQueue;
  private nextSerial: number;
  /** Members who may have become free in this step, in order: they are offered what waits once it is over. */
  private freed: string[] = [];

  constructor(
    private readonly platform: Platform,
    state: TeamOffersState = { queue: new WaitingQueue(), nextSerial: 1 },
  ) {
    this.queue = state.queue;
    this.nextSerial = state.nextSerial;
  }

  /** The state to go on with in a fork. */
  forkState(): TeamOffersState {
    return { queue: this.queue.fork(), nextSerial: this.nextSerial };
  }

  /** From now on this is the last team that the call was for. */
  isFor({ callId, destination }: Offer): void {
    const { live, tables } = this.platform;
    const record = tables.teams.mustGet(destination.id);
    const name = live.mustGet(callId).teamNames[record.id];
    live.change(callId, { group: referenceTo({ kind: "team", record }, name) });
  }

  /** Joins the team's queue and offers the call to its first tier. */
  begin(begun: Offer): void {
    const { engine, live, settings, teams } = this.platform;
    const { priority, rules: redirected } = live.mustGet(begun.callId);
    const offer = live.changeOffer(begun, { queuePriority: priority, queueSerial: this.nextSerial++ });
    const rules = teams.rules(offer.destination.id);
    // what a redirect says is about where it leads, not about where the call is transferred afterwards
    const said = offer.purpose === "main" ? redirected : usualRules;
    const about: OfferAbout = { recordId: offer.callId, offerId: offer.id };
    engine.host.start("teamOffer", offer.id, about, {
      timeoutMs: said.timeoutMs ?? rules.timeout ?? settings.timing.teamTimeout,
      nextOfferTimeoutMs:
        said.nextOfferTimeoutMs ?? rules.nextOfferTimeout ?? settings.timing.nextOfferTimeout,
    });
  }

  /** A fact of an offer's machine. */
  react(about: About, fact: Fact): void {
    const offer = this.platform.live.offer(about.recordId, (about as OfferAbout).offerId);
    if (offer === undefined) return;
    const told = fact as unknown as TeamOfferFact;
    if (told.type === "tierOver") this.platform.offers.stopRings(offer, "timeout");
    else if (told.type === "choose") this.choose(offer, told.after);
    else if (told.type === "over") {
      this.leaveQueue(offer);
      this.platform.offers.unanswered(offer, told.reason);
    }
  }

  /** A member's ring stopped without an answer. */
  ringStopped(offer: Offer, ring: Ring, outcome: DialOutcome): void {
    const { engine, live } = this.platform;
    const current =
      outcome === "declined"
        ? live.changeOffer(offer, { declinedBy: [...offer.declinedBy, ring.entryId] })
        : offer;
    if (outcome === "timeout" || live.ringsFor(current).length > 0) return;
    engine.host.send("teamOffer", current.id, { type: "SILENT" });
  }

  /** The call was answered or is gone. */
  end(offer: Offer): void {
    const { host } = this.platform.engine;
    this.leaveQueue(offer);
    if (host.isRunning("teamOffer", offer.id)) host.send("teamOffer", offer.id, { type: "WITHDRAW" });
  }

  /** A member may be free now: at the end of the step they are offered what waits. */
  memberFreed(memberId: string): void {
    if (this.platform.teams.teamsOf(memberId).length > 0) this.freed.push(memberId);
  }

  /** A member left a team: what the team rings them for stops, and what waits for them alone is over. */
  memberRemoved(teamId: string, memberId: string): void {
    const { live, engine } = this.platform;
    for (const { offer } of this.queue.of(teamId))
      if (this.isDeclinedByAll(offer)) engine.host.send("teamOffer", offer.id, { type: "EXHAUST" });
    for (const ring of live.ringsOf(memberId)) {
      const offer = live.offer(ring.callId, ring.offerId);
      if (offer?.destination.kind === "team" && offer.destination.id === teamId)
        engine.host.send("ring", ring.key, { type: "WITHDRAW", outcome: "withdrawn" });
    }
  }

  /** At the end of a step: each member who became free is offered the first call that waits for them. */
  settle(): void {
    const { teams } = this.platform;
    for (let memberId = this.freed.shift(); memberId !== undefined; memberId = this.freed.shift()) {
      if (this.queue.isEmpty || !this.isFree(memberId)) continue;
      const waiting = this.bestFor(memberId);
      if (waiting === undefined) continue;
      const { offer } = waiting;
      const teamId = offer.destination.id;
      const tier = teams.tierOf(teamId, memberId);
      if (tier === undefined) continue;
      // nobody else of the tier can be free but who became so in this step: the call would not have waited for them
      const inTier = new Set([memberId, ...this.freed.filter((each) => teams.tierOf(teamId, each) === tier)]);
      const members = inTier.size === 1 ? [...inTier] : idsOf(tier).filter((each) => inTier.has(each));
      this.ringTier(offer, tier, this.freeAmong(members, offer));
    }
  }

  /** The calls that wait for a team, in the order in which they will be offered. */
  waitingFor(teamId: string): readonly Waiting[] {
    return this.queue.of(teamId);
  }

  /** Rings the next tier that has anyone to ring, around and around; or the call waits, or every member declined. */
  private choose(offer: Offer, after: number | null): void {
    const { host } = this.platform.engine;
    if (this.isDeclinedByAll(offer)) {
      host.send("teamOffer", offer.id, { type: "EXHAUST" });
      return;
    }
    const tiers = this.tiersOf(offer);
    const next = tiers.findIndex(({ priority }) => after !== null && priority > after);
    const first = Math.max(0, next);
    for (const tier of [...tiers.slice(first), ...tiers.slice(0, first)]) {
      const members = this.freeAmong(idsOf(tier), offer);
      if (members.length > 0) {
        this.ringTier(offer, tier, members);
        return;
      }
    }
    this.queue.add({ offer, ...orderOf(offer) });
    host.send("teamOffer", offer.id, { type: "WAIT" });
  }

  private ringTier(offer: Offer, tier: Tier, members: readonly string[]): void {
    const { directory, engine, offers } = this.platform;
    this.leaveQueue(offer);
    engine.host.send("teamOffer", offer.id, { type: "RING", tier: tier.priority });
    for (const id of members) {
      const entry = directory.find(id);
      if (entry !== undefined) offers.ring(offer, { kind: entry.kind, id }, offers.endpointsOf(entry), null);
    }
  }

  /** The members who can be rung for a call: free, have not declined it, and no better call waits for them. */
  private freeAmong(members: readonly string[], offer: Offer): string[] {
    const order = orderOf(offer);
    return members.filter((id) => {
      if (!this.isOpenTo(id, offer) || !this.isFree(id)) return false;
      const best = this.bestFor(id);
      return best === undefined || best.offer.id === offer.id || goesBefore(order, best);
    });
  }

  private bestFor(memberId: string): Waiting | undefined {
    return this.queue.bestFor(this.platform.teams.teamsOf(memberId), (offer) =>
      this.isOpenTo(memberId, offer),
    );
  }

  /** A member is not rung for what they declined, nor for a call that rings them already, as one they are added to does. */
  private isOpenTo(memberId: string, offer: Offer): boolean {
    if (offer.declinedBy.includes(memberId)) return false;
    return !this.platform.live.ringsOf(memberId).some(({ callId }) => callId === offer.callId);
  }

  /** Available, with something to ring, and not rung by a team already. */
  private isFree(memberId: string): boolean {
    const { directory, live, offers } = this.platform;
    const entry = directory.find(memberId);
    if (entry === undefined || !offers.canRing(entry) || offers.endpointsOf(entry).length === 0) return false;
    return !live
      .ringsOf(memberId)
      .some((ring) => live.offer(ring.callId, ring.offerId)?.destination.kind === "team");
  }

  private leaveQueue(offer: Offer): void {
    this.queue.remove({ offer, ...orderOf(offer) });
  }

  /** Every member declined, and there are some: a team without members has its time like any other. */
  private isDeclinedByAll(offer: Offer): boolean {
    const tiers = this.tiersOf(offer);
    const hasDeclined = ({ id }: { readonly id: string }) => offer.declinedBy.includes(id);
    return tiers.length > 0 && tiers.every(({ members }) => members.every(hasDeclined));
  }

  private tiersOf(offer: Offer): readonly Tier[] {
    return this.platform.teams.tiersOf(offer.destination.id);
  }
}

function orderOf({ queuePriority, queueSerial }: Offer): Pick<Waiting, "priority" | "serial"> {
  return { priority: queuePriority, serial: queueSerial };
}

function idsOf({ members }: Tier): string[] {
  return members.map(({ id }) => id);
}
