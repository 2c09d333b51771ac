import { object, text } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { analysisJob } from "../../guards/example.ts";
import type { Retention } from "../../retention/retention.ts";
import { anyJob } from "../any-job.ts";

export interface Needs extends CoreServices {
  readonly retention: Retention;
}

/** Deletes a job. A pending job stops. */
export const removeAnalysis = defineCommand({
  summary: "deletes a job of content analysis",
  schema: object({
    /** The job's id. */
    analysis: text(),
  }),
  guard: anyJob,
  actor: thePlatform,
  describe: ({ analysis: id }) => ({ subject: { analysis: id }, verb: "is removed" }),
  run({ machines, retention, tables }: Needs, { analysis: id }, { status, callId }) {
    tables.analysis.remove(id);
    if (status === "completed") return;
    machines.send("analysis", id, { type: "CANCEL" });
    if (callId !== null) retention.removePending(callId);
  },
  example: (before) => ({ analysis: before.command("createAnalysis", analysisJob(before)) }),
});
