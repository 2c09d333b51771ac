import { isPromise } from "../../core/foundation/values.ts";
import type { PropertyFailure } from "../../findings/property-failure.ts";
import { appDefects, WorldError } from "../../findings/property-failure.ts";
import { isEndedByDeath } from "../sandbox/supervision.ts";
import { runAsDependency } from "../sandbox/world-context.ts";
import { makeDefect } from "./defect.ts";
import { disposeApp, disposingHangs } from "./disposing.ts";
import type { World } from "./world.ts";
import type { WorldClock } from "./world-clock.ts";

/** How long an app that ended in the middle of its work may take to dispose of itself, ms of real time. */
const CUT_MS = 100;

/** A server that is restarted from outside. */
interface RestartableServer {
  /** Whether it was seen to ask the REST API after it had answered a request. */
  readonly worksLater?: boolean;
  /** Whether worlds go on as soon as it has answered, whatever it still does. */
  readonly isNotAwaited?: boolean;
  /** Where its worlds run; `notes` is what the report says of a program. */
  readonly instance?: { readonly program: { readonly notes: readonly string[] } | undefined };
  willRestart?(): void;
  restart?(goesOn: () => void): Promise<void>;
}

/** The app of one world, with what outlives it: builds it, builds it again when it restarts, and disposes of it. */
export class AppInstance<T> {
  /** Whether it is there: it is not while it is built for the first time or again. */
  isBuilt = false;
  /** How often it was built. */
  lives = 0;
  /** Why a server could not be restarted. */
  restartError: unknown;
  /** How often it was looked whether a server is there again after a restart. */
  restartChecks = 0;
  private built: T | undefined;
  private durable: unknown;

  /** @param clock the world's clock; undefined if the app has the real one */
  constructor(
    private readonly world: World<T>,
    private readonly clock: () => WorldClock | undefined,
  ) {}

  /** Whether one of its lives ended in the middle of its work. */
  isAfterCut = false;

  /** What `app` returned, which may be undefined. */
  get app(): T {
    return this.built as T;
  }

  /** Makes what outlives it, then the app. @param inLife runs the code that builds it in a life of its own */
  async build(inLife: <R>(call: () => R) => R): Promise<void> {
    const { setup } = this.world;
    this.durable = await this.whileTimeStands(() => runAsDependency(() => setup.durable?.()));
    this.built = await this.begin(inLife);
    this.isBuilt = true;
  }

  /**
   * Ends an app that restarts, and builds the next.
   * @param inLife runs the code that builds it in its own life
   * @param isCut whether the app ended in the middle of its work
   */
  async replace(inLife: <R>(call: () => R) => R, isCut: boolean): Promise<void> {
    const { setup, simulator } = this.world;
    this.isBuilt = false;
    this.isAfterCut ||= isCut;
    if (setup.hasRestartCommand === true) await this.restartServer();
    else {
      if (this.built !== this.durable) await this.disposeOfBuilt(isCut);
      this.built = await this.begin(inLife);
    }
    simulator.stopShowing();
    this.isBuilt = true;
  }

  /** Begins a process of the app: what its module does, then `app`. */
  private begin(inLife: <R>(call: () => R) => R): T | PromiseLike<T> {
    const { setup, simulator } = this.world;
    this.lives++;
    inLife(() => this.clock()?.beginModuleTimers());
    const begun = this.whileTimeStands(() => inLife(() => setup.app(simulator, this.durable)));
    if (!isPromise(begun)) return begun;
    return begun.then((app) => {
      // they serve it from now on: what it needed of them to be built, it has waited for
      simulator.services.engine.work.forgetProcesses();
      return app;
    });
  }

  /** Tells a server that it is restarted once it has answered the next request. */
  willRestart(): void {
    this.server?.willRestart?.();
  }

  /** What the report says of a server. */
  get serverNotes(): readonly string[] {
    return this.server?.instance?.program?.notes ?? [];
  }

  /** Whether a server was seen to work after it had answered. */
  get isServerSeenWorkingLater(): boolean {
    return this.server?.worksLater === true;
  }

  /** Whether the app is a server of which nothing tells when it has done what it does after an answer. */
  get isServerNotAwaited(): boolean {
    return this.server?.isNotAwaited === true;
  }

  /** Disposes of the app, and of what outlived it. @param fails told how that fails */
  async end(fails: (failure: PropertyFailure) => void): Promise<void> {
    const { patience, abandon } = this.world.setup;
    for (const each of new Set<unknown>([this.built, this.durable])) {
      if (isEndedByDeath()) return;
      const outcome = await disposeApp(each, patience);
      if (outcome === undefined) continue;
      const what = each === this.built ? "the app" : "what `durable` made";
      if (outcome === "nothing happened")
        fails({ property: appDefects.hangs, message: disposingHangs(what, patience) });
      else fails(makeDefect(outcome.thrown));
    }
    await abandon?.(this.world.simulator);
  }

  private get server(): RestartableServer | undefined {
    return this.built as RestartableServer | undefined;
  }

  private async restartServer(): Promise<void> {
    try {
      await this.server?.restart?.(() => this.restartChecks++);
    } catch (error) {
      this.restartError = error;
      throw error;
    }
  }

  /** Disposes of an app that restarts. @throws what that throws */
  private async disposeOfBuilt(isCut: boolean): Promise<void> {
    const { patience } = this.world.setup;
    const clock = this.clock();
    clock?.pause();
    const outcome = await disposeApp(this.built, patience, isCut ? CUT_MS : undefined);
    clock?.goOn();
    // a pool waits for a connection that nobody gives back
    if (isCut && outcome === "nothing happened") return;
    if (outcome === "nothing happened")
      throw new WorldError(appDefects.hangs, disposingHangs("the app", patience));
    if (outcome !== undefined) throw outcome.thrown;
  }

  /** No time passes meanwhile. */
  whileTimeStands<R>(call: () => R | PromiseLike<R>): R | PromiseLike<R> {
    const clock = this.clock();
    return clock === undefined ? call() : clock.whileTimeStands(call);
  }
}
