import type { Offer } from "../live/live-calls.ts";

/** A call that waits for a member of a team. */
export interface Waiting {
  readonly offer: Offer;
  /** 1 first. */
  readonly priority: number;
  /** Of equal priority, the lower goes first. */
  readonly serial: number;
}

/** Whether `a` goes before `b`: by priority, then by when they joined the queue. */
export function goesBefore(
  a: Pick<Waiting, "priority" | "serial">,
  b: Pick<Waiting, "priority" | "serial">,
): boolean {
  return a.priority < b.priority || (a.priority === b.priority && a.serial < b.serial);
}

/** The calls that wait, by team, each in the order in which they will be offered. */
export class WaitingQueue {
  /** Teams whose list no fork has too: only these are written to. */
  private own = new Set<string>();

  constructor(private readonly teams = new Map<string, Waiting[]>()) {}

  get isEmpty(): boolean {
    return this.teams.size === 0;
  }

  add(waiting: Waiting): void {
    const queue = this.written(waiting.offer.destination.id);
    queue.splice(placeIn(queue, waiting), 0, waiting);
  }

  /** Takes a call out, if it waits. */
  remove(waiting: Waiting): void {
    const { destination, id } = waiting.offer;
    const queue = this.teams.get(destination.id);
    if (queue === undefined) return;
    const at = placeIn(queue, waiting);
    if (queue[at]?.offer.id !== id) return;
    if (queue.length === 1) this.teams.delete(destination.id);
    else this.written(destination.id).splice(at, 1);
  }

  /** The call that a member is to be offered first, over all of these teams, of those that `isOpen` to them. */
  bestFor(teamIds: readonly string[], isOpen: (offer: Offer) => boolean): Waiting | undefined {
    let best: Waiting | undefined;
    for (const teamId of teamIds) {
      const first = this.teams.get(teamId)?.find(({ offer }) => isOpen(offer));
      if (first !== undefined && (best === undefined || goesBefore(first, best))) best = first;
    }
    return best;
  }

  /** The calls that wait for a team, in order. */
  of(teamId: string): readonly Waiting[] {
    return this.teams.get(teamId) ?? [];
  }

  /** Costs by the number of teams with a queue. */
  fork(): WaitingQueue {
    this.own = new Set();
    return new WaitingQueue(new Map(this.teams));
  }

  /** A team's list to write to: copied first if a fork has it too. */
  private written(teamId: string): Waiting[] {
    const known = this.teams.get(teamId);
    if (known !== undefined && this.own.has(teamId)) return known;
    const queue = known?.slice() ?? [];
    this.teams.set(teamId, queue);
    this.own.add(teamId);
    return queue;
  }
}

/** Where a call stands in a queue, or would: behind all that go before it. No two are equal: serial numbers are not. */
function placeIn(queue: readonly Waiting[], waiting: Waiting): number {
  let [from, to] = [0, queue.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (goesBefore(queue[middle] as Waiting, waiting)) from = middle + 1;
    else to = middle;
  }
  return from;
}
