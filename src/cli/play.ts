import { InputError, LimitError } from "../core/foundation/errors.ts";
import { runOn, type ScenarioRun } from "../core/scenario/run.ts";
import { ScenarioError } from "../core/scenario/scenario.ts";
import { createSimulator } from "../core/simulator/simulator.ts";
import { UsageError } from "./failures.ts";
import type { Output } from "./output.ts";
import { showProgress } from "./progress.ts";
import { inFile, type ScenarioFile } from "./scenario-files.ts";

/**
 * Plays a scenario to its end, and shows progress if that takes long.
 * @param keepsStory whether to narrate the run while it is played, so that it need not be played again to print it
 * @throws {UsageError} if the run has no end, or a step is not possible
 */
export function play(
  { path, text, scenario }: ScenarioFile,
  output: Output,
  keepsStory = false,
): ScenarioRun {
  const simulator = createSimulator(scenario.options);
  if (keepsStory) simulator.narrate();
  const { isTerminal, isErrTerminal = isTerminal } = output;
  const end = showProgress(simulator, path, { isTerminal: isErrTerminal, err: output.err });
  try {
    return runOn(simulator, scenario);
  } catch (error) {
    if (error instanceof ScenarioError) throw inFile(path, error, text, simulator);
    if (error instanceof LimitError) throw new UsageError(`${error.message}; \`until\` sets an end`, path);
    // an instant that no date can hold
    if (error instanceof InputError) throw new UsageError(error.message, path);
    throw error;
  } finally {
    end();
  }
}
