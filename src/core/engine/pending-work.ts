import type { ServiceChains } from "./service-chains.ts";

/** How long work beside an app is waited for. */
export interface BesideLimit {
  /** How long it may go on by itself, ms of real time: nobody knows whether it is done for the app. Less once it has gone on so long. */
  besideMs: number;
}

/**
 * What an app has under way that ends without virtual time, as its runtime knows it: promises, and in Node ticks,
 * immediates, files, look-ups, crypto, compression, WebAssembly that compiles, and connections.
 */
export interface PendingWork {
  /** Follows what is begun from now on. @returns a function that ends this */
  follow(): () => void;
  /** How much the app has begun or has ended. Rises as long as it goes on. */
  readonly activity: number;
  /** The same of what goes on beside the app and may be done for it, as by a server of a test. */
  readonly activityBeside: number;
  /** The other ends of connections, processes and threads that owe an answer, in words. */
  readonly waitingFor: readonly string[];
  /** Whether other threads, the system or the other ends of connections work on something. */
  readonly isElsewhere: boolean;
  /** What was used of which nobody knows when it is done, in words. */
  readonly unseen: readonly string[];
  /** Whether something is under way that needs more than the promises and ticks that are ready, which run first. */
  isUnderWay(): Promise<boolean>;
  /** Whether the app has a connection to a database of which that is known. */
  readonly isOnDatabase: boolean;
  /** The function by which the app asked Postgres for its time, such as `now()`; undefined if it did not, as far as is known. */
  readonly databaseTime: string | undefined;
  /** Closes the connections to a database that stand in a transaction. @returns whether there were any */
  closeTransactions(): boolean;
  /** Closes the connections on which the app has asked something by HTTP whose answer it has not read. @returns whether anything is left of what it asked */
  closeRequests(): boolean;
  /** Which services are waited for at once; undefined where nothing tells. */
  readonly chains: ServiceChains | undefined;
  /** Waits no longer for processes and threads that were started, until they are given something to do. */
  forgetProcesses(): void;
  /** Lets everything run that is ready. */
  turn(): Promise<void>;
  /**
   * Resolves when nothing is under way any more.
   * @param giveUp called while something is; ends the waiting if it returns true
   * @param isBrief whether the other ends of connections get little time: they may wait for us
   */
  untilQuiet(giveUp: () => boolean, isBrief: boolean): Promise<void>;
  /** Resolves when nothing is under way but answers from these addresses, to how many are waited for. */
  untilWaitingFor(addresses: readonly string[]): Promise<number>;
}
