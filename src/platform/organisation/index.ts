import { InputError, type Keys } from "../../engine/errors.ts";
import { readInput } from "../../engine/input.ts";
import { deepFreeze, isDeepFrozen } from "../../records/table.ts";
import { webhookUrlProblem } from "../webhooks/webhook-url.ts";
import { checkReferences } from "./references.ts";
import { type Organisation, organisationSchema } from "./schema.ts";

/** What organisations that can no longer change were read as. Those that were made by reading are in it as themselves. */
const readBefore = new WeakMap<object, Organisation>();

/**
 * Reads and checks an organisation. One that is frozen to the bottom is read once, for all simulators.
 * @param root where it stands in the whole input, for the paths in errors
 * @param options.allowLocalWebhooks its webhooks may be at local and private hosts
 * @throws {InputError} naming each problem and its path, such as `users[2].extension: duplicate of users[0] ("101")`
 */
export function readOrganisation(
  input: unknown,
  root: Keys = [],
  { allowLocalWebhooks = false } = {},
): Organisation {
  const organisation = readBefore.get(Object(input)) ?? readAnew(input, root);
  for (const [index, { url }] of (organisation.webhooks ?? []).entries()) {
    const problem = webhookUrlProblem(url, allowLocalWebhooks);
    if (problem !== undefined) throw new InputError([...root, "webhooks", index, "url"], problem);
  }
  return organisation;
}

function readAnew(input: unknown, root: Keys): Organisation {
  const organisation = deepFreeze(readInput(organisationSchema, input, root));
  checkReferences(organisation, root);
  readBefore.set(organisation, organisation);
  if (typeof input === "object" && input !== null && isDeepFrozen(input)) readBefore.set(input, organisation);
  return organisation;
}
