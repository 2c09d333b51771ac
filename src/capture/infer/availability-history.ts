import type { CapturedEvent } from "../read/capture.ts";
import { append } from "../read/lists.ts";
import { isThere, type PartialEventData, type PartialUser } from "../read/partial-records.ts";
import type { CallConnection, CapturedCall } from "./captured-call.ts";

interface UserSnapshot {
  readonly atMs: number;
  readonly user: PartialUser;
}

/** When users were available and on calls. */
export class AvailabilityHistory {
  private readonly snapshots = new Map<string, UserSnapshot[]>();

  private readonly connections = new Map<string, CallConnection[]>();

  /**
   * @param events oldest first
   * @param isSubscribed whether the app gets changes of availability
   */
  constructor(
    events: readonly CapturedEvent[],
    calls: readonly CapturedCall[],
    readonly isSubscribed: boolean,
  ) {
    for (const { connections } of calls)
      for (const connection of connections) {
        const { entryId } = connection.party;
        if (isThere(entryId)) append(this.connections, entryId, connection);
      }
    for (const { data, timestamp } of events) {
      const { user } = data as PartialEventData;
      if (isThere(user?.id)) append(this.snapshots, user.id, { atMs: timestamp, user });
    }
  }

  /** Whether calls could ring a user. Assumed if no event is about them. */
  isAvailable(id: string | null | undefined, atMs: number): boolean {
    const snapshots = this.snapshots.get(id ?? "") ?? [];
    const snapshot = snapshots.findLast((each) => each.atMs <= atMs) ?? snapshots[0];
    if (snapshot === undefined) return true;
    const { status, availability } = snapshot.user;
    return (status ?? "active") === "active" && (availability?.status ?? "available") === "available";
  }

  /** The time of the first event about a user; infinity without one. */
  firstSeenMs(id: string): number {
    return this.snapshots.get(id)?.[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** Whether a user was connected to a call. */
  isOnCall(id: string, atMs: number): boolean {
    return (this.connections.get(id) ?? []).some(
      ({ fromMs, toMs }) => fromMs <= atMs && atMs <= (toMs ?? Number.POSITIVE_INFINITY),
    );
  }

  /** The time of the next event about a user; undefined without one. */
  nextChangeMs(id: string, afterMs: number): number | undefined {
    return this.snapshots.get(id)?.find(({ atMs }) => atMs > afterMs)?.atMs;
  }
}
