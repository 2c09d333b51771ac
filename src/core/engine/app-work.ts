import { createNodeWork } from "./node-work.ts";
import type { BesideLimit, PendingWork } from "./pending-work.ts";
import type { Probes } from "./probe.ts";
import { untilQuiet } from "./quiet.ts";
import type { ServiceChains } from "./service-chains.ts";

/** In browsers and workers, a turn of the event loop ends promises; nothing tells of more. */
const promisesOnly: PendingWork = {
  follow: () => () => {},
  activity: 0,
  activityBeside: 0,
  waitingFor: [],
  isElsewhere: false,
  isOnDatabase: false,
  databaseTime: undefined,
  closeTransactions: () => false,
  closeRequests: () => false,
  chains: undefined,
  unseen: [],
  forgetProcesses() {},
  isUnderWay: async () => false,
  turn: untilQuiet,
  untilQuiet,
  untilWaitingFor: () => untilQuiet().then(() => 0),
};

/** The requests to the REST API that one life of an app has made. */
export interface AskedInLife {
  /** How many have no answer that could come without time. */
  open: number;
}

/** After so much, an app without an exploration is not waited for any more, such as one that polls by immediates. */
const MOST_ACTIVITY = 10_000;

/** After so many rounds without a turn of the event loop, each takes one. */
const QUICK_ROUNDS = 3;

/**
 * Waits for what an app does after its handler has returned: time stands still until it can do nothing more without
 * time. It is waited for after each item whose endpoint, callback or listener ran.
 */
export class AppWork {
  /** Whether code of the app may have begun something since the last wait. */
  isStirred = false;
  private asked: AskedInLife = { open: 0 };
  /** How many requests to the REST API were made. */
  begunRequests = 0;
  /** How often it was looked whether a program listens that a world starts. */
  looks = 0;
  private runs = 0;
  /** Whether nothing was waited for since a run began. */
  private isRunNew = false;
  private endFollowing: (() => void) | undefined;
  private startActivity = 0;
  /** Decides whether to wait no longer, while something is under way. It may throw. Set by an exploration. */
  giveUp: ((activity: number) => boolean) | undefined;
  /** How long work beside the app is waited for: a world is followed only with the limit of its exploration. */
  besideLimit: BesideLimit = { besideMs: Number.POSITIVE_INFINITY };
  /** Called when code of the app has returned, before what it left behind is waited for. Set by an exploration. */
  onReturn: (() => void) | undefined;
  private readonly hasEnough = (): boolean => {
    const activity = this.work.activity - this.startActivity;
    return this.giveUp?.(activity) ?? activity > MOST_ACTIVITY;
  };
  /** Made when it is first needed: most simulators and forks never are. */
  private made: PendingWork | undefined;

  constructor(private readonly probes: Probes) {}

  private get work(): PendingWork {
    this.made ??= createNodeWork(() => this.besideLimit) ?? promisesOnly;
    return this.made;
  }

  get activity(): number {
    return this.work.activity + this.looks;
  }

  /** Rises also as long as anything goes on beside the app that may be done for it. */
  get progress(): number {
    return this.activity + this.work.activityBeside;
  }

  get waitingFor(): readonly string[] {
    return this.work.waitingFor;
  }

  /** Whether other threads, the system or the other ends of connections work for the app. */
  get isElsewhere(): boolean {
    return this.work.isElsewhere;
  }

  /** Whether the app has a connection to a database, as far as is known. */
  get isOnDatabase(): boolean {
    return this.work.isOnDatabase;
  }

  /** The function by which the app asked Postgres for its time; undefined if it did not, as far as is known. */
  get databaseTime(): string | undefined {
    return this.work.databaseTime;
  }

  /** Closes the connections to a database that stand in a transaction: who began it is gone. @returns whether there were any */
  closeTransactions(): boolean {
    return this.work.closeTransactions();
  }

  /** Closes the connections on which the app has asked something by HTTP whose answer it has not read. @returns whether anything is left of what it asked */
  closeRequests(): boolean {
    return this.work.closeRequests();
  }

  /** Which services the app waits for at once; undefined if nothing was waited for, or nothing tells. */
  get chains(): ServiceChains | undefined {
    return this.made?.chains;
  }

  /** Waits no longer for processes and threads that were started, until they are given something to do. */
  forgetProcesses(): void {
    this.work.forgetProcesses();
  }

  get unseen(): readonly string[] {
    return this.work.unseen;
  }

  get openRequests(): number {
    return this.asked.open;
  }

  /** Called before code of the app runs: what it begins is to be followed. */
  stir(): void {
    this.isStirred = true;
    if (this.runs > 0) this.endFollowing ??= this.work.follow();
  }

  /** Begins an asynchronous run, which waits for the app. */
  beginRun(): void {
    this.runs++;
    this.isRunNew = true;
  }

  endRun(): void {
    if (--this.runs === 0) this.end();
  }

  /** Follows the app no longer. */
  end(): void {
    this.endFollowing?.();
    this.endFollowing = undefined;
  }

  /** The requests of the life that is there now. Who asks keeps them: its answer may come in the next life. */
  get askedInLife(): AskedInLife {
    return this.asked;
  }

  /** Notes that the app waits for an answer of the REST API. @returns a function that ends this */
  beginRequest(): () => void {
    const { asked } = this;
    this.stir();
    this.begunRequests++;
    asked.open++;
    return () => {
      asked.open--;
    };
  }

  /**
   * Notes that an answer is held back until virtual time brings it.
   * @param asked the requests of the life that asked
   * @returns a function that ends this
   */
  holdRequest(asked: AskedInLife): () => void {
    asked.open--;
    return () => {
      if (asked === this.asked) this.stir();
      asked.open++;
    };
  }

  /** Waits for no request any more: the app is gone that made them. */
  abandonRequests(): void {
    this.asked = { open: 0 };
  }

  /** Whether the app works on something that needs more than the promises and ticks that are ready. */
  async isUnderWay(): Promise<boolean> {
    const isBusy = await this.work.isUnderWay();
    return isBusy || this.asked.open > 0;
  }

  /** Resolves when the app can do nothing more without an answer of the REST API. */
  untilQuiet(): Promise<void> {
    this.startActivity = this.work.activity;
    return this.probes.current?.untilQuiet?.() ?? this.work.untilQuiet(this.hasEnough, true);
  }

  /**
   * Resolves when the app has nothing under way but requests to the REST API.
   * @param isOver whether nobody waits for that any more
   */
  untilStill(isOver?: () => boolean): Promise<void> {
    const giveUp = isOver === undefined ? this.hasEnough : () => isOver() || this.hasEnough();
    return this.work.untilQuiet(giveUp, false);
  }

  /** Resolves after a turn of the event loop. */
  turn(): Promise<void> {
    return this.work.turn();
  }

  /** Resolves when the app can do nothing more without time. */
  untilDone(): Promise<void> {
    this.onReturn?.();
    this.startActivity = this.work.activity;
    const look = () => this.untilNothingIsUnderWay();
    // who began the run may be no microtask, and ticks would come before the promises that are ready
    const looked = this.isRunNew ? Promise.resolve().then(look) : look();
    this.isRunNew = false;
    // most apps are done then, and each promise takes time where hooks follow it
    return looked.then(() => (this.isDone ? undefined : this.goOn()));
  }

  private untilNothingIsUnderWay(): Promise<void> {
    this.isStirred = false;
    return this.probes.current?.untilDone?.() ?? this.untilStill();
  }

  private get isDone(): boolean {
    return this.asked.open === 0 && !this.isStirred;
  }

  private async goOn(): Promise<void> {
    for (let round = 0; !this.isDone; round++) {
      // whatever the count says: without turns, no real time passes that could end this
      if (this.asked.open > 0 || round >= QUICK_ROUNDS) await this.work.turn();
      if (this.hasEnough()) return;
      await this.untilNothingIsUnderWay();
    }
  }
}
