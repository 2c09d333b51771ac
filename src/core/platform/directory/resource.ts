import { defineResource } from "../base/define-resource.ts";
import { directoryOperations } from "./operations.ts";

/** Users, devices and everything else that has an extension. */
export const directoryResource = defineResource({
  operations: directoryOperations,
});
