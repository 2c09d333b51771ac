import { InputError, LimitError } from "../engine/errors.ts";
import { playOn, type ScenarioRun } from "../scenario/run.ts";
import { ScenarioError } from "../scenario/scenario.ts";
import { createSimulator } from "../simulator.ts";
import { UsageError } from "./disk.ts";
import { inFile, type ScenarioFile } from "./files.ts";
import type { Output } from "./output.ts";
import { showProgress } from "./progress.ts";

/**
 * Plays a scenario to its end, and says how far it is when that takes long.
 * @param isTold its story is wanted: it is told as it goes, so that it need not be played again
 * @throws {UsageError} when it has none, or a step is not possible
 */
export function play({ path, text, scenario }: ScenarioFile, output: Output, isTold = false): ScenarioRun {
  const simulator = createSimulator(scenario.options);
  if (isTold) simulator.tellFromStart();
  const { isTerminal, isErrTerminal = isTerminal } = output;
  const end = showProgress(simulator, path, { isTerminal: isErrTerminal, err: output.err });
  try {
    return playOn(simulator, scenario);
  } catch (error) {
    if (error instanceof ScenarioError) throw inFile(path, error, text);
    if (error instanceof LimitError) throw new UsageError(`${path}: ${error.message}; \`until\` sets an end`);
    // an instant that no date can hold
    if (error instanceof InputError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  } finally {
    end();
  }
}
