import { appDefects, WorldError } from "../../findings/property-failure.ts";
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

/** Waits as long as something happens in a world. @throws {WorldError} if nothing does for the patience */
export async function withPatience(waited: Waited, going: Promise<void>): Promise<void> {
  const { app, clock, judge, limits, restInterceptor, world } = waited;
  const { patience } = world.setup;
  const { work } = world.simulator.services.engine;
  // rises when something happens
  const progress = () =>
    limits.steps +
    restInterceptor.passedAnswers +
    app.restartChecks +
    work.progress +
    judge.checks +
    (clock?.aheadMs ?? 0);
  const outcome = await patience.waitFor(going, progress);
  if (outcome === "nothing happened" && waited.states.isReading) stopShowing();
  if (outcome === "nothing happened") {
    const why = waitText(waited) + (app.isAfterCut ? CUT : "");
    throw new WorldError(appDefects.hangs, `nothing happened for ${patience.ms} ms${why}`);
  }
  if ("thrown" in outcome) throw outcome.thrown;
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
