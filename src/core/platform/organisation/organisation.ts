import { InputError, type Keys, type Problem } from "../../foundation/errors.ts";
import { readInput } from "../../foundation/input-schemas.ts";
import { endpointUrlProblem } from "../../network/endpoint-url.ts";
import { deepFreeze, isDeepFrozen } from "../../records/table.ts";
import { type PhoneNumberReader, withPhonebooksRead } from "./contact-numbers.ts";
import { copyOfPlain, isSamePlain } from "./plain-data.ts";
import { checkReferences } from "./references.ts";
import { type Organisation, organisationSchema } from "./schema.ts";
import { type WebhookRules, webhookProblems } from "./webhook-problems.ts";

/** What organisations that cannot change were read as. The results of reading are in it too, each as itself. */
const readBefore = new WeakMap<object, Organisation>();

/** What organisations that can change were read as, with a copy to compare with. */
const readAs = new WeakMap<object, { readonly copy: object; readonly organisation: Organisation }>();

interface ReadOptions {
  readonly allowLocal?: boolean;
  readonly declaredTypes?: readonly string[] | undefined;
  readonly phoneNumbers?: PhoneNumberReader | undefined;
}

/**
 * Reads and checks an organisation. An unchanged organisation is read once for all simulators: comparing takes a
 * twentieth of the time, and no time if it is deeply frozen.
 * @param root its place in the whole input, for the paths in errors
 * @param options.allowLocal allows webhooks and data actions at local and private hosts
 * @param options.declaredTypes the types of events that the dialect declares, which webhooks may ask for
 * @param options.phoneNumbers reads contacts' numbers that are not E.164
 * @throws {InputError} naming each problem and its path, such as `users[2].extension: duplicate of users[0] ("101")`
 */
export function readOrganisation(
  input: unknown,
  root: Keys = [],
  { allowLocal = false, declaredTypes = [], phoneNumbers }: ReadOptions = {},
): Organisation {
  const organisation = readBefore.get(Object(input)) ?? readIfChanged(input, root);
  const problems = findProblems(organisation, { allowsLocal: allowLocal, declaredTypes });
  const [first, ...more] = problems.map((problem) => ({ ...problem, keys: [...root, ...problem.keys] }));
  if (first !== undefined) throw new InputError(first.keys, first.message, more, first);
  return phoneNumbers === undefined ? organisation : withNumbersRead(organisation, phoneNumbers);
}

/** What organisations are once a reader has read their contacts' numbers. */
const numbersRead = new WeakMap<Organisation, WeakMap<PhoneNumberReader, Organisation>>();

function withNumbersRead(organisation: Organisation, reader: PhoneNumberReader): Organisation {
  const before = numbersRead.get(organisation)?.get(reader);
  if (before !== undefined) return before;
  const { phonebooks = [], countryIso } = organisation;
  const given = phonebooks as NonNullable<Organisation["phonebooks"]>;
  const all = withPhonebooksRead(given, countryIso, reader);
  const read = all === given ? organisation : deepFreeze({ ...organisation, phonebooks: all });
  readBefore.set(read, read);
  const byReader = numbersRead.get(organisation) ?? new WeakMap<PhoneNumberReader, Organisation>();
  numbersRead.set(organisation, byReader.set(reader, read));
  return read;
}

/** Finds problems of webhooks and of the URLs of data actions, which depend on the simulator's options. */
function findProblems({ webhooks = [], dataActions = {} }: Organisation, rules: WebhookRules): Problem[] {
  return [
    ...webhooks.flatMap((webhook, index) =>
      webhookProblems(rules, webhook).map((each) => ({ ...each, keys: ["webhooks", index, ...each.keys] })),
    ),
    ...Object.entries(dataActions).flatMap(([name, url]): Problem[] => {
      const message = endpointUrlProblem(url ?? "", rules.allowsLocal);
      return message === undefined ? [] : [{ keys: ["dataActions", name], message }];
    }),
  ];
}

function readIfChanged(input: unknown, root: Keys): Organisation {
  if (typeof input !== "object" || input === null) return readAnew(input, root);
  const before = readAs.get(input);
  if (before !== undefined && isSamePlain(input, before.copy)) return before.organisation;
  const organisation = readAnew(input, root);
  const copy = readBefore.has(input) ? undefined : copyOfPlain(input);
  if (copy === undefined) readAs.delete(input);
  else readAs.set(input, { copy, organisation });
  return organisation;
}

function readAnew(input: unknown, root: Keys): Organisation {
  const organisation = deepFreeze(readInput(organisationSchema, input, root));
  checkReferences(organisation, root);
  readBefore.set(organisation, organisation);
  if (typeof input === "object" && input !== null && isDeepFrozen(input)) readBefore.set(input, organisation);
  return organisation;
}
