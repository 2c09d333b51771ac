import { ForkableList, ForkableMap } from "../../engine/collections.ts";
import { Newest } from "../../records/newest.ts";
import type { Base } from "../base.ts";
import { capability } from "../capability.ts";

/** What is made of a call, in tables of their own. */
interface Made {
  readonly table: "recordings" | "transcripts" | "segments" | "analysis";
  readonly id: string;
}

export interface State {
  /** How many artefacts each closed call still waits for. */
  readonly awaited: Map<string, number>;
  /** Closed calls of which nothing is to come, oldest first. */
  readonly finished: ForkableList<string>;
  /** By call. A call's record does not lead to all of it: transcripts stay when their recording is removed. */
  readonly made: ForkableMap<string, readonly Made[]>;
}

/** Knows when nothing more will come of a call, and forgets old calls with what was made of them. */
export class Retention {
  private readonly newest: Newest;

  constructor(
    private readonly world: Base,
    private readonly state: State,
  ) {
    this.newest = new Newest(world.settings.keep.calls, (callId) => this.forget(callId), state.finished);
  }

  /** One more artefact of a call is to come. */
  awaits(callId: string): void {
    this.state.awaited.set(callId, (this.state.awaited.get(callId) ?? 0) + 1);
  }

  /** One of them came; with the last the call is finished. */
  settles(callId: string): void {
    const left = (this.state.awaited.get(callId) ?? 1) - 1;
    if (left > 0) {
      this.state.awaited.set(callId, left);
      return;
    }
    this.state.awaited.delete(callId);
    this.newest.over(callId);
  }

  /** A call closed: it is finished, unless something of it is to come. */
  closed(callId: string): void {
    if (!this.state.awaited.has(callId)) this.newest.over(callId);
  }

  /** Something was made of a call: it goes when the call does. Keeps no books while there is no limit. */
  made(callId: string, ...made: Made[]): void {
    if (this.world.settings.keep.calls === Number.POSITIVE_INFINITY) return;
    this.state.made.set(callId, [...(this.state.made.get(callId) ?? []), ...made]);
  }

  private forget(callId: string): void {
    const { tables } = this.world;
    tables.calls.remove(callId);
    const made = this.state.made.get(callId);
    if (made === undefined) return;
    for (const { table, id } of made) tables[table].remove(id);
    this.state.made.delete(callId);
  }
}

/** How long closed calls are kept. */
export const retention = capability({
  begin: (): State => ({ awaited: new Map(), finished: new ForkableList(), made: new ForkableMap() }),
  make: (world: Base, state) => new Retention(world, state),
});
