import { spawnSync } from "node:child_process";
import { quoted } from "../findings/quoted.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { type CommandFailure, UsageError } from "./failures.ts";
import { type CommandOutput, errorText, type Output } from "./output.ts";
import { play } from "./play.ts";
import { allowLocalOption, findScenarios, type ReadFlags, readScenario } from "./scenario-files.ts";

/** The result of one scenario in two processes. */
interface Verification {
  readonly path: string;
  readonly same: boolean;
  /** Why the scenario could not be played, or what differs. */
  readonly error?: UsageError;
  readonly events?: number;
}

/** The most bytes of a stream, which is read as a whole. */
const LONGEST_STREAM = 1 << 30;

/** `ringback verify`. */
export const verifyCommand: CommandRow = {
  name: "verify",
  group: "scenarios",
  summary: "play scenarios twice, in two processes, and compare the bytes of their streams",
  now: "run --twice <scenario...>",
  declare: (command, output, exit) => {
    command
      .argument("<scenario...>", "files, folders, or lessons by number such as 01")
      .addOption(allowLocalOption())
      .addOption(jsonOption())
      .action((paths: string[], flags: ReadFlags) => exit(verify(paths, flags, output)));
  },
};

/**
 * `ringback verify`: plays each scenario twice, each time in a process of its own, and compares the streams' bytes.
 * @returns the exit code: 0, 1 when two streams differ, or 2 when a scenario cannot be played
 */
export function verify(paths: readonly string[], flags: ReadFlags, output: CommandOutput): number {
  const results = findScenarios(paths).map((path) => verifyScenario(path, flags, output));
  if (output.isJson)
    output.out(
      output.result(results.flatMap(failuresOf), { scenarios: results.map(({ error, ...row }) => row) }),
    );
  else
    for (const { path, error, events } of results) {
      if (error === undefined) output.out(`same   ${path}  ${events} events, byte for byte\n`);
      else output.err(errorText(error, output));
    }
  if (results.some(({ same, events }) => !same && events === undefined)) return 2;
  return results.every(({ same }) => same) ? 0 : 1;
}

function failuresOf({ path, error, events }: Verification): CommandFailure[] {
  const replay = `npx ringback run --twice ${quoted(path)}`;
  const next = "look for what the scenario's endpoints or the program take from outside: time, chance, files";
  return (error?.failures() ?? []).map((each) => (events === undefined ? each : { ...each, replay, next }));
}

function verifyScenario(path: string, flags: ReadFlags, output: Output): Verification {
  const runs = [readStream(path, flags), readStream(path, flags)] as const;
  const failed = runs.find(({ code }) => code > 1);
  if (failed !== undefined)
    return { path, same: false, error: playForError(path, flags, output, failed.err) };
  const [first, second] = runs.map(({ out }) => out.split("\n")) as [string[], string[]];
  const line = first.findIndex((each, index) => each !== second[index]);
  const events = first.length - 1;
  if (line < 0 && first.length === second.length) return { path, same: true, events };
  const at = line < 0 ? first.length : line + 1;
  return {
    path,
    same: false,
    events,
    error: new UsageError(
      `two runs differ at event ${at}: something in the scenario does not follow from the seed`,
      path,
    ),
  };
}

/** Why a scenario cannot be played, with its places: it is played once more, here. @param said by the process that failed */
function playForError(path: string, flags: ReadFlags, output: Output, said: string): UsageError {
  try {
    play(readScenario(path, flags), output);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  return new UsageError(said.replace(/^ringback: /, "").trim(), path);
}

/** Plays in a process of its own, so that caches and counters of this one cannot make two runs alike. */
function readStream(
  path: string,
  { allowLocal = false, profile }: ReadFlags,
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
    ...(profile === undefined ? [] : ["--profile", profile]),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: LONGEST_STREAM,
    env: { ...process.env, NO_COLOR: "1" },
  });
  return { code: status ?? 2, out: stdout, err: stderr };
}
