import { defineResource } from "../base/define-resource.ts";
import { webhookOperations } from "./operations.ts";

/** Who is told of which events. */
export const webhooksResource = defineResource({
  operations: webhookOperations,
});
