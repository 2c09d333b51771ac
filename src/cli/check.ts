import { findScenarios, readScenario, UsageError } from "./files.ts";
import type { Output } from "./output.ts";

/**
 * `ringback check`: reads scenarios without playing them, and names every one that is wrong.
 * @returns the exit code: 0, or 2 when one cannot be read
 */
export function check(paths: readonly string[], flags: { readonly json?: boolean }, output: Output): number {
  const rows = findScenarios(paths).map(checked);
  if (flags.json === true)
    output.out(
      `${JSON.stringify(
        rows.map(({ message, ...row }) => row),
        null,
        2,
      )}\n`,
    );
  else
    for (const row of rows) {
      if (row.message === undefined) output.out(`ok     ${row.path}  ${row.steps} steps\n`);
      else output.err(`ringback: ${row.message}\n`);
    }
  return rows.some((row) => row.message !== undefined) ? 2 : 0;
}

interface Row {
  readonly path: string;
  /** What to print of a scenario that is wrong. */
  readonly message?: string;
  readonly [fact: string]: unknown;
}

function checked(path: string): Row {
  try {
    const { scenario } = readScenario(path);
    return { path, scenario: scenario.title, steps: scenario.steps.length };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { path, ...(error.cause as object), message: error.message };
  }
}
