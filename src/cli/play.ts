import { InputError, LimitError } from "../engine/errors.ts";
import { runScenario, type ScenarioRun } from "../scenario/run.ts";
import { ScenarioError } from "../scenario/scenario.ts";
import { UsageError } from "./disk.ts";
import { inFile, type ScenarioFile } from "./files.ts";

/**
 * Plays a scenario to its end.
 * @throws {UsageError} when it has none, or a step is not possible
 */
export function play({ path, text, scenario }: ScenarioFile): ScenarioRun {
  try {
    return runScenario(scenario);
  } catch (error) {
    if (error instanceof ScenarioError) throw inFile(path, error, text);
    if (error instanceof LimitError) throw new UsageError(`${path}: ${error.message}; \`until\` sets an end`);
    // an instant that no date can hold
    if (error instanceof InputError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}
