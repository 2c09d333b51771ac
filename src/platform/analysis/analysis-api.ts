import type { AnalysisRecord } from "../../generated/records.ts";
import type { Base, CommandInput } from "../base.ts";
import type { Analysis } from "./analysis.ts";

export interface Needs extends Base {
  readonly analysis: Analysis;
}

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

export function analysisApi(world: Needs): AnalysisApi {
  return {
    create: (job) => world.analysis.get(world.command("createAnalysis", job)),
    get: (id) => world.analysis.get(id),
    list: () => [...world.tables.analysis],
    complete: (id) => world.command("completeAnalysis", { analysis: id }),
    remove: (id) => world.command("removeAnalysis", { analysis: id }),
  };
}
