import * as v from "valibot";
import { ForkableList } from "../../foundation/collections.ts";
import { CommandError, notFound } from "../../foundation/errors.ts";
import { anyObject, either, list, object, text } from "../../foundation/input-schemas.ts";
import type { AnalysisArtifact, AnalysisRecord } from "../../generated/records.ts";
import type { CallRecord, Recording } from "../../records/call.ts";
import { dateFields, emptyDateFields } from "../../records/date-fields.ts";
import { RetentionQueue } from "../../records/retention-queue.ts";
import type { CoreServices } from "../base/core-services.ts";
import { thePlatform } from "../declare/description.ts";
import { guarded, type RecordGuard } from "../declare/record-guards.ts";
import { command, defineService } from "../declare/service.ts";
import { counted } from "../declare/words.ts";
import type { Directory } from "../directory/directory.ts";
import type { Retention } from "../retention/retention.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly retention: Retention;
}

const optional = v.optional;

/** Any plain data, copied: records freeze what they hold, and the caller's object must stay as it is. */
const freeObject = v.pipe(
  anyObject(),
  v.rawTransform(({ dataset, addIssue, NEVER }): Record<string, unknown> => {
    try {
      return structuredClone(dataset.value);
    } catch {
      addIssue({ message: "expected plain data" });
      return NEVER;
    }
  }),
);

/** The body that creates a job. Rules: docs/fidelity.md#transcripts-and-analyses. */
export const createAnalysisSchema = object({
  /** The name of the analyzer. */
  analyzer: text(),
  /** What is analysed: recordings, or an agent's scorecards. */
  content: either(
    [
      object({
        /** The recordings. */
        recordings: list(
          object({
            /** The recording's id. */
            id: text(),
            /** The model to transcribe it with; default: the service's own. */
            transcriptionModel: optional(text()),
          }),
        ),
      }),
      object({
        /** The user whose scorecards are aggregated, by id or e-mail address. */
        agent: text(),
        /** The jobs that made them. */
        contentAnalysis: list(
          object({
            /** The job's id. */
            id: text(),
          }),
        ),
      }),
    ],
    "expected { recordings }, or { agent, contentAnalysis } to aggregate an agent's scorecards",
  ),
  /** Any plain data; the job returns it as it was given. */
  passthroughParameters: optional(freeObject),
});
const completeAnalysisSchema = object({
  /** The job's id. */
  analysis: text(),
});
const removeAnalysisSchema = object({
  /** The job's id. */
  analysis: text(),
});

type CreateArguments = v.InferOutput<typeof createAnalysisSchema>;

/** The analyzer of the jobs that the service makes by itself. */
const SERVICE_ANALYZER = "call-summary";
/** Content analysis jobs, made through the API or by the service when a call was recorded. */
export class Analysis {
  private readonly newest: RetentionQueue;

  /** @param completed the API's jobs that are complete; kept only if `retain` limits them */
  constructor(
    private readonly world: Needs,
    completed: ForkableList<string>,
  ) {
    this.newest = new RetentionQueue(world.settings.keep.analyses, (id) => this.forget(id), completed);
  }

  /** @throws {CommandError} `not_found` for an unknown recording, agent or job */
  create({ analyzer, content, passthroughParameters = {} }: CreateArguments): string {
    const durationMs = this.world.settings.timing.contentAnalysisCompleted;
    return this.begin(analyzer, null, this.contentOf(content), passthroughParameters, durationMs);
  }

  private contentOf(content: CreateArguments["content"]): AnalysisRecord["content"] {
    if ("agent" in content) {
      const { id, displayName, email } = this.world.directory.user(content.agent);
      const contentAnalysis = content.contentAnalysis.map((job) => ({ id: this.get(job.id).id }));
      return { agent: { id, displayName, email }, contentAnalysis };
    }
    const recordings = content.recordings.map(({ id, transcriptionModel = null }) => {
      const known = this.world.tables.recordings;
      if (known.get(id) === undefined) throw notFound("recording", id, known);
      return { id, transcriptionModel };
    });
    return { recordings };
  }

  /** Makes the service's own job for a call's recording. It inherits the call's parameters. */
  createFor(call: CallRecord, recording: Recording): void {
    const { timing } = this.world.settings;
    // both times count from the end of the call
    const leftMs = Math.max(0, timing.contentAnalysisCompleted - timing.recordingAvailable);
    const recordings = [{ id: recording.id, transcriptionModel: null }];
    // the call is kept until the job completes
    this.world.retention.awaits(call.id);
    this.begin(SERVICE_ANALYZER, call.id, { recordings }, call.passthroughParameters, leftMs);
  }

  /** Completes a job that is pending. */
  complete({ analysis: id }: v.InferOutput<typeof completeAnalysisSchema>): void {
    this.world.machines.send("analysis", id, { type: "COMPLETE" });
  }

  /** Deletes a job. A pending job stops. @throws {CommandError} `not_found` */
  remove({ analysis: id }: v.InferOutput<typeof removeAnalysisSchema>): void {
    const { machines, retention, tables } = this.world;
    const { status, callId } = this.get(id);
    tables.analysis.remove(id);
    if (status === "completed") return;
    machines.send("analysis", id, { type: "CANCEL" });
    if (callId !== null) retention.settles(callId);
  }

  /** @throws {CommandError} `not_found` */
  get(id: string): AnalysisRecord {
    const job = this.world.tables.analysis.get(id);
    if (job === undefined) throw notFound("content analysis", id, this.world.tables.analysis);
    return job;
  }

  /** Writes the artifacts of a job that has completed. */
  completed(id: string): void {
    const { engine, tables } = this.world;
    const { content } = tables.analysis.mustGet(id);
    tables.analysis.patch(id, {
      status: "completed",
      ...dateFields("completed", engine.now),
      artifacts: [this.artifactOf(content)],
    });
  }

  /** Lets a finished job be forgotten. The service's jobs are forgotten with their call. */
  finish(id: string): void {
    const { callId } = this.world.tables.analysis.mustGet(id);
    if (callId !== null) this.world.retention.settles(callId);
    else this.newest.over(id);
  }

  private forget(id: string): void {
    const { analysis } = this.world.tables;
    if (analysis.get(id) !== undefined) analysis.remove(id); // unless a command removed it before
  }

  private begin(
    analyzer: string,
    callId: string | null,
    content: AnalysisRecord["content"],
    passthroughParameters: Readonly<Record<string, unknown>>,
    durationMs: number,
  ): string {
    const { engine, machines, tables, retention } = this.world;
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
    if (callId !== null) retention.made(callId, { table: "analysis", id });
    machines.start("analysis", id, { recordId: id }, { durationMs });
    return id;
  }

  private artifactOf(content: AnalysisRecord["content"]): AnalysisArtifact {
    if ("agent" in content) {
      const scorecards = content.contentAnalysis.flatMap(
        ({ id }) => this.world.tables.analysis.get(id)?.artifacts ?? [],
      );
      const found = `${counted(scorecards.length, "artifact")} of ${content.agent.displayName}`;
      return artifact("aggregatedAgentScorecard", scorecards.map((each) => each.content).join("\n"), found);
    }
    const text = content.recordings.map(({ id }) => this.transcriptOf(id)).join("\n");
    const found = `${counted(content.recordings.length, "recording")}, ${text.length} characters`;
    return artifact("summary", text, found);
  }

  private transcriptOf(recordingId: string): string {
    const { tables } = this.world;
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

/** The right to do something with any job. */
const anyJob: RecordGuard<Analysis, { readonly analysis: string }, AnalysisRecord> = {
  on: "analysis",
  find: (it, { analysis: id }) => it.get(id),
  refusal: () => undefined,
};
const pendingJob: typeof anyJob = {
  ...anyJob,
  refusal: ({ id, status }) =>
    status === "completed"
      ? new CommandError("not_allowed", `analysis ${id} is completed already: create another`)
      : undefined,
};

/** Content analysis jobs. */
export const analysis = defineService({
  init: () => new ForkableList<string>(),
  create: (world: Needs, completed) => new Analysis(world, completed),
  commands: {
    createAnalysis: command(
      createAnalysisSchema,
      thePlatform,
      ({ analyzer }) => `asks for ${analyzer}`,
      (it: Analysis, args) => it.create(args),
    ),
    completeAnalysis: guarded(
      pendingJob,
      command(
        completeAnalysisSchema,
        thePlatform,
        ({ analysis: id }) => `completes ${id}`,
        (it: Analysis, args) => it.complete(args),
      ),
    ),
    removeAnalysis: guarded(
      anyJob,
      command(
        removeAnalysisSchema,
        thePlatform,
        ({ analysis: id }) => ({ subject: id, verb: "is removed" }),
        (it: Analysis, args) => it.remove(args),
      ),
    ),
  },
});
