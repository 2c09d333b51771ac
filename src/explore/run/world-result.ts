import { isOfWholeRun } from "../../core/engine/deviations.ts";
import { findRealRead, listRealTimers } from "../sandbox/real-timers.ts";
import { isEndedByDeath, stopShowing } from "../sandbox/supervision.ts";
import type { AppInstance } from "./app-instance.ts";
import type { AppStateReader } from "./app-state-reader.ts";
import { makeDefect } from "./defect.ts";
import { isRestartable } from "./explored-app.ts";
import type { Judge } from "./judge.ts";
import { platformActs } from "./platform-acts.ts";
import { realReadText } from "./real-clock.ts";
import type { ScenarioProgress } from "./scenario-progress.ts";
import type { AppTrace } from "./trace.ts";
import { realTimeTroubles, serverGoesOn, type Trouble } from "./troubles.ts";
import type { Attachment, World } from "./world.ts";
import type { WorldRun } from "./world-run.ts";

/** The parts of a world that its result is read from. */
export interface ReadParts<T> {
  readonly world: World<T>;
  readonly app: AppInstance<T>;
  readonly attached: readonly Attachment[];
  readonly judge: Judge<T>;
  readonly scenario: ScenarioProgress;
  readonly states: AppStateReader<T>;
  readonly trace: AppTrace;
}

/** What only the execution knows. */
type Counted = Pick<WorldRun, "brokenOffMs" | "isTouched" | "requests" | "steps" | "wentOn"> & {
  /** The delays of timers that run no more, since they come after the horizon, ms. */
  readonly timersBeyondHorizon: readonly number[];
};

/** What a world's result has of parts that are not there. */
const withoutParts = {
  webhookReads: [],
  forged: { sent: 0, taken: [], isTrueRefused: false },
  realTimers: [],
  notes: [],
  drawn: [],
  reached: [],
} satisfies Partial<WorldRun>;

/** Reads what a run came to, but for the failures. What shows the app's state may add some to the judge. */
export async function worldResult<T>(
  parts: ReadParts<T>,
  { timersBeyondHorizon, ...counted }: Counted,
): Promise<Omit<WorldRun, "failures">> {
  const { app, attached, judge, scenario, states, trace, world } = parts;
  const { deviations, planned, setup, simulator, wanted } = world;
  const { deviations: met } = simulator.services.engine;
  const read = <R>(shown: () => R) => readInTheEnd(parts, shown);
  const state = wanted.trace === true ? await read(() => states.now()) : undefined;
  const traced = trace.result(counted.isTouched, deviations, timersBeyondHorizon);
  const mayBeEarly = wanted.trace === true && deviations.length === 0 && app.isServerNotAwaited;
  const isInTime = setup.clock === "virtual" && setup.isBack === undefined;
  const troubles = [
    ...traced.troubles,
    ...(wanted.trace === true && isInTime ? outsideTroubles(simulator.timestamp) : []),
  ];
  const own = {
    ...counted,
    equivalences: deviations.map((each) =>
      isOfWholeRun(each) ? "no" : met.equivalenceOf(planned.indexOf(each)),
    ),
    readsPlatform: judge.readsPlatform,
    chosen: met.chosen,
    skipped: scenario.skipped,
    unmet: met.unmet,
    held: judge.held,
    untold: judge.untold,
    compared: judge.compared,
    ...traced,
    // what else went wrong is more likely the cause
    troubles: mayBeEarly && troubles.length === 0 ? [serverGoesOn] : troubles,
    state,
    journal: wanted.journal === true ? simulator.journal() : undefined,
    acts: wanted.acts === true ? platformActs(simulator, deviations, trace.requests) : undefined,
  } as const;
  const worksLater = !isRestartable(setup) && app.isServerSeenWorkingLater;
  const added = Object.assign(
    { ...withoutParts, worksLater },
    ...(await collectResults(attached, app.serverNotes)),
  ) as Pick<WorldRun, keyof typeof withoutParts | "worksLater">;
  const isWhole = wanted.wholeState === true || added.webhookReads.some(({ isAsked }) => isAsked);
  const whole = isWhole ? await read(() => states.whole()) : undefined;
  const compared = wanted.behaviour === true ? await read(() => states.compared()) : undefined;
  return {
    ...{ ...own, ...added },
    ...(whole ?? { wholeState: undefined, isStateWhole: false }),
    behaviour: wanted.behaviour === true ? states.behaviour(compared ?? {}) : undefined,
  };
}

/** What code outside of all worlds does in real time, which the app may be part of. */
function outsideTroubles(worldMs: number): Trouble[] {
  const place = findRealRead();
  return realTimeTroubles(listRealTimers(), place && realReadText(place, worldMs));
}

async function collectResults(
  attached: readonly Attachment[],
  ofServer: readonly string[],
): Promise<Partial<WorldRun>[]> {
  const results: Partial<WorldRun>[] = [];
  for (const each of attached) results.push((await each.result?.()) ?? {});
  // several parts may have some
  return [...results, { notes: [...ofServer, ...results.flatMap(({ notes = [] }) => notes)] }];
}

/** Reads the app's state at the end. The function that shows it may not return. */
async function readInTheEnd<T, R>(
  { judge, states, world }: ReadParts<T>,
  read: () => R,
): Promise<R | undefined> {
  if (isEndedByDeath()) return undefined;
  const { patience } = world.setup;
  const outcome = await patience.waitFor(Promise.resolve().then(read), () => 0);
  if (outcome === "nothing happened") {
    if (states.isReading) stopShowing();
    return undefined; // what shows it does not return
  }
  if ("value" in outcome) return outcome.value;
  judge.fail(makeDefect(outcome.thrown));
  return undefined;
}
