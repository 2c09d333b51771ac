import { InputError } from "../core/foundation/errors.ts";
import { compareRun } from "../core/scenario/run.ts";
import { ScenarioError } from "../core/scenario/scenario.ts";
import { replay } from "../core/simulator/simulator.ts";
import { type PlayedWorld, playWorld } from "../explore/explore.ts";
import type { ExploreModuleOptions, ExploreOptions } from "../explore/search/options.ts";
import { RETURNED_FALSE, SAY_WHY } from "../findings/property-failure.ts";
import { quoted } from "../findings/quoted.ts";
import { readPhoneNumber } from "../phone-numbers/index.ts";
import { readAppFlags } from "./app-flags.ts";
import { optionText, usageErrorIn } from "./arguments.ts";
import { UsageError } from "./failures.ts";
import type { CommandOutput } from "./output.ts";
import { type Player, type RunFlags, run, scenarioOptionIn } from "./run.ts";
import { findScenarios, inFile } from "./scenario-files.ts";
import { dialectIn } from "./serve.ts";

/**
 * `ringback run --with` and `--server`: plays scenarios for an app, each in the one world that the file describes, and checks the
 * app's properties.
 * @returns the exit code: 0, 1 when a property fails or a stream is not as expected, or 2 when a scenario cannot be played
 */
export async function runWith(
  paths: readonly string[],
  flags: RunFlags,
  output: CommandOutput,
): Promise<number> {
  const { allowLocal = false, profile } = flags;
  const other = scenarioOptionIn(flags);
  if (other !== undefined)
    throw new UsageError("cannot be used together with --with or --server", optionText(other));
  const { options, flags: named } = readAppFlags(flags, allowLocal);
  const given = { profile, dialect: await dialectIn(flags.dialect) };
  const local = [
    ...(allowLocal ? [" --allow-local"] : []),
    ...(profile === undefined ? [] : [` --profile ${profile}`]),
  ].join("");
  const worlds = new Map<string, PlayedWorld | InputError | ScenarioError>();
  for (const scenario of findScenarios(paths))
    worlds.set(
      scenario,
      await playOne({ ...options, ...given, scenario, allowLocal, phoneNumbers: readPhoneNumber }),
    );
  const player: Player = ({ path, text, scenario }) => {
    const world = worlds.get(path);
    if (world instanceof ScenarioError) throw inFile(path, world, text);
    if (world instanceof InputError) throw usageErrorIn(path, flags, world);
    if (world === undefined) throw new Error(`${path}: was not played`);
    const { failures, journal, named: names, checked } = world;
    // a world may end where one fails, so the others are not judged to its end
    const holding = failures.length === 0 ? checked : [];
    const simulator = replay(journal, given);
    const { events } = simulator;
    const problems = failures.map(({ property, message }) => ({
      cause: `FAILS ${property}: ${message}\n${message === RETURNED_FALSE ? `  ${SAY_WHY}\n` : ""}  \`npx ringback inspect ${quoted(path)} ${named}${local}\` shows the run, and plays your changes for your app\n`,
      place: path,
      replay: `npx ringback run ${quoted(path)} ${named}${local}`,
      next: "--format jsonl prints its events",
    }));
    return { run: { simulator, events, ...compareRun(scenario, simulator, names) }, problems, holding };
  };
  return run(paths, flags, output, player);
}

/** Plays one scenario. If it cannot be played, the others still are. */
async function playOne<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
): Promise<PlayedWorld | InputError | ScenarioError> {
  try {
    return await playWorld(options);
  } catch (error) {
    if (error instanceof InputError || error instanceof ScenarioError) return error;
    throw error;
  }
}
