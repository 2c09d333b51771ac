import type { Deviation } from "../engine/choices.ts";
import { InputError } from "../engine/errors.ts";
import { type JournalDocument, readJournal } from "../options.ts";
import type { RunSource } from "./data.ts";

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
  /** The property's name, or the subject's defect. */
  readonly property: string;
  /** What the property threw. */
  readonly message: string;
  /** How many worlds failed like this. */
  readonly worlds?: number;
  /** The command that replays the smallest world. */
  readonly replay?: string;
  /** The smallest world that fails like this. */
  readonly smallest: {
    /** The world as YAML; undefined if no scenario can express it. */
    readonly scenario?: string | undefined;
    readonly deviations?: readonly Deviation[];
    readonly journal: JournalDocument;
  };
}

/** The runs of a report: the smallest world of each failure. @throws {InputError} for a report without a failure */
export function runsOfReport({ failures }: InspectableReport): RunSource[] {
  if (failures.length === 0)
    throw new InputError(
      ["report", "failures"],
      "expected at least one: nothing failed, so there is nothing to show",
    );
  return failures.map(({ property, message, worlds, replay, smallest }) => {
    const { scenario, journal } = smallest;
    const many =
      worlds === undefined || worlds === 1 ? "" : `, the smallest of ${worlds.toLocaleString("en")}`;
    return {
      name: property,
      description: `A world in which this fails${many}.${replay === undefined ? "" : ` Replay: ${replay}`}`,
      journal,
      scenario,
      problems: [`${property}: ${message}`],
    };
  });
}

/** Reads a file of an exploration's results. @throws {InputError} with the place of what is wrong */
export function readReport(given: { readonly failures: readonly unknown[] }): InspectableReport {
  const failures = given.failures.map((failure, place) => {
    const path = ["failures", place];
    const { property, message, smallest } = (failure ?? {}) as Partial<InspectableFailure>;
    if (typeof property !== "string" || typeof message !== "string")
      throw new InputError(path, "expected a failure with a property and a message");
    if (typeof smallest !== "object" || smallest === null)
      throw new InputError([...path, "smallest"], "expected the smallest world, with its journal");
    mustBeJournal(smallest.journal, [...path, "smallest"]);
    return failure as InspectableFailure;
  });
  return { failures };
}

function mustBeJournal(journal: unknown, path: readonly (string | number)[]): void {
  try {
    readJournal(journal);
  } catch (error) {
    throw error instanceof InputError ? new InputError(path, error.message) : error;
  }
}
