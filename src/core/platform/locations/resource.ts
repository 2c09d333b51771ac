import { defineResource } from "../base/define-resource.ts";
import { locationOperations } from "./operations.ts";

/** Places where people work. */
export const locationsResource = defineResource({
  operations: locationOperations,
});
