import { InputError, readErrorMessage } from "../core/foundation/errors.ts";
import { printableLines } from "../core/foundation/printable.ts";
import { textOf } from "../core/narration/app-state.ts";
import { thrownAt } from "./code-place.ts";

/** The error that an app threw, as far as it tells one failure from another. */
export interface ThrownError {
  readonly name: string;
  /** Its `code`, such as `ECONNREFUSED`; undefined if it has none. */
  readonly code: string | undefined;
}

/** What a property or the app threw. */
export interface Thrown {
  /** The name of its class, such as `TypeError`. */
  readonly name: string;
  /** File and line of the user's code that threw it, such as `crm.ts:12`; undefined if its stack has none. */
  readonly place: string | undefined;
  /** The whole stack; undefined if it has none. */
  readonly stack: string | undefined;
}

/** A property that does not hold in a world, or a defect of the app. */
export interface PropertyFailure {
  /** The property's name, or the defect, such as `the app hangs`. */
  readonly property: string;
  readonly message: string;
  /** The error, if the app threw one. */
  readonly error?: ThrownError | undefined;
  /** What an assertion expected and what it received, if it says so. */
  readonly difference?: ValueDifference | undefined;
  /** What was thrown, if anything was. */
  readonly thrown?: Thrown | undefined;
}

/** What an assertion expected and what it received, as texts of at most 2,000 characters. */
export interface ValueDifference {
  /** What it expected. */
  readonly expected: string;
  /** What it received. */
  readonly received: string;
}

/** The message of a property that returned false, and so does not say why. */
export const RETURNED_FALSE = "returned false";

/** What is said of such a property: how it can say why. */
export const SAY_WHY = "say why: throw in the property, or use `expect`";

/** Where a thread died. The next thread with its task runs to the same point, and goes on after it. */
export interface Death {
  /** The number of the world, computed from its name. */
  readonly world: number;
  /** How many steps that run had taken. */
  readonly progress: number;
  readonly failure: PropertyFailure;
}

/** Thrown inside a world to end it. */
export class WorldError extends Error implements PropertyFailure {
  override readonly name = "WorldError";

  constructor(
    readonly property: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Defects of an app, in the place of a property's name. `deterministic` is named after what should hold: worlds of which
 * nothing is certain.
 */
export const appDefects = {
  threw: "the app throws",
  hangs: "the app hangs",
  restless: "the app never comes to rest",
  loops: "the app does not return",
  memory: "the app takes too much memory",
  exits: "the app ends the process",
  throwsLate: "the app throws where nothing catches it",
  rejects: "the app leaves a rejected promise behind",
  leavesTimer: "the app leaves a timer running",
  disposes: "the app disposes of the simulator",
  impossible: "the app gives an impossible answer",
  scripted: "the scenario throws",
  unsteady: "deterministic",
  believes: "the app believes what the platform did not send",
} as const;

/** The property that an app takes true events in the world without deviations. Each exploration has it. */
export const REFUSES = "refuses";

/**
 * The failure of an app that does something else in another run of the same world.
 * @param differences what differs, as sentences
 */
export function unsteadyFailure(differences: readonly string[], runsAs: RunsAs): PropertyFailure {
  return {
    property: appDefects.unsteady,
    message: [...new Set(differences), whereStateIs[runsAs]].join("\n"),
  };
}

/** What an app runs as: code of this process, a server that runs all the time, or a program that each world starts. */
export type RunsAs = keyof typeof whereStateIs;

/** Where an app that is not deterministic keeps its state, most often. */
const whereStateIs = {
  code: "most often that is state outside `app`, such as at module level or in a file: see docs/guides/web-frameworks.md#state-at-module-level. Else it is chance: a short id of nanoid, a time of `process.hrtime`, or a function that a module took from `crypto` before the exploration. Leave it out of `show`",
  server:
    "most often the server keeps state when it is reset, or works late, for which `--idle` or `--silence` waits; else it is chance",
  program:
    "most often the program keeps state that outlives a world, such as in a file or a database: name a path that clears it (`--reset /reset`). Else it is chance, such as a short id by `crypto`",
} as const;

const defects: ReadonlySet<string> = new Set(Object.values(appDefects));

/** How the names of defects began before 0.3; `known` and saved reports may still have them. */
const FORMER_BEGINNING = /^the subject /;

/** The name that a property or a defect has now. */
export function nameOfProperty(property: string): string {
  const name = property.replace(FORMER_BEGINNING, "the app ");
  return defects.has(name) ? name : property;
}

/** Whether a failure is a defect, named after what happens, or a broken property, named after what should hold. */
export function isDefect(property: string): boolean {
  return defects.has(property);
}

/** Whether a defect ends the thread that it is in, when another thread watches it. */
export function endsItsThread(property: string): boolean {
  return property === appDefects.loops || property === appDefects.memory;
}

/** The message of what was thrown, without terminal control codes. */
export function plainMessage(thrown: unknown): string {
  return withoutTerminalCodes(readErrorMessage(thrown));
}

/** The class and the place of what was thrown; undefined if it is no error. */
export function readThrown(thrown: unknown): Thrown | undefined {
  try {
    const { stack } = thrown as { readonly stack?: unknown };
    if (typeof stack !== "string") return undefined;
    return { name: readError(thrown).name, place: thrownAt(stack), stack: withoutTerminalCodes(stack) };
  } catch {
    return undefined; // it has no stack that can be read
  }
}

/** Removes terminal control codes. */
export function withoutTerminalCodes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal control codes begin with one
  const uncoloured = text.replace(/\u001b\[[\d;?]*[A-Za-z]/g, "");
  return printableLines(uncoloured);
}

/** What an assertion expected and received: as Vitest, chai and node:assert say it, or as Jest does. */
export function readDifference(thrown: unknown): ValueDifference | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  try {
    return differenceIn(thrown);
  } catch {
    return undefined; // the compared values cannot be read; the message still says what fails
  }
}

function differenceIn(thrown: object): ValueDifference | undefined {
  const { matcherResult } = thrown as { readonly matcherResult?: { expected?: unknown; received?: unknown } };
  if (matcherResult !== undefined && "expected" in matcherResult && "received" in matcherResult)
    return { expected: textOf(matcherResult.expected), received: textOf(matcherResult.received) };
  if (!("expected" in thrown && "actual" in thrown)) return undefined;
  return { expected: textOf(thrown.expected), received: textOf(thrown.actual) };
}

/** The name and the code of what an app threw. */
export function readError(thrown: unknown): ThrownError {
  try {
    const { name, code } = (typeof thrown === "object" && thrown !== null ? thrown : {}) as {
      readonly name?: unknown;
      readonly code?: unknown;
    };
    const text = typeof code === "string" || typeof code === "number" ? String(code) : undefined;
    return { name: typeof name === "string" ? name : typeof thrown, code: text };
  } catch {
    return { name: typeof thrown, code: undefined }; // the object's properties cannot be read
  }
}

/**
 * What makes two failures the same: the property, and for an app that throws, the error's name and code. Never the
 * message, which changes with what the world contains.
 */
export function identityOf({ property, error }: PropertyFailure): string {
  if (error === undefined) return property;
  return `${property}: ${error.name}${error.code === undefined ? "" : ` ${error.code}`}`;
}

/**
 * The first line of a message with `#` in place of numbers, quoted texts and the contents of lists. An object with only
 * quoted keys, such as ids, counts as a list.
 */
export function generaliseMessage(message: string): string {
  const [line = ""] = message.split("\n");
  let shape = line
    .replace(/'[^']*'|"[^"]*"|`[^`]*`/g, "#")
    .replace(/((?<![\w-])[-+])?\d+(\.\d+)?/g, "#")
    .replace(/\s+/g, " ")
    .trim();
  for (let before = ""; before !== shape; ) {
    before = shape;
    // the innermost list first, until none contains another
    shape = shape
      .replace(/\[[^[\]]*\]/g, "<#>")
      .replace(/\b(Set|Map)\s*\{[^{}]*\}/g, "$1<#>")
      .replace(/\{(\s*(#:[^{},]*|…\(#\)),?)+\s*\}/g, "{#}");
  }
  return shape;
}

/** The error of a scenario or an app that moves time in a way that is not allowed. It is no finding. */
export function timeUsageError({ message }: Error): InputError {
  return new InputError(["scenario"], `${message}. This is not a defect of the app: change how time passes`);
}
