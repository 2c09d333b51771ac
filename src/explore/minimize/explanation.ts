import type { Deviation } from "../../core/engine/deviations.ts";
import { treeText } from "../../core/narration/app-state.ts";
import { ScenarioError } from "../../core/scenario/scenario.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";
import { replay } from "../../core/simulator/simulator.ts";
import {
  failureSentence,
  firstDifference,
  firstLine,
  type NearestWorld,
  type PassingRuns,
  type Received,
  type TracedRequest,
} from "../../findings/explain.ts";
import {
  appDefects,
  endsItsThread,
  identityOf,
  isDefect,
  type PropertyFailure,
  type RunsAs,
} from "../../findings/property-failure.ts";
import { peopleClause } from "../../stories/story-words.ts";
import type { Prepared } from "../run/prepare.ts";
import { agesByRealClock, realTimeIn } from "../run/real-clock.ts";
import type { Trouble } from "../run/troubles.ts";
import { AT_START } from "../run/waiting.ts";
import type { ExecutionRequest, WorldRun } from "../run/world-run.ts";

/** A smallest world that is to be explained. */
export interface SmallestFailure {
  readonly prepared: Prepared;
  readonly deviations: readonly Deviation[];
  /** What makes its failure the one that was found. */
  readonly identity: string;
  /** Whether the sentence tells what people do. */
  readonly isStory: boolean;
  readonly runsAs: RunsAs;
  runIn(prepared: Prepared, deviations: readonly Deviation[], wanted: ExecutionRequest): Promise<WorldRun>;
}

/** How the smallest world fails, and why. */
export interface Explanation {
  readonly failure: PropertyFailure;
  readonly journal: JournalDocument;
  readonly received: readonly Received[];
  readonly nearest: NearestWorld | undefined;
  readonly story: string;
  /** What people do, as a clause; empty where that is not told. */
  readonly people: string;
}

/**
 * Runs a smallest world and its nearest passing world to explain the failure.
 * @returns undefined if the world does not fail now, or fails without its last deviation, which it did not before
 */
export async function explain(world: SmallestFailure): Promise<Explanation | undefined> {
  const { deviations } = world;
  const run = await failingRun(world, true);
  if (run === undefined) {
    // to show the states changes what happens
    const other = await failingRun(world, false);
    if (other === undefined) return undefined;
    const { failure, journal } = other;
    const people = peopleIn(world, journal);
    const sentence = failureSentence(failure, deviations, [], undefined, undefined, people);
    const story = `${sentence} The app's states are left out: to show them changes what happens.`;
    return { failure, journal, received: [], nearest: undefined, story, people };
  }
  const { failure, journal, trace, judged } = run;
  const passing = await nearestPassing(world);
  const isPassing = [passing?.runs.first, passing?.runs.second].every(
    (each) => each?.failures.some((other) => identityOf(other) === world.identity) !== true,
  );
  // it passed when the cause was looked for
  if (!isPassing) return undefined;
  const troubles = isDefect(failure.property) ? [] : await findTroubles(world, run);
  const people = peopleIn(world, journal);
  const judgedState = judged.get(failure.property);
  const sentence = failureSentence(failure, deviations, trace, judgedState, passing?.runs, people);
  return {
    ...{ failure, journal, people, received: receivedOf(trace) },
    nearest: passing && nearestWorld(passing, trace),
    story: isDefect(failure.property)
      ? `${sentence}${trace.length === 0 ? startAdvice(failure) : ""}`
      : writeStory(sentence, deviations, troubles),
  };
}

/** What went wrong, and that the app has a clock which is not the world's, as far as it can be told. */
async function findTroubles(
  { prepared, deviations, runsAs, runIn }: SmallestFailure,
  { journal, failure, judged, trace, troubles }: FailingRun,
): Promise<readonly Trouble[]> {
  const worldMs = replay(journal).timestamp;
  const tree = judged.get(failure.property)?.tree ?? trace.at(-1)?.tree;
  const shown =
    realTimeIn("The app's state", tree === undefined ? "" : treeText(tree), worldMs) ??
    realTimeIn("What the property throws", failure.message, worldMs);
  if (shown !== undefined) return [...troubles, shown];
  if (deviations.length > 0 || !troubles.some(({ isRefusal }) => isRefusal)) return troubles;
  const other = await runIn(prepared, deviations, { trace: true, signedByRealClock: true });
  if (other.troubles.some(({ isRefusal }) => isRefusal)) return troubles;
  // then it is not the signature
  const others = troubles.map(({ isRefusal, ...each }) => (isRefusal === true ? { text: each.text } : each));
  return [...others, agesByRealClock(worldMs, runsAs !== "code")];
}

/** What people do in a story, as a clause. */
function peopleIn({ isStory }: SmallestFailure, journal: JournalDocument): string {
  return isStory ? peopleClause(replay(journal).narration()) : "";
}

type FailingRun = NonNullable<Awaited<ReturnType<typeof failingRun>>>;

/** Runs the world again. @returns undefined if it does not fail */
async function failingRun({ prepared, deviations, identity, runIn }: SmallestFailure, trace: boolean) {
  const run = await runIn(prepared, deviations, { journal: true, trace });
  const { failures, journal } = run;
  const failure = failures.find((each) => identityOf(each) === identity);
  if (journal === undefined) throw new Error("a world was asked for its journal, and has none");
  return failure === undefined ? undefined : { ...run, failure, journal };
}

/** What an app may lack that takes too long before it gets a request. */
function startAdvice({ property, message }: PropertyFailure): string {
  const isStarting = property === appDefects.loops || message.endsWith(AT_START);
  return isStarting ? " If it only takes long to start, give more `patience`." : "";
}

/** What went wrong stands first, and how to mend it, if nothing else explains the failure. */
function writeStory(
  sentence: string,
  deviations: readonly Deviation[],
  troubles: readonly Trouble[],
): string {
  if (deviations.length > 0) return [sentence, ...troubles.map(({ text }) => text)].join(" ");
  const said = ({ text, advice }: Trouble) => (advice === undefined ? [text] : [text, advice]);
  const causes = troubles.filter(({ isLast }) => isLast !== true);
  const others = troubles.filter(({ isLast }) => isLast === true);
  return [...causes.flatMap(said), sentence, ...others.flatMap(said)].join(" ");
}

interface Passing {
  readonly deviations: readonly Deviation[];
  readonly removed: Deviation;
  readonly runs: PassingRuns & { readonly first: WorldRun; readonly second: WorldRun };
  readonly journal: JournalDocument;
}

/**
 * The smallest world without its last deviation, in which the property holds. It is run twice.
 * @returns undefined if there is none: no deviation, or steps that can be played only with it
 */
async function nearestPassing({
  prepared,
  deviations,
  runIn,
}: SmallestFailure): Promise<Passing | undefined> {
  const without = deviations.at(-1);
  if (without === undefined) return undefined;
  const fewer = deviations.slice(0, -1);
  const first = await playable(() => runIn(prepared, fewer, { trace: true, journal: true }));
  if (first === undefined) return undefined;
  const second = await runIn(prepared, fewer, { trace: true });
  if (first.journal === undefined) throw new Error("a world was run without its journal");
  return { deviations: fewer, removed: without, runs: { first, second }, journal: first.journal };
}

/** Plays a world. @returns undefined if a step cannot be played */
async function playable(play: () => Promise<WorldRun>): Promise<WorldRun | undefined> {
  try {
    return await play();
  } catch (error) {
    if (error instanceof ScenarioError) return undefined;
    throw error;
  }
}

function nearestWorld(
  { deviations, removed, runs: { first, second }, journal }: Passing,
  fails: readonly TracedRequest[],
): NearestWorld {
  const difference = firstDifference(first.trace, fails, second.trace);
  return { deviations, without: removed, difference, received: receivedOf(first.trace), journal };
}

/** What was received, without the states as trees. */
export function receivedOf(trace: readonly TracedRequest[]): Received[] {
  return trace.map(({ at, of, attempt, state }) => ({ state, at, of, attempt }));
}

/**
 * What was thrown when the failure was found, if the smallest world throws something else. Nothing for an app that was
 * ended from outside: who ends it knows its line only in its own thread, and the memory that it took depends on the machine.
 */
export function otherMessage(found: PropertyFailure, smallest: PropertyFailure): string | undefined {
  if (endsItsThread(smallest.property)) return undefined;
  const line = firstLine(found.message);
  return line === firstLine(smallest.message) ? undefined : line;
}
