import { type ForkableList, ForkableMap } from "../../engine/collections.ts";
import { Newest } from "../../records/newest.ts";
import type { Tables } from "../platform.ts";

/** What is made of a call, in tables of their own. */
interface Made {
  readonly table: "recordings" | "transcripts" | "segments" | "analysis";
  readonly id: string;
}

export interface RetentionState {
  /** Closed calls of which nothing is to come, oldest first. */
  readonly finished: ForkableList<string>;
  /** By call. A call's record does not lead to all of it: transcripts stay when their recording is removed. */
  readonly made: ForkableMap<string, readonly Made[]>;
}

/** Forgets old calls and what was made of them. Keeps no books while there is no limit. */
export class Retention {
  private readonly newest: Newest;
  private readonly madeOf: RetentionState["made"];

  constructor(
    private readonly tables: Tables,
    /** Closed calls kept. */
    private readonly keepCalls: number,
    state?: RetentionState,
  ) {
    this.newest = new Newest(keepCalls, (callId) => this.forget(callId), state?.finished);
    this.madeOf = state?.made ?? new ForkableMap();
  }

  /** Something was made of a call: it goes when the call does. */
  made(callId: string, ...made: Made[]): void {
    if (this.keepCalls === Number.POSITIVE_INFINITY) return;
    this.madeOf.set(callId, [...(this.madeOf.get(callId) ?? []), ...made]);
  }

  /** Nothing of this call is to come: it may be forgotten once `keepCalls` newer ones are finished. */
  finished(callId: string): void {
    this.newest.over(callId);
  }

  /** For a fork: the same, shared. */
  forkState(): RetentionState {
    return { finished: this.newest.forkState(), made: this.madeOf.fork() };
  }

  private forget(callId: string): void {
    this.tables.calls.remove(callId);
    const made = this.madeOf.get(callId);
    if (made === undefined) return;
    for (const { table, id } of made) this.tables[table].remove(id);
    this.madeOf.delete(callId);
  }
}
