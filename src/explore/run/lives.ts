import type { AppWork } from "../../core/engine/app-work.ts";
import type { DependencyCaller } from "../../core/engine/dependency-caller.ts";
import { onReply } from "../../core/engine/http-channels.ts";
import { needsAsync } from "../../core/foundation/errors.ts";
import { isPromise } from "../../core/foundation/values.ts";
import { isRestart, type RestartDeviation } from "../../core/network/request-deviations.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { dropTaken, failTransactions, followContinuations } from "../sandbox/continuations.ts";
import { isRestartable } from "./explored-app.ts";
import { Life, newFollowing } from "./life.ts";
import { followRegistrations, type RouteOwners } from "./registrations.ts";
import type { World } from "./world.ts";

/** Whether the app may restart in a world: all others need no lives. */
export function hasRestarts({ setup, planned, wanted }: World): boolean {
  if (!isRestartable(setup)) return false;
  return (
    wanted.chooser !== undefined || [...setup.recordedRun.own, ...planned].some(({ is }) => isRestart(is))
  );
}

/** Drops the timers and immediates that are set when a server has answered, and those that its listeners to `finish` set. */
function forgetTimersOf(ports: LifePorts): void {
  ports.forgetTimers();
  // they are told next
  void Promise.resolve().then(() => ports.forgetTimers());
}

/** Ends a life and begins the next. */
export interface LifePorts {
  /** Whether the app is a process of its own, which has answered a request when it can be restarted. */
  readonly isOutside: boolean;
  /** The app is restarted once it has answered the request that it is to get. */
  willRestart(): void;
  /** Keeps the answers of the REST API from the app. */
  holdAnswers(): void;
  /** Drops everything that a life asked the REST API. */
  abandonRequests(): void;
  /** Drops the timers and immediates of the app. */
  forgetTimers(): void;
  /** Resolves when the app can do nothing more without time and without an answer of the REST API. */
  untilStill(): Promise<void>;
  /** The app could not be built again. */
  restartFailed(error: Error): void;
  /**
   * Disposes of the app, and builds another.
   * @param build runs the code that builds it in its own life
   * @param isCut whether the app ended in the middle of its work: what disposes of it may wait for that in vain
   */
  replace(build: <R>(call: () => R) => R, isCut: boolean): Promise<void>;
}

/**
 * The lives of an app in a world in which it may restart. A life ends as a process does: its routes, listeners and timers
 * are gone, and nothing is answered to it any more. What the scenario registered stays, so each call of the app's code is
 * followed through its promises.
 */
export class AppLives {
  private readonly following = newFollowing();
  private readonly routes: RouteOwners;
  private life = new Life();
  private replacing = Promise.resolve();
  /** Stops following the app's code through its waits; undefined where nothing keeps it from going on. */
  private readonly endContinuations: (() => void) | undefined;
  /** Whether a life went on after its end, by what cannot be kept from it. */
  wentOn = false;
  /** Whether one heard by a callback what Postgres never said: what it did then is no fault of the app. */
  isMisled = false;
  /** The last restart at a call of the app, while it is under way. */
  private restarting: Promise<void> | undefined;
  /** How often it was restarted at a call, and how many of these restarts somebody has waited for. */
  private restarts = 0;
  private awaitedRestarts = 0;
  /** Whether no life begins any more, since the world is over. */
  private isLast = false;

  constructor(
    private readonly simulator: Simulator,
    private readonly ports: LifePorts,
  ) {
    this.routes = followRegistrations(simulator, this.following);
    if (!ports.isOutside) this.endContinuations = followContinuations(() => this.following.getStore());
    simulator.services.engine.probes.attach({ askEndpoint: this.askEndpoint });
  }

  /** Runs code that builds the app. */
  run<R>(call: () => R): R {
    return this.following.run(this.life, call);
  }

  /** Whether code of the app runs, or what it left for later. */
  get isAtWork(): boolean {
    return this.following.getStore() !== undefined;
  }

  /** Whether the app restarts at a call, or has done so since `untilBack` was asked last. */
  get isRestartedAnew(): boolean {
    return this.restarting !== undefined || this.restarts !== this.awaitedRestarts;
  }

  /** Resolves when the app is there again. */
  async untilBack(): Promise<void> {
    this.awaitedRestarts = this.restarts;
    await this.restarting;
  }

  /** Who calls: the life of the code that runs, if it is the app's. */
  get caller(): Pick<DependencyCaller, "isGone" | "restart"> {
    const life = this.following.getStore();
    if (life === undefined) return { isGone: () => false, restart: undefined };
    const asks = "a dependency or the REST API is asked";
    return { isGone: () => life.isOver, restart: (isNow) => this.restart(life, isNow, asks) };
  }

  /** Restarts the app while it waits for time. */
  restartNow(): void {
    this.restart(this.life, true, "it waits for its timer");
  }

  /** Restarts the app where it asks a file or another service: from now on it asks nothing. */
  restartAtQuestion(): void {
    const life = this.following.getStore() ?? this.life;
    Object.assign(life, { isCut: true, isHeld: true, isSilent: true });
    this.restart(life, true, "it asks a file or another service");
  }

  /** Whether the code that runs now may ask nothing any more. @param isOfDatabase whether it asks Postgres, whose transactions end with its life */
  isCallerHeld(isOfDatabase: boolean): boolean {
    const life = this.following.getStore();
    return (isOfDatabase ? life?.isHeld : life?.isSilent) === true;
  }

  /** Whether the life of the code that runs now is over. */
  get isCallerOver(): boolean {
    return this.following.getStore()?.isOver === true;
  }

  /** The code that runs now is refused a statement. */
  noteRefusedStatement(): void {
    const life = this.following.getStore();
    if (life !== undefined) life.isRefused = true;
  }

  private restart(life: Life, isNow: boolean, meanwhile: string): void {
    if (life.isOver) return;
    this.mustBeAwaited(meanwhile);
    const restarting = this.restartWhenStill(life, isNow)
      .catch((error: unknown) => this.ports.restartFailed(error as Error))
      .finally(() => {
        if (this.restarting === restarting) this.restarting = undefined;
      });
    this.restarting = restarting;
    this.restarts++;
  }

  /** Ends a life that waits for an answer, once it can do nothing more without it, and begins the next. */
  private async restartWhenStill(life: Life, isNow: boolean): Promise<void> {
    if (isNow) return this.endLife(life);
    const letTimePass = this.letTimeStandStill();
    try {
      this.ports.holdAnswers();
      await this.ports.untilStill();
      await this.endLife(life);
    } finally {
      letTimePass();
    }
  }

  /** Begins no other life from now on: what the app still waited for may end while it is disposed of. */
  beginNoOther(): void {
    this.isLast = true;
  }

  /** Stops following calls. */
  end(): void {
    this.endContinuations?.();
    this.following.disable();
  }

  private readonly askEndpoint = (asked: object, ask: () => unknown): unknown => {
    const { id, to } = asked as RequestRecord;
    const life = this.routes.ownerAt(to);
    if (life === undefined) return this.following.run(undefined, ask);
    const restart = this.simulator.services.network.restartAt(id);
    if (restart !== undefined) {
      this.mustBeAwaited(`${to} is asked`);
      return this.restartAt(restart, asked as RequestRecord, life, ask);
    }
    // the app is there again before the request is answered: what follows on that may reach it
    const reset = () => this.replacing.then(() => RESET);
    try {
      const returned = this.following.run(life, ask);
      if (life.isOver) return reset();
      return isPromise(returned) ? untilOver(returned, life, reset) : returned;
    } catch (error) {
      if (life.isOver) return reset();
      throw error;
    }
  };

  /** @throws an error of the scenario: a function that lets time pass without waiting cannot go on */
  private mustBeAwaited(meanwhile: string): void {
    if (!this.simulator.services.engine.loop.isAwaiting)
      throw needsAsync(`the app restarts while ${meanwhile}`);
  }

  private async restartAt(
    restart: RestartDeviation,
    { content }: RequestRecord,
    life: Life,
    ask: () => unknown,
  ): Promise<unknown> {
    const { ports, following } = this;
    if (restart === "restartedAfter" || ports.isOutside) {
      ports.willRestart();
      // who answers over a port has answered before that is read here
      const end = ports.isOutside ? undefined : onReply(content.headers(), () => forgetTimersOf(ports));
      const answer = await Promise.race([following.run(life, ask), life.ended.then(() => RESET)]).finally(
        end,
      );
      // what handled the request has its answer: the rest is work that the life has begun
      const isKept = ports.isOutside || this.endContinuations !== undefined;
      this.wentOn ||= !life.isOver && !isKept && this.work.isElsewhere;
      await this.endLife(life);
      return restart === "restarted" ? RESET : answer;
    }
    const letTimePass = this.letTimeStandStill();
    try {
      ports.holdAnswers();
      const answered = Promise.resolve(following.run(life, ask));
      answered.catch(() => {}); // what it throws after this concerns nobody
      await Promise.race([answered, ports.untilStill()]);
      await this.endLife(life);
      return RESET;
    } finally {
      letTimePass();
    }
  }

  /** Ends a life, and begins the next. Of several requests at which the app restarts, the first does it. */
  private async endLife(life: Life): Promise<void> {
    if (this.isLast) return;
    if (this.ports.isOutside) this.replacing = this.replacing.then(() => this.replaceOutside());
    else if (!life.isOver) this.replacing = this.replace(life);
    await this.replacing;
    // what the new life has begun, nobody has waited for: who was answered may have overlapped another
    this.work.stir();
  }

  private async replace(life: Life): Promise<void> {
    const { ports } = this;
    const letTimePass = this.letTimeStandStill();
    const end = () => {
      life.end();
      ports.forgetTimers();
    };
    try {
      // who waits for an answer gives back no connection: its pool waits for that in vain
      life.isCut ||= this.work.openRequests > 0 && this.work.isOnDatabase;
      end();
      ports.abandonRequests();
      await ports.untilStill();
      // transactions may ask to be rolled back
      life.isHeld = false;
      await endQuestions(life, this.work, ports, (call) => this.following.run(life, call));
      dropTaken(life);
      end(); // what it registered meanwhile
      // nobody waited for the refusal by a promise
      if (life.isRefused && !life.isKept) {
        this.isMisled = true;
        life.wentOn = true;
      }
      this.wentOn ||= life.wentOn;
      this.life = new Life();
      // what disposes of the old life goes on
      await this.following.run(undefined, () => ports.replace((call) => this.run(call), life.isCut));
    } finally {
      letTimePass();
    }
  }

  /** The routes stay: they lead to the process. */
  private async replaceOutside(): Promise<void> {
    const letTimePass = this.letTimeStandStill();
    try {
      this.ports.abandonRequests();
      await this.ports.replace((call) => this.run(call), false);
    } finally {
      letTimePass();
    }
  }

  private get work() {
    return this.simulator.services.engine.work;
  }

  private letTimeStandStill(): () => void {
    return this.simulator.services.engine.loop.timeWaits.standStill();
  }
}

/**
 * What a handler answers while its app lives. What becomes of it later is no answer: a server that is disposed of breaks off the
 * requests that were passed on to it.
 */
function untilOver(answer: PromiseLike<unknown>, life: Life, reset: () => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    answer.then(
      (value) => resolve(life.isOver ? reset() : value),
      (error) => (life.isOver ? resolve(reset()) : reject(error)),
    );
    void life.ended.then(() => resolve(reset()));
  });
}

/** One transaction may wait for another, but a client that tries again does so for ever. */
const TIMES_TO_FAIL = 30;

/** What was under way is done: the other ends notice that who asked is gone. @param inLife runs code as that of the life, which hears of it */
async function endQuestions(
  life: Life,
  work: AppWork,
  { untilStill }: Pick<LifePorts, "untilStill">,
  inLife: <R>(call: () => R) => R,
): Promise<void> {
  for (let time = 0; time < TIMES_TO_FAIL; time++) {
    const areFailed = failTransactions(life);
    const areClosed = work.closeTransactions();
    const areLeft = inLife(() => work.closeRequests());
    if (!areClosed && !areFailed && !areLeft) return;
    life.isCut = true;
    await untilStill();
  }
}

/** What a request gets whose app is gone. */
const RESET = Object.freeze({ failure: "refused", reason: "the app restarts" });
