import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { analysisJob } from "../../guards/example.ts";
import type { Analysis } from "../analysis.ts";
import { createAnalysisSchema } from "../schemas.ts";

export const createAnalysis = defineCommand({
  summary: "creates a job of content analysis",
  schema: createAnalysisSchema,
  actor: thePlatform,
  describe: ({ analyzer }) => `asks for ${analyzer}`,
  run: ({ analysis }: { readonly analysis: Analysis }, args) => analysis.create(args),
  example: analysisJob,
});
