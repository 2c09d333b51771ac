/**
 * The worker plays journals and answers the page's questions about their runs, so that a long run never blocks the
 * page.
 */
import { InputError } from "../../core/foundation/errors.ts";
import { toMermaid } from "../../core/narration/mermaid.ts";
import { toTimeline } from "../../core/narration/timeline.ts";
import { dataChanges } from "../../core/scenario/data-changes.ts";
import { patched } from "../../core/scenario/patched.ts";
import { isJournalText } from "../../core/simulator/journal-codec.ts";
import { readJournal } from "../../core/simulator/options.ts";
import { parseScenario, runScenario, type Scenario, ScenarioError } from "../../index.ts";
import { actsAt } from "../model/acts.ts";
import { detailOf } from "../model/detail.ts";
import { deviatingRun, forkOf, placeIn } from "../model/fork.ts";
import { machineViews } from "../model/machine-view.ts";
import { questionsOf } from "../model/questions.ts";
import { Recording } from "../model/recording.ts";
import { toScenarioText } from "../model/to-scenario.ts";
import { whyAnswer, whyQuestions } from "../model/why-not.ts";
import { readStream } from "../stream.ts";
import type { Importer } from "./importer.ts";
import type { Ask, Asks, Imported, Played, TextProblem, WorkerMessage } from "./protocol.ts";

/** How many rows, or items of any other long list, are sent at once. Taking them in takes less than a frame. */
const ROWS_A_PART = 1_000;

// the project's types are those of a page; this is a worker
const scope = globalThis as unknown as {
  postMessage(message: WorkerMessage): void;
  onmessage: ((message: { data: Ask }) => void) | null;
  readonly ringbackImporter?: Importer;
};

const runs = new Map<number, Recording>();
let nextRun = 0;

function add(recording: Recording): number {
  const run = nextRun++;
  runs.set(run, recording);
  const { records, lanes, bars, holds, ...shape } = recording.shape;
  const { rows } = recording;
  scope.postMessage({ is: "shape", run, shape });
  const longest = Math.max(...[rows, records, lanes, bars, holds].map(({ length }) => length));
  for (let from = 0; from === 0 || from < longest; from += ROWS_A_PART) {
    const next = <T>(list: readonly T[]) => list.slice(from, from + ROWS_A_PART);
    const lists = { records: next(records), lanes: next(lanes), bars: next(bars), holds: next(holds) };
    const piece = { rows: next(rows), ...lists };
    scope.postMessage({ is: "piece", run, piece, done: from + ROWS_A_PART >= longest });
  }
  return run;
}

function get(run: number): Recording {
  const recording = runs.get(run);
  if (recording === undefined) throw new Error(`run ${run} was closed`);
  return recording;
}

const progress = (part: number) => scope.postMessage({ is: "progress", part });

type Answer<N extends keyof Asks> = ReturnType<Asks[N]> | Promise<ReturnType<Asks[N]>>;
const answers: { [N in keyof Asks]: (given: Parameters<Asks[N]>[0]) => Answer<N> } = {
  open: ({ journal, ...about }) => add(Recording.of(journal, { ...about, progress })),
  other: ({ run, text, title }) =>
    isJournalText(text)
      ? { run: add(Recording.of(readJournal(text), { title, progress })) }
      : { events: readStream(text, get(run).simulator.startTimestamp) },
  play: ({ text, organisations }) => played(text, organisations),
  importCapture: ({ text, title }) => imported(text, title),
  patched: ({ text, patch }) => patched(text, patch),
  dataChanges: ({ run, other }) => dataChanges(get(run).simulator.events, get(other).simulator.events),
  close: ({ run }) => {
    runs.delete(run);
  },
  detail: ({ run, row }) => detailOf(get(run), row),
  machines: ({ run, row }) => machineViews(get(run), row),
  acts: ({ run, row }) => actsAt(get(run), row),
  fork: ({ run, row, act }) => add(forkOf(get(run), row, act)),
  place: ({ run, request }) => placeIn(get(run), request),
  deviate: ({ run, request, is }) => add(deviatingRun(get(run), request, is)),
  whyQuestions: ({ run, row }) => whyQuestions(get(run), row),
  why: ({ run, row, question }) => whyAnswer(get(run), row, question),
  questions: ({ run }) => questionsOf(get(run)),
  text: ({ run, as }) => textOf(get(run), as),
  ping: () => true,
};

function played(text: string, organisations: Readonly<Record<string, string>>): Played {
  let scenario: Scenario;
  try {
    scenario = parseScenario(text, { organisations });
  } catch (error) {
    return { problems: problemsOf(error), mismatches: [], run: undefined, title: "" };
  }
  const { title } = scenario;
  try {
    const { simulator, mismatches, report } = runScenario(scenario);
    const problems = mismatches.length === 0 ? [] : [report];
    const recording = Recording.of(simulator.journal(), { title, problems, scenario: text, progress });
    return { problems: [], mismatches: problems, run: add(recording), title };
  } catch (error) {
    return { problems: problemsOf(error), mismatches: [], run: undefined, title };
  }
}

/** The importer is a script of its own, which only a playground has: `importer.ts`. */
async function imported(text: string, title: string): Promise<Imported> {
  const { ringbackImporter } = scope;
  if (ringbackImporter === undefined) throw new Error("this page has no importer: open a playground");
  const { scenario, yaml, capture } = await ringbackImporter(text);
  const { simulator } = runScenario(scenario);
  return { run: add(Recording.of(simulator.journal(), { title, scenario: yaml, capture, progress })), yaml };
}

function problemsOf(error: unknown): TextProblem[] {
  if (error instanceof ScenarioError) return [...error.problems];
  if (error instanceof InputError || error instanceof Error)
    return [{ message: error.message, path: "", line: 1, column: 1 }];
  throw error;
}

function textOf(recording: Recording, as: Parameters<Asks["text"]>[0]["as"]): string {
  const { simulator, journal, shape } = recording;
  if (as === "jsonl") return simulator.events.toJSONL();
  if (as === "journal") return `${JSON.stringify(journal)}\n`;
  if (as === "yaml") return toScenarioText(journal, shape.title);
  const story = { ...simulator.story(), title: shape.title };
  return as === "mermaid" ? toMermaid(story) : toTimeline(story);
}

scope.onmessage = async ({ data: { id, name, given } }) => {
  try {
    const answer = answers[name] as (given: unknown) => unknown;
    scope.postMessage({ is: "got", id, got: await answer(given) });
  } catch (error) {
    scope.postMessage({ is: "threw", id, message: error instanceof Error ? error.message : String(error) });
  }
};
