import { existsSync, unwatchFile, watchFile } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "./disk.ts";
import { findScenarios, scenariosIn } from "./files.ts";
import { type Output, refusal } from "./output.ts";
import { type RunFlags, run } from "./run.ts";

/** How often the files are looked at, ms. */
const INTERVAL_MS = 200;

/**
 * `ringback run --watch`: plays scenarios again whenever one of them, or an organisation beside them, changes.
 * @param stopped when it ends
 * @returns the exit code of the last run
 * @throws {UsageError} when there is nothing to watch
 */
export async function watch(
  paths: readonly string[],
  flags: RunFlags,
  output: Output,
  stopped: Promise<unknown>,
): Promise<number> {
  let watched = filesOf(paths);
  let code = 0;
  const again = () => {
    code = runOnce(paths, flags, output);
    forget(watched, again);
    watched = stillThere(paths, watched);
    for (const file of watched) watchFile(file, { interval: INTERVAL_MS }, again);
    output.err(`\nwatching ${watched.length} files and folders, Ctrl+C ends it\n`);
  };
  again();
  try {
    await stopped;
    return code;
  } finally {
    forget(watched, again);
  }
}

function runOnce(paths: readonly string[], flags: RunFlags, output: Output): number {
  try {
    return run(paths, flags, output);
  } catch (error) {
    // a file may be away for a moment
    if (!(error instanceof UsageError)) throw error;
    output.err(refusal(error, output));
    return 2;
  }
}

function forget(files: readonly string[], again: () => void): void {
  for (const file of files) unwatchFile(file, again);
}

function stillThere(paths: readonly string[], watched: readonly string[]): string[] {
  try {
    return filesOf(paths);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [...watched];
  }
}

/** The scenarios, the folders that they were found in, and the organisations beside them. */
function filesOf(paths: readonly string[]): string[] {
  const scenarios = findScenarios(paths);
  const folders = paths.filter((path) => !scenarios.includes(path) && existsSync(path));
  const beside = new Set(scenarios.map((path) => join(dirname(path), "organisations")));
  const organisations = [...beside]
    .filter((each) => existsSync(each))
    .flatMap((each) => [each, ...scenariosIn(each)]);
  return [...new Set([...scenarios, ...folders, ...organisations])];
}
