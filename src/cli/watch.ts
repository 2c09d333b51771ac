import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "./failures.ts";
import { type CommandOutput, errorText } from "./output.ts";
import { type RunFlags, run } from "./run.ts";
import { findScenarios, scenariosIn } from "./scenario-files.ts";

/** How often to look at the files, ms. */
const INTERVAL_MS = 200;

/**
 * `ringback run --watch`: plays scenarios again whenever one of them, or an organisation beside them, changes.
 * @param stopped resolves to end it
 * @returns the exit code of the last run
 * @throws {UsageError} when there is nothing to watch
 */
export async function watch(
  paths: readonly string[],
  flags: RunFlags,
  output: CommandOutput,
  stopped: Promise<unknown>,
): Promise<number> {
  let files = findFiles(paths);
  let played = "";
  let lastSeen = "";
  let code = 0;
  const playAgain = () => {
    files = filesOrPrevious(paths, files);
    // before the run, so that a change during the run counts
    lastSeen = stateOf(files);
    played = lastSeen;
    code = runOnce(paths, flags, output);
    output.err(
      `\nwatching ${files.length === 1 ? "1 file" : `${files.length} files and folders`}; Ctrl-C ends it\n`,
    );
  };
  const look = () => {
    const seen = stateOf(files);
    // an editor may write a file in two steps: wait until it has been the same for one interval
    const isSettled = seen === lastSeen;
    lastSeen = seen;
    if (isSettled && seen !== played) playAgain();
  };
  playAgain();
  const timer = setInterval(look, INTERVAL_MS);
  try {
    await stopped;
    return code;
  } finally {
    clearInterval(timer);
  }
}

/** A text that changes whenever one of the files is written, made or removed. */
function stateOf(files: readonly string[]): string {
  const states = files.map((file) => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats ? `${file} ${stats.mtimeNs} ${stats.size} ${stats.ino}` : file;
  });
  return states.join("\n");
}

function runOnce(paths: readonly string[], flags: RunFlags, output: CommandOutput): number {
  try {
    return run(paths, flags, output);
  } catch (error) {
    // a file may be gone for a moment
    if (!(error instanceof UsageError)) throw error;
    if (output.isJson) output.out(output.result(error.failures()));
    else output.err(errorText(error, output));
    return 2;
  }
}

function filesOrPrevious(paths: readonly string[], watched: readonly string[]): string[] {
  try {
    return findFiles(paths);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [...watched];
  }
}

/** The scenarios, the folders that they were found in, and the organisations beside them. */
function findFiles(paths: readonly string[]): string[] {
  const scenarios = findScenarios(paths);
  const folders = paths.filter((path) => !scenarios.includes(path) && existsSync(path));
  const beside = new Set(scenarios.map((path) => join(dirname(path), "organisations")));
  const organisations = [...beside]
    .filter((each) => existsSync(each))
    .flatMap((each) => [each, ...scenariosIn(each)]);
  return [...new Set([...scenarios, ...folders, ...organisations])];
}
