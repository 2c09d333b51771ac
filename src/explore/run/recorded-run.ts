import type { Deviation } from "../../core/engine/deviations.ts";
import {
  CommandError,
  InputError,
  isFromUserCode,
  isTimeMisuse,
  LimitError,
  RunawayError,
} from "../../core/foundation/errors.ts";
import { isPromise } from "../../core/foundation/values.ts";
import type { CommandArguments } from "../../core/platform/catalogue/run-command.ts";
import type { AssumptionsInput } from "../../core/platform/declare/assumptions.ts";
import type { ProfileName } from "../../core/platform/declare/profile.ts";
import type { DialectInput } from "../../core/platform/declare/settings.ts";
import type { PhoneNumberReader } from "../../core/platform/organisation/contact-numbers.ts";
import { demoOrganisation } from "../../core/platform/organisation/demo.ts";
import type { OrganisationInput } from "../../core/platform/organisation/schema.ts";
import { planCaller, planDeviations, playStep } from "../../core/scenario/run.ts";
import type { Scenario, Step } from "../../core/scenario/scenario.ts";
import { TiedSteps } from "../../core/scenario/tied-steps.ts";
import type { SimulatorOptions } from "../../core/simulator/options.ts";
import { recordSkippedStep } from "../../core/simulator/replay.ts";
import { createUnannounced, type Simulator } from "../../core/simulator/simulator.ts";
import { type CalendarStart, calendarStarts } from "../../findings/calendar.ts";
import { appDefects, plainMessage, WorldError } from "../../findings/property-failure.ts";

/** What happens in every world: the steps of a scenario, or a function that gives commands and moves time. */
export interface RecordedRun {
  /** Makes the simulator of a world. */
  begin(change?: StartChange): Simulator;
  /** Where in the calendar it may start instead: shortly before a midnight, the end of a month and the like. */
  calendar(): readonly CalendarStart[];
  /** Loads the REST API, so that the first world of a process is like the others: an app's first request would take real time. */
  loadRest(): Promise<unknown>;
  /** What every world assumes. */
  readonly assumes: AssumptionsInput;
  /** The scenario's own deviations, which every world has. */
  readonly own: readonly Deviation[];
  /** Whether the scenario says when a world ends. */
  readonly hasUntil: boolean;
  /** The scenario's name for a webhook, or the webhook's id if it has none. */
  nameOf(webhookId: string): string;
  /** The ids of what the scenario's steps named when it was last played. */
  named(): ReadonlyMap<string, string>;
  /**
   * Plans deviations, including the scenario's own. Called before the app is built, since building may reach
   * some.
   */
  plan(simulator: Simulator, deviations: readonly Deviation[]): void;
  /** Plays the scenario or function. Returns nothing if it is over at once. */
  play(simulator: Simulator, playing: PlayOptions): Promise<void> | void;
}

/** How a world begins otherwise than the scenario says. */
export interface StartChange {
  /** Further assumptions. */
  readonly assume?: AssumptionsInput | undefined;
  /** The turn of the calendar before which it starts, one of `calendar`. */
  readonly turn?: string | undefined;
}

/** How to play it. */
export interface PlayOptions {
  /** Whether to leave out steps that the run does not allow. */
  readonly isDeviating: boolean;
  /** Called after each step. A promise is awaited. */
  afterStep(): void | Promise<void>;
  /** Called when a step was left out. @param index its index in the scenario */
  skipped?(index: number): void;
  /** Called when it is known when the next step is played, in virtual ms; `Infinity` if none follows. */
  nextStep?(atMs: number): void;
}

/** The simulator of which every world with the same assumptions is a fork. */
interface RunStart {
  readonly base: Simulator;
  /** The ids of what the scenario's first steps named. */
  readonly given: ReadonlyMap<string, string>;
  /** The scenario's own deviations. */
  readonly own: readonly Deviation[];
  /** For each step, when it is played, or when the next one with a time is. */
  readonly times: readonly number[];
}

/** How many of them are cached. Worlds with one assumption, and most with two, need fewer. */
const MAX_STARTS = 100;

/**
 * A scenario, to be played in every world. Worlds with the same assumptions are forks of one simulator, which already has
 * the webhooks of the scenario's first steps, since nothing can deviate before.
 */
export function recordedScenario(scenario: Scenario): RecordedRun {
  const isGiven = ({ command, atMs }: Step) => command === "createWebhook" && atMs === 0;
  const firstOther = scenario.steps.findIndex((step) => !isGiven(step));
  const leadingSteps = scenario.steps.slice(0, firstOther < 0 ? undefined : firstOther);
  const steps = scenario.steps.slice(leadingSteps.length);
  const createStart = (assume: AssumptionsInput, start = scenario.options.start): RunStart => {
    const base = createUnannounced({ ...scenario.options, assume, ...(start !== undefined && { start }) });
    const given = new Map<string, string>();
    for (const [index, step] of leadingSteps.entries()) playStep(withoutDeviations, base, step, index, given);
    const own = scenario.deviations.map(({ deviation }) => {
      const { webhook } = deviation;
      return { ...deviation, webhook: webhook === undefined ? undefined : (given.get(webhook) ?? webhook) };
    });
    return { base, given, own, times: timesFrom(steps, base.timestamp) };
  };
  const assumes = scenario.options.assume ?? {};
  const usual = createStart(assumes);
  const firstStepMs = steps.find(({ atMs }) => atMs !== undefined)?.atMs;
  const calendar = listCalendar(usual.base, scenario.options.organisation, firstStepMs);
  const others = new Map<string, RunStart>();
  const startFor = ({ assume, turn }: StartChange): RunStart => {
    const key = JSON.stringify([assume, turn]);
    const known = others.get(key);
    if (known !== undefined) return known;
    if (others.size === MAX_STARTS) others.clear();
    const begins = turn === undefined ? undefined : calendar().find(({ is }) => is === turn)?.start;
    const start = createStart({ ...assumes, ...assume }, begins);
    others.set(key, start);
    return start;
  };
  const starts = new WeakMap<Simulator, RunStart>();
  const hasTied = steps.some(({ on }) => on !== undefined);
  let named = usual.given;
  return {
    begin(change = {}) {
      const start = change.assume === undefined && change.turn === undefined ? usual : startFor(change);
      const simulator = start.base.fork();
      if (start !== usual) starts.set(simulator, start);
      return simulator;
    },
    calendar,
    loadRest: () => usual.base.loadRest(),
    assumes,
    own: usual.own,
    hasUntil: scenario.untilMs !== undefined,
    nameOf: (id) => [...named].find(([, each]) => each === id)?.[0] ?? id,
    named: () => named,
    plan(simulator, deviations) {
      planAll(simulator, deviations);
      const { own } = starts.get(simulator) ?? usual;
      planDeviations({ steps, deviations: own.map((deviation) => ({ deviation })) }, simulator);
    },
    async play(simulator, { isDeviating, afterStep, skipped, nextStep }) {
      const { given, times } = starts.get(simulator) ?? usual;
      const startMs = simulator.startTimestamp;
      const names = new Map(given);
      named = names;
      const playNow = (step: Step, index: number) => {
        if (playStep(scenario, simulator, step, index, names, isDeviating) !== undefined) skipped?.(index);
        tied?.afterStep();
      };
      const tied = hasTied ? new TiedSteps(simulator, scenario, names, playNow) : undefined;
      nextStep?.(times[0] ?? Number.POSITIVE_INFINITY);
      for (const [index, step] of steps.entries()) {
        if (step.atMs === undefined) {
          tied?.stepReached(step, leadingSteps.length + index);
          continue;
        }
        if (scenario.untilMs !== undefined && step.atMs > scenario.untilMs) break;
        const atMs = startMs + step.atMs;
        const { nextDueMs } = simulator.services.engine.loop;
        if (atMs > simulator.timestamp || nextDueMs <= atMs) await simulator.advanceToAsync(atMs);
        tied?.beforeTimedStep();
        nextStep?.(times[index + 1] ?? Number.POSITIVE_INFINITY);
        playNow(step, leadingSteps.length + index);
        const waits = afterStep();
        if (waits !== undefined) await waits;
      }
      if (scenario.untilMs !== undefined) await simulator.advanceToAsync(startMs + scenario.untilMs);
    },
  };
}

/** Where in the calendar runs of an organisation may start. @param firstStepMs when the first step is played that is no webhook */
function listCalendar(
  { startTimestamp }: Simulator,
  { timezone = "UTC" }: OrganisationInput = demoOrganisation,
  firstStepMs = 0,
): () => readonly CalendarStart[] {
  let starts: readonly CalendarStart[] | undefined;
  return () => {
    starts ??= calendarStarts(startTimestamp, timezone, firstStepMs);
    return starts;
  };
}

/** For each step, when it is played, or when the next one with a time is. */
function timesFrom(steps: readonly Step[], startMs: number): number[] {
  let next = Number.POSITIVE_INFINITY;
  return steps
    .map(({ atMs }) => atMs)
    .reverse()
    .map((atMs) => {
      if (atMs !== undefined) next = startMs + atMs;
      return next;
    })
    .reverse();
}

const withoutDeviations = { deviations: [] };

/** Plans deviations. They come from deviation points, so they need no validation. */
function planAll(simulator: Simulator, deviations: readonly Deviation[]): void {
  for (const deviation of deviations)
    if (deviation.what === "caller") planCaller(simulator, deviation);
    else simulator.commandParsed("deviate", deviation as CommandArguments<"deviate">);
}

/** What the options give besides what is played. */
export interface Given {
  /** Reads contacts' numbers that are not E.164. */
  readonly phoneNumbers?: PhoneNumberReader | undefined;
  /** How the service writes. A scenario's own names give way to it. */
  readonly dialect?: DialectInput | undefined;
  /** The profile of a scenario that names none. */
  readonly profile?: ProfileName | undefined;
}

/** A function, to be run in every world, on a simulator with default options. */
export function recordedFunction(
  run: (simulator: Simulator) => void | Promise<void>,
  allowLocal: boolean,
  { phoneNumbers, dialect, profile }: Given,
): RecordedRun {
  const options: SimulatorOptions = {
    ...{ ids: "counter", allowLocal, profile },
    ...(phoneNumbers === undefined ? {} : { phoneNumbers }),
    ...(dialect === undefined ? {} : { dialect }),
  };
  const base = createUnannounced(options);
  const calendar = listCalendar(base);
  return {
    begin({ assume, turn } = {}) {
      if (assume === undefined && turn === undefined) return base.fork();
      const start = calendar().find(({ is }) => is === turn)?.start;
      return createUnannounced({ ...options, assume, ...(start !== undefined && { start }) });
    },
    calendar,
    loadRest: () => base.loadRest(),
    assumes: {},
    own: [],
    hasUntil: false,
    nameOf: (id) => id,
    named: () => new Map(),
    plan(simulator, deviations) {
      planAll(simulator, deviations);
    },
    play(simulator, { isDeviating }) {
      const throws = (thrown: unknown) => judgeEnd(thrown, isDeviating, simulator);
      try {
        // an arrow function returns what its last call does, such as the handle of a call
        const going: unknown = run(simulator);
        return isPromise(going) ? Promise.resolve(going).then(() => {}, throws) : undefined;
      } catch (thrown) {
        return throws(thrown);
      }
    },
  };
}

/**
 * Judges the error that ended a function. In a world with deviations, the state may forbid one of its commands: the world
 * then goes on without the rest of the function.
 * @throws the app's errors as they are, others as `InputError` or as a failure of this world
 */
function judgeEnd(thrown: unknown, isDeviating: boolean, simulator: Simulator): void {
  const isOfApp =
    isFromUserCode(thrown) ||
    [InputError, WorldError, RunawayError, LimitError].some((kind) => thrown instanceof kind) ||
    isTimeMisuse(thrown);
  if (isOfApp) throw thrown;
  if (!isDeviating) {
    const advice = thrown instanceof CommandError ? "" : ". Put what must hold into a property";
    throw new InputError(
      ["scenario"],
      `the function throws without any deviation: ${plainMessage(thrown)}${advice}`,
    );
  }
  if (!(thrown instanceof CommandError)) throw new WorldError(appDefects.scripted, plainMessage(thrown));
  recordSkippedStep(simulator.services, "the rest of the function", thrown.message);
}
