import type { Deviation } from "../engine/deviations.ts";
import type { CommandName } from "../platform/base/core-services.ts";
import type { EventType } from "../platform/declare/events.ts";
import type { DeliveryReason, DeliveryState } from "../records/webhook.ts";
import type { SimulatorOptions } from "../simulator/options.ts";
import type { PatchOperation } from "./patch.ts";

/** A place in a scenario's text. Line and column count from 1. */
export interface Position {
  /** The line, from 1. */
  readonly line: number;
  /** The column in the line, from 1. */
  readonly column: number;
}

/** A part of a scenario's text, from `line` and `column` up to the character before the end. All count from 1. */
export interface TextRange extends Position {
  /** The line of the end, from 1. */
  readonly endLine: number;
  /** The column of the end, from 1. */
  readonly endColumn: number;
}

/** One problem in a scenario's text. */
export interface ScenarioProblem extends TextRange {
  /** What is wrong and what was expected, without the place. */
  readonly message: string;
  /** The keys that lead to it, such as `steps[2].answer.by`. Empty for the text as a whole. */
  readonly path: string;
  /** The words that are allowed there, if only a few are, such as keys. */
  readonly expected?: readonly string[];
  /** What was probably meant: text to replace the range with. */
  readonly suggestion?: string;
}

/** The kinds of things that `as` can name, which are also the arguments by which later steps refer to them. */
export const namedKinds = ["call", "conversation", "webhook"] as const;

/** The event that a step waits for. */
export interface StepTrigger {
  /** The type of the event. */
  readonly type: EventType;
  /** What the event must be about: a name that a step gave to a call or a conversation, or a user or a team. */
  readonly of: string | undefined;
  /** Which of these events, 1 for the first. */
  readonly nth: number;
  /** How long after the event the step is played, ms. */
  readonly plusMs: number;
  /** The name that the step gives to the call or the conversation of the event. Later steps may use it, and this one. */
  readonly as?: string;
}

/** One command and when it is played. */
export interface Step {
  /** From the scenario's start, ms. Undefined for a step that waits for an event. */
  readonly atMs: number | undefined;
  /** The event that it waits for. Undefined for a step with a time. */
  readonly on: StepTrigger | undefined;
  /** The command's name. */
  readonly command: CommandName;
  /** The command's arguments. They may contain names that earlier steps gave. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The name that the step gives to the call, conversation or webhook that it makes. */
  readonly as: string | undefined;
  /** Where the step is in the text. */
  readonly position: TextRange;
}

/** One expected event. */
export interface ExpectedLine {
  /** From the scenario's start, ms. */
  readonly atMs: number;
  /** The type of the event. */
  readonly type: EventType;
  /** A subset of the event's data. */
  readonly match: Readonly<Record<string, unknown>> | undefined;
}

/** One expected event with its place in the scenario's text. */
export interface ExpectedEvent extends ExpectedLine {
  /** Where the line is in the text. */
  readonly position: TextRange;
}

/** One expected request to a webhook. Omitted properties are not compared. */
export interface ExpectedAttempt {
  /** When it is sent, from the scenario's start, ms. */
  readonly atMs: number;
  /** The type of its event. */
  readonly type: EventType;
  /** The name that a step gave the webhook. */
  readonly webhook: string | undefined;
  /** Which attempt of its delivery, 1 for the first. */
  readonly number: number | undefined;
  /** The status of the answer. */
  readonly status: number | undefined;
  /** Why there was no good answer: `timeout`, `refused`, `lost`, `status 500`. */
  readonly failure: string | undefined;
  /** When it is over, from the scenario's start, ms. */
  readonly endedMs: number | undefined;
  /** Whether the network made it by duplicating another request. */
  readonly isDuplicate: boolean | undefined;
  /** How the delivery ends. */
  readonly state: DeliveryState | undefined;
  /** Why the delivery fails. */
  readonly reason: DeliveryReason | undefined;
  /** Where the line is in the text. */
  readonly position: TextRange;
}

/** A deviation of a scenario with its place in the text. */
export interface ScenarioDeviation {
  /** Its `webhook` may be the name that a step gives. */
  readonly deviation: Deviation;
  /** Where the deviation is in the text. */
  readonly position: TextRange;
}

/** A question about a scenario's run. What its choices claim is tried by playing: `ringback check` does. */
export interface ScenarioQuestion {
  /** What is asked. */
  readonly ask: string;
  /** Where in the run it is asked, ms from the start: what comes from then on is the answer. */
  readonly atMs: number;
  /** What one can answer. */
  readonly choices: readonly QuestionChoice[];
  /** The index of the right choice, from 0. */
  readonly right: number;
  /** Why it is right. */
  readonly because: string;
  /** Where the question is in the text. */
  readonly position: TextRange;
}

/** An answer to choose. */
export interface QuestionChoice {
  /** The answer in words. */
  readonly text: string;
  /** What it claims of the run, each as the file has it; all must hold. Empty if it claims nothing. */
  readonly when: readonly Readonly<Record<string, unknown>>[];
  /** The change under which a wrong choice would be right: in words behind "if", and of the file, as JSON Patch. */
  readonly instead: { readonly if: string; readonly change: readonly PatchOperation[] } | undefined;
  /** Where the choice is in the text. */
  readonly position: TextRange;
}

/** A scenario that was read and checked. */
export interface Scenario {
  /** The rule that it shows. */
  readonly title: string;
  /** What to notice; undefined if the file does not say. */
  readonly description: string;
  /** The options for `createSimulator`. */
  readonly options: SimulatorOptions;
  /** How far it is played, ms from the start. Undefined: until nothing is scheduled but working hours. */
  readonly untilMs: number | undefined;
  /** The commands, in the order of the file. */
  readonly steps: readonly Step[];
  /** What the network and the platform do differently. Steps that the resulting run does not allow are left out. */
  readonly deviations: readonly ScenarioDeviation[];
  /** The exact stream, in order. Undefined if the file has none. */
  readonly expect: readonly ExpectedEvent[] | undefined;
  /** Every request to a webhook, in order. Undefined if the file has none. */
  readonly expectAttempts: readonly ExpectedAttempt[] | undefined;
  /** What a class or a reader is asked about the run. */
  readonly questions: readonly ScenarioQuestion[];
}

/** A scenario that cannot be read, or a step that the state does not allow. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  /** The line of the first problem, from 1. */
  readonly line: number;
  /** The column of the first problem, from 1. */
  readonly column: number;
  /** The first problem and what was expected, without the place. */
  readonly problem: string;
  /** All problems, in the order of the text. */
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

/** Describes a problem with its path: `steps[2].answer.by: unknown party "zoe"`. */
export function problemText({ path, message }: Pick<ScenarioProblem, "path" | "message">): string {
  return path === "" ? message : `${path}: ${message}`;
}
