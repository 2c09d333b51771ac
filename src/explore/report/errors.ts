import { type ExploreReport, goneText, NO_WORLD, NOT_RUN } from "./report.ts";

const firstLine = (text: string) => text.trim().split("\n", 1)[0] ?? "";

/**
 * Adds a report to an error, where test runners that print every property of an error do not find it. Vitest prints those that
 * are not enumerable too, and for an error with `toJSON` only what that returns.
 */
function addReport(error: Error, report: ExploreReport): void {
  const toJSON = () => {
    const { name, message, stack, cause } = error;
    return { name, message, stack, ...(cause === undefined ? {} : { cause }) };
  };
  Object.defineProperties(error, { report: { value: report }, toJSON: { value: toJSON } });
}

/** A report in a line: the first thing that is wrong, and how many more there are. */
function causeOf({ failures, gone, neverHeld, unmet, result }: ExploreReport): string {
  const causes = [
    ...failures.map(({ property, message }) => `${property}: ${firstLine(message)}`),
    ...gone.map(goneText),
    ...neverHeld.map((name) => `"${name}" held in no world`),
    ...unmet,
    ...result.notRun.map((why) => `${NOT_RUN}: ${why}`),
  ];
  const more = causes.length - 1;
  return `${causes[0] ?? NO_WORLD}${more > 0 ? ` (and ${more} more)` : ""}`;
}

/**
 * Thrown by `explore` when nothing fails, but the time of the test was over before all worlds were run, and neither
 * `for` nor `worlds` says that fewer will do. None at all will never do. Also thrown when planned worlds did
 * not run for another reason, such as a thread that could not load the app.
 */
export class IncompleteError extends Error {
  override readonly name = "IncompleteError";
  /** The report, with what was explored. It is not enumerable: runners would print all of it. */
  declare readonly report: ExploreReport;

  constructor(report: ExploreReport) {
    const what = report.result.notRun.length > 0 ? NOT_RUN : "not all worlds were run";
    super(`${what}, so nothing is proven\n${report.toText()}`);
    addReport(this, report);
  }
}

/** Thrown by `explore` when a property fails, or no longer fails although `known` says that it does. */
export class CounterexampleError extends Error {
  override readonly name = "CounterexampleError";
  /** The report, with what was explored and what failed. It is not enumerable: runners would print all of it. */
  declare readonly report: ExploreReport;
  /** The first failure in a line. */
  declare readonly cause: string;

  constructor(report: ExploreReport) {
    super(report.toText(), { cause: causeOf(report) });
    addReport(this, report);
  }
}
