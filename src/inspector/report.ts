import type { Deviation } from "../core/engine/deviations.ts";
import { InputError } from "../core/foundation/errors.ts";
import { type JournalDocument, readJournal } from "../core/simulator/options.ts";
import type { Thrown, ValueDifference } from "../findings/property-failure.ts";
import { countedWithoutCopies, writeClause } from "../findings/wording.ts";
import type { Clause, ReceivedState, RunSource } from "./data.ts";

/**
 * The report of `ringback/explore`: an `ExploreReport`, or what its `toJSON` wrote to a file. Pages show the smallest
 * world of each failure.
 */
export interface InspectableReport {
  /** The failures, in the report's order. */
  readonly failures: readonly InspectableFailure[];
}

/** One failure of a report. */
export interface InspectableFailure {
  /** The property's name, or the app's defect. */
  readonly property: string;
  /** What the property threw. */
  readonly message: string;
  /** How many worlds failed like this. */
  readonly worlds?: number;
  /** What an assertion of the property expected and received. */
  readonly difference?: ValueDifference | undefined;
  /** The class, place and stack of what was thrown. */
  readonly thrown?: Thrown | undefined;
  /** How to run the smallest world against the app again. */
  readonly replay?: string;
  /** The passing world that is nearest to the smallest. */
  readonly nearest?:
    | {
        readonly journal: JournalDocument;
        readonly received: readonly ReceivedState[];
        readonly without: Deviation;
      }
    | undefined;
  /** The smallest world that fails like this. */
  readonly smallest: {
    /** The world as YAML; undefined if no scenario can express it. */
    readonly scenario?: string | undefined;
    readonly deviations?: readonly Deviation[];
    readonly journal: JournalDocument;
    /** What the app received, and its state after each. */
    readonly received?: readonly ReceivedState[];
  };
}

/** The runs of a report: the smallest world of each failure. @throws {InputError} for a report without a failure */
export function runsOfReport({ failures }: InspectableReport): RunSource[] {
  if (failures.length === 0)
    throw new InputError(
      ["report", "failures"],
      "expected at least one: nothing failed, so there is nothing to show",
    );
  return failures.map((failure) => {
    const run = runOfFailure(failure);
    const isAlone = failures.filter(({ property }) => property === failure.property).length === 1;
    const clauses = run.world?.clauses.map(({ text }) => text).join("; ") ?? "";
    return isAlone || clauses === "" ? run : { ...run, name: `${run.name}: ${clauses}` };
  });
}

/** The property that fails, the deviations and the message, in one line. */
export function headlineOf(failure: Pick<InspectableFailure, "property" | "message" | "smallest">): string {
  const { property, message } = failure;
  const when = clausesOf(failure)
    .map(({ text }) => text)
    .join(", and ");
  return `${property}${when === "" ? "" : `, when ${when}`}: ${message}`;
}

function clausesOf({ smallest: { deviations = [] } }: Pick<InspectableFailure, "smallest">): Clause[] {
  return countedWithoutCopies(deviations).map((each) => ({
    ...{ text: writeClause(each), is: each.is, at: each.at, of: each.of },
    attempt: each.number ?? 1,
  }));
}

/**
 * Turns a failure into a run that a page can show.
 * @param replay how to run its world against the app again
 * @param recording the command that runs its journal again
 */
export function runOfFailure(
  failure: InspectableFailure,
  replay = failure.replay,
  recording?: string,
): RunSource {
  const { property, message, worlds, smallest, difference, thrown, nearest } = failure;
  const { scenario, journal, received = [] } = smallest;
  const clauses = clausesOf(failure);
  const many = worlds === undefined || worlds === 1 ? "" : `, the smallest of ${worlds.toLocaleString("en")}`;
  const again: (readonly [string, string | undefined])[] = [
    ["the recording", recording],
    ["your code", replay === recording ? undefined : replay],
  ];
  return {
    ...{ name: property, journal, scenario },
    description: `A world in which this fails${many}.`,
    problems: [headlineOf(failure)],
    world: {
      ...{ property, message, difference, thrown, worlds, received },
      clauses,
      nearest: nearest && {
        ...{ journal: nearest.journal, received: nearest.received },
        without: writeClause(nearest.without),
      },
      replays: again.flatMap(([what, text]) =>
        text === undefined || text === "" ? [] : [[what, text] as const],
      ),
    },
  };
}

/** Reads the results of an exploration from JSON. @throws {InputError} with the path of the invalid value */
export function readReport(given: { readonly failures: readonly unknown[] }): InspectableReport {
  const failures = given.failures.map((failure, index) => {
    const path = ["failures", index];
    const { property, message, smallest } = (failure ?? {}) as Partial<InspectableFailure>;
    if (typeof property !== "string" || typeof message !== "string")
      throw new InputError(path, "expected a failure with a property and a message");
    if (typeof smallest !== "object" || smallest === null)
      throw new InputError([...path, "smallest"], "expected the smallest world, with its journal");
    assertJournal(smallest.journal, [...path, "smallest"]);
    const { nearest } = failure as InspectableFailure;
    if (nearest !== undefined) assertJournal(nearest.journal, [...path, "nearest"]);
    return failure as InspectableFailure;
  });
  return { failures };
}

function assertJournal(journal: unknown, path: readonly (string | number)[]): void {
  try {
    readJournal(journal);
  } catch (error) {
    throw error instanceof InputError ? new InputError(path, error.message) : error;
  }
}
