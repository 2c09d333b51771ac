import { defineResource } from "../base/define-resource.ts";
import { trunkOperations } from "./operations.ts";

/** Entries of other phone systems. */
export const trunksResource = defineResource({
  operations: trunkOperations,
});
