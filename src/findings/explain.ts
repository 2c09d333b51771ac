import type { Deviation } from "../core/engine/deviations.ts";
import type { JournalDocument } from "../core/simulator/options.ts";
import { isDefect, type PropertyFailure } from "./property-failure.ts";
import { clauseOf, secondsText } from "./wording.ts";

/** Something that the subject received, and the app's state after that. */
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

/** The passing world that is nearest to a smallest failing one: the same without one of its deviations. */
export interface NearestWorld {
  /** The deviations that it has. */
  readonly deviations: readonly Deviation[];
  /** The deviation that it does not have. */
  readonly without: Deviation;
  /** The first thing that the subject received, or the first state, in which the two differ. */
  readonly difference: Difference | undefined;
  /** What the subject received in the nearest world. */
  readonly received: readonly Received[];
  /** The journal of the nearest world. `replay` takes it. */
  readonly journal: JournalDocument;
}

/** The first difference of two worlds. Undefined parts: nothing more was received. */
export interface Difference {
  /** In the world in which the property holds. */
  readonly holds: Received | undefined;
  /** In the world in which it fails. */
  readonly fails: Received | undefined;
}

/** Finds the first place at which two worlds differ. */
export function firstDifference(
  holds: readonly Received[],
  fails: readonly Received[],
): Difference | undefined {
  const length = Math.max(holds.length, fails.length);
  for (let index = 0; index < length; index++) {
    const [one, other] = [holds[index], fails[index]];
    if (one?.at !== other?.at || one?.of !== other?.of || one?.state !== other?.state)
      return { holds: one, fails: other };
  }
  return undefined;
}

/**
 * What happens in a failing world, in one sentence: its deviations, what became of the deliveries, and how the app's
 * state differs from that of the nearest passing world.
 */
export function failureSentence(
  { property, message }: PropertyFailure,
  deviations: readonly Deviation[],
  fails: readonly Received[],
  holds: readonly Received[] | undefined,
): string {
  const deviationTexts = deviations.map((each) => deviationText(each, fails)).join(", and then ");
  const [failing, passing] = [fails.at(-1)?.state, holds?.at(-1)?.state];
  const [line = ""] = message.split("\n");
  const start = deviationTexts === "" ? "Without any deviation" : `When ${deviationTexts}`;
  if (isDefect(property)) return `${start}, ${property}: ${line.trim()}.`;
  const end =
    failing !== undefined && passing !== undefined && failing !== passing
      ? `the app ends with ${failing}, not ${passing}`
      : line.trim();
  return `${start}, "${property}" does not hold: ${end}.`;
}

/** What a deviation does, and what becomes of the delivery. */
function deviationText(deviation: Deviation, received: readonly Received[]): string {
  const clause = clauseOf(deviation);
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
  const overtaking = received
    .slice(0, received.indexOf(retry))
    .filter(({ at, of }) => at > deviation.at && of !== deviation.of);
  const behind = overtaking.length === 0 ? "" : `, after ${overtaking.map(({ of }) => of).join(" and ")}`;
  return `${clause}, and it arrives ${laterText(deviation, retry)}${behind}`;
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
  const { holds, fails } = nearest.difference;
  return [
    `  nearest passing world: without "${clauseOf(nearest.without)}"`,
    `    it holds: ${receivedText(holds)}`,
    `    it fails: ${receivedText(fails)}`,
  ];
}

function receivedText(received: Received | undefined): string {
  if (received === undefined) return "nothing more is received";
  const { at, of, attempt = 1, state } = received;
  const which = attempt > 1 ? ` (attempt ${attempt})` : "";
  return `PT${at / 1_000}S ${of}${which}${state === undefined ? "" : `, state ${state}`}`;
}
