import { InputError } from "../../core/foundation/errors.ts";
import { type CorpusFile, readCorpus } from "../run/files.ts";
import { type Prepared, prepare } from "../run/prepare.ts";
import { isOfModule, type Limits, readLimits } from "./limits.ts";
import type { ExploreModuleOptions, ExploreOptions } from "./options.ts";

/** The options of an exploration, read once. */
export interface ExplorationOptions<T = unknown> {
  readonly options: ExploreOptions<T> | ExploreModuleOptions;
  readonly limits: Limits;
  readonly prepared: Prepared;
  readonly corpus: readonly CorpusFile[];
}

/**
 * Reads the options, prepares the scenario, and reads the corpus.
 * @throws {InputError} for wrong options
 * @throws {ScenarioError} for a wrong scenario
 */
export async function readExplorationOptions<T>(
  options: ExploreOptions<T> | ExploreModuleOptions,
): Promise<ExplorationOptions<T>> {
  const limits = readLimits(options);
  if (limits.workers > 1 && !isOfModule(options))
    throw new InputError(
      ["workers"],
      `got ${limits.workers}, and \`app\` is a function, which no other thread can get. Export \`app\` and its properties from a module, and name its file by \`with\` instead`,
    );
  // the first request would load this, and so take other turns of the event loop than later ones
  await import("../../core/rest/rest.ts");
  const { scenario, allowLocal = false, phoneNumbers, dialect, profile } = options;
  const prepared = await prepare(scenario, allowLocal, { phoneNumbers, dialect, profile });
  const corpus = options.corpus === undefined ? [] : readCorpus(options.corpus, allowLocal);
  return { options, limits, prepared, corpus };
}
