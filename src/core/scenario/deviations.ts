import * as v from "valibot";
import { type Deviation, isOfWholeRun } from "../engine/deviations.ts";
import { InputError, type Keys } from "../foundation/errors.ts";
import { duration, object, oneOf, readInput, text, wholeNumber } from "../foundation/input-schemas.ts";
import { durationMs, isoDuration } from "../foundation/instants.ts";
import { show } from "../foundation/show.ts";
import { dependencyDeviations } from "../network/dependencies/kinds.ts";
import { callerDeviations, requestDeviations, restDeviations } from "../network/request-deviations.ts";
import { eventTypes } from "../platform/declare/events.ts";

const optional = v.optional;

const example = 'an offset from the start and what it is about, such as "PT0S outboundCall"';

/** `PT60S ring: ringTimeout of call-1`. */
const pointLine = v.pipe(
  v.string((issue) => `expected ${example}, got ${show(issue.input)}`),
  v.metadata({ pattern: "^\\s*P\\S+\\s+\\S" }),
  v.rawTransform(({ dataset, addIssue, NEVER }): { atMs: number; type: string } => {
    const [, offset = "", type = ""] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(dataset.value) ?? [];
    const atMs = durationMs(offset) ?? -1;
    if (Number.isInteger(atMs) && atMs >= 0 && type !== "") return { atMs, type };
    addIssue({ message: `expected ${example}, got ${show(dataset.value)}` });
    return NEVER;
  }),
);

/** `PT30S call.not_answered`. */
const attemptLine = v.pipe(
  pointLine,
  v.check(
    ({ type }) => (eventTypes as readonly string[]).includes(type),
    (issue) =>
      `expected an offset and one of the event types ${eventTypes.join(", ")}, got ${show((issue.input as { type: string }).type)}`,
  ),
);

const count = () => optional(wholeNumber(1));
const requestEntries = {
  /** Which of several places that look alike, 1 for the first. @default 1 */
  nth: count(),
  /** What happens there instead of the usual. */
  is: oneOf(requestDeviations),
  /**
   * How much later a duplicate or a slow answer (default PT10S) comes, how long a 429 says to wait (default PT30S), or how
   * long an outage lasts (default PT60S).
   */
  after: optional(duration()),
  /** After how many other requests a late one arrives, or which of several open requests is answered: 1 is the second. */
  by: optional(wholeNumber(1, 3)),
};
/** Kinds of which some are statuses, that a file may write as numbers. */
const kindOrStatus = <const T extends readonly string[]>(kinds: T) =>
  v.pipe(
    v.union(
      [oneOf(kinds), v.picklist([503, 429])],
      (issue) => `expected one of ${kinds.join(", ")}, got ${show(issue.input)}`,
    ),
    v.transform(String),
  );

/** The kinds of deviations, by their first key. */
const forms = {
  attempt: object({
    /** A request to a webhook: when it is sent, from the start, and the type of its event. */
    attempt: attemptLine,
    /** The webhook: the name that `createWebhook` gave it by `as`, or its id. */
    webhook: optional(text()),
    /** Which attempt of its delivery, 1 for the first. @default 1 */
    number: count(),
    ...requestEntries,
  }),
  request: object({
    /** A request of a data action or a return: when it is sent, from the start, and what it is for. */
    request: pointLine,
    ...requestEntries,
  }),
  timer: object({
    /** One of several timers that are due at the same instant: when, from the start, and what it is for. */
    timer: pointLine,
    nth: requestEntries.nth,
    is: oneOf(["first"]),
  }),
  rest: object({
    /** A request to the REST API: when it arrives, from the start, its method and its path. */
    rest: pointLine,
    nth: requestEntries.nth,
    is: kindOrStatus(restDeviations),
    after: requestEntries.after,
  }),
  answer: object({
    /** An answer to one of several open requests to the REST API: when the first was sent, its method and its path. */
    answer: pointLine,
    nth: requestEntries.nth,
    is: oneOf(["first"]),
    by: count(),
  }),
  caller: object({
    /** A call from outside: when it begins, from the start, and the number that calls in `inbound`. */
    caller: pointLine,
    nth: requestEntries.nth,
    is: oneOf(callerDeviations),
  }),
  dependency: object({
    /** A call of the app to one of its dependencies: when, from the start, the dependency's name and what it is asked. */
    dependency: pointLine,
    nth: requestEntries.nth,
    is: kindOrStatus(dependencyDeviations),
    after: requestEntries.after,
  }),
  wait: object({
    /** A timer of the app: when it is due, from the start, and its length: `PT60.3S 300 ms`. Or when it uses `fetch`, a file, HTTP or Postgres: `PT60S writeFile`. */
    wait: pointLine,
    nth: requestEntries.nth,
    is: oneOf(["restarted"]),
  }),
};
type Form = keyof typeof forms;
const formNames = Object.keys(forms) as Form[];

/** The schema of an item in a scenario's `deviations`. */
export const deviationSchema = v.union(Object.values(forms));

/** Reads a deviation of a scenario. @throws {InputError} */
export function readDeviation(item: unknown, keys: Keys): Deviation {
  const name = formNames.find((each) => typeof item === "object" && item !== null && each in item);
  if (name === undefined)
    throw new InputError(
      keys,
      `expected { attempt, is, ... }, or with ${formNames.slice(1).join(", ")} instead of attempt, got ${show(item)}`,
    );
  const read = readInput(forms[name], item, keys) as Record<string, unknown> & { is: string };
  const { [name]: point, ...rest } = read;
  const { atMs, type } = point as { atMs: number; type: string };
  return { ...rest, what: read.is === "overlapping" ? "overlap" : name, at: atMs, of: type };
}

/** Writes a deviation as a scenario does. @param nameOf the scenario's name for a webhook */
export function deviationItem(
  { what, at, of, webhook, number = 1, nth = 1, is, after, by }: Deviation,
  nameOf: (webhookId: string) => string,
): Record<string, unknown> {
  return {
    [what === "overlap" ? "attempt" : what]: `${isoDuration(at)} ${of}`,
    ...(webhook === undefined ? {} : { webhook: nameOf(webhook) }),
    ...(what === "attempt" || what === "overlap" ? { number } : {}),
    ...(nth === 1 ? {} : { nth }),
    is: /^\d+$/.test(is) ? Number(is) : is,
    ...(after === undefined ? {} : { after: isoDuration(after) }),
    ...(by === undefined ? {} : { by }),
  };
}

/** Writes a deviation point as a scenario does: `attempt: PT30S call.not_answered, webhook: crm, number: 1`. */
export function pointText(
  { what, at, of, webhook, number, nth = 1 }: Omit<Deviation, "is">,
  nameOf: (webhookId: string) => string,
): string {
  const more = [
    webhook !== undefined && `webhook: ${nameOf(webhook)}`,
    number !== undefined && `number: ${number}`,
    nth > 1 && `nth: ${nth}`,
  ].filter((each) => each !== false);
  return [`${what === "overlap" ? "attempt" : what}: ${isoDuration(at)} ${of}`, ...more].join(", ");
}

const ordinals = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
];

/** Writes a number as `second`, `third`, `21st`. */
export function ordinal(nth: number): string {
  const [last, lastTwo] = [nth % 10, nth % 100];
  const ending = lastTwo - last === 10 ? "th" : (["th", "st", "nd", "rd"][last] ?? "th");
  return ordinals[nth - 1] ?? `${nth}${ending}`;
}

/** A deviation in words: `unanswered(PT30S call.not_answered)`, `assume notAnswered: perTeam`. */
export function deviationText({ what, at, of, number = 1, nth = 1, is, after, by }: Deviation): string {
  if (what === "calendar") return `calendar: ${is}`;
  if (isOfWholeRun({ what })) return `assume ${of}: ${is}`;
  const which = [
    number > 1 && `attempt ${number}`,
    nth > 1 && `the ${ordinal(nth)} of them`,
    after !== undefined && `${is === "outage" ? "for" : "after"} ${isoDuration(after)}`,
    by !== undefined && by > 1 && `by ${by}`,
  ].filter((each) => each !== false);
  const more = which.length === 0 ? "" : `, ${which.join(", ")}`;
  return `${what === "answer" || what === "timer" ? `${what} ${is}` : is}(${isoDuration(at)} ${of}${more})`;
}
