import * as v from "valibot";
import { type ErrorDetail, InputError } from "../../foundation/errors.ts";
import { anyObject, list, oneOf, readInput, text } from "../../foundation/input-schemas.ts";
import { show } from "../../foundation/show.ts";
import { isRecord } from "../../foundation/values.ts";
import { mergeProblem, type PassthroughParameters } from "../passthrough/passthrough.ts";
import { preferenceProblems } from "./cards.ts";
import { closeTimer } from "./close-timer.ts";

/** How the answers of data actions are read: field by field. Rules: docs/fidelity/network.md#data-actions. */

const DEFAULT_PRIORITY = 5;

/** A number out of range becomes the default, as in the redirect handler. */
const priority = v.pipe(
  v.number((issue) => `expected a whole number from 1 to 9, got ${show(issue.input)}`),
  v.transform((given) => (Number.isInteger(given) && given >= 1 && given <= 9 ? given : DEFAULT_PRIORITY)),
);

/** Which of its entries are valid is for whoever stores them: invalid ones are no error. */
const passthroughParameters = anyObject();

/** The fields of each answer. Any may be left out, and others are ignored. */
const fields = {
  outboundCall: { action: oneOf(["allow", "block"]), passthroughParameters },
  teamCall: { passthroughParameters, priority, displayName: text() },
  inboundConversations: { passthroughParameters, claimRule: text(), closeTimer },
  callInsights: { cards: list(v.unknown()), preferences: v.unknown() },
} as const;

/** The data actions, by the name that a request's `why` has. */
export type DataActionName = keyof typeof fields;
/** The fields that could be taken of the answer of an action's endpoint. */
export type Said<A extends DataActionName> = {
  readonly [Name in keyof (typeof fields)[A]]?: (typeof fields)[A][Name] extends v.GenericSchema
    ? v.InferOutput<(typeof fields)[A][Name]>
    : never;
};

/** What was made of an answer. */
export interface Judged<A extends DataActionName> {
  /** What could be taken; undefined if nothing could. */
  readonly said: Said<A> | undefined;
  /** Why nothing could be taken; otherwise null. */
  readonly failure: string | null;
  /** The fields that could not be taken, whose values are ignored. */
  readonly problems: readonly ErrorDetail[];
}

/**
 * Reads the body of an answer. `null` changes nothing, like a field that is left out.
 * @param stored the passthrough parameters that those of the answer are added to
 */
export function readActionAnswer<A extends DataActionName>(
  action: A,
  body: string,
  stored: PassthroughParameters,
): Judged<A> {
  const nothing = (failure: string, problems: readonly ErrorDetail[] = []) =>
    ({ said: undefined, failure, problems }) as const;
  const given = parse(body);
  if (given === undefined) return nothing("the body is not JSON");
  // a list of cards is the deprecated, older answer
  const answer = action === "callInsights" && Array.isArray(given) ? { cards: given } : given;
  if (!isRecord(answer)) return nothing(expected(action));
  const { said, problems } = readFields(fields[action], answer);
  const tooMuch = mergeProblem(stored, said.passthroughParameters);
  if (tooMuch !== undefined) {
    delete said.passthroughParameters;
    problems.push({ path: "passthroughParameters", message: tooMuch });
  }
  if (action === "callInsights") problems.push(...preferenceProblems(said.preferences));
  const isNothing = Object.keys(said).length === 0 && problems.length > 0;
  if (isNothing)
    return nothing(problems.map(({ path, message }) => `${path}: ${message}`).join("\n"), problems);
  // preferences order cards, and without any they say nothing
  if (action === "callInsights" && said.cards === undefined) return nothing(expected(action), problems);
  return { said: said as Said<A>, failure: null, problems };
}

function expected(action: DataActionName): string {
  return action === "callInsights"
    ? "expected { cards, preferences? } or a list of cards"
    : "expected an object";
}

function readFields(
  schemas: Readonly<Record<string, v.GenericSchema>>,
  answer: Readonly<Record<string, unknown>>,
) {
  const said: Record<string, unknown> = {};
  const problems: ErrorDetail[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const value = answer[name] ?? undefined;
    if (value === undefined) continue;
    try {
      said[name] = readInput(schema, value);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push({ path: name, message: error.message });
    }
  }
  return { said, problems };
}

/** The JSON of a text; undefined if it is none. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // the sender is told
  }
}
