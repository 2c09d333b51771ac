import type { AppState, AppStates } from "../core/narration/app-state.ts";
import type { JournalDocument } from "../core/simulator/options.ts";
import type { ValueDifference } from "../findings/property-failure.ts";
import { quoted } from "../findings/quoted.ts";
import { runningTest } from "../findings/running-test.ts";
import type { RunSource } from "../inspector/data.ts";
import { type InspectableFailure, runOfFailure } from "../inspector/report.ts";
import { hasTemplate } from "../inspector/template.ts";
import { fillShared } from "../inspector/viewer.ts";
import { INDEX_FILE, listFailure, writeViewer } from "./failure-index.ts";
import { nameOfRun } from "./failure-name.ts";
import { currentRun, type Files, nodeModules, type Paths, writePrivately } from "./node-files.ts";

/** A failed run: a simulator, or the journal of one. */
export interface FailedRun {
  journal(): JournalDocument;
  /** The states of the app, if they are known. */
  readonly appStates?: Pick<AppStates, "all"> | undefined;
  /** The run as a scenario, if it is known as one. */
  readonly scenario?: FailedScenario | undefined;
}

/** A failed run as a scenario. */
export interface FailedScenario {
  readonly text: string;
  /** The path of the file that it was played from, if no copy is to be written. */
  readonly file?: string | undefined;
  /** The command that plays it again. @param path the path of the scenario's file */
  command(path: string): string;
  /** What `ringback keep` makes a test of, as JSON; undefined if no test can play it. */
  readonly kept: string | undefined;
}

/** What failed, for the page. */
export interface TestFailure {
  /** The name of the test with its suites, or what was explored and its property. The files are named after it. */
  readonly title: string;
  /** The path of the test's file, if it is known. */
  readonly file?: string | undefined;
  /** The line of that file where it failed, if it is known. */
  readonly line?: number | undefined;
  /** The message of the failure. */
  readonly problem: string;
  /** What was expected and what was received, if the assertion says it. */
  readonly difference?: ValueDifference | undefined;
  /** The index of the event that failed, among all events of the run. */
  readonly eventIndex?: number | undefined;
  /** The failure of an exploration, if one found it: the page then tells its smallest world beside the nearest that passes. */
  readonly counterexample?: InspectableFailure | undefined;
}

/** The files that were written for a failure. Paths are relative to the folder in which the tests run. */
export interface WrittenFiles {
  /** What the files are named after. */
  readonly name: string;
  /** The path of the journal. `ringback run` plays it again. */
  readonly journal: string;
  /** The path of the page; undefined in a clone of ringback where the inspector's page is not built. */
  readonly page: string | undefined;
  /** The path of the page that lists all failures; undefined where `page` is. */
  readonly index: string | undefined;
  /** The path of the scenario; undefined if the run is not known as one. */
  readonly scenario: string | undefined;
  /** The path of what `ringback keep` makes a test of; undefined if no test can play the scenario. */
  readonly test: string | undefined;
  /** The command that runs it again. */
  readonly replay: string;
}

/** The folder for results. `RINGBACK_RESULTS` names another; `off` writes nothing. */
export function resultsFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.RINGBACK_RESULTS || "ringback-results";
}

/** Makes the folder for results. They do not belong into a repository. */
export function makeResultsFolder(fs: Files, path: Paths, folder: string): void {
  fs.mkdirSync(folder, { recursive: true });
  const ignore = path.join(folder, ".gitignore");
  if (!fs.existsSync(ignore)) fs.writeFileSync(ignore, "*\n");
}

/** The folder in it for scenarios, of which `ringback keep` makes tests. */
export const CORPUS_FOLDER = "corpus";
/** How the names of files end that say what `ringback keep` makes a test of. */
export const KEPT_ENDING = ".keep.jsonl";
/** How the names of journals end. Jest watches files of JSON, and would run again whenever one is written. */
export const JOURNAL_ENDING = ".journal.jsonl";

/**
 * Writes the files of a failure into `ringback-results/`: the journal, a page that shows it, the list of all
 * failures, and for a run that is known as a scenario, that and what a test of it needs. Pages share one viewer, so that ten of them
 * weigh little more than one.
 * @returns undefined if nothing can be written: in a browser, or with `RINGBACK_RESULTS=off`
 * @throws any error of writing
 */
export function writeFailurePage(failure: TestFailure, run: FailedRun): WrittenFiles | undefined {
  const node = nodeModules();
  const folder = node === undefined ? "off" : resultsFolder(node.env);
  if (node === undefined || folder === "off") return undefined;
  const { fs, path, here } = node;
  makeResultsFolder(fs, path, folder);
  const isTaken = (name: string) => isAnothers(run.scenario, { fs, path, folder, name });
  const name = nameOfRun(run, failure, path, here, isTaken);
  const journal = path.join(folder, `${name}${JOURNAL_ENDING}`);
  const document = run.journal();
  const failed = failedIn(failure, path, here);
  writePrivately(fs, journal, `${JSON.stringify({ ...document, failed })}\n`);
  const written = writeScenario(run.scenario, { fs, path, folder, name });
  const files = { replay: commandToReplay(journal), ...written, name, journal };
  if (!hasTemplate()) return { page: undefined, index: undefined, ...files };
  return {
    ...writePages(failure, document, run.appStates?.all(), {
      fs,
      path,
      folder,
      name,
      journal,
      replay: files.replay,
    }),
    ...files,
  };
}

/** What a journal says of the failure that left it. */
function failedIn(
  { title, file, line, problem }: TestFailure,
  path: Paths,
  here: string,
): JournalDocument["failed"] {
  return {
    ...{ test: title, file: file && path.relative(here, path.resolve(here, file)), line },
    message: withoutColours(problem),
  };
}

/** Whether another exploration left its scenario by this name, which a command that it printed plays. Tests have names of their own. */
function isAnothers(
  failed: FailedScenario | undefined,
  { fs, path, folder, name }: Omit<PagePaths, "replay" | "journal">,
): boolean {
  if (failed === undefined || failed.file !== undefined || runningTest() !== undefined) return false;
  const start = path.join(folder, CORPUS_FOLDER, name);
  const differs = (file: string, text: string) =>
    fs.existsSync(file) && fs.readFileSync(file, "utf8") !== text;
  return (
    differs(`${start}.yaml`, failed.text) ||
    (failed.kept !== undefined && differs(`${start}${KEPT_ENDING}`, `${failed.kept}\n`))
  );
}

/** Writes a run as a scenario, and what a test of it needs. */
function writeScenario(
  failed: FailedScenario | undefined,
  { fs, path, folder, name }: Omit<PagePaths, "replay" | "journal">,
): Pick<WrittenFiles, "scenario" | "test"> & { readonly replay?: string } {
  if (failed === undefined) return { scenario: undefined, test: undefined };
  if (failed.file !== undefined)
    return { scenario: failed.file, test: undefined, replay: failed.command(failed.file) };
  const corpus = path.join(folder, CORPUS_FOLDER);
  fs.mkdirSync(corpus, { recursive: true });
  const scenario = path.join(corpus, `${name}.yaml`);
  writePrivately(fs, scenario, failed.text);
  const replay = failed.command(scenario);
  if (failed.kept === undefined) return { scenario, test: undefined, replay };
  const test = path.join(corpus, `${name}${KEPT_ENDING}`);
  writePrivately(fs, test, `${failed.kept}\n`);
  return { scenario, test, replay };
}

interface PagePaths {
  readonly fs: Files;
  readonly path: Paths;
  readonly folder: string;
  readonly name: string;
  /** The path of the journal. */
  readonly journal: string;
  /** The command that runs it again. */
  readonly replay: string;
}

function writePages(
  failure: TestFailure,
  journal: JournalDocument,
  states: readonly AppState[] | undefined,
  paths: PagePaths,
): { page: string; index: string } {
  const { title, file, difference, counterexample } = failure;
  const { fs, path, folder, name, replay } = paths;
  const problem = withoutColours(failure.problem);
  const page = path.join(folder, `${name}.html`);
  const run: RunSource =
    counterexample === undefined
      ? {
          ...{ name: title, journal, problems: [problem], states },
          failure: { message: problem, difference, place: failure.eventIndex, replay },
        }
      : runOfFailure(counterexample, replay, commandToReplay(paths.journal));
  const data = { version: 1, mode: "inspect", title, runs: [run], index: INDEX_FILE } as const;
  writeViewer(fs, path, folder);
  writePrivately(fs, page, fillShared(data));
  const listed = { title, file, problem, page: `${name}.html`, replay, run: currentRun() };
  return { page, index: listFailure(fs, path, folder, name, listed) };
}

/** The command that runs a journal again. */
export function commandToReplay(journal: string): string {
  return `npx ringback run ${quoted(journal)}`;
}

function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that colour a terminal begin with one
  return text.replace(/\u001b\[[\d;]*m/g, "");
}
