import type { CapturedEvent } from "./capture.ts";
import { isThere, type SeenData, type SeenUser } from "./seen.ts";

interface Sight {
  readonly atMs: number;
  readonly user: SeenUser;
}

/** What events say of people's availability, from when to when. */
export class PeopleSeen {
  private readonly sights = new Map<string, Sight[]>();

  /** @param events in the order of time */
  constructor(events: readonly CapturedEvent[]) {
    for (const { data, timestamp } of events) {
      const { user } = data as SeenData;
      if (!isThere(user?.id)) continue;
      const sights = this.sights.get(user.id) ?? [];
      sights.push({ atMs: timestamp, user });
      this.sights.set(user.id, sights);
    }
  }

  /** Whether calls could ring a user; also if nothing is known of them. */
  isAvailable(id: string | null | undefined, atMs: number): boolean {
    const sights = this.sights.get(id ?? "") ?? [];
    const sight = sights.findLast((each) => each.atMs <= atMs) ?? sights[0];
    if (sight === undefined) return true;
    const { status, availability } = sight.user;
    return (status ?? "active") === "active" && (availability?.status ?? "available") === "available";
  }

  /** When the user's availability next changes; undefined if it does not. */
  nextMs(id: string, afterMs: number): number | undefined {
    return this.sights.get(id)?.find(({ atMs }) => atMs > afterMs)?.atMs;
  }
}
