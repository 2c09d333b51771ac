import { CommandError } from "../../../foundation/errors.ts";
import { object, text } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { analysisJob } from "../../guards/example.ts";
import { anyJob } from "../any-job.ts";

/** A job that is not completed. */
const pendingJob: typeof anyJob = {
  ...anyJob,
  refusal: ({ id, status }) =>
    status === "completed"
      ? new CommandError("not_allowed", `analysis ${id} is completed already: create another`)
      : undefined,
};

/** Completes a job that is pending. */
export const completeAnalysis = defineCommand({
  summary: "completes a job of content analysis",
  schema: object({
    /** The job's id. */
    analysis: text(),
  }),
  guard: pendingJob,
  actor: thePlatform,
  describe: ({ analysis: id }) => ({ verb: "completes", mention: { analysis: id } }),
  run: ({ machines }: CoreServices, { analysis: id }) => machines.send("analysis", id, { type: "COMPLETE" }),
  example: (before) => ({ analysis: before.command("createAnalysis", analysisJob(before)) }),
});
