import { defineResource } from "../base/define-resource.ts";
import { callEvents } from "./events.ts";
import { callOperations } from "./operations.ts";

/** Calls. */
export const callsResource = defineResource({
  events: callEvents,
  operations: callOperations,
});
