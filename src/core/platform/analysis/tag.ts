import type { Tag } from "../declare/operation.ts";

/** The tag of the operations about content analysis, one of which is on a call. */
export const analysisTag: Tag = {
  name: "Content analysis",
  description: "What is found in recordings",
};
