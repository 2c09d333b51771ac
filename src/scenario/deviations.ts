import * as v from "valibot";
import type { Deviation } from "../engine/choices.ts";
import { InputError, type Keys } from "../engine/errors.ts";
import { duration, object, oneOf, readInput, text, wholeNumber } from "../engine/input.ts";
import { durationMs, show } from "../engine/instants.ts";
import { requestDeviations, restDeviations } from "../network/deviations.ts";
import { eventTypes } from "../platform/events.ts";

const optional = v.optional;

const example = 'an offset from the start and what it is about, such as "PT0S outboundCall"';

/** `PT60S ring: ringTimeout of call-1`. */
const placeLine = v.pipe(
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
  placeLine,
  v.check(
    ({ type }) => (eventTypes as readonly string[]).includes(type),
    (issue) =>
      `expected an offset and one of the event types ${eventTypes.join(", ")}, got ${show((issue.input as { type: string }).type)}`,
  ),
);

const count = () => optional(wholeNumber(1, Number.MAX_SAFE_INTEGER));
const requestEntries = {
  nth: count(),
  is: oneOf(requestDeviations),
  after: optional(duration()),
  by: optional(wholeNumber(1, 3)),
};
const restKind = v.pipe(v.union([oneOf(restDeviations), v.picklist([503, 429])]), v.transform(String));

/** By their first key: what they are about. */
const shapes = {
  attempt: object({ attempt: attemptLine, webhook: optional(text()), number: count(), ...requestEntries }),
  request: object({ request: placeLine, ...requestEntries }),
  timer: object({ timer: placeLine, nth: count(), is: oneOf(["first"]) }),
  rest: object({ rest: placeLine, nth: count(), is: restKind, after: optional(duration()) }),
  answer: object({ answer: placeLine, nth: count(), is: oneOf(["first"]), by: count() }),
};
type Shape = keyof typeof shapes;
const shapeNames = Object.keys(shapes) as Shape[];

/** What may stand in the list `deviations` of a scenario. */
export const deviationSchema = v.union(Object.values(shapes));

/** Reads one of them. @throws {InputError} */
export function readDeviation(item: unknown, keys: Keys): Deviation {
  const name = shapeNames.find((each) => typeof item === "object" && item !== null && each in item);
  if (name === undefined)
    throw new InputError(
      keys,
      `expected { attempt, is, ... }, or with ${shapeNames.slice(1).join(", ")} instead of attempt, got ${show(item)}`,
    );
  const read = readInput(shapes[name], item, keys) as Record<string, unknown> & { is: string };
  const { [name]: place, ...rest } = read;
  const { atMs, type } = place as { atMs: number; type: string };
  return { ...rest, what: read.is === "overlapping" ? "overlap" : name, at: atMs, of: type };
}

/** A deviation as it stands in a scenario, the other way round. @param nameOf what a scenario calls a webhook */
export function deviationItem(
  { what, at, of, webhook, number = 1, nth = 1, is, after, by }: Deviation,
  nameOf: (webhookId: string) => string,
): Record<string, unknown> {
  return {
    [what === "overlap" ? "attempt" : what]: `PT${at / 1_000}S ${of}`,
    ...(webhook === undefined ? {} : { webhook: nameOf(webhook) }),
    ...(what === "attempt" || what === "overlap" ? { number } : {}),
    ...(nth === 1 ? {} : { nth }),
    is: /^\d+$/.test(is) ? Number(is) : is,
    ...(after === undefined ? {} : { after: `PT${after / 1_000}S` }),
    ...(by === undefined ? {} : { by }),
  };
}

/** A choice point as a scenario writes it: `attempt: PT30S call.not_answered, webhook: crm, number: 1`. */
export function placeText(
  { what, at, of, webhook, number, nth = 1 }: Omit<Deviation, "is">,
  nameOf: (webhookId: string) => string,
): string {
  const more = [
    webhook !== undefined && `webhook: ${nameOf(webhook)}`,
    number !== undefined && `number: ${number}`,
    nth > 1 && `nth: ${nth}`,
  ].filter((each) => each !== false);
  return [`${what === "overlap" ? "attempt" : what}: PT${at / 1_000}S ${of}`, ...more].join(", ");
}

/** A deviation in words: `unanswered(PT30S call.not_answered)`. */
export function deviationText({ what, at, of, number = 1, nth = 1, is, after, by }: Deviation): string {
  const which = [
    number > 1 && `attempt ${number}`,
    nth > 1 && `the ${nth}. of them`,
    after !== undefined && `after PT${after / 1_000}S`,
    by !== undefined && by > 1 && `by ${by}`,
  ].filter((each) => each !== false);
  const more = which.length === 0 ? "" : `, ${which.join(", ")}`;
  return `${what === "answer" || what === "timer" ? `${what} ${is}` : is}(PT${at / 1_000}S ${of}${more})`;
}
