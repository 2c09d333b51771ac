import { type AsyncStorage, asyncModule } from "../../core/foundation/async-hooks.ts";
import type { KeptCode, Taken, Transaction } from "../sandbox/continuations.ts";

/** Tells in whose life code runs. */
export type Following = AsyncStorage<Life | undefined>;

/** Follows a call only until it first waits: all that is possible where nothing follows promises. */
class FollowingCalls implements Following {
  private current: Life | undefined;

  run<R>(life: Life | undefined, call: () => R): R {
    const outer = this.current;
    this.current = life;
    try {
      return call();
    } finally {
      this.current = outer;
    }
  }

  getStore(): Life | undefined {
    return this.current;
  }

  disable(): void {}
}

/** The time from the building of an app to its restart, or to the end of the world. */
export class Life implements KeptCode {
  isOver = false;
  /** Whether it ended while its code waited for a database, a file or another service, or had a connection to a database. */
  isCut = false;
  isKept = false;
  /** Whether a statement of it was answered in place of Postgres, since it may ask nothing any more. */
  isRefused = false;
  wentOn = false;
  /** Whether its code may ask a database nothing any more. */
  isHeld = false;
  /** Whether it may ask files and other services nothing any more. */
  isSilent = false;
  /** Resolves when it is over. */
  readonly ended: Promise<void>;
  /** The transactions of packages that wait for its code. */
  readonly transactions: Set<Transaction> = new Set();
  readonly taken: Set<Taken> = new Set();
  /** Aborts the requests that wait for virtual time. */
  readonly abort = new AbortController();
  /** Undo what the app registered at the simulator. */
  private undoing: (() => void)[] = [];
  private resolve: () => void = () => {};

  constructor() {
    this.ended = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  /** @param undo is called when the life is over */
  owns(undo: () => void): void {
    this.undoing.push(undo);
  }

  end(): void {
    this.isOver = true;
    this.abort.abort();
    for (const undo of this.undoing.splice(0)) undo();
    this.resolve();
  }
}

/** @returns what tells in whose life the code runs that asks */
export function newFollowing(): Following {
  return asyncModule === undefined ? new FollowingCalls() : new asyncModule.AsyncLocalStorage();
}
