import type { Simulator } from "../../core/simulator/simulator.ts";
import { type ToldEvent, toldEvents } from "./told.ts";

/** What a board showed at an instant at which the app had done its work; undefined where it could not be read. */
interface Look<Shown> {
  readonly atMs: number;
  readonly shown: Shown;
}

/** A state of somebody or something on the platform, from an instant up to another. */
export interface Spell {
  /** The id of a user or a call. */
  readonly id: string;
  /** What it was, such as `busy`. */
  readonly state: string;
  readonly fromMs: number;
  /** `Infinity` if nothing ended it. */
  readonly toMs: number;
}

/** An event, as far as boards are about it. */
interface BoardEvent {
  readonly type: string;
  readonly createdTimestamp: number;
  readonly data: {
    readonly user?: { readonly id: string; readonly availability?: { readonly status: string } };
    readonly call?: { readonly id: string; readonly endedAt: string | null };
  };
}

/** An event of a webhook that the app took. */
interface Taken extends Omit<ToldEvent, "event"> {
  readonly event: BoardEvent;
}

/** How long a state must last to be seen on every board: some show only what is there for a while, or ask every few seconds. */
export const SEEN_MS = 5_000;

/** What a board shows while its world goes on. It is read whenever the app has done its work. */
export class BoardHistory<Shown> {
  private readonly looks = new WeakMap<Simulator, Look<Shown | undefined>[]>();

  note(sim: Simulator, shown: Shown | undefined): void {
    const looks = this.looks.get(sim) ?? [];
    looks.push({ atMs: sim.now.toMillis(), shown });
    this.looks.set(sim, looks);
  }

  /** Whether the board was read while this world went on. Of a server it is read at the end alone. */
  has(sim: Simulator): boolean {
    return this.looks.has(sim);
  }

  /**
   * Finds a state that the board must have shown and did not, of something that it never showed in another state either. A board
   * that does change is judged by its end alone.
   * @param readShown what the board shows of something; undefined for nothing
   * @param readTold what an event says of its state
   */
  neverShown(
    sim: Simulator,
    spells: readonly Spell[],
    readShown: (shown: Shown | undefined, id: string) => string | undefined,
    readTold: (event: BoardEvent, id: string) => string | undefined,
  ): { readonly spell: Spell; readonly shown: string | undefined; readonly isDeaf: boolean } | undefined {
    const looks = this.looks.get(sim) ?? [];
    let taken: readonly Taken[] | undefined;
    for (const spell of spells) {
      if (spell.toMs - spell.fromMs < SEEN_MS) continue;
      const [first, ...others] = looks.map(({ shown }) => readShown(shown, spell.id));
      if (others.some((each) => each !== first) || first === spell.state) continue;
      // to read these makes worlds differ that are else the same
      taken ??= takenIn(sim);
      if (isDeaf(sim)) return { spell, shown: first, isDeaf: true };
      const isSeen = looks.some(({ atMs }) => {
        const last = lastTold(taken ?? [], atMs, (event) => readTold(event, spell.id));
        const end = Math.min(
          spell.toMs,
          nextTold(taken ?? [], atMs, (event) => readTold(event, spell.id)),
        );
        return last === spell.state && spell.fromMs <= atMs && end - atMs >= SEEN_MS;
      });
      if (isSeen) return { spell, shown: first, isDeaf: false };
    }
    return undefined;
  }
}

/** The events that webhooks sent and the app took, in the order in which they arrived. */
function takenIn(sim: Simulator): Taken[] {
  return toldEvents(sim)
    .filter(({ status = 500 }) => status < 300)
    .map((each) => ({ ...each, event: each.event as BoardEvent }));
}

/** Whether nothing can tell the app anything: it has no webhook, and asked for nothing. */
function isDeaf(sim: Simulator): boolean {
  return sim.webhooks.list().length === 0 && sim.rest.requests.length === 0;
}

/** What the newest event says that was taken by an instant. */
function lastTold(
  taken: readonly Taken[],
  atMs: number,
  readTold: (event: BoardEvent) => string | undefined,
): string | undefined {
  let [newestMs, told]: [number, string | undefined] = [Number.NEGATIVE_INFINITY, undefined];
  for (const each of taken) {
    const state = each.atMs <= atMs ? readTold(each.event) : undefined;
    if (state !== undefined && each.createdMs >= newestMs) [newestMs, told] = [each.createdMs, state];
  }
  return told;
}

/** When an event arrived next that says something of its state, ms. */
function nextTold(
  taken: readonly Taken[],
  atMs: number,
  readTold: (event: BoardEvent) => string | undefined,
): number {
  return (
    taken.find((each) => each.atMs > atMs && readTold(each.event) !== undefined)?.atMs ??
    Number.POSITIVE_INFINITY
  );
}
