import * as v from "valibot";
import { anyObject, either, list, object, text } from "../../foundation/input-schemas.ts";
import { copyValue } from "../../foundation/runtime-globals.ts";

const optional = v.optional;

/** Any plain data, copied: records freeze what they hold, and the caller's object must stay as it is. */
const freeObject = v.pipe(
  anyObject(),
  v.rawTransform(({ dataset, addIssue, NEVER }): Record<string, unknown> => {
    try {
      return copyValue(dataset.value);
    } catch {
      addIssue({ message: "expected plain data" });
      return NEVER;
    }
  }),
);

/** The body that creates a job. Rules: docs/fidelity/after-the-call.md#transcripts-and-analyses. */
export const createAnalysisSchema = object({
  /** The name of the analyzer. */
  analyzer: text(),
  /** What is analysed: recordings, or an agent's scorecards. */
  content: either(
    [
      object({
        /** The recordings, at least one. */
        recordings: v.pipe(
          list(
            object({
              /** The recording's id. */
              id: text(),
              /** The model to transcribe it with. @default the service's own */
              transcriptionModel: optional(text()),
            }),
          ),
          v.nonEmpty("expected at least one recording"),
        ),
      }),
      object({
        /** The user whose scorecards are aggregated, by id or e-mail address. */
        agent: text(),
        /** The jobs that made them, of calls that the user was on. */
        contentAnalysis: v.pipe(
          list(
            object({
              /** The job's id. */
              id: text(),
            }),
          ),
          v.nonEmpty("expected at least one content analysis"),
        ),
      }),
    ],
    "expected { recordings }, or { agent, contentAnalysis } to aggregate an agent's scorecards",
  ),
  /** Any plain data; the job returns it as it was given. */
  passthroughParameters: optional(freeObject),
});
export type CreateAnalysisArguments = v.InferOutput<typeof createAnalysisSchema>;
