import { defineResource } from "../base/define-resource.ts";
import { teamOperations } from "./operations.ts";

/** Teams and their members. */
export const teamsResource = defineResource({
  operations: teamOperations,
});
