import type { DialReason } from "../../records/call.ts";
import type { EntryReference } from "../../records/directory.ts";
import type { Destination } from "../declare/destination.ts";
import { defineService } from "../declare/service.ts";
import type { Ring } from "../parts/calls.ts";
import type { ReturnTo } from "../parts/redirects.ts";

/**
 * The offer of a call to one destination at a time. The first, `main`, is for the call's own target; a transfer or an
 * addition makes another.
 */
export interface Offer {
  readonly id: string;
  /** The id of the first offer of its chain: of itself, or of the one whose unanswered step it is. */
  readonly chain: string;
  readonly callId: string;
  readonly purpose: "main" | "blindTransfer" | "addition";
  readonly reason: DialReason;
  readonly destination: Destination;
  /** The party that rings the target while it stays on the call; null if none does. */
  readonly addedBy: string | null;
  /** Who transferred the call here and has left, and so is not rung for it; null if nobody did. */
  readonly transferredBy: string | null;
  /** How many teams the call was offered to, including this one. A chain ends after ten. */
  readonly teamsTried: number;
  /** The call's priority when it joined a team's queue: 1 goes first. */
  readonly queuePriority: number;
  /** Counts the calls that joined a queue. Among equal priorities, the lower goes first. */
  readonly queueSerial: number;
  /** The count of when the call first joined a queue in this chain of offers; null before. */
  readonly firstSerial: number | null;
}

/** A user or a team to whom a call was sent, and whether they or those after them took it. */
export interface SentTo {
  readonly destination: Destination;
  /** The chain of the offer. */
  readonly chain: string;
  /** `passedOn`: a later destination of the same chain took it. */
  readonly fate: "open" | "passedOn" | "taken";
}

/** Whether an offer is for the call's own target: a redirect's times hold there, not where it is passed on to. */
export function isOwnTarget({ purpose, id, chain }: Offer): boolean {
  return purpose === "main" && id === chain;
}

/** The rules that a redirect sets for the offer of its call; null where it sets none. */
export interface OfferRules {
  readonly timeoutMs: number | null;
  readonly nextOfferTimeoutMs: number | null;
  readonly sendToVoicemail: boolean;
  readonly returnTo: ReturnTo | null;
}

export const usualRules: OfferRules = {
  timeoutMs: null,
  nextOfferTimeoutMs: null,
  sendToVoicemail: false,
  returnTo: null,
};

/**
 * What an outside caller will do. Drawn when the call begins, so that later draws do not depend on the call's course.
 */
export interface CallerPlan {
  readonly patienceMs: number | null;
  readonly talkMs: number | null;
  readonly voicemail: "hangUp" | { readonly durationMs: number; readonly transcript?: string } | null;
}

/** The platform's own state of a live call, besides its record. Replaced, never changed, so forks share it. */
export interface LiveCall {
  readonly callId: string;
  /** The first target of the call. */
  readonly target: Destination;
  readonly callerPartyId: string;
  /** The priority in a team's queue, 1 first. */
  readonly priority: number;
  readonly rules: OfferRules;
  /** The plan of a caller with a behaviour; otherwise null. */
  readonly plan: CallerPlan | null;
  readonly offers: readonly Offer[];
  /** The users and teams that the call was offered to, in order. */
  readonly sentTo: readonly SentTo[];
  /** Its rings, in the order in which they began. */
  readonly rings: readonly Ring[];
  /** The Outbound Call data action has not answered yet. */
  readonly awaitsPermission: boolean;
  /** Names that Team Call data actions gave to teams for this call, by the team's id. */
  readonly teamNames: ReadonlyMap<string, string>;
  /** Members who declined the call for a team. That team does not ring them for it again. */
  readonly declined: readonly { readonly teamId: string; readonly memberId: string }[];
  /** The last team that the call was offered to. */
  readonly group: EntryReference | null;
  /** Why the last who could not be rung could not: `busy` or `out of hours`; null if all could. */
  readonly unreachable: string | null;
  /** The parameters of the redirect that began it, as text; null if none did. */
  readonly redirectedBy: string | null;
  /** Set while the caller is in voicemail. */
  readonly voicemail: VoicemailSession | null;
}

export interface VoicemailSession {
  /** The user or team whose voicemail it is. */
  readonly owner: Destination;
  /** Whether the caller leaves a message. They may have begun before the tone. */
  readonly speaks: boolean;
  /** When the caller's message began: at the tone, or when they began to speak after it. Null before that. */
  readonly recordingFromMs: number | null;
  /** What the caller says. Null before they begin, and if it is not known. */
  readonly transcript: string | null;
}

/** Live calls, and what each user and device is on or rung for. */
export class LiveCalls {
  constructor(
    /** Live calls by id, in the order in which they started. */
    private readonly calls = new Map<string, LiveCall>(),
    /** The call of each user or device that is on one. */
    private readonly onCall = new Map<string, string>(),
    /** The rings of each user or device, oldest first. */
    private readonly ringing = new Map<string, readonly Ring[]>(),
  ) {}

  get(callId: string): LiveCall | undefined {
    return this.calls.get(callId);
  }

  mustGet(callId: string): LiveCall {
    const live = this.calls.get(callId);
    if (live === undefined) throw new Error(`call ${callId} is not live`);
    return live;
  }

  ids(): string[] {
    return [...this.calls.keys()];
  }

  set(live: LiveCall): void {
    this.calls.set(live.callId, live);
  }

  change(callId: string, changes: Partial<LiveCall>): void {
    // with a second spread instead, a call takes a twentieth longer
    this.calls.set(callId, Object.assign({ ...this.mustGet(callId) }, changes));
  }

  remove(callId: string): void {
    this.calls.delete(callId);
  }

  addOffer(offer: Offer): void {
    const { offers, sentTo } = this.mustGet(offer.callId);
    const { chain, destination } = offer;
    const isPerson = destination.kind === "user" || destination.kind === "team";
    this.change(offer.callId, {
      offers: [...offers, offer],
      sentTo: isPerson ? [...sentTo, { destination, chain, fate: "open" }] : sentTo,
    });
  }

  offer(callId: string, offerId: string): Offer | undefined {
    return this.calls.get(callId)?.offers.find((each) => each.id === offerId);
  }

  changeOffer({ callId, id }: Offer, changes: Partial<Offer>): Offer {
    const { offers } = this.mustGet(callId);
    const changed = Object.assign({ ...(offers.find((each) => each.id === id) as Offer) }, changes);
    this.change(callId, { offers: offers.map((each) => (each.id === id ? changed : each)) });
    return changed;
  }

  removeOffer({ callId, id }: Offer): void {
    this.change(callId, { offers: this.mustGet(callId).offers.filter((each) => each.id !== id) });
  }

  /** Notes that an offer was answered: whoever it was sent to took it, and those before in its chain passed it on. */
  tookOffer({ callId, chain, destination }: Offer): void {
    const { sentTo } = this.mustGet(callId);
    this.change(callId, {
      sentTo: sentTo.map((each) => {
        if (each.chain !== chain) return each;
        return { ...each, fate: each.destination.id === destination.id ? "taken" : "passedOn" };
      }),
    });
  }

  addRing(ring: Ring): void {
    this.change(ring.callId, { rings: [...this.mustGet(ring.callId).rings, ring] });
    this.ringing.set(ring.entryId, [...this.ringsOf(ring.entryId), ring]);
  }

  removeRing(ring: Ring): void {
    this.change(ring.callId, {
      rings: this.mustGet(ring.callId).rings.filter((each) => each.id !== ring.id),
    });
    const others = this.ringsOf(ring.entryId).filter((each) => each.id !== ring.id);
    if (others.length > 0) this.ringing.set(ring.entryId, others);
    else this.ringing.delete(ring.entryId);
  }

  /** The rings of an offer, in the order in which they began. */
  ringsFor(offer: Offer): readonly Ring[] {
    return (this.calls.get(offer.callId)?.rings ?? []).filter((ring) => ring.offerId === offer.id);
  }

  /** The rings of a user, a device or a number. */
  ringsOf(entryId: string): readonly Ring[] {
    return this.ringing.get(entryId) ?? [];
  }

  callOf(entryId: string): string | undefined {
    return this.onCall.get(entryId);
  }

  occupy(entryId: string, callId: string): void {
    this.onCall.set(entryId, callId);
  }

  release(entryId: string): void {
    this.onCall.delete(entryId);
  }

  /** Copies what is live; past calls cost nothing. */
  fork(): LiveCalls {
    return new LiveCalls(new Map(this.calls), new Map(this.onCall), new Map(this.ringing));
  }

  /** What it holds, for `load`. */
  save() {
    const { calls, onCall, ringing } = this;
    return { calls: new Map(calls), onCall: new Map(onCall), ringing: new Map(ringing) };
  }

  /** @returns what was saved */
  load({ calls, onCall, ringing }: ReturnType<LiveCalls["save"]>): LiveCalls {
    return new LiveCalls(new Map(calls), new Map(onCall), new Map(ringing));
  }
}

/** Live calls, and the rings and offers around them. */
export const live = defineService({
  init: () => new LiveCalls(),
  create: (_world: object, calls) => calls,
});
