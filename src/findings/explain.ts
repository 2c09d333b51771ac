import type { Deviation } from "../core/engine/deviations.ts";
import { isoDuration } from "../core/foundation/instants.ts";
import type { ValueTree } from "../core/narration/app-state.ts";
import type { JournalDocument } from "../core/simulator/options.ts";
import { appDefects, isDefect, type PropertyFailure } from "./property-failure.ts";
import { type StateDifference, stateDifference } from "./state-difference.ts";
import { countedWithoutCopies, secondsText, writeClause } from "./wording.ts";

/** Something that the app received, and the app's state after that. */
export interface Received {
  /** When, ms from the start. */
  readonly at: number;
  /** What it is about: an event's type, a data action, or the method and path of an answered request. */
  readonly of: string;
  /** For a webhook's request: its attempt, 1 for the first. */
  readonly attempt: number | undefined;
  /** The app's state afterwards; undefined if it cannot be shown. */
  readonly state: string | undefined;
}

/** Something that the app received, with the app's state as a tree. */
export interface TracedRequest extends Received {
  readonly tree: ValueTree | undefined;
}

/** The app's state when a property was found broken. */
export interface FailureState {
  /** When, ms from the start. */
  readonly at: number;
  /** Whether nothing was left to do. */
  readonly isOver: boolean;
  readonly tree: ValueTree | undefined;
}

/** What an explanation needs of a run. */
export interface TracedRun {
  readonly trace: readonly TracedRequest[];
  /** The app's state once it was built. */
  readonly firstState: ValueTree | undefined;
  /** The app's state at the end. */
  readonly state: ValueTree | undefined;
}

/** The passing world that is nearest to a smallest failing one: the same without one of its deviations. */
export interface NearestWorld {
  /** The deviations that it has. */
  readonly deviations: readonly Deviation[];
  /** The deviation that it does not have. */
  readonly without: Deviation;
  /** The first thing that the app received, or the first state, in which the two differ. */
  readonly difference: WorldDifference | undefined;
  /** What the app received in the nearest world. */
  readonly received: readonly Received[];
  /** The journal of the nearest world. `replay` takes it. */
  readonly journal: JournalDocument;
}

/** The first difference of two worlds. Undefined parts: nothing more was received. */
export interface WorldDifference {
  /** In the world in which the property holds. */
  readonly holds: Received | undefined;
  /** In the world in which it fails. */
  readonly fails: Received | undefined;
  /** The parts in which the two states differ, as short texts; undefined if they do not, or cannot be shown. */
  readonly states: StateDifference | undefined;
}

/**
 * Finds the first place at which two worlds differ.
 * @param again the passing world, run a second time: what differs from the first, such as random ids, tells nothing
 */
export function firstDifference(
  holds: readonly TracedRequest[],
  fails: readonly TracedRequest[],
  again: readonly TracedRequest[] = holds,
): WorldDifference | undefined {
  const length = Math.max(holds.length, fails.length);
  for (let index = 0; index < length; index++) {
    const [one, other] = [holds[index], fails[index]];
    const states = treesDiffer(other?.tree, one?.tree, again[index]?.tree);
    if (one?.at !== other?.at || one?.of !== other?.of || states !== undefined)
      return { holds: received(one), fails: received(other), states };
  }
  return undefined;
}

function received(traced: TracedRequest | undefined): Received | undefined {
  if (traced === undefined) return undefined;
  const { at, of, attempt, state } = traced;
  return { at, of, attempt, state };
}

function treesDiffer(
  fails: ValueTree | undefined,
  holds: ValueTree | undefined,
  again: ValueTree | undefined,
): StateDifference | undefined {
  return fails && holds && stateDifference(fails, holds, again);
}

/** The passing world that is nearest to a failing one: its first run, and a second one. */
export interface PassingRuns {
  readonly first: TracedRun;
  readonly second: TracedRun;
}

/**
 * What happens in a failing world, in one sentence: its deviations, what became of the deliveries, and how the app's
 * state when the property was judged differs from that of the nearest passing world.
 * @param judged the app's state when the property was found broken
 * @param people what people do, as a clause; empty where that is not told
 */
export function failureSentence(
  { property, message }: PropertyFailure,
  deviations: readonly Deviation[],
  trace: readonly Received[],
  judged: FailureState | undefined,
  passing: PassingRuns | undefined,
  people = "",
): string {
  const clauses = [
    ...(people === "" ? [] : [people]),
    ...countedWithoutCopies(deviations).map((each) => deviationText(each, trace)),
  ].join(", and then ");
  const line = firstLine(message);
  const start = clauses === "" ? "Without any deviation" : `When ${clauses}`;
  if (property === appDefects.unsteady) return endSentence(`Two runs of one world differ: ${line}`);
  if (isDefect(property)) return endSentence(`${start}, ${property}: ${line}`);
  const difference =
    judged &&
    passing &&
    treesDiffer(judged.tree, stateAt(passing.first, judged), stateAt(passing.second, judged));
  const end =
    difference === undefined
      ? line
      : `the app ${judged?.isOver === true ? "ends with" : "then has"} ${difference.fails}, not ${difference.holds}`;
  return endSentence(`${start}, "${property}" does not hold${end === "" ? "" : `: ${end}`}`);
}

/** A text as a sentence: what it quotes may end with a full stop of its own, or with a colon before lines that are not quoted. */
export function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text.replace(/:$/, "")}.`;
}

/** How much of a long message is quoted in a sentence: its beginning, and its end, where what was got often stands. */
const QUOTED = { start: 200, end: 90 };

/** The first line of a message, to be quoted in a sentence. */
export function firstLine(message: string): string {
  const line = (message.split("\n")[0] ?? "").trim();
  const { start, end } = QUOTED;
  return line.length > start + end ? `${line.slice(0, start)} … ${line.slice(-end)}` : line;
}

/** The longest message of a property that is shown whole: one that writes a state down may be of any length. */
const LONGEST_MESSAGE = 2_000;

/** A message as it is shown: the beginning of one that is too long to be read. */
export function shortMessage(message: string): string {
  const more = message.length - LONGEST_MESSAGE;
  if (more <= 0) return message;
  return `${message.slice(0, LONGEST_MESSAGE)}… (${more.toLocaleString("en")} characters more)`;
}

/** The app's state in another world at the time at which a property was judged. */
function stateAt(
  { trace, firstState, state }: TracedRun,
  { at, isOver }: FailureState,
): ValueTree | undefined {
  if (isOver) return state;
  const before = trace.filter((each) => each.at <= at).at(-1);
  return before === undefined ? firstState : before.tree;
}

/** What a deviation does, and what becomes of the delivery. */
function deviationText(deviation: Deviation, received: readonly Received[]): string {
  const clause = writeClause(deviation);
  const after = outcomeTexts[deviation.is];
  return deviation.what === "attempt" && after !== undefined ? after(clause, deviation, received) : clause;
}

type OutcomeText = (clause: string, deviation: Deviation, received: readonly Received[]) => string;

/** What becomes of a delivery, by the kind of its deviation. */
const outcomeTexts: Readonly<Record<string, OutcomeText>> = {
  lost: arrivalText,
  refused: arrivalText,
  rejected: arrivalText,
  unanswered: (clause, deviation, received) => {
    const retry = nextAttempt(deviation, received);
    return retry === undefined ? clause : `${clause}, so it arrives again ${laterText(deviation, retry)}`;
  },
  late: (clause, deviation, received) => {
    const index = received.findIndex(
      ({ of, at, attempt }) =>
        of === deviation.of && at >= deviation.at && attempt === (deviation.number ?? 1),
    );
    const before = received[index - 1];
    return before === undefined ? clause : `${deviation.of} arrives after ${before.of}`;
  },
};

/** What becomes of a request that is lost: when its next attempt arrives, and after which others. */
function arrivalText(clause: string, deviation: Deviation, received: readonly Received[]): string {
  const retry = nextAttempt(deviation, received);
  if (retry === undefined) return `${clause}, and it never arrives`;
  // the first of its type at an instant is overtaken by the others there
  const isFirst = (deviation.nth ?? 1) === 1;
  const overtaking = received
    .slice(0, received.indexOf(retry))
    .filter(({ at, of }) => at > deviation.at || (at === deviation.at && of === deviation.of && isFirst));
  return `${clause}, and it arrives ${laterText(deviation, retry)}${behindText(deviation, overtaking)}`;
}

/** The most types of event that are named in a sentence. */
const MOST_NAMED = 3;

/** Which events overtook a request, each type once: first its own type, as the newer one of these most often wins. */
function behindText({ of: own }: Deviation, overtaking: readonly Received[]): string {
  const types = [...new Set(overtaking.map(({ of }) => of))];
  const others = types.filter((of) => of !== own);
  const named = [...(types.includes(own) ? [`a newer ${own}`] : []), ...others];
  if (named.length === 0) return "";
  if (named.length <= MOST_NAMED) return `, after ${named.join(" and ")}`;
  const [first = ""] = named;
  return `, after ${first} and ${named.length - 1} other types of event`;
}

function nextAttempt({ of, at, number = 1 }: Deviation, received: readonly Received[]): Received | undefined {
  return received.find((each) => each.of === of && each.at > at && (each.attempt ?? 0) > number);
}

function laterText({ at }: Deviation, retry: Received): string {
  return `${secondsText(retry.at - at)} later`;
}

/** The explanation as lines of the report. */
export function explanationLines(nearest: NearestWorld | undefined): string[] {
  if (nearest?.difference === undefined) return [];
  const { holds, fails, states } = nearest.difference;
  const without = countedWithoutCopies([...nearest.deviations, nearest.without]).at(-1) ?? nearest.without;
  return [
    `  nearest passing world: without "${writeClause(without)}"`,
    `    it holds: ${receivedText(holds, states?.holds)}`,
    `    it fails: ${receivedText(fails, states?.fails)}`,
  ];
}

function receivedText(received: Received | undefined, state: string | undefined): string {
  if (received === undefined) return "nothing more is received";
  const { at, of, attempt = 1 } = received;
  const which = attempt > 1 ? ` (attempt ${attempt})` : "";
  return `${isoDuration(at)} ${of}${which}${state === undefined ? "" : `, state ${state}`}`;
}
