import { ForkableList, ForkableMap } from "../../foundation/collections.ts";
import { RetentionQueue } from "../../records/retention-queue.ts";
import type { CoreServices, Tables } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";

/** A table from which single records are removed. */
type OneTable = {
  [Name in keyof Tables]: Tables[Name] extends { remove(id: string): void } ? Name : never;
}[keyof Tables];

/** A record that belongs to a call. */
interface RecordOfCall {
  readonly table: OneTable;
  readonly id: string;
}

export interface State {
  /** How many records of each call are still to come. */
  readonly awaited: Map<string, number>;
  /** Closed calls whose records are complete, oldest first. */
  readonly finished: ForkableList<string>;
  /**
   * The records of each call. The call's own record does not name all: transcripts stay when their recording is removed.
   */
  readonly made: ForkableMap<string, readonly RecordOfCall[]>;
}

/** Drops old calls with their records, once no record of theirs is still to come. */
export class Retention {
  private readonly newest: RetentionQueue;

  constructor(
    private readonly services: CoreServices,
    private readonly state: State,
  ) {
    this.newest = new RetentionQueue(
      services.settings.keep.calls,
      (callId) => this.drop(callId),
      state.finished,
    );
  }

  /** Notes that a record of a call is still to come. */
  addPending(callId: string): void {
    this.state.awaited.set(callId, (this.state.awaited.get(callId) ?? 0) + 1);
  }

  /** Notes that such a record came. After the last, the call may be dropped. */
  removePending(callId: string): void {
    const left = (this.state.awaited.get(callId) ?? 1) - 1;
    if (left > 0) {
      this.state.awaited.set(callId, left);
      return;
    }
    this.state.awaited.delete(callId);
    this.newest.addFinished(callId);
  }

  /** Notes that a call closed. It may be dropped unless records are still to come. */
  closeCall(callId: string): void {
    if (!this.state.awaited.has(callId)) this.newest.addFinished(callId);
  }

  /** Adds records of a call, which are dropped with it. Does nothing without a limit. */
  addRecords(callId: string, ...made: RecordOfCall[]): void {
    if (this.services.settings.keep.calls === Number.POSITIVE_INFINITY) return;
    this.state.made.set(callId, [...(this.state.made.get(callId) ?? []), ...made]);
  }

  private drop(callId: string): void {
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
