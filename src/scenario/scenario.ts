import type { Deviation } from "../engine/choices.ts";
import type { SimulatorOptions } from "../options.ts";
import type { CommandName } from "../platform/base.ts";
import type { EventType } from "../platform/events.ts";
import type { DeliveryReason, DeliveryState } from "../records/webhook.ts";

/** A place in a scenario's text, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A part of a scenario's text: from `line` and `column` up to, but without, the character at the end. All from 1. */
export interface TextRange extends Position {
  readonly endLine: number;
  readonly endColumn: number;
}

/** One thing that is wrong in a scenario's text. */
export interface ScenarioProblem extends TextRange {
  /** What is wrong and what was expected, in words, without the place. */
  readonly message: string;
  /** The keys that lead there, such as `steps[2].answer.by`; empty: the text as a whole. */
  readonly path: string;
  /** The words that are allowed there, where they are few, such as keys. */
  readonly expected?: readonly string[];
  /** What was probably meant: text to write in place of the range. */
  readonly suggestion?: string;
}

/** What a step can name by `as`, and the argument by which later steps mean it. */
export const namedKinds = ["call", "conversation", "webhook"] as const;

/** What a step waits for that is not played by the clock. */
export interface StepTrigger {
  readonly type: EventType;
  /** What the event must carry: the name that a step gave a call or a conversation, or a user or a team. */
  readonly of: string | undefined;
  /** Which of these events it is, 1 for the first. */
  readonly nth: number;
  /** How long after the event the step is played, ms. */
  readonly plusMs: number;
}

/** One command at its time. */
export interface Step {
  /** From the scenario's start, ms; undefined for a step that waits for an event. */
  readonly atMs: number | undefined;
  /** What it waits for; undefined for a step with a time. */
  readonly on: StepTrigger | undefined;
  readonly command: CommandName;
  readonly args: Readonly<Record<string, unknown>>;
  /** The name by which further steps mean the call, the conversation or the webhook that it makes. */
  readonly as: string | undefined;
  readonly position: TextRange;
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
  readonly position: TextRange;
}

/** One request to a webhook that is expected; what is not given is not compared. */
export interface ExpectedAttempt {
  /** When it is sent, from the scenario's start, ms. */
  readonly atMs: number;
  /** Of the event that it carries. */
  readonly type: EventType;
  /** The name that a step gave the webhook. */
  readonly webhook: string | undefined;
  /** Which attempt of its delivery it is: 1 for the first. */
  readonly number: number | undefined;
  /** What the endpoint answers. */
  readonly status: number | undefined;
  /** Why nothing was answered, or what was wrong with it: `timeout`, `refused`, `lost`, `status 500`. */
  readonly failure: string | undefined;
  /** When it is over, from the scenario's start, ms. */
  readonly endedMs: number | undefined;
  /** It is what the network made of another request. */
  readonly isDuplicate: boolean | undefined;
  /** What becomes of the delivery in the end. */
  readonly state: DeliveryState | undefined;
  /** Why it comes to nothing. */
  readonly reason: DeliveryReason | undefined;
  readonly position: TextRange;
}

/** Something that happens in another way than usual. */
export interface ScenarioDeviation {
  /** Its `webhook` may be the name that a step gives it. */
  readonly deviation: Deviation;
  readonly position: TextRange;
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
  /** What the network and the platform do in another way than usual. Steps that such a run does not allow are left out. */
  readonly deviations: readonly ScenarioDeviation[];
  /** The exact stream, in order; undefined when the file has none. */
  readonly expect: readonly ExpectedEvent[] | undefined;
  /** Every request to a webhook, in order; undefined when the file has none. */
  readonly expectAttempts: readonly ExpectedAttempt[] | undefined;
}

/** A scenario that cannot be read, or a step that the state does not allow. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  /** Where the first problem is, from 1. */
  readonly line: number;
  /** Where the first problem is, from 1. */
  readonly column: number;
  /** What is wrong with the first, and what was expected, without the place. */
  readonly problem: string;
  /** Everything that is wrong, in the order of the text. */
  readonly problems: readonly ScenarioProblem[];

  constructor(first: ScenarioProblem, ...more: readonly ScenarioProblem[]) {
    const problems = [first, ...more];
    super(
      problems.map((each) => `line ${each.line}, column ${each.column}: ${problemText(each)}`).join("\n"),
    );
    this.line = first.line;
    this.column = first.column;
    this.problem = problemText(first);
    this.problems = problems;
  }
}

/** `steps[2].answer.by: unknown party "zoe"`. */
export function problemText({ path, message }: Pick<ScenarioProblem, "path" | "message">): string {
  return path === "" ? message : `${path}: ${message}`;
}
