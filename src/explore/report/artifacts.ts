import { lineIn } from "../../core/foundation/caller.ts";
import { quoted } from "../../findings/quoted.ts";
import { runningTest } from "../../findings/running-test.ts";
import { headlineOf } from "../../inspector/report.ts";
import { type FailedRun, writeFailurePage } from "../../testing/failure-page.ts";
import { EditableScenario } from "../run/write-scenario.ts";
import type { KeptTest } from "./kept-test.ts";
import { type ExploreFailure, ExploreReport } from "./report.ts";
import type { Reproduction } from "./reproduce.ts";

/**
 * Writes the smallest world of each failure into `ringback-results/`, as a scenario, a journal and a page, and what a test
 * of it needs.
 * @param played the kept scenario's file, if one was played: it has its test, and is not written again
 * @param stack the stack of the code that explores
 * @returns the report, which names the files and the command that runs each of them again
 */
export function writeArtifacts(
  report: ExploreReport,
  again: Reproduction | undefined,
  played?: string | undefined,
  stack?: string | undefined,
): ExploreReport {
  return withFailures(report, (failure) => withFiles(failure, again, played, stack));
}

/** The report of a world that is played again from its file. It names the command that plays it. */
export function withReplayCommand(
  report: ExploreReport,
  again: Reproduction | undefined,
  file: string,
): ExploreReport {
  return withFailures(report, (failure) => ({
    ...failure,
    replay: again?.command(file, failure.forged.length > 0) ?? failure.replay,
  }));
}

function withFailures(
  report: ExploreReport,
  change: (failure: ExploreFailure) => ExploreFailure,
): ExploreReport {
  if (report.failures.length === 0) return report;
  return new ExploreReport({ ...report.result, failures: report.failures.map(change) });
}

function withFiles(
  failure: ExploreFailure,
  again: Reproduction | undefined,
  played: string | undefined,
  stack: string | undefined,
): ExploreFailure {
  const { property, smallest } = failure;
  const running = runningTest();
  // node:test does not tell a test's name
  const title = running?.names?.join(" > ") || property;
  const run: FailedRun = { journal: () => smallest.journal, scenario: writeScenario(failure, again, played) };
  try {
    const problem = headlineOf(failure);
    const file = running?.file;
    const line = file === undefined ? undefined : lineIn(stack, file);
    const files = writeFailurePage({ title, file, line, problem, counterexample: failure }, run);
    if (files === undefined) return failure;
    const { name, journal, page, scenario, test, replay } = files;
    return { ...failure, files: { name, journal, page, scenario, test }, replay };
  } catch (error) {
    // a full disk must not hide the failure
    const why = `its files could not be written: ${(error as Error).message}`;
    return { ...failure, replay: `${failure.replay} (${why})` };
  }
}

/** The world as a scenario; undefined for a function that no scenario can express. */
function writeScenario(
  { property, smallest, story, kept, forged }: ExploreFailure,
  again: Reproduction | undefined,
  played: string | undefined,
) {
  if (smallest.scenario === undefined) return undefined;
  const { text } = EditableScenario.of(smallest.scenario).withRules();
  const isForged = forged.length > 0;
  const command = (path: string) =>
    again?.command(kept ?? path, isForged) ?? `npx ringback run ${quoted(kept ?? path)}`;
  const about: KeptTest | undefined = again?.kept && { title: property, story, isForged, ...again.kept };
  return { text, file: played, command, kept: about && JSON.stringify(about) };
}
