import { spawnSync } from "node:child_process";
import type { Output } from "./output.ts";
import { findScenarios, type ReadFlags } from "./scenario-files.ts";

/** The result of one scenario in two processes. */
interface Verified {
  readonly path: string;
  readonly same: boolean;
  /** What differs, or why the scenario could not be played. */
  readonly problem?: string;
  readonly events?: number;
}

/** The most bytes of a stream, which is read as a whole. */
const LONGEST_STREAM = 1 << 30;

/**
 * `ringback verify`: plays each scenario twice, each time in a process of its own, and compares the streams' bytes.
 * @returns the exit code: 0, 1 when two streams differ, or 2 when a scenario cannot be played
 */
export function verify(
  paths: readonly string[],
  flags: ReadFlags & { readonly json?: boolean },
  output: Output,
): number {
  const results = findScenarios(paths).map((path) => verified(path, flags));
  if (flags.json === true) output.out(`${JSON.stringify(results, null, 2)}\n`);
  else
    for (const { path, same, problem, events } of results) {
      if (same) output.out(`same   ${path}  ${events} events, byte for byte\n`);
      else output.err(`ringback: ${problem}\n`);
    }
  if (results.some(({ same, events }) => !same && events === undefined)) return 2;
  return results.every(({ same }) => same) ? 0 : 1;
}

function verified(path: string, flags: ReadFlags): Verified {
  const runs = [streamOf(path, flags), streamOf(path, flags)] as const;
  const failed = runs.find(({ code }) => code > 1);
  if (failed !== undefined)
    return { path, same: false, problem: failed.err.replace(/^ringback: /, "").trim() };
  const [first, second] = runs.map(({ out }) => out.split("\n")) as [string[], string[]];
  const line = first.findIndex((each, index) => each !== second[index]);
  const events = first.length - 1;
  if (line < 0 && first.length === second.length) return { path, same: true, events };
  const at = line < 0 ? first.length : line + 1;
  return {
    path,
    same: false,
    events,
    problem: `${path}: two runs differ at event ${at}: something in the scenario does not follow from the seed`,
  };
}

/** Plays in a process of its own, so that caches and counters of this one cannot make two runs alike. */
function streamOf(
  path: string,
  { allowLocal = false }: ReadFlags,
): { readonly code: number; readonly out: string; readonly err: string } {
  const [, program = ""] = process.argv;
  const args = [
    ...process.execArgv,
    program,
    "run",
    path,
    "--format",
    "jsonl",
    ...(allowLocal ? ["--allow-local"] : []),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: LONGEST_STREAM,
    env: { ...process.env, NO_COLOR: "1" },
  });
  return { code: status ?? 2, out: stdout, err: stderr };
}
