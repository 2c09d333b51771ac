import { problemText } from "../scenario/scenario.ts";
import { type Output, refusal } from "./output.ts";
import { play } from "./play.ts";
import { findScenarios, type ReadFlags, RefusedFile, readScenario } from "./scenario-files.ts";
import { UsageError } from "./usage-error.ts";

/**
 * `ringback check`: reads scenarios and names everything that is wrong with them. It also plays those that it can read, to
 * find what only a run shows, such as a number that nobody has. It compares nothing: that is for `run`.
 * @returns the exit code: 0, or 2 when one cannot be read or played
 */
export function check(
  paths: readonly string[],
  flags: ReadFlags & { readonly json?: boolean },
  output: Output,
): number {
  const rows = findScenarios(paths).map((path) => {
    const row = checked(path, flags, output);
    if (flags.json !== true) show(row, output);
    return row;
  });
  if (flags.json === true)
    output.out(
      `${JSON.stringify(
        rows.map(({ error, ...row }) => row),
        null,
        2,
      )}\n`,
    );
  return rows.some(({ error }) => error !== undefined) ? 2 : 0;
}

interface CheckedFile {
  readonly path: string;
  readonly error?: UsageError;
  readonly [fact: string]: unknown;
}

function checked(path: string, flags: ReadFlags, output: Output): CheckedFile {
  try {
    const file = readScenario(path, flags);
    const { scenario } = file;
    play(file, output);
    return { path, scenario: scenario.title, steps: scenario.steps.length };
  } catch (error) {
    if (error instanceof RefusedFile) return { path, ...firstOf(error), problems: error.problems, error };
    if (error instanceof UsageError) return { path, problem: error.message, error };
    throw error;
  }
}

/** The first problem, for programs that show one. */
function firstOf({ problems: [first] }: RefusedFile) {
  return first === undefined ? {} : { line: first.line, column: first.column, problem: problemText(first) };
}

function show({ path, steps, error }: CheckedFile, output: Output): void {
  if (error === undefined) output.out(`ok     ${path}  ${steps} ${steps === 1 ? "step" : "steps"}\n`);
  else output.err(refusal(error, output));
}
