import { ForkableList } from "../../foundation/collections.ts";
import { CommandError, notFound } from "../../foundation/errors.ts";
import type { AnalysisArtifact, AnalysisRecord } from "../../generated/records.ts";
import type { CallRecord, Recording } from "../../records/call.ts";
import { dateFields, emptyDateFields } from "../../records/date-fields.ts";
import { RetentionQueue } from "../../records/retention-queue.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import { counted } from "../declare/words.ts";
import type { Directory } from "../directory/directory.ts";
import type { Retention } from "../retention/retention.ts";
import type { CreateAnalysisArguments } from "./schemas.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly retention: Retention;
}

/** The analyzer of the jobs that the service makes by itself. */
const SERVICE_ANALYZER = "call-summary";
/** Content analysis jobs, made through the API or by the service when a call was recorded. */
export class Analysis {
  private readonly newest: RetentionQueue;

  /** @param completed the API's jobs that are complete; kept only if `retain` limits them */
  constructor(
    private readonly services: Needs,
    completed: ForkableList<string>,
  ) {
    this.newest = new RetentionQueue(services.settings.keep.analyses, (id) => this.forget(id), completed);
  }

  /**
   * @throws {CommandError} `not_found` for an unknown recording, agent or job; `invalid_argument` for scorecards of
   * somebody else
   */
  create({ analyzer, content, passthroughParameters = {} }: CreateAnalysisArguments): string {
    const durationMs = this.services.settings.timing.contentAnalysisCompleted;
    return this.begin(analyzer, null, this.readContent(content), passthroughParameters, durationMs);
  }

  private readContent(content: CreateAnalysisArguments["content"]): AnalysisRecord["content"] {
    if ("agent" in content) {
      const { id, displayName, email } = this.services.directory.user(content.agent);
      const contentAnalysis = content.contentAnalysis.map((job) => ({ id: this.get(job.id).id }));
      this.mustAllowAgent(id, contentAnalysis);
      return { agent: { id, displayName, email }, contentAnalysis };
    }
    const recordings = content.recordings.map(({ id, transcriptionModel = null }) => {
      const known = this.services.tables.recordings;
      if (known.get(id) === undefined) throw notFound("recording", id, known);
      return { id, transcriptionModel };
    });
    return { recordings };
  }

  /** @throws {CommandError} `invalid_argument` for jobs that are about other people only */
  private mustAllowAgent(agent: string, jobs: readonly { readonly id: string }[]): void {
    const details = jobs.flatMap(({ id }, index) => {
      const people = this.listPeople(this.get(id));
      if (people === undefined || people.includes(agent)) return [];
      const path = `content.contentAnalysis[${index}].id`;
      return [
        { path, message: `expected a scorecard of ${agent}, ${id} is of ${people.join(", ") || "nobody"}` },
      ];
    });
    if (details.length === 0) return;
    const lines = details.map(({ path, message }) => `${path}: ${message}`);
    throw new CommandError("invalid_argument", `createAnalysis: ${lines.join("\n")}`, details);
  }

  /** The users whom a job is about; undefined if its calls are no longer kept, so that nobody can tell. */
  private listPeople({ callId, content }: AnalysisRecord): string[] | undefined {
    if ("agent" in content) return [content.agent.id];
    const { calls, recordings, users } = this.services.tables;
    const ids = [callId, ...content.recordings.map(({ id }) => recordings.get(id)?.callId)];
    const found = ids.map((id) => calls.get(id ?? "")).filter((call) => call !== undefined);
    if (found.length === 0) return undefined;
    const onBridge = found.flatMap(({ parties, connections }) =>
      parties.filter((party) => connections.some(({ partyId }) => partyId === party.id)),
    );
    return onBridge.map(({ entryId = "" }) => entryId).filter((id) => users.get(id) !== undefined);
  }

  /** Creates the service's own job for a call's recording. It inherits the call's parameters. */
  createFor(call: CallRecord, recording: Recording): void {
    const { timing } = this.services.settings;
    // both times count from the end of the call
    const leftMs = Math.max(0, timing.contentAnalysisCompleted - timing.recordingAvailable);
    const recordings = [{ id: recording.id, transcriptionModel: null }];
    // `retain` keeps the call until the job completes
    this.services.retention.addPending(call.id);
    this.begin(SERVICE_ANALYZER, call.id, { recordings }, call.passthroughParameters, leftMs);
  }

  /** @throws {CommandError} `not_found` */
  get(id: string): AnalysisRecord {
    const job = this.services.tables.analysis.get(id);
    if (job === undefined) throw notFound("content analysis", id, this.services.tables.analysis);
    return job;
  }

  /** Writes the artifacts of a job that has completed. */
  writeArtifacts(id: string): void {
    const { engine, tables } = this.services;
    const { content } = tables.analysis.mustGet(id);
    tables.analysis.patch(id, {
      status: "completed",
      ...dateFields("completed", engine.now),
      artifacts: [this.makeArtifact(content)],
    });
  }

  /** Lets `retain` drop a finished job. The service's own jobs are dropped with their call. */
  finish(id: string): void {
    const { callId } = this.services.tables.analysis.mustGet(id);
    if (callId !== null) this.services.retention.removePending(callId);
    else this.newest.addFinished(id);
  }

  private forget(id: string): void {
    const { analysis } = this.services.tables;
    if (analysis.get(id) !== undefined) analysis.remove(id); // unless a command removed it before
  }

  private begin(
    analyzer: string,
    callId: string | null,
    content: AnalysisRecord["content"],
    passthroughParameters: Readonly<Record<string, unknown>>,
    durationMs: number,
  ): string {
    const { engine, machines, tables, retention } = this.services;
    const id = engine.ids.next("analysis");
    tables.analysis.insert({
      id,
      analyzer,
      status: "pending",
      callId,
      request: callId === null ? null : { source: { type: "call", id: callId } },
      content,
      artifacts: [],
      passthroughParameters,
      ...dateFields("created", engine.now),
      ...emptyDateFields("completed"),
    });
    if (callId !== null) retention.addRecords(callId, { table: "analysis", id });
    machines.start("analysis", id, { recordId: id }, { durationMs });
    return id;
  }

  private makeArtifact(content: AnalysisRecord["content"]): AnalysisArtifact {
    if ("agent" in content) {
      const scorecards = content.contentAnalysis.flatMap(
        ({ id }) => this.services.tables.analysis.get(id)?.artifacts ?? [],
      );
      const found = `${counted(scorecards.length, "artifact")} of ${content.agent.displayName}`;
      return artifact("aggregatedAgentScorecard", scorecards.map((each) => each.content).join("\n"), found);
    }
    const text = content.recordings.map(({ id }) => this.transcriptOf(id)).join("\n");
    const found = `${counted(content.recordings.length, "recording")}, ${text.length} characters`;
    return artifact("summary", text, found);
  }

  private transcriptOf(recordingId: string): string {
    const { tables } = this.services;
    const id = tables.recordings.get(recordingId)?.transcript;
    return id == null ? "" : (tables.transcripts.get(id)?.text ?? "");
  }
}

function artifact(type: string, read: string, content: string): AnalysisArtifact {
  return { type, content, usage: { inputTokens: tokens(read), outputTokens: tokens(content) } };
}

/** A rough count of tokens, always the same for the same text. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Content analysis jobs. */
export const analysis = defineService({
  init: () => new ForkableList<string>(),
  create: (services: Needs, completed) => new Analysis(services, completed),
});
