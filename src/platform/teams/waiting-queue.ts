import type { Offer } from "../calls/live-call.ts";

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
  constructor(private readonly teams = new Map<string, readonly Waiting[]>()) {}

  add(waiting: Waiting): void {
    const teamId = waiting.offer.destination.id;
    const queue = this.teams.get(teamId) ?? [];
    // most join at the end
    const at = queue.findLastIndex((each) => !goesBefore(waiting, each)) + 1;
    this.teams.set(teamId, queue.toSpliced(at, 0, waiting));
  }

  remove(offer: Offer): void {
    const teamId = offer.destination.id;
    const queue = this.teams.get(teamId);
    if (queue === undefined) return;
    const rest = queue.filter((each) => each.offer.id !== offer.id);
    if (rest.length > 0) this.teams.set(teamId, rest);
    else this.teams.delete(teamId);
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
    return new WaitingQueue(new Map(this.teams));
  }
}
