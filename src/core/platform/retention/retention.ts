import { ForkableList, ForkableMap } from "../../foundation/collections.ts";
import { RetentionQueue } from "../../records/retention-queue.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";

/** A record that was made for a call. */
interface Made {
  readonly table: "recordings" | "transcripts" | "segments" | "analysis";
  readonly id: string;
}

export interface State {
  /** How many records each closed call still waits for. */
  readonly awaited: Map<string, number>;
  /** Closed calls that wait for nothing more, oldest first. */
  readonly finished: ForkableList<string>;
  /**
   * The records made for each call. The call's own record does not name all: transcripts stay when their recording is
   * removed.
   */
  readonly made: ForkableMap<string, readonly Made[]>;
}

/** Forgets old calls with their records, once nothing more will be made for them. */
export class Retention {
  private readonly newest: RetentionQueue;

  constructor(
    private readonly services: CoreServices,
    private readonly state: State,
  ) {
    this.newest = new RetentionQueue(
      services.settings.keep.calls,
      (callId) => this.forget(callId),
      state.finished,
    );
  }

  /** Notes that one more record will be made for a call. */
  awaits(callId: string): void {
    this.state.awaited.set(callId, (this.state.awaited.get(callId) ?? 0) + 1);
  }

  /** Notes that one of them was made. After the last, the call is finished. */
  settles(callId: string): void {
    const left = (this.state.awaited.get(callId) ?? 1) - 1;
    if (left > 0) {
      this.state.awaited.set(callId, left);
      return;
    }
    this.state.awaited.delete(callId);
    this.newest.addFinished(callId);
  }

  /** Notes that a call closed. It is finished unless records are still to be made. */
  closed(callId: string): void {
    if (!this.state.awaited.has(callId)) this.newest.addFinished(callId);
  }

  /** Notes records made for a call. They are forgotten with it. Does nothing without a limit. */
  made(callId: string, ...made: Made[]): void {
    if (this.services.settings.keep.calls === Number.POSITIVE_INFINITY) return;
    this.state.made.set(callId, [...(this.state.made.get(callId) ?? []), ...made]);
  }

  private forget(callId: string): void {
    const { tables } = this.services;
    tables.calls.remove(callId);
    const made = this.state.made.get(callId);
    if (made === undefined) return;
    for (const { table, id } of made) tables[table].remove(id);
    this.state.made.delete(callId);
  }
}

/** Limits how many closed calls are kept. */
export const retention = defineService({
  init: (): State => ({ awaited: new Map(), finished: new ForkableList(), made: new ForkableMap() }),
  create: (services: CoreServices, state) => new Retention(services, state),
});
