import type { ImportResult } from "../capture/import.ts";
import { runScenario } from "../core/scenario/run.ts";
import type { Scenario } from "../core/scenario/scenario.ts";
import type { JournalDocument } from "../core/simulator/options.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { toCaptureSource } from "./capture.ts";
import type { CompareSource, RunSource } from "./data.ts";
import { fill, fillChunks } from "./fill.ts";
import { withoutUninvolved } from "./involved.ts";
import { type InspectableReport, runsOfReport } from "./report.ts";

/** Everything that a page can be made of. */
export type Inspectable = Simulator | JournalDocument | Scenario | InspectableReport | ImportResult;

/** What a page says besides the run. */
export interface InspectOptions {
  /** The title. Default: the scenario's title, or the organisation's name. */
  readonly title?: string | undefined;
  /** What to notice, or why the page was made. */
  readonly description?: string | undefined;
  /** The differences from what was expected, one text each. */
  readonly problems?: readonly string[] | undefined;
  /** The text of the scenario that was played, for the playground's editor. */
  readonly scenario?: string | undefined;
  /** The texts of the organisations that the scenario names, by name. `acme` is always known. */
  readonly organisations?: Readonly<Record<string, string>> | undefined;
  /** Another run with its name, to be shown side by side; or the events that were expected. */
  readonly compare?:
    | Simulator
    | JournalDocument
    | { readonly name: string; readonly journal: JournalDocument }
    | { readonly name: string; readonly events: NonNullable<CompareSource["events"]> }
    | undefined;
}

/**
 * A run as one self-contained page: it opens from `file://`, asks for nothing, and holds the run's journal and the
 * simulator, which plays it again in the page.
 * @param inspected a simulator, its journal, a scenario (which is played), a report of `ringback/explore`, or what
 *   `importCapture` returned: then what is assumed is dotted, and what no run explains has its reason
 * @param options what the page says besides the run
 * @returns the text of an HTML file
 * @throws {CommandError} `not_allowed` for a simulator that keeps no journal
 * @throws {InputError} for a report without a failure
 * @throws {TypeError} for anything else
 * @example
 * import { inspectHtml } from "ringback/inspect";
 *
 * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
 * sim.runUntilIdle();
 * const page = inspectHtml(sim, { title: "A call that nobody answers" }); // write it to a file
 */
export function inspectHtml(inspected: Inspectable, options: InspectOptions = {}): string {
  return [...inspectChunks(inspected, options)].join("");
}

/** The same in chunks, since a long run's journal is long. */
export function inspectChunks(inspected: Inspectable, options: InspectOptions = {}): Generator<string> {
  const { title, organisations } = options;
  const runs = listRuns(inspected, options);
  const name = title ?? runs[0]?.name ?? "ringback";
  const compare = options.compare === undefined ? undefined : compareOf(options.compare);
  return fillChunks({ version: 1, mode: "inspect", title: name, runs, compare, organisations });
}

/**
 * The playground: the same page with an editor and the lessons.
 * @param scenario the text that the editor begins with; default: the first lesson
 * @param options organisations that the scenario may name; `teach` asks its questions at once, and shows no answer before
 * @example
 * import { playgroundHtml } from "ringback/inspect";
 *
 * const page = playgroundHtml(); // write it to a file
 */
export function playgroundHtml(
  scenario?: string,
  { organisations, teach }: Pick<InspectOptions, "organisations"> & { readonly teach?: boolean } = {},
): string {
  const runs = scenario === undefined ? [] : [{ name: "Playground", scenario }];
  return fill({ version: 1, mode: "play", title: "ringback playground", runs, teach, organisations });
}

function listRuns(inspected: Inspectable, options: InspectOptions): RunSource[] {
  const { title, description, problems, scenario } = options;
  const about = { description, problems, scenario };
  if (isReport(inspected)) return runsOfReport(inspected);
  if (isImported(inspected)) {
    const { scenario: played, yaml } = inspected;
    const journal = withoutUninvolved(runScenario(played).simulator.journal());
    const capture = toCaptureSource(inspected);
    return [{ name: title ?? played.title, journal, ...about, scenario: scenario ?? yaml, capture }];
  }
  if (isScenario(inspected)) {
    const { simulator, mismatches, report } = runScenario(inspected);
    const found = mismatches.length === 0 ? [] : [report];
    return [
      {
        name: title ?? inspected.title,
        journal: withoutUninvolved(simulator.journal()),
        ...about,
        description: description ?? inspected.description,
        problems: problems ?? found,
      },
    ];
  }
  const journal = readJournal(inspected);
  const { organisation } = journal.options;
  const states = "appStates" in inspected ? inspected.appStates?.all() : undefined;
  return [{ name: title ?? organisation.name ?? organisation.id, journal, ...about, states }];
}

function compareOf(other: NonNullable<InspectOptions["compare"]>): CompareSource {
  if ("name" in other && "journal" in other) return { name: other.name, journal: readJournal(other.journal) };
  if ("name" in other) return { name: other.name, events: other.events };
  return { name: "Other run", journal: readJournal(other) };
}

function readJournal(inspected: unknown): JournalDocument {
  if (typeof inspected === "object" && inspected !== null) {
    if ("journal" in inspected && typeof inspected.journal === "function")
      return withoutUninvolved(inspected.journal());
    if ("ringback" in inspected && "entries" in inspected)
      return withoutUninvolved(inspected as JournalDocument);
  }
  throw new TypeError(
    "inspectHtml: expected a simulator, its journal, a scenario that parseScenario read, a report of ringback/explore, or a result of importCapture",
  );
}

function isScenario(inspected: Inspectable): inspected is Scenario {
  return "steps" in inspected && "options" in inspected;
}

function isImported(inspected: Inspectable): inspected is ImportResult {
  return "verdict" in inspected && "yaml" in inspected;
}

function isReport(inspected: Inspectable): inspected is InspectableReport {
  return "failures" in inspected && Array.isArray(inspected.failures);
}
