import { appDefects, WorldError } from "../../findings/property-failure.ts";
import { LOOKS } from "../../findings/real-time.ts";
import { stopShowing } from "../sandbox/supervision.ts";
import { areTimersReplaced } from "../sandbox/virtual-clock.ts";
import type { AppInstance } from "./app-instance.ts";
import type { AppStateReader } from "./app-state-reader.ts";
import type { Judge } from "./judge.ts";
import type { RestInterceptor } from "./rest-interceptor.ts";
import type { World } from "./world.ts";
import type { WorldClock } from "./world-clock.ts";
import type { WorldLimits } from "./world-limits.ts";

const CUT =
  ". The app restarted in the middle of its work. If a method of `durable` waits for its own earlier promise, it waits for ever: keep such a queue in what `app` builds";
const REDIS =
  "A queue in Redis, such as BullMQ, waits in real time: see docs/guides/works-later.md#a-queue-in-redis";

/** The parts of a world that tell whether anything happens in it. */
interface Waited {
  readonly world: {
    readonly setup: Pick<World["setup"], "patience">;
    readonly simulator: World["simulator"];
  };
  readonly app: Pick<AppInstance<never>, "isAfterCut" | "isBuilt" | "restartChecks">;
  readonly clock: WorldClock | undefined;
  /** Whether the app's `idle()` is being waited for. */
  readonly isIdleAwaited: boolean;
  readonly judge: Pick<Judge<never>, "checking" | "checks">;
  readonly limits: WorldLimits;
  readonly restInterceptor: RestInterceptor;
  readonly states: Pick<AppStateReader<never>, "isReading">;
}

/** For so many times the patience, answers of others alone are something that happens: who asks again and again lets no time pass. */
const TIMES_ASKING = 6;

/** Waits as long as something happens in a world. @throws {WorldError} if nothing does for the patience */
export async function withPatience(waited: Waited, going: Promise<void>): Promise<void> {
  const { app, clock, judge, limits, restInterceptor, world } = waited;
  const { patience } = world.setup;
  const { work } = world.simulator.services.engine;
  // rises when something happens
  const inWorld = () =>
    limits.steps + restInterceptor.passedAnswers + app.restartChecks + judge.checks + (clock?.aheadMs ?? 0);
  const asking = new Asking(inWorld, () => work.progress);
  const outcome = await patience.waitFor(going, () => asking.progress());
  if (outcome === "nothing happened" && waited.states.isReading) stopShowing();
  if (outcome === "nothing happened") {
    if (asking.isEndless) throw new WorldError(appDefects.hangs, askingText(waited));
    const why = waitText(waited) + (app.isAfterCut ? CUT : "");
    throw new WorldError(appDefects.hangs, `nothing happened for ${patience.ms} ms${why}`);
  }
  if ("thrown" in outcome) throw outcome.thrown;
}

/** What happens in a world, as a count that rises: for how long the app may only ask others, and be answered. */
class Asking {
  private happened: number;
  private looks = 0;
  private activity = 0;

  /**
   * @param inWorld rises when something happens in the world
   * @param heard rises when the app hears of others
   */
  constructor(
    private readonly inWorld: () => number,
    private readonly heard: () => number,
  ) {
    this.happened = inWorld();
  }

  /** Whether nothing else happened for too long. */
  get isEndless(): boolean {
    return this.looks > TIMES_ASKING * LOOKS;
  }

  /** Called at each look. */
  progress(): number {
    const happened = this.inWorld();
    if (happened !== this.happened) this.looks = 0;
    this.happened = happened;
    this.looks++;
    if (!this.isEndless) this.activity = this.heard();
    return happened + this.activity;
  }
}

/** What is said of an app that is answered, and asks again at once. */
function askingText({ app, clock, world: { setup, simulator } }: Waited): string {
  const during = app.isBuilt ? (clock?.standingTimer ?? "") : AT_START;
  const [peer = "others"] = simulator.services.engine.work.waitingFor;
  const s = (setup.patience.ms * TIMES_ASKING) / 1_000;
  return `it asked ${peer} again and again for ${s} s${during}, so no time passes. Where an answer comes late, as to who waits for new jobs, let \`app\` return \`idle()\`. If it has so much to do, give more \`patience\``;
}

/** What a hang happened in if the app gets no request yet. */
export const AT_START = " while the app was being built";

function waitText({ app, clock, isIdleAwaited, judge, world: { simulator } }: Waited): string {
  const { checking } = judge;
  const timer = clock?.standingTimer ?? "";
  if (!app.isBuilt) return `${AT_START}${timer}`;
  if (checking !== undefined) return ` while "${checking}" was checked${timer}`;
  const [request] = simulator.network.requests.filter(({ endedAt }) => endedAt === null);
  if (request !== undefined)
    return ` while the app was handling ${request.method} ${request.to}${fakeTimersText()}`;
  if (isIdleAwaited) return `: the promise that \`idle()\` returned stays open. ${REDIS}`;
  const [peer] = simulator.services.engine.work.waitingFor;
  return peer === undefined ? "" : `: the app waits for ${peer}: return \`idle()\``;
}

function fakeTimersText(): string {
  if (!areTimersReplaced()) return "";
  return ". It began fake timers, which stand still: leave them out, as a world's timers are virtual anyway, or begin them before `explore`";
}
