import { realTurn } from "../../core/engine/quiet.ts";
import { appDefects } from "../../findings/property-failure.ts";
import { forgetOpenTimers } from "../sandbox/open-timers.ts";
import { beginNoting } from "../sandbox/real-timers.ts";
import { noteProgress } from "../sandbox/supervision.ts";
import { makeDefect } from "./defect.ts";
import { withPatience } from "./waiting.ts";
import type { World, WorldSetup } from "./world.ts";
import { WorldParts } from "./world-parts.ts";
import { worldResult } from "./world-result.ts";
import type { ExecutionRequest, WorldRun } from "./world-run.ts";

/** The app disposed of the simulator. */
const DISPOSED = {
  property: appDefects.disposes,
  message: "it calls dispose() of the simulator, which the exploration still needs",
};

/** What waits for a place of an HTTP client is given so many turns to get it, once the world is over. */
const TIMES_TO_CLOSE = 30;

/** One run of the scenario, with an app of its own: it lets time pass, and waits for the app. */
export class WorldExecution<T> {
  private readonly parts: WorldParts<T>;
  /** When a defect ended the world before nothing was left to do, ms after its start. */
  private brokenOffMs: number | undefined;

  constructor(setup: WorldSetup<T>, deviations: World["deviations"], wanted: ExecutionRequest) {
    this.parts = new WorldParts(setup, deviations, wanted);
  }

  async run(): Promise<WorldRun> {
    let played: Awaited<ReturnType<WorldExecution<T>["playAndRead"]>>;
    const endNoting = this.parts.world.wanted.trace === true ? beginNoting() : undefined;
    try {
      played = await this.playAndRead();
    } finally {
      endNoting?.();
      // also of a scenario that cannot be played: the next world needs the same server
      await this.dispose();
    }
    // it took an answer for one of Postgres that no process could have got
    if (this.parts.lives?.isMisled === true) return { ...played.run, failures: [] };
    return { ...played.run, failures: [...played.refusal, ...this.parts.judge.failures] };
  }

  private async playAndRead() {
    await this.play();
    const { clock, engine, judge, limits, lives, received, restInterceptor, trace } = this.parts;
    if (engine.isDisposed) judge.fail(DISPOSED);
    const run = await worldResult(this.parts, {
      steps: limits.steps,
      brokenOffMs: this.brokenOffMs,
      requests: trace.requests + restInterceptor.sent,
      wentOn: lives?.wentOn === true,
      isTouched: received.isAny,
      timersBeyondHorizon: clock?.timersBeyondHorizon ?? [],
    });
    // first: what it refuses, it cannot know
    const refusal = judge.hasDefect ? [] : received.refusal;
    return { run, refusal };
  }

  private async play(): Promise<void> {
    const { app, engine, judge } = this.parts;
    try {
      // on an empty stack: if the watchdog terminates a loop, every frame on the stack ends with it
      await withPatience(
        this.parts,
        Promise.resolve().then(() => this.playThrough()),
      );
    } catch (thrown) {
      if (app.restartError !== undefined) throw app.restartError;
      const { now, options, isDisposed } = engine;
      if (this.parts.phase === "going") this.brokenOffMs = now - options.startMs;
      // errors after the simulator is disposed of follow from that
      if (!isDisposed) judge.fail(makeDefect(thrown));
    }
  }

  private async playThrough(): Promise<void> {
    const { app, clock, engine, judge, lives, scenario, states, steps, trace, world } = this.parts;
    const { setup, simulator } = world;
    const { work } = engine;
    noteProgress();
    work.beginRun();
    work.stir();
    await app.build((build) => (lives === undefined ? build() : lives.run(build)));
    steps.awaitIdle();
    await work.untilDone();
    // only a trace needs the states
    simulator.stopShowing();
    await trace.begin(() => states.now());
    await states.begin();
    clock?.look(true);
    await setup.recordedRun.play(simulator, steps.playOptions);
    scenario.end();
    clock?.look();
    await simulator.runUntilIdleAsync();
    this.parts.phase = "judging";
    await judge.judgeTheEnd();
    // if the app dies while it is disposed of, everything before was judged
    noteProgress();
  }

  private async dispose(): Promise<void> {
    const { app, attached, clock, engine, judge, lives, restInterceptor } = this.parts;
    for (const each of attached) each.end?.();
    restInterceptor.close();
    this.parts.phase = "over";
    lives?.beginNoOther();
    // what disposes of the app may take real time
    clock?.end();
    // if that fails, so does the world, unless a defect ended it before
    await app.end((failure) => {
      if (!judge.hasDefect) judge.fail(failure);
    });
    await this.closeRequests();
    // those of a world that was broken off may never end
    if (clock !== undefined) forgetOpenTimers(judge.hasDefect ? "all" : "but immediates");
    lives?.end();
    engine.work.endRun();
    // what the app has left behind may still use it
    engine.abandon();
  }

  /** A client that outlives the world has its places back, also those of what waits in it for one. Worlds of servers go on side by side. */
  private async closeRequests(): Promise<void> {
    const { engine, world } = this.parts;
    if (world.setup.hasRestartCommand !== undefined) return;
    const { work } = engine;
    for (let time = 0; time < TIMES_TO_CLOSE && work.closeRequests(); time++) await realTurn();
  }
}
