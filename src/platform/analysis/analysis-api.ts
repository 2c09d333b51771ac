import type { AnalysisRecord } from "../../records/analysis.ts";
import { type CommandInput, runCommand } from "../commands.ts";
import type { Platform } from "../platform.ts";

/** `sim.analysis`: content analysis jobs. */
export interface AnalysisApi {
  /**
   * Submits recordings for analysis, or other jobs whose scorecards of one agent are to be aggregated;
   * `passthroughParameters` is free and comes back as submitted.
   * @throws {CommandError} `not_found` for a recording, an agent or a job that is not there
   */
  create(job: CommandInput<"createAnalysis">): AnalysisRecord;
  /** @throws {CommandError} `not_found` */
  get(id: string): AnalysisRecord;
  /** Oldest first, those that the service made of calls included. */
  list(): AnalysisRecord[];
  /** Completes a job now. @throws {CommandError} `not_found`, `not_allowed` for one that is completed */
  complete(id: string): void;
  /** Deletes a job; one that is pending stops. @throws {CommandError} `not_found` */
  remove(id: string): void;
}

export function analysisApi(platform: Platform): AnalysisApi {
  return {
    create: (job) => platform.analysis.get(runCommand(platform, "createAnalysis", job)),
    get: (id) => platform.analysis.get(id),
    list: () => [...platform.tables.analysis],
    complete: (id) => runCommand(platform, "completeAnalysis", { analysis: id }),
    remove: (id) => runCommand(platform, "removeAnalysis", { analysis: id }),
  };
}
