import { InputError, type Keys } from "../../engine/errors.ts";
import { readInput } from "../../engine/input.ts";
import { webhookUrlProblem } from "../webhooks/webhook-url.ts";
import { checkReferences } from "./references.ts";
import { type Organisation, organisationSchema } from "./schema.ts";

/**
 * Reads and checks an organisation.
 * @param root where it stands in the whole input, for the paths in errors
 * @param options.allowLocalWebhooks its webhooks may be at local and private hosts
 * @throws {InputError} naming each problem and its path, such as `users[2].extension: duplicate of users[0] ("101")`
 */
export function readOrganisation(
  input: unknown,
  root: Keys = [],
  { allowLocalWebhooks = false } = {},
): Organisation {
  const organisation = readInput(organisationSchema, input, root);
  checkReferences(organisation, root);
  for (const [index, { url }] of (organisation.webhooks ?? []).entries()) {
    const problem = webhookUrlProblem(url, allowLocalWebhooks);
    if (problem !== undefined) throw new InputError([...root, "webhooks", index, "url"], problem);
  }
  return organisation;
}
