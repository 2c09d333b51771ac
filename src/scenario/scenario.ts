import type { SimulatorOptions } from "../options.ts";
import type { CommandName } from "../platform/commands.ts";
import type { EventType } from "../platform/events.ts";

/** A place in a scenario's text, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One command at its time. */
export interface Step {
  /** From the scenario's start, ms. */
  readonly atMs: number;
  readonly command: CommandName;
  readonly args: Readonly<Record<string, unknown>>;
  /** The name by which further steps mean the call or the conversation that it makes. */
  readonly as: string | undefined;
  readonly position: Position;
}

/** One event that is expected. */
export interface ExpectedLine {
  /** From the scenario's start, ms. */
  readonly atMs: number;
  readonly type: EventType;
  /** A subset of the event's data. */
  readonly match: Readonly<Record<string, unknown>> | undefined;
}

/** The same in a scenario's text. */
export interface ExpectedEvent extends ExpectedLine {
  readonly position: Position;
}

/** A scenario that was read and checked. */
export interface Scenario {
  /** The rule it teaches. */
  readonly title: string;
  readonly description: string;
  /** For `createSimulator`. */
  readonly options: SimulatorOptions;
  /** How far it is played, ms from the start; undefined: until nothing is scheduled but working hours. */
  readonly untilMs: number | undefined;
  readonly steps: readonly Step[];
  /** The exact stream, in order; undefined when the file has none. */
  readonly expect: readonly ExpectedEvent[] | undefined;
}

/** A scenario that cannot be read, or a step that the state does not allow. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;

  constructor(
    { line, column }: Position,
    /** What was expected, without the place. */
    readonly problem: string,
  ) {
    super(`line ${line}, column ${column}: ${problem}`);
    this.line = line;
    this.column = column;
  }
}
