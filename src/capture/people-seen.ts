import type { CallStory, Stay } from "./call-story.ts";
import type { CapturedEvent } from "./capture.ts";
import { isThere, type SeenData, type SeenUser } from "./seen.ts";

interface Sight {
  readonly atMs: number;
  readonly user: SeenUser;
}

/** What events say of people's availability, from when to when. */
export class PeopleSeen {
  private readonly sights = new Map<string, Sight[]>();

  private readonly onCalls = new Map<string, Stay[]>();

  /**
   * @param events in the order of time
   * @param isSubscribed whether the receiver gets changes of availability
   */
  constructor(
    events: readonly CapturedEvent[],
    calls: readonly CallStory[],
    readonly isSubscribed: boolean,
  ) {
    for (const { stays } of calls)
      for (const stay of stays) {
        const { entryId } = stay.party;
        if (!isThere(entryId)) continue;
        const list = this.onCalls.get(entryId) ?? [];
        list.push(stay);
        this.onCalls.set(entryId, list);
      }
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

  /** When a user's availability was first seen; infinity if it never was. */
  firstMs(id: string): number {
    return this.sights.get(id)?.[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** Whether a user was on the bridge of a call. */
  isOnCall(id: string, atMs: number): boolean {
    return (this.onCalls.get(id) ?? []).some(
      ({ fromMs, toMs }) => fromMs <= atMs && atMs <= (toMs ?? Number.POSITIVE_INFINITY),
    );
  }

  /** When the user's availability next changes; undefined if it does not. */
  nextMs(id: string, afterMs: number): number | undefined {
    return this.sights.get(id)?.find(({ atMs }) => atMs > afterMs)?.atMs;
  }
}
