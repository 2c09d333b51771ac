import type { Keys } from "../../engine/errors.ts";
import { readInput } from "../../engine/input.ts";
import { checkReferences } from "./references.ts";
import { type Organisation, organisationSchema } from "./schema.ts";

/**
 * Reads and checks an organisation.
 * @param root where it stands in the whole input, for the paths in errors
 * @throws {InputError} naming each problem and its path, such as `users[2].extension: duplicate of users[0] ("101")`
 */
export function readOrganisation(input: unknown, root: Keys = []): Organisation {
  const organisation = readInput(organisationSchema, input, root);
  checkReferences(organisation, root);
  return organisation;
}
