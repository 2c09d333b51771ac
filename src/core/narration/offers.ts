import type { AgendaItem } from "../engine/agenda.ts";
import type { TimerAbout } from "../platform/base/timers.ts";
import type { Lifelines } from "./lifelines.ts";
import type { Offer } from "./rows.ts";

interface Known {
  readonly team: string;
  readonly fromMs: number;
  /** When its tier began to ring. */
  rangMs: number;
  /** The tiers that were rung. */
  readonly rung: Set<number>;
  latest: Offer | undefined;
}

/** The offers of calls to teams, and which tier each rings. */
export class Offers {
  private readonly known = new Map<string, Known>();

  constructor(private readonly lifelines: Lifelines) {}

  began(id: string, teamId: string, nowMs: number): void {
    const team = this.lifelines.nameOf(teamId);
    this.known.set(id, { team, fromMs: nowMs, rangMs: nowMs, rung: new Set(), latest: undefined });
  }

  /** A tier begins to ring. */
  rang(id: string, tier: number, nowMs: number): void {
    const offer = this.known.get(id);
    if (offer === undefined) return;
    offer.rangMs = nowMs;
    offer.latest = { team: offer.team, tier, isAgain: offer.rung.has(tier) };
    offer.rung.add(tier);
  }

  /** What the offer rings now; undefined if it is not to a team. */
  current(id: string): Offer | undefined {
    return this.known.get(id)?.latest;
  }

  /** What a timer of an offer may mention. */
  about({ data, purpose }: AgendaItem, nowMs: number): TimerAbout {
    const id = typeof data === "object" && data !== null && "id" in data ? String(data.id) : "";
    const offer = this.known.get(id);
    if (offer === undefined) return { team: "the team", waited: "time" };
    const sinceMs = purpose === "teamOffer: nextOffer" ? offer.rangMs : offer.fromMs;
    return { team: offer.team, waited: `${(nowMs - sinceMs) / 1000} s` };
  }
}
