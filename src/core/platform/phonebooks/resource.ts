import { defineResource } from "../base/define-resource.ts";
import { phonebookOperations } from "./operations.ts";

/** Contacts from outside. */
export const phonebooksResource = defineResource({
  operations: phonebookOperations,
});
