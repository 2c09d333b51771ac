import type { Offer } from "../live/live-calls.ts";

/** A call that waits for a member of a team. */
export interface Waiting {
  readonly offer: Offer;
  /** 1 first. */
  readonly priority: number;
  /** The order of joining. Among equal priorities, the lower goes first. */
  readonly serial: number;
}

/** Whether `a` goes before `b`: by priority, then by the order of joining. */
export function goesBefore(
  a: Pick<Waiting, "priority" | "serial">,
  b: Pick<Waiting, "priority" | "serial">,
): boolean {
  return a.priority < b.priority || (a.priority === b.priority && a.serial < b.serial);
}

/** The waiting calls of each team, in the order in which they will be offered. */
export class WaitingQueue {
  /** Teams whose list no fork shares. Only these lists may be changed in place. */
  private own = new Set<string>();

  constructor(private readonly teams = new Map<string, Waiting[]>()) {}

  get isEmpty(): boolean {
    return this.teams.size === 0;
  }

  add(waiting: Waiting): void {
    const queue = this.written(waiting.offer.destination.id);
    queue.splice(placeIn(queue, waiting), 0, waiting);
  }

  /** Removes a call from its team's queue; does nothing if it does not wait. */
  remove(waiting: Waiting): void {
    const { destination, id } = waiting.offer;
    const queue = this.teams.get(destination.id);
    if (queue === undefined) return;
    const at = placeIn(queue, waiting);
    if (queue[at]?.offer.id !== id) return;
    if (queue.length === 1) this.teams.delete(destination.id);
    else this.written(destination.id).splice(at, 1);
  }

  /** The first call to offer a member: the best over all these teams that is open to them. */
  bestFor(teamIds: readonly string[], isOpen: (offer: Offer) => boolean): Waiting | undefined {
    let best: Waiting | undefined;
    for (const teamId of teamIds) {
      const first = this.teams.get(teamId)?.find(({ offer }) => isOpen(offer));
      if (first !== undefined && (best === undefined || goesBefore(first, best))) best = first;
    }
    return best;
  }

  /** The waiting calls of a team, in order. */
  of(teamId: string): readonly Waiting[] {
    return this.teams.get(teamId) ?? [];
  }

  /** Returns a copy that shares the teams' lists. The cost grows with the number of teams that have a queue. */
  fork(): WaitingQueue {
    if (this.own.size > 0) this.own = new Set();
    return new WaitingQueue(new Map(this.teams));
  }

  /** The list of each team, for `load`. */
  save(): Map<string, readonly Waiting[]> {
    return new Map(this.teams);
  }

  /** @returns a queue with the saved lists */
  load(saved: ReadonlyMap<string, readonly Waiting[]>): WaitingQueue {
    return new WaitingQueue(new Map(Array.from(saved, ([team, waiting]) => [team, [...waiting]])));
  }

  /** A team's list for writing. A shared list is copied first. */
  private written(teamId: string): Waiting[] {
    const known = this.teams.get(teamId);
    if (known !== undefined && this.own.has(teamId)) return known;
    const queue = known?.slice() ?? [];
    this.teams.set(teamId, queue);
    this.own.add(teamId);
    return queue;
  }
}

/**
 * The index of a call in a queue, or the index to insert it at: after all calls that go before it. Serial numbers
 * are unique, so no two calls are equal.
 */
function placeIn(queue: readonly Waiting[], waiting: Waiting): number {
  let [from, to] = [0, queue.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (goesBefore(queue[middle] as Waiting, waiting)) from = middle + 1;
    else to = middle;
  }
  return from;
}
