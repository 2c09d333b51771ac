import { beginAtCaller } from "./caller.ts";
import { withSuggestion } from "./suggestions.ts";

/** What a command error is about; stable, for programs. */
export type CommandErrorCode =
  | "busy"
  | "call_closed"
  | "conversation_closed"
  | "conflict"
  | "disposed"
  | "invalid_argument"
  | "not_connected"
  | "not_found"
  | "not_in_voicemail"
  | "not_ringing"
  | "not_allowed"
  | "unknown_number";

/** One thing that is wrong with the arguments of a command. */
export interface ErrorDetail {
  /** Where, such as `contactAddresses[1]` or `messageContent.text`; empty: the arguments as a whole. */
  readonly path: string;
  /** What was expected. */
  readonly message: string;
}

/** A command that the current state does not allow, or whose arguments are wrong. Nothing was changed. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  constructor(
    /** What it is about, for programs. */
    readonly code: CommandErrorCode,
    message: string,
    /** Of `invalid_argument`: every argument that is wrong, each once. Else none. */
    readonly details: readonly ErrorDetail[] = [],
  ) {
    super(message);
    beginAtCaller(this);
  }
}

/** How many ids a message names: with more of them nobody reads it. */
const NAMED = 20;

/** The error of something that is not there, naming what is; of many the last, which are the newest. */
export function notFound(
  what: string,
  given: string,
  known: Iterable<{ readonly id: string }>,
): CommandError {
  const ids = [...known].map(({ id }) => id);
  const newest = ids.slice(-NAMED).join(", ") || "none";
  const there = ids.length > NAMED ? `${newest} and ${ids.length - NAMED} others` : newest;
  return new CommandError("not_found", `no ${what} is known as "${given}"; known: ${there}`);
}

/** Something wrong with an input. */
export interface Problem {
  /** Where: the keys and indices that lead there. */
  readonly keys: readonly (string | number)[];
  /** What was expected. */
  readonly message: string;
  /** Where one of a few words was expected, such as a key: the words that are allowed. */
  readonly choices?: readonly string[];
  /** The one of them that was probably meant, where one is close. */
  readonly suggestion?: string;
}

/** Where in an input something is. */
export type Keys = Problem["keys"];

/** Something wrong with an input, and where. */
export interface InputProblem extends Problem {
  /** The keys in one text, such as `users[2].extension`; empty: the input as a whole. */
  readonly path: string;
}

/** Options, an organisation or another input that is wrong. `path` says where, the message what was expected. */
export class InputError extends Error {
  override readonly name: string = "InputError";
  /** Where the first problem is, such as `users[2].extension`. */
  readonly path: string;
  /** Every problem found. */
  readonly problems: readonly InputProblem[];

  constructor(keys: Keys, message: string, more: readonly Problem[] = [], about: Partial<Problem> = {}) {
    const problems = [{ ...about, keys, message }, ...more].map((problem) => ({
      ...problem,
      path: joinPath(problem.keys),
    }));
    super(problems.map(lineOf).join("\n"));
    this.path = joinPath(keys);
    this.problems = problems;
    beginAtCaller(this);
  }
}

/** A problem in one line: where it is, and what was expected. */
export function lineOf({ keys, message, suggestion }: Problem): string {
  const path = joinPath(keys);
  const said = withSuggestion(message, suggestion);
  return path === "" ? said : `${path}: ${said}`;
}

/** `users[2].extension` from keys and indices. */
export function joinPath(keys: Keys): string {
  return keys.reduce<string>(
    (path, key) => (typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`),
    "",
  );
}

/** A loop that would never end was stopped. Names the machine or command, the record, and the caller's file and line. */
export class RunawayError extends Error {
  override readonly name = "RunawayError";

  constructor(message: string) {
    super(message);
    beginAtCaller(this);
  }
}

/** `runUntil` or `runUntilIdle` reached its limit. The message says what did happen, or what keeps being scheduled. */
export class LimitError extends Error {
  override readonly name = "LimitError";

  constructor(message: string) {
    super(message);
    beginAtCaller(this);
  }
}
