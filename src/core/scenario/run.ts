import * as v from "valibot";
import {
  type Deviation,
  type DeviationPoint,
  isOrder,
  type PossibleDeviation,
} from "../engine/deviations.ts";
import { CommandError, InputError } from "../foundation/errors.ts";
import { duration, object, oneOf, readInput } from "../foundation/input-schemas.ts";
import { type DurationInput, iso, isoDuration } from "../foundation/instants.ts";
import type { CommandInput, CommandName } from "../platform/base/core-services.ts";
import type { CommandArguments } from "../platform/catalogue/run-command.ts";
import type { PlatformEvent } from "../platform/declare/events.ts";
import type { RingingEndpoint } from "../platform/live/parties.ts";
import { recordSkippedStep } from "../simulator/replay.ts";
import { createSimulator, type Simulator } from "../simulator/simulator.ts";
import { type AttemptsContext, attemptsOf, compareAttempts } from "./attempts.ts";
import { type ComparedRow, compare, type Mismatch, mismatchesIn } from "./compare.ts";
import { pointText } from "./deviations.ts";
import { mismatchReport } from "./report.ts";
import {
  type ExpectedAttempt,
  type ExpectedEvent,
  namedKinds,
  type Scenario,
  ScenarioError,
  type Step,
} from "./scenario.ts";
import { isParsed } from "./steps.ts";
import { TiedSteps } from "./tied-steps.ts";

/** The options of `runScenario`. */
export interface RunOptions {
  /**
   * How far to play, from the scenario's start. Default: the scenario's own `until`, otherwise until nothing is
   * scheduled.
   */
  readonly until?: DurationInput;
  /**
   * What to do with a step that the state does not allow. `throw` (default) ends the run; `collect` leaves the step out
   * and lists it in `refused`.
   */
  readonly refused?: "throw" | "collect";
}

/** A step that was left out, since the state did not allow it. */
export interface RefusedStep {
  /** The step. */
  readonly step: Step;
  /** Its place among the scenario's steps, from 0. */
  readonly index: number;
  /** When it was to be played, ms since the Unix epoch. */
  readonly timestamp: number;
  /** Why it is not allowed. */
  readonly error: CommandError | InputError;
}

const runOptionsSchema = object({
  until: v.optional(duration()),
  refused: v.optional(oneOf(["throw", "collect"])),
});

/** The result of playing a scenario. */
export interface ScenarioRun {
  /**
   * The simulator at the end of the run. It can be inspected or run further: steps after `until` are played when its time
   * reaches them, though not in its forks.
   */
  readonly simulator: Simulator;
  /** The whole event stream. */
  readonly events: readonly PlatformEvent[];
  /**
   * The differences between what happened and what the scenario expects, up to the point where it was played. Empty
   * if the scenario expects nothing.
   */
  readonly mismatches: readonly Mismatch[];
  /** A text that shows expected and actual streams side by side around the differences. Empty without differences. */
  readonly report: string;
  /**
   * The steps that were left out, in the order in which they were to be played: with `refused: "collect"`, and in a
   * scenario with deviations. Steps that are played later are added when they are refused.
   */
  readonly refused: readonly RefusedStep[];
}

/**
 * Plays a scenario, and compares its event stream and the attempts of its deliveries with what it expects.
 * @param scenario the scenario, as `parseScenario` returns it
 * @param options how far to play, and what to do with a step that the state does not allow
 * @throws {ScenarioError} for a step that the state does not allow: which step, when, and who was ringing
 * @throws {InputError} if `options` is not an object
 * @example
 * const scenario = parseScenario(`
 * scenario: Nobody answers
 * steps:
 *   - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550103" } }
 * expect: [PT0S call.started, PT30S call.not_answered]
 * `);
 * runScenario(scenario).mismatches; // => []
 */
export function runScenario(scenario: Scenario, options: RunOptions = {}): ScenarioRun {
  return runOn(createSimulator(scenario.options), scenario, options);
}

/**
 * Like `runScenario`, on a given simulator.
 * @param simulator at its start, with the scenario's options
 * @param onStep called with the place of each step when it is played
 * @param named gets the ids by the names that steps give
 */
export function runOn(
  simulator: Simulator,
  scenario: Scenario,
  options: RunOptions = {},
  onStep?: (index: number) => void,
  named = new Map<string, string>(),
): ScenarioRun {
  const { until, refused: onRefusal } = readInput(runOptionsSchema, options);
  const startMs = simulator.timestamp;
  const untilMs = until ?? scenario.untilMs;
  const refused: RefusedStep[] = [];
  const mayLeaveOut = onRefusal === "collect" || scenario.deviations.length > 0;
  const play = (step: Step, index: number) => {
    onStep?.(index);
    const refusal = playStep(scenario, simulator, step, index, named, mayLeaveOut);
    if (refusal !== undefined) refused.push(refusal);
    tied.afterStep();
  };
  const tied = new TiedSteps(simulator, scenario, named, play);
  const points = startDeviations(scenario, simulator);
  playSteps(simulator, scenario.steps, { tied, play, untilMs });
  if (untilMs === undefined) simulator.runUntilIdle();
  else simulator.advanceTo(startMs + untilMs);
  const unmetSteps = tied.unmetRows(startMs);
  if (untilMs === undefined) tied.end();
  // lines behind the end fail a whole run, but not one that `until` stops
  const reached = <T extends { readonly atMs: number }>(lines: readonly T[] | undefined) =>
    lines?.filter((line) => until === undefined || line.atMs <= until);
  const isPartial = until !== undefined;
  if (!isPartial) mustMeetDeviations(scenario, simulator, points, named);
  return {
    simulator,
    events: simulator.events,
    refused,
    ...compareExpectations(
      scenario,
      simulator,
      { events: reached(scenario.expect), attempts: reached(scenario.expectAttempts) },
      { startMs, named, isPartial },
      isPartial || scenario.deviations.length > 0 ? [] : unmetSteps,
    ),
  };
}

/** Plays the steps in the order of the file. Those after `untilMs` are played when time goes on. */
function playSteps(
  simulator: Simulator,
  steps: readonly Step[],
  {
    tied,
    play,
    untilMs,
  }: {
    readonly tied: TiedSteps;
    readonly play: (step: Step, index: number) => void;
    readonly untilMs: number | undefined;
  },
): void {
  const startMs = simulator.timestamp;
  const playTimed = (step: Step, index: number) => {
    tied.beforeTimedStep();
    play(step, index);
  };
  const playFrom = (first: number): void => {
    for (let index = first; index < steps.length; index++) {
      const step = steps[index] as Step;
      if (step.atMs === undefined) {
        tied.stepReached(step, index);
        continue;
      }
      if (untilMs !== undefined && step.atMs > untilMs) {
        simulator.schedule(startMs + step.atMs - simulator.timestamp, () => {
          playTimed(step, index);
          playFrom(index + 1);
        });
        return;
      }
      simulator.advanceTo(startMs + step.atMs);
      playTimed(step, index);
    }
  };
  playFrom(0);
}

/**
 * Compares a whole run with what its scenario expects.
 * @param named the ids by the names that steps gave
 */
export function compareRun(
  scenario: Scenario,
  simulator: Simulator,
  named: ReadonlyMap<string, string>,
): Pick<ScenarioRun, "mismatches" | "report"> {
  const expected = { events: scenario.expect, attempts: scenario.expectAttempts };
  const context = { startMs: simulator.startTimestamp, named, isPartial: false };
  return compareExpectations(scenario, simulator, expected, context, []);
}

/** Compares events and attempts where the scenario expects any. */
function compareExpectations(
  { title, options }: Scenario,
  simulator: Simulator,
  expected: {
    readonly events: readonly ExpectedEvent[] | undefined;
    readonly attempts: readonly ExpectedAttempt[] | undefined;
  },
  context: AttemptsContext,
  unmetSteps: ComparedRow[],
): Pick<ScenarioRun, "mismatches" | "report"> {
  const comparisons: ComparedRow[][] = [unmetSteps];
  if (expected.events !== undefined)
    comparisons.push(compare(expected.events, simulator.events, context.startMs));
  if (expected.attempts !== undefined)
    comparisons.push(compareAttempts(expected.attempts, attemptsOf(simulator), context));
  const report = mismatchReport({ title, seed: options.seed ?? 1, comparisons });
  return { mismatches: comparisons.flatMap(mismatchesIn), report };
}

/** Plans the scenario's deviations. Returns the deviation points that the run meets. */
function startDeviations({ deviations, steps }: Scenario, simulator: Simulator): readonly DeviationPoint[] {
  const points: DeviationPoint[] = [];
  if (deviations.length === 0) return points;
  const hasCaller = deviations.some(({ deviation }) => deviation.what === "caller");
  simulator.services.engine.deviations.watch((point, options) => {
    if (point.what !== "caller" || hasCaller) points.push(...namedPoints(point, options));
  });
  planDeviations({ deviations, steps }, simulator);
  return points;
}

/** A deviation point as deviations name it: for timers and answers, once for each that may go first. */
function namedPoints(point: DeviationPoint, options: readonly PossibleDeviation[]): DeviationPoint[] {
  return isOrder(point.what) ? options.map(({ of = point.of }) => ({ ...point, of })) : [point];
}

/** Plans the scenario's deviations, except those of webhooks that a later step creates. */
export function planDeviations(
  {
    deviations,
    steps,
  }: { readonly deviations: readonly { readonly deviation: Deviation }[]; readonly steps: readonly Step[] },
  simulator: Simulator,
): void {
  const names = steps.map(({ as }) => as);
  for (const { deviation } of deviations)
    if (deviation.webhook === undefined || !names.includes(deviation.webhook)) plan(simulator, deviation);
}

/** Plans one deviation. */
function plan(simulator: Simulator, deviation: Deviation): void {
  if (deviation.what === "caller") planCaller(simulator, deviation);
  else simulator.command("deviate", deviation as CommandInput<"deviate">);
}

/** Plans who calls. No journal needs it: the call's own command has the number that calls. */
export function planCaller(simulator: Simulator, deviation: Deviation): void {
  simulator.services.engine.deviations.plan(deviation);
}

/** @throws {ScenarioError} for a deviation whose point the run did not meet */
function mustMeetDeviations(
  { deviations, steps }: Scenario,
  simulator: Simulator,
  points: readonly DeviationPoint[],
  named: ReadonlyMap<string, string>,
): void {
  const { unmet } = simulator.services.engine.deviations;
  const missed = deviations.find(({ deviation }) => unmet.some((each) => isSame(each, deviation, named)));
  if (missed === undefined) return;
  const names = namesById(named);
  const texts = points.map((point) => pointText(point, (id) => names.get(id) ?? id));
  const known = texts.length === 0 ? "there were none" : `there were: ${[...new Set(texts)].join("; ")}`;
  const { webhook } = missed.deviation;
  if (webhook !== undefined && !named.has(webhook) && !isWebhook(simulator, webhook)) {
    const choices = steps.flatMap(({ as, command }) => (command === "createWebhook" && as ? [as] : []));
    const unknown = `unknown webhook "${webhook}"; named by \`as\`: ${choices.join(", ") || "none"}`;
    throw new ScenarioError({ message: unknown, path: "deviations", ...missed.position });
  }
  const message = `the run never reaches this deviation: ${pointText(missed.deviation, (id) => id)}; ${known}`;
  throw new ScenarioError({ message, path: "deviations", ...missed.position });
}

function isWebhook(simulator: Simulator, id: string): boolean {
  return simulator.webhooks.list().some((webhook) => webhook.id === id);
}

function isSame(
  planned: Deviation,
  { webhook, ...rest }: Deviation,
  named: ReadonlyMap<string, string>,
): boolean {
  const id = webhook === undefined ? undefined : (named.get(webhook) ?? webhook);
  const keys = ["what", "at", "of", "number", "nth", "is", "after", "by"] as const;
  return planned.webhook === id && keys.every((key) => planned[key] === rest[key]);
}

/**
 * Plays one step.
 * @param named the ids by the names that steps gave
 * @param mayLeaveOut whether to skip a step that the state does not allow
 * @returns the step, if it was skipped
 */
export function playStep(
  { deviations }: Pick<Scenario, "deviations">,
  simulator: Simulator,
  step: Step,
  index: number,
  named: Map<string, string>,
  mayLeaveOut = deviations.length > 0,
): RefusedStep | undefined {
  const { args, command, as, position } = step;
  try {
    const resolved = withIds(args, named);
    const result = isParsed(step)
      ? simulator.commandParsed(command, resolved as CommandArguments<CommandName>)
      : simulator.command(command, resolved as CommandInput<CommandName>);
    const id = createdId(result);
    if (as === undefined || id === undefined) return undefined;
    named.set(as, id);
    for (const { deviation } of deviations)
      if (deviation.webhook === as && command === "createWebhook")
        plan(simulator, { ...deviation, webhook: id });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof InputError)) throw error;
    if (mayLeaveOut) {
      recordSkippedStep(simulator.services, command, error.message);
      return { step, index, timestamp: simulator.timestamp, error };
    }
    const when = `at ${isoDuration(simulator.timestamp - simulator.startTimestamp)} (${iso(simulator.timestamp)})`;
    // the error of `answer` lists who rings
    const isOfRinging = args.call !== undefined && command !== "answer";
    const ringing = isOfRinging ? `. Ringing then: ${ringingText(simulator)}` : "";
    const message = `step ${index + 1} (${command}) ${when}: ${error.message}${ringing}`;
    throw new ScenarioError({ message: withNames(message, named), path: "", ...position });
  }
}

/** The names of ids in a file. */
function namesById(named: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...named].map(([name, id]) => [id, name]));
}

/** Says ids as the file names them. */
function withNames(message: string, named: ReadonlyMap<string, string>): string {
  const names = namesById(named);
  return message.replaceAll(/[\w-]+/g, (word) => names.get(word) ?? word);
}

/** Replaces names in a step's arguments by ids. @throws {InputError} for a name that no step has given yet */
function withIds(args: Step["args"], named: ReadonlyMap<string, string>): Step["args"] {
  const resolved = { ...args };
  for (const key of namedKinds) {
    const name = args[key];
    if (typeof name !== "string") continue;
    const id = named.get(name);
    if (id === undefined) throw new InputError([key], `no step has given the name "${name}" yet`);
    resolved[key] = id;
  }
  return resolved;
}

/** The id of the call, webhook or conversation that a command made or wrote to. */
export function createdId(result: ReturnType<Simulator["command"]>): string | undefined {
  if (typeof result !== "object") return result as string | undefined;
  if ("callId" in result) return result.callId;
  if ("conversationId" in result) return result.conversationId;
  return "vendorConversationId" in result ? result.vendorConversationId : undefined;
}

/** Lists who rings, as in `alice on mobile (call-1), alice on desktop (call-1)`. */
function ringingText(simulator: Simulator): string {
  const ringing = simulator.calls
    .live()
    .flatMap((call) => call.ringing().map((each) => `${whoIsRung(each)} on ${each.endpoint} (${call.id})`));
  return ringing.join(", ") || "nothing";
}

function whoIsRung(ringing: RingingEndpoint): string {
  if ("user" in ringing) return ringing.user;
  return "device" in ringing ? ringing.device : ringing.number;
}
