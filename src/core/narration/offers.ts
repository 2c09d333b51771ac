import type { AgendaItem } from "../engine/agenda.ts";
import type { TimerAbout } from "../platform/parts/define-part.ts";
import type { Lifelines } from "./lifelines.ts";
import type { OfferTier } from "./rows.ts";

interface TeamOffer {
  readonly team: string;
  readonly fromMs: number;
  /** When its tier began to ring. */
  tierRangMs: number;
  /** The tiers that were rung. */
  readonly rung: Set<number>;
  latest: OfferTier | undefined;
}

/** The offers of calls to teams, with the tier that each rings. */
export class Offers {
  private readonly offers = new Map<string, TeamOffer>();

  constructor(private readonly lifelines: Lifelines) {}

  start(id: string, teamId: string, nowMs: number): void {
    const team = this.lifelines.nameOf(teamId);
    this.offers.set(id, { team, fromMs: nowMs, tierRangMs: nowMs, rung: new Set(), latest: undefined });
  }

  /** Notes that a tier begins to ring. */
  ringTier(id: string, tier: number, nowMs: number): void {
    const offer = this.offers.get(id);
    if (offer === undefined) return;
    offer.tierRangMs = nowMs;
    offer.latest = { team: offer.team, tier, isAgain: offer.rung.has(tier) };
    offer.rung.add(tier);
  }

  /** The tier that an offer rings now; undefined if it is not to a team. */
  current(id: string): OfferTier | undefined {
    return this.offers.get(id)?.latest;
  }

  /** The names and times that a timer of an offer mentions. */
  timerMentions({ data, purpose }: AgendaItem, nowMs: number): TimerAbout {
    const id = typeof data === "object" && data !== null && "id" in data ? String(data.id) : "";
    const offer = this.offers.get(id);
    if (offer === undefined) return { team: "the team", waited: "time" };
    const sinceMs = purpose === "teamOffer: nextOffer" ? offer.tierRangMs : offer.fromMs;
    return { team: offer.team, waited: `${(nowMs - sinceMs) / 1000} s` };
  }
}
