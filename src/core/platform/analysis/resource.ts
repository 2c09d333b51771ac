import { defineResource } from "../base/define-resource.ts";
import { analysisEvents } from "./events.ts";
import { analysisOperations } from "./operations.ts";

/** What is found in recordings. */
export const analysisResource = defineResource({
  events: analysisEvents,
  operations: analysisOperations,
});
