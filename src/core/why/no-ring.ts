import type { TeamOfferContext } from "../../../machines/team-offer.ts";
import type { Services } from "../platform/catalogue/services.ts";
import type { Offer } from "../platform/live/live-calls.ts";
import type { CallRecord, CallStatus, DialOutcome } from "../records/call.ts";
import { type Person, type PersonState, personState, rangSinceMs } from "./person-state.ts";

/** Why somebody does not ring for a call, or that they do. Each holds at the run's present instant. */
export type NoRingCause =
  /** What they do instead of being free. */
  | Exclude<PersonState, { readonly is: "free" }>
  /** A team rings them for another call. Teams ring nobody twice. */
  | { readonly is: "ringsElsewhere"; readonly call: string }
  | { readonly is: "noCall" | "notBegun" | "notOffered" | "isCaller" }
  | { readonly is: "over"; readonly status: CallStatus; readonly sinceMs: number }
  /** Others are on the bridge, and nobody is rung. */
  | { readonly is: "answered"; readonly by: readonly string[] }
  | { readonly is: "voicemail"; readonly of: string }
  /** Their voicemail has the call because they could not be rung: `why` is such as `busy`. */
  | { readonly is: "unreachable"; readonly why: string }
  /** The call is offered to somebody else. */
  | { readonly is: "notFor"; readonly offeredTo: string }
  | { readonly is: "noMember"; readonly team: string; readonly laterTeam: string | null }
  | { readonly is: "declined"; readonly team: string }
  | { readonly is: "transferred"; readonly team: string }
  /** Another tier of the team rings. */
  | { readonly is: "turn"; readonly team: string; readonly tier: number; readonly priority: number }
  /** Their tier rings, and has done so since before they could be rung. */
  | { readonly is: "late"; readonly team: string; readonly sinceMs: number }
  /** Their phones stopped, while others of their tier ring on. */
  | { readonly is: "stopped"; readonly team: string; readonly outcome: DialOutcome; readonly sinceMs: number }
  /** The call waits until a member of the team is free. */
  | { readonly is: "queue"; readonly team: string }
  /** A ring for the call that is over. */
  | { readonly is: "rang"; readonly fromMs: number; readonly toMs: number; readonly outcome: DialOutcome };

/** How many earlier rings are listed, the newest ones. */
const MAX_RANG = 3;

/**
 * Why somebody does not ring for a call at the run's present instant, the decisive causes first; that they ring, if they do.
 * @param callId a call that may not have begun yet
 */
export function noRingCauses(services: Services, person: Person, callId: string): readonly NoRingCause[] {
  const { live, tables } = services;
  const call = tables.calls.get(callId);
  if (call === undefined) return [{ is: "notBegun" }];
  const { id } = person.record;
  const now = live.get(callId);
  const rang = ringsBefore(call, id);
  if (now === undefined)
    return [
      { is: "over", status: call.status, sinceMs: call.endedTimestamp ?? services.engine.now },
      ...rang,
    ];
  const state = personState(services, person);
  if (live.ringsOf(id).some((ring) => ring.callId === callId))
    return [{ is: "rings", calls: [callId], sinceMs: rangSinceMs(call, id) }];
  if (state.is === "on" && state.call === callId) return [state];
  const isCaller = call.parties.some((each) => each.id === now.callerPartyId && each.entryId === id);
  if (isCaller && now.awaitsPermission) return [{ is: "isCaller" }];
  if (now.voicemail !== null) {
    const of = now.voicemail.owner.id;
    const why = of === id && rang.length === 0 ? now.unreachable : null;
    return [{ is: "voicemail", of }, ...(why === null ? [] : [{ is: "unreachable", why } as const]), ...rang];
  }
  if (now.offers.length === 0) return [withoutOffer(call), ...rang];
  const own = ownCauses(services, person, state, now.offers);
  const offered = now.offers.flatMap((offer) => offerCauses(services, person, offer, call));
  // whoever could be rung but for what they do: that decides
  const isOfferedToThem = offered.some(({ is }) => is === "queue" || is === "turn" || is === "late");
  return isOfferedToThem ? [...own, ...offered, ...rang] : [...offered, ...own, ...rang];
}

/** What they do that keeps calls of these offers from ringing them. */
function ownCauses(
  { live }: Services,
  { record }: Person,
  state: PersonState,
  offers: readonly Offer[],
): NoRingCause[] {
  if (state.is === "free") return [];
  if (state.is !== "rings") return [state];
  const isOfTeam = offers.some(({ destination }) => destination.kind === "team");
  const ring = live
    .ringsOf(record.id)
    .find(({ callId, offerId }) => live.offer(callId, offerId)?.destination.kind === "team");
  return isOfTeam && ring !== undefined ? [{ is: "ringsElsewhere", call: ring.callId }] : [];
}

/** Why nobody is rung for a live call: it was answered, or is not offered yet. */
function withoutOffer(call: CallRecord): NoRingCause {
  const by = call.connections
    .filter(({ leftTimestamp }) => leftTimestamp === null)
    .flatMap(({ partyId }) => call.parties.find((party) => party.id === partyId)?.entryId ?? []);
  return call.answeredTimestamp === null ? { is: "notOffered" } : { is: "answered", by };
}

function offerCauses(services: Services, person: Person, offer: Offer, call: CallRecord): NoRingCause[] {
  const { destination } = offer;
  const { id } = person.record;
  if (destination.kind !== "team") {
    if (destination.id !== id) return [{ is: "notFor", offeredTo: destination.id }];
    return [{ is: "notOffered" }];
  }
  const { machines, teams } = services;
  const team = destination.id;
  const tier = teams.findTier(team, id);
  if (tier === undefined) return [{ is: "noMember", team, laterTeam: findLaterTeam(services, id, offer) }];
  if (offer.transferredBy === id) return [{ is: "transferred", team }];
  const declined = services.live.mustGet(offer.callId).declined;
  if (declined.some((each) => each.teamId === team && each.memberId === id))
    return [{ is: "declined", team }];
  const state = machines.state("teamOffer", offer.id);
  if (state === "waiting") return [{ is: "queue", team }];
  if (state !== "ringing") return [{ is: "notOffered" }];
  const { tier: ringing } = machines.context("teamOffer", offer.id) as TeamOfferContext;
  if (ringing !== null && ringing !== tier.priority)
    return [{ is: "turn", team, tier: ringing, priority: tier.priority }];
  return [inRingingTier(services, id, offer, call)];
}

/** Why a member of the tier that rings does not ring with it. */
function inRingingTier({ live }: Services, id: string, offer: Offer, call: CallRecord): NoRingCause {
  const team = offer.destination.id;
  const sinceMs = Math.min(...live.ringsFor(offer).map(({ entryId }) => rangSinceMs(call, entryId)));
  const stopped = ringsBefore(call, id).findLast(({ fromMs }) => fromMs >= sinceMs);
  if (stopped === undefined) return { is: "late", team, sinceMs };
  return { is: "stopped", team, outcome: stopped.outcome, sinceMs: stopped.toMs };
}

/** The next team with this member to which an offer is passed on if nobody answers; null if none is. */
function findLaterTeam({ live, teams }: Services, id: string, offer: Offer): string | null {
  const { returnTo } = live.mustGet(offer.callId).rules;
  if (offer.purpose === "main" && returnTo !== null) return null;
  const seen = new Set([offer.destination.id]);
  for (let last = offer.destination.id; ; ) {
    const step = teams.rules(last).unanswered;
    if (step === undefined || !("team" in step) || seen.has(step.team)) return null;
    if (teams.findTier(step.team, id) !== undefined) return step.team;
    last = step.team;
    seen.add(last);
  }
}

type Rang = Extract<NoRingCause, { readonly is: "rang" }>;

/** Somebody's rings for a call that are over, the newest ones; phones that rang together are one. */
function ringsBefore({ parties }: CallRecord, id: string): Rang[] {
  const dials = parties.filter(({ entryId }) => entryId === id).flatMap((party) => party.dials);
  const byStart = new Map<number, Rang>();
  for (const { startedTimestamp: fromMs, endedTimestamp: toMs, outcome } of dials) {
    if (outcome === null || toMs === null) continue;
    const known = byStart.get(fromMs);
    const decides =
      known === undefined || outcome === "answered" || (known.outcome !== "answered" && known.toMs <= toMs);
    if (decides) byStart.set(fromMs, { is: "rang", fromMs, toMs, outcome });
  }
  return [...byStart.values()].slice(-MAX_RANG);
}
