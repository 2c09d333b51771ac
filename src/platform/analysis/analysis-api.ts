import type { AnalysisRecord } from "../../generated/records.ts";
import type { Base, CommandInput } from "../base.ts";
import type { Analysis } from "./analysis.ts";

export interface Needs extends Base {
  readonly analysis: Analysis;
}

/** `sim.analysis`: content analysis jobs. */
export interface AnalysisApi {
  /**
   * Submits recordings for analysis, or jobs whose scorecards of one agent are aggregated.
   * `passthroughParameters` may be any plain data; the job returns them as submitted.
   * @param job the analyzer and the content, as the body of the REST API
   * @throws {CommandError} `not_found` for an unknown recording, agent or job
   */
  create(job: CommandInput<"createAnalysis">): AnalysisRecord;
  /**
   * Returns a job.
   * @param id the job's id
   * @throws {CommandError} `not_found`
   */
  get(id: string): AnalysisRecord;
  /** All jobs, oldest first, including those that the service makes for calls. */
  list(): AnalysisRecord[];
  /**
   * Completes a job now.
   * @param id the job's id
   * @throws {CommandError} `not_found`; `not_allowed` if it is already complete
   */
  complete(id: string): void;
  /**
   * Deletes a job. A pending job stops.
   * @param id the job's id
   * @throws {CommandError} `not_found`
   */
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
