import type { AnalysisRecord } from "../../generated/records.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import type { Analysis } from "./analysis.ts";

export interface Needs extends CoreServices {
  readonly analysis: Analysis;
}

/** `sim.analysis`: content analysis jobs. */
export interface AnalysisApi {
  /**
   * Submits recordings for analysis, or jobs whose scorecards of one agent are aggregated.
   * `passthroughParameters` may be any plain data; the job returns them as submitted.
   * @param job the analyzer and the content, as the body of the REST API
   * @throws {CommandError} `not_found` for an unknown recording, agent or job
   * @example
   * const features = { recording: true };
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features } });
   * sim.users.get("alice").behave({ answer: { after: "PT4S" }, talk: "PT1M" });
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * const { recording } = sim.runUntil("call.recording.available").data;
   * sim.analysis.create({ analyzer: "scorecard", content: { recordings: [{ id: recording.id }] } });
   * sim.runUntil("content_analysis.completed");
   */
  create(job: CommandInput<"createAnalysis">): AnalysisRecord;
  /**
   * Returns a job.
   * @param id the job's id
   * @throws {CommandError} `not_found`
   * @example
   * const features = { recording: true, analysis: true };
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features } });
   * sim.users.get("alice").behave({ answer: { after: "PT4S" }, talk: "PT1M" });
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * const { contentAnalysis } = sim.runUntil("content_analysis.completed").data;
   * sim.analysis.get(contentAnalysis.id).status; // => "completed"
   */
  get(id: string): AnalysisRecord;
  /**
   * All jobs, oldest first, including those that the service makes for calls.
   * @example
   * const features = { recording: true, analysis: true };
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features } });
   * sim.users.get("alice").behave({ answer: { after: "PT4S" }, talk: "PT1M" });
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.runUntil("call.recording.available");
   * sim.analysis.list().map(({ status }) => status); // => ["pending"]
   */
  list(): AnalysisRecord[];
  /**
   * Completes a job now.
   * @param id the job's id
   * @throws {CommandError} `not_found`; `not_allowed` if it is already complete
   * @example
   * const features = { recording: true, analysis: true };
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features } });
   * sim.users.get("alice").behave({ answer: { after: "PT4S" }, talk: "PT1M" });
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.runUntil("call.recording.available");
   * for (const { id } of sim.analysis.list()) sim.analysis.complete(id);
   * sim.events.at(-1)?.type; // => "content_analysis.completed"
   */
  complete(id: string): void;
  /**
   * Deletes a job. A pending job stops.
   * @param id the job's id
   * @throws {CommandError} `not_found`
   * @example
   * const features = { recording: true, analysis: true };
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features } });
   * sim.users.get("alice").behave({ answer: { after: "PT4S" }, talk: "PT1M" });
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.runUntil("call.recording.available");
   * for (const { id } of sim.analysis.list()) sim.analysis.remove(id);
   * sim.analysis.list(); // => []
   */
  remove(id: string): void;
}

export function analysisApi(services: Needs): AnalysisApi {
  return {
    create: (job) => services.analysis.get(services.command("createAnalysis", job)),
    get: (id) => services.analysis.get(id),
    list: () => [...services.tables.analysis],
    complete: (id) => services.command("completeAnalysis", { analysis: id }),
    remove: (id) => services.command("removeAnalysis", { analysis: id }),
  };
}
