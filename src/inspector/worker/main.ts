/**
 * The worker replays journals and answers the page's requests, so that a long run never blocks the
 * page.
 */
import { InputError } from "../../core/foundation/errors.ts";
import { toMermaid } from "../../core/narration/mermaid.ts";
import { toTimeline } from "../../core/narration/timeline.ts";
import { dataChanges } from "../../core/scenario/data-changes.ts";
import { withStepMoved } from "../../core/scenario/misplaced-step.ts";
import { applyPatch } from "../../core/scenario/patch.ts";
import { withExpect } from "../../core/scenario/write-expect.ts";
import { isJournalText } from "../../core/simulator/journal-codec.ts";
import { readJournal } from "../../core/simulator/options.ts";
import { readRunInstant } from "../../core/why/run-instant.ts";
import { parseScenario, runScenario, type Scenario, ScenarioError } from "../../index.ts";
import { storyTree, tooLargeForTree } from "../../stories/story-tree.ts";
import { offeredActsAt } from "../model/acts.ts";
import { askedQuestions } from "../model/asked-questions.ts";
import { makeDetail } from "../model/detail.ts";
import { deviationPointIn, forkAt, forkWithDeviation } from "../model/fork.ts";
import { machineViews } from "../model/machine-view.ts";
import { makeQuestions } from "../model/questions.ts";
import { Recording } from "../model/recording.ts";
import { peopleAt, rowAt, runTimeOf } from "../model/run-answers.ts";
import { toScenarioText } from "../model/to-scenario.ts";
import { whatIfUp } from "../model/what-if-up.ts";
import { whyAnswer, whyQuestions } from "../model/why-not.ts";
import { readStream } from "../stream.ts";
import type { Importer } from "./importer.ts";
import type {
  ImportedRun,
  PlayResult,
  TextProblem,
  ToldTree,
  WorkerInput,
  WorkerMessage,
  WorkerMethod,
  WorkerOutput,
  WorkerRequest,
} from "./protocol.ts";

/** The number of rows (or items of another list) in a chunk. The page reads a chunk in less than a frame. */
const ROWS_PER_CHUNK = 1_000;

// the project's types describe a page; this is a worker
const scope = globalThis as unknown as {
  postMessage(message: WorkerMessage): void;
  onmessage: ((message: { data: WorkerRequest }) => void) | null;
  readonly ringbackImporter?: Importer;
};

const runs = new Map<number, Recording>();
/** The scenarios that runs were played from, whose questions are asked. */
const scenarios = new WeakMap<Recording, Scenario>();
let nextRun = 0;

function addRun(recording: Recording): number {
  const run = nextRun++;
  runs.set(run, recording);
  const { records, lanes, bars, holds, ...summary } = recording.summary;
  const { rows } = recording;
  scope.postMessage({ is: "summary", run, summary });
  const longest = Math.max(...[rows, records, lanes, bars, holds].map(({ length }) => length));
  for (let from = 0; from === 0 || from < longest; from += ROWS_PER_CHUNK) {
    const next = <T>(list: readonly T[]) => list.slice(from, from + ROWS_PER_CHUNK);
    const lists = { records: next(records), lanes: next(lanes), bars: next(bars), holds: next(holds) };
    const chunk = { rows: next(rows), ...lists };
    scope.postMessage({ is: "chunk", run, chunk, done: from + ROWS_PER_CHUNK >= longest });
  }
  return run;
}

function findRun(run: number): Recording {
  const recording = runs.get(run);
  if (recording === undefined) throw new Error(`run ${run} was closed`);
  return recording;
}

const progress = (progress: number) => scope.postMessage({ is: "progress", progress });

type Answer<N extends WorkerMethod> = WorkerOutput<N> | Promise<WorkerOutput<N>>;
const methods: { [N in WorkerMethod]: (input: WorkerInput<N>) => Answer<N> } = {
  open: ({ journal, ...about }) => {
    const recording = Recording.from(journal, { ...about, progress });
    const scenario = about.scenario === undefined ? undefined : readable(about.scenario);
    if (scenario !== undefined) scenarios.set(recording, scenario);
    return addRun(recording);
  },
  other: ({ run, text, title }) =>
    isJournalText(text)
      ? { run: addRun(Recording.from(readJournal(text), { title, progress })) }
      : { events: readStream(text, findRun(run).simulator.startTimestamp) },
  play: ({ text, organisations }) => play(text, organisations),
  importCapture: ({ text, title }) => importText(text, title),
  expected: ({ text, organisations }) => {
    const scenario = parseScenario(text, { organisations });
    return withExpect(text, scenario, runScenario(scenario));
  },
  stepMoved: ({ text, path }) => withStepMoved(text, path),
  patched: ({ text, patch }) => applyPatch(text, patch),
  dataChanges: ({ run, other }) =>
    dataChanges(findRun(run).simulator.events, findRun(other).simulator.events),
  close: ({ run }) => {
    runs.delete(run);
  },
  detail: ({ run, row }) => makeDetail(findRun(run), row),
  machines: ({ run, row }) => machineViews(findRun(run), row),
  acts: ({ run, row }) => offeredActsAt(findRun(run), row),
  fork: ({ run, row, act }) => addRun(forkAt(findRun(run), row, act)),
  deviationPoint: ({ run, request }) => deviationPointIn(findRun(run), request),
  deviate: ({ run, request, is }) => addRun(forkWithDeviation(findRun(run), request, is)),
  whatIfUp: ({ run, host }) => {
    const { played, ...answer } = whatIfUp(findRun(run), host);
    return { run: addRun(played), answer };
  },
  people: ({ run, row }) => {
    const recording = findRun(run);
    return peopleAt(recording, recording.at(recording.rows[row]?.step ?? 0).simulator);
  },
  rowAt: ({ run, text }) => {
    const recording = findRun(run);
    return rowAt(recording, readRunInstant(text, runTimeOf(recording), []));
  },
  asked: ({ run }) => askedQuestions(findRun(run)),
  whyQuestions: ({ run, row, record }) => whyQuestions(findRun(run), row, record),
  why: ({ run, row, question }) => whyAnswer(findRun(run), row, question),
  questions: ({ run }) => makeQuestions(findRun(run), scenarios.get(findRun(run))),
  stories: ({ text, organisations }) => tellStories(text, organisations),
  text: ({ run, as }) => writeText(findRun(run), as),
  ping: () => true,
};

function play(text: string, organisations: Readonly<Record<string, string>>): PlayResult {
  let scenario: Scenario;
  try {
    scenario = parseScenario(text, { organisations });
  } catch (error) {
    return { ...notPlayed(error), title: "" };
  }
  const { title, expect, expectAttempts } = scenario;
  try {
    const { simulator, mismatches, report } = runScenario(scenario);
    const problems = mismatches.length === 0 ? [] : [report];
    const recording = Recording.from(simulator.journal(), { title, problems, scenario: text, progress });
    scenarios.set(recording, scenario);
    const expects = expect !== undefined || expectAttempts !== undefined;
    return { problems: [], report, mismatches, expects, run: addRun(recording), title };
  } catch (error) {
    return { ...notPlayed(error), title };
  }
}

function tellStories(text: string, organisations: Readonly<Record<string, string>>): ToldTree {
  let scenario: Scenario;
  try {
    scenario = parseScenario(text, { organisations });
  } catch (error) {
    if (error instanceof ScenarioError) return { why: "The text cannot be read: mend it first." };
    throw error;
  }
  const why = tooLargeForTree(scenario);
  // the page ends a worker that is silent for long
  return why === undefined ? { tree: storyTree(scenario, text, () => progress(0)) } : { why };
}

/** The scenario of a text; undefined if it names an organisation that only its folder has. */
function readable(text: string): Scenario | undefined {
  try {
    return parseScenario(text);
  } catch (error) {
    if (error instanceof ScenarioError) return undefined;
    throw error;
  }
}

function notPlayed(error: unknown): Omit<PlayResult, "title"> {
  return { problems: readProblems(error), report: "", mismatches: [], expects: false, run: undefined };
}

/** Uses the importer (`importer.ts`), which only playgrounds have. */
async function importText(text: string, title: string): Promise<ImportedRun> {
  const { ringbackImporter } = scope;
  if (ringbackImporter === undefined) throw new Error("this page has no importer: open a playground");
  const { scenario, yaml, capture } = await ringbackImporter(text);
  const { simulator } = runScenario(scenario);
  const recording = Recording.from(simulator.journal(), { title, scenario: yaml, capture, progress });
  return { run: addRun(recording), yaml };
}

function readProblems(error: unknown): TextProblem[] {
  if (error instanceof ScenarioError) return [...error.problems];
  if (error instanceof InputError || error instanceof Error)
    return [{ message: error.message, path: "", line: 1, column: 1 }];
  throw error;
}

function writeText(recording: Recording, as: WorkerInput<"text">["as"]): string {
  const { simulator, journal, summary } = recording;
  if (as === "jsonl") return simulator.events.toJSONL();
  if (as === "journal") return `${JSON.stringify(journal)}\n`;
  if (as === "yaml") return toScenarioText(journal, summary.title);
  const narration = { ...simulator.narration(), title: summary.title };
  return as === "mermaid" ? toMermaid(narration) : toTimeline(narration);
}

scope.onmessage = async ({ data: { id, name, input } }) => {
  try {
    const method = methods[name] as (input: unknown) => unknown;
    scope.postMessage({ is: "answer", id, answer: await method(input) });
  } catch (error) {
    scope.postMessage({ is: "error", id, message: error instanceof Error ? error.message : String(error) });
  }
};
