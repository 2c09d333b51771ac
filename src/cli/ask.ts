import { InputError } from "../core/foundation/errors.ts";
import { printable } from "../core/foundation/printable.ts";
import { nearest, withSuggestion } from "../core/foundation/suggestions.ts";
import { runScenario } from "../core/scenario/run.ts";
import { type Scenario, ScenarioError } from "../core/scenario/scenario.ts";
import { readRunInstant } from "../core/why/run-instant.ts";
import type { StateAt } from "../inspector/data.ts";
import { Recording } from "../inspector/model/recording.ts";
import {
  answerApp,
  answerAt,
  answerCall,
  answerCalls,
  answerDifference,
  answerWhy,
  callNamed,
  questionTexts,
  type RunAnswer,
  runTimeOf,
} from "../inspector/model/run-answers.ts";
import { headlineOf } from "../inspector/report.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { UsageError } from "./failures.ts";
import type { CommandOutput } from "./output.ts";
import { readPageSource } from "./page-source.ts";
import { allowLocalOption, inFile, type ReadFlags } from "./scenario-files.ts";

interface AskFlags extends ReadFlags {
  readonly at?: string;
}

const questions = ["calls", "call", "at", "why", "diff", "app"] as const;
type Question = (typeof questions)[number];

/** The longest answer in text, bytes: people and language models read it at once. */
const LONGEST_ANSWER = 4_096;

/** `ringback ask`. */
export const askCommand: CommandRow = {
  name: "ask",
  group: "pages",
  summary: "ask about a run: its calls, who did what at an instant, why something did not happen",
  mayChange: true,
  declare: (command, output) => {
    command
      .argument(
        "<file>",
        "a journal, a scenario or a lesson by number, or what `ringback explore` wrote; of several failures the first",
      )
      .argument(
        "<question>",
        'calls, call, at, why, diff or app: "call A", "at 10:03", "why \'Bob rings\' --at 0:20", "diff other.yaml"',
      )
      .argument("[of]", "the call, the instant, what did not happen, or the other run")
      .option(
        "--at <instant>",
        "with why: the organisation's wall clock on the first day (10:03), a time since the start (0:20), or ISO 8601",
      )
      .addOption(allowLocalOption())
      .addOption(jsonOption())
      .action((file: string, question: string, of: string | undefined, flags: AskFlags) =>
        print(answer(file, question, of, flags), output),
      );
  },
};

/** A run that is asked about. */
interface AskedRun {
  readonly recording: Recording;
  readonly states: readonly StateAt[];
  /** What failed, in one line. */
  readonly failure: string | undefined;
}

/** @throws {UsageError} for a file without a run */
function askedRun(file: string, flags: ReadFlags): AskedRun {
  const { inspectable, options } = readPageSource(file, flags);
  if ("steps" in inspectable) {
    const { simulator, report } = played(inspectable, file, options.scenario);
    return { recording: Recording.from(simulator.journal()), states: [], failure: report || undefined };
  }
  if ("failures" in inspectable) {
    const [first] = inspectable.failures;
    if (first === undefined) throw new UsageError("nothing failed, so there is no run to ask about", file);
    const { journal, received = [] } = first.smallest;
    return { recording: Recording.from(journal), states: received, failure: headlineOf(first) };
  }
  if (!("calls" in inspectable)) throw new UsageError("expected a journal, a scenario or a report", file);
  return { recording: Recording.from(inspectable.journal()), states: [], failure: undefined };
}

/** @throws {UsageError} for a step that the state does not allow */
function played(scenario: Scenario, file: string, text: string | undefined) {
  try {
    return runScenario(scenario);
  } catch (error) {
    throw error instanceof ScenarioError ? inFile(file, error, text) : error;
  }
}

/** @throws {UsageError} for a question that cannot be asked */
function answer(file: string, asked: string, of: string | undefined, flags: AskFlags): RunAnswer {
  const question = questions.find((each) => each === asked);
  if (question === undefined) {
    const expected = `expected ${questions.join(", ")} after the file, got ${JSON.stringify(asked)}`;
    throw new UsageError(withSuggestion(expected, nearest(asked, questions)));
  }
  if (flags.at !== undefined && question !== "why")
    throw new UsageError(
      `goes with why only; ask for ${question === "at" ? "`at <instant>`" : "it without"}`,
      "--at",
    );
  mustHaveObject(question, of);
  const run = askedRun(file, flags);
  const { recording } = run;
  if (question === "calls") return answerCalls(recording);
  if (question === "app") return answerApp(recording, run.states, run.failure);
  if (question === "call") return answerCall(recording, mustFindCall(recording, of ?? ""));
  if (question === "at") return answerAt(recording, readInstant(recording, of ?? "", "at"));
  if (question === "diff") return answerDifference(recording, askedRun(of ?? "", flags).recording);
  return why(recording, of ?? "", flags.at);
}

const objects: Readonly<Record<Question, string | undefined>> = {
  calls: undefined,
  app: undefined,
  call: "a call's letter or id, such as `call A`",
  at: "an instant, such as `at 10:03` or `at 0:20`",
  why: 'what did not happen, such as `why "Bob rings" --at 0:20`',
  diff: "the other run, such as `diff other.yaml`",
};

function mustHaveObject(question: Question, of: string | undefined): void {
  const object = objects[question];
  if (object !== undefined && (of ?? "").trim() === "") throw new UsageError(`expected ${object}`);
  if (object === undefined && of !== undefined)
    throw new UsageError(`\`${question}\` takes nothing after it, got ${JSON.stringify(of)}`);
}

function mustFindCall(recording: Recording, name: string) {
  const call = callNamed(recording, name);
  if (call !== undefined) return call;
  const known = recording.recorder.records.filter(({ kind }) => kind === "call").slice(0, 20);
  const names = known.map(({ label, id }) => `${label} (${id})`).join(", ");
  throw new UsageError(`no call ${JSON.stringify(name)}; the run's: ${names || "none"}`);
}

function readInstant(recording: Recording, text: string, place: string): number {
  try {
    return readRunInstant(text, runTimeOf(recording), []);
  } catch (error) {
    throw error instanceof InputError ? new UsageError(error.message, place) : error;
  }
}

/** The most questions that an error lists. */
const MAX_LISTED = 12;

/** @throws {UsageError} if nothing that can be asked about is called so, or an instant is missing */
function why(recording: Recording, asked: string, at: string | undefined): RunAnswer {
  const { endMs } = runTimeOf(recording);
  const atMs = at === undefined ? endMs : readInstant(recording, at, "--at");
  const found = answerWhy(recording, atMs, asked);
  if (found === undefined) {
    const all = questionTexts(recording, atMs);
    const words = asked.toLowerCase().split(/\s+/);
    const near = all.filter((text) => words.some((word) => text.toLowerCase().includes(word)));
    const texts = near.length === 0 ? all : near;
    const more = texts.length > MAX_LISTED ? `, and ${texts.length - MAX_LISTED} more` : "";
    const known = texts.slice(0, MAX_LISTED).map((text) => JSON.stringify(text));
    throw new UsageError(
      `nothing is called ${JSON.stringify(asked)}; then one can ask: ${known.join(", ")}${more}`,
      "why",
    );
  }
  if (at === undefined && found.isOfInstant)
    throw new UsageError(`expected --at, such as --at 0:20: ${JSON.stringify(asked)} is about an instant`);
  return found;
}

function print({ lines, facts }: RunAnswer, output: CommandOutput): void {
  output.out(output.isJson ? output.result([], facts) : withinLimit(lines));
}

/** The lines, as many as the longest answer holds, and how many more there are. */
function withinLimit(lines: readonly string[]): string {
  const whole = lines.map((line) => `${printable(line)}\n`);
  const size = (text: string) => Buffer.byteLength(text);
  if (size(whole.join("")) <= LONGEST_ANSWER) return whole.join("");
  const rest = (count: number) => `… and ${count} more lines; --json prints all\n`;
  let text = "";
  let count = 0;
  for (const line of whole) {
    if (size(text) + size(line) + size(rest(whole.length)) > LONGEST_ANSWER) break;
    text += line;
    count++;
  }
  return `${text}${rest(whole.length - count)}`;
}
