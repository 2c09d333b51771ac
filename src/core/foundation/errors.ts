import { beginAtCaller } from "./caller.ts";
import type { CommandErrorCode } from "./command-errors.ts";
import { nearest, withSuggestion } from "./suggestions.ts";

/** One wrong argument of a command. */
export interface ErrorDetail {
  /**
   * Where it is, such as `contactAddresses[1]` or `messageContent.text`. Empty if the arguments as a whole are wrong.
   */
  readonly path: string;
  /** What was expected. */
  readonly message: string;
}

/** A command that the current state does not allow, or whose arguments are wrong. It changed nothing. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  constructor(
    /** The kind of error, for programs. */
    readonly code: CommandErrorCode,
    message: string,
    /** For `invalid_argument`: one for each wrong argument. Otherwise empty. */
    readonly details: readonly ErrorDetail[] = [],
  ) {
    super(message);
    beginAtCaller(this);
  }
}

/** Errors about a wrong call of a time method. */
const timeMisuses = new WeakSet<object>();

/** Marks an error as a mistake of whoever called the time method, not of the code that ran. */
export function markTimeMisuse(error: CommandError): CommandError {
  timeMisuses.add(error);
  return error;
}

/** Whether `markTimeMisuse` marked an error. */
export function isTimeMisuse(thrown: unknown): thrown is CommandError {
  return typeof thrown === "object" && thrown !== null && timeMisuses.has(thrown);
}

/**
 * The error of a synchronous run that would have to wait.
 * @param situation what it would wait for
 * @param kept what is unchanged
 */
export function needsAsync(situation: string, kept = "nothing is lost"): CommandError {
  return markTimeMisuse(
    new CommandError(
      "not_allowed",
      `${situation}, which a synchronous run cannot wait for; ${kept}: use the Async method (advanceAsync, runUntilAsync ...)`,
    ),
  );
}

/** The most ids or problems that a message lists. */
export const MOST_LISTED = 20;

/** Lists the last names and the number of the others. */
export function namesOf(names: readonly string[]): string {
  const last = names.slice(-MOST_LISTED).join(", ") || "none";
  return names.length > MOST_LISTED ? `${last} and ${names.length - MOST_LISTED} others` : last;
}

/** The most ids that are compared with a misspelt one. */
const MOST_COMPARED = 1_000;

/**
 * The error for an unknown id. Suggests a similar id, or lists the newest known ids.
 * @param given from JavaScript, anything, such as the id of something that has none yet
 */
export function notFound(
  what: string,
  given: unknown,
  known: Iterable<{ readonly id: string }>,
): CommandError {
  const ids = [...known].map(({ id }) => id);
  const message = `no ${what} is known as ${idText(given)}; known: ${namesOf(ids)}`;
  // counted ids are too similar to suggest one: call-6 for call-26
  const meant =
    typeof given !== "string" || /\d/.test(given) ? undefined : nearest(given, ids.slice(-MOST_COMPARED));
  return new CommandError("not_found", withSuggestion(message, meant));
}

/** An id in a message; what is no text without quotes. */
export function idText(given: unknown): string {
  if (typeof given === "string") return `"${given}"`;
  return typeof given === "object" && given !== null ? "an object" : String(given);
}

/** One problem of an input. */
export interface Problem {
  /** The keys and indices that lead to it. */
  readonly keys: readonly (string | number)[];
  /** What was expected. */
  readonly message: string;
  /** The allowed words, if only a few are, such as the known keys. */
  readonly choices?: readonly string[];
  /** The word that was probably meant, if one is close. */
  readonly suggestion?: string;
}

/** The keys and indices that lead to a part of an input. */
export type Keys = Problem["keys"];

/** One problem of an input, with its path as text. */
export interface InputProblem extends Problem {
  /** Its path, such as `users[2].extension`. Empty if the input as a whole is wrong. */
  readonly path: string;
}

/** Options, an organisation or another input that is wrong. `path` says where; the message says what was expected. */
export class InputError extends Error {
  override readonly name: string = "InputError";
  /** The path of the first problem, such as `users[2].extension`. */
  readonly path: string;
  /** The problems that were found, the first 20 of them; the message says how many there are besides. */
  readonly problems: readonly InputProblem[];

  /** @param omitted how many problems are not listed */
  constructor(
    keys: Keys,
    message: string,
    more: readonly Problem[] = [],
    about: Partial<Problem> = {},
    omitted = 0,
  ) {
    const problems = [{ ...about, keys, message }, ...more].map((problem) => ({
      ...problem,
      path: joinPath(problem.keys),
    }));
    super(listProblems(problems, omitted));
    this.path = joinPath(keys);
    this.problems = problems;
    beginAtCaller(this);
  }
}

/** One line for a problem: its path, and what was expected. */
export function lineOf({ keys, message, suggestion }: Problem): string {
  const path = joinPath(keys);
  const text = withSuggestion(message, suggestion);
  return path === "" ? text : `${path}: ${text}`;
}

/** One line for each problem, and one with the number of those omitted. */
export function listProblems(problems: readonly Problem[], omitted: number): string {
  const rest = omitted === 0 ? [] : [`and ${omitted} more ${omitted === 1 ? "problem" : "problems"}`];
  return [...problems.map(lineOf), ...rest].join("\n");
}

/** The longest key that a path shows in full, in characters. */
const LONGEST_KEY = 100;

/** Joins keys and indices to a path, such as `users[2].extension`. */
export function joinPath(keys: Keys): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === "number") return `${path}[${key}]`;
    const name = key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key;
    return path === "" ? name : `${path}.${name}`;
  }, "");
}

/** An endless loop was stopped. Names the machine or command, the record, and the caller's file and line. */
export class RunawayError extends Error {
  override readonly name = "RunawayError";

  constructor(message: string) {
    super(message);
    beginAtCaller(this);
  }
}

/** `runUntil` or `runUntilIdle` reached its limit. The message lists what happened, or what keeps being scheduled. */
export class LimitError extends Error {
  override readonly name = "LimitError";

  constructor(message: string) {
    super(message);
    beginAtCaller(this);
  }
}

/** Errors of listeners, endpoints and callbacks that a time method or command has rethrown. */
const fromUserCode = new WeakSet<object>();
/** The last rethrown value that is not an object, in a list; empty without one. */
let lastPrimitiveFromUserCode: readonly unknown[] = [];

/** Whether a listener, an endpoint or a callback threw it, and not the command itself. */
export function isFromUserCode(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null
    ? fromUserCode.has(thrown)
    : lastPrimitiveFromUserCode.includes(thrown);
}

/** The message of any thrown value. Never throws. */
export function readErrorMessage(thrown: unknown): string {
  try {
    const message: unknown = thrown instanceof Error ? thrown.message : thrown;
    return String(message);
  } catch {
    return `the thrown ${typeof thrown} has no readable message`;
  }
}

/** Rethrows what listeners and endpoints threw, several as one AggregateError. */
export function throwAll(thrown: readonly unknown[]): void {
  if (thrown.length === 0) return;
  const messages = () => thrown.map(readErrorMessage).join("; ");
  const error =
    thrown.length === 1
      ? thrown[0]
      : new AggregateError(thrown, `${thrown.length} listeners or endpoints threw: ${messages()}`);
  if (typeof error === "object" && error !== null) fromUserCode.add(error);
  else lastPrimitiveFromUserCode = [error];
  throw error;
}
