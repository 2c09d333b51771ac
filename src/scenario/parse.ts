import { InputError, type Keys, type Problem } from "../engine/errors.ts";
import { object, readInput } from "../engine/input.ts";
import { show } from "../engine/instants.ts";
import { readOptions } from "../options.ts";
import type { CommandName } from "../platform/commands.ts";
import { demoOrganisation } from "../platform/organisation/demo.ts";
import { readOrganisation } from "../platform/organisation/index.ts";
import type { Organisation } from "../platform/organisation/schema.ts";
import {
  type ExpectedAttempt,
  type ExpectedEvent,
  namedKinds,
  type Scenario,
  ScenarioError,
  type Step,
} from "./scenario.ts";
import {
  attemptLine,
  commandOfStep,
  headEntries,
  readEventLine,
  type StepName,
  stepNames,
  stepSchemas,
} from "./schema.ts";
import { Source } from "./source.ts";

/** What `parseScenario` knows beside the text. */
export interface ParseOptions {
  /** Organisations that a scenario may name, besides `acme`, the demo organisation: as the texts of YAML files. */
  readonly organisations?: Readonly<Record<string, string>>;
}

const headSchema = object(headEntries);
type Head = ReturnType<typeof readHead>;

/**
 * Reads a scenario from YAML or JSON.
 * @throws {ScenarioError} with line, column and what was expected, at the first problem
 */
export function parseScenario(text: string, { organisations = {} }: ParseOptions = {}): Scenario {
  const source = new Source(text);
  return located(source, () => {
    const head = readHead(source.value);
    const organisation = organisationOf(head, source, organisations);
    const options = readOptions({
      ids: head.ids ?? "counter",
      seed: head.seed,
      start: head.start,
      timing: head.timing,
      network: head.network,
      webhooks: head.webhooks,
      organisation,
    });
    const steps = readSteps(head.steps, source, organisation);
    return {
      title: head.scenario.trim().replaceAll(/\s+/g, " "),
      description: head.description ?? "",
      options,
      untilMs: head.until,
      steps,
      ...readExpected(head.expect, source, webhookNames(steps)),
    };
  });
}

/** Gives the problems of an input their place in the text. */
function located<T>(source: Source, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // a misspelt key is also a missing one, but where it is misspelt is where to look
    const isMisspelt = ({ message }: Problem) => /^unknown (key|step)/.test(message);
    const problem = error.problems.find(isMisspelt) ?? error.problems[0];
    if (problem === undefined) throw error;
    const { keys, path, message } = problem;
    const position = isMisspelt(problem) ? source.positionOfKey(keys) : source.positionOf(keys);
    throw new ScenarioError(position, path === "" ? message : `${path}: ${message}`);
  }
}

function readHead(value: unknown) {
  if (Array.isArray(value)) throw new InputError([], `expected { scenario, steps, ... }, got ${show(value)}`);
  return readInput(headSchema, value);
}

/** The organisation as it was written here, in a named file, or the demo organisation. */
function organisationOf(
  head: Head,
  source: Source,
  organisations: Readonly<Record<string, string>>,
): Organisation {
  const named = head.organisation === undefined ? demoOrganisation.id : head.organisation;
  if (typeof named !== "string") return readOrganisation(named, ["organisation"]);
  if (!Object.hasOwn(organisations, named)) {
    if (named === demoOrganisation.id) return readOrganisation(demoOrganisation);
    const known = [...new Set([demoOrganisation.id, ...Object.keys(organisations)])].join(", ");
    const problem = `no organisation is named "${named}"; known: ${known}; or write it out here`;
    throw new ScenarioError(source.positionOf(["organisation"]), `organisation: ${problem}`);
  }
  try {
    const file = new Source(organisations[named] ?? "");
    return located(file, () => readOrganisation(file.value));
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    throw new ScenarioError(source.positionOf(["organisation"]), `organisation "${named}", ${error.message}`);
  }
}

function readSteps(items: readonly unknown[], source: Source, organisation: Organisation): Step[] {
  const known: KnownNames = { named: new Map(), organisation, added: new Set() };
  const { named } = known;
  let lastMs = 0;
  return items.map((item, index) => {
    const keys: Keys = ["steps", index];
    const name = nameOf(item, keys);
    const command = commandOfStep[name];
    const step = readInput(stepSchemas[name], item, keys);
    const { as, ...args } = step[name] as Record<string, unknown>;
    if (step.at < lastMs)
      throw new InputError([...keys, "at"], `time goes backwards: the step before is at PT${lastMs / 1000}S`);
    lastMs = step.at;
    checkNames(args, [...keys, name], known);
    if (command === "addTrunkEntry") known.added.add(String(args.id));
    if (typeof as === "string") {
      const other = named.get(as);
      if (other !== undefined)
        throw new InputError([...keys, name, "as"], `another ${other} is named "${as}" already`);
      named.set(as, kindMadeBy(command));
    }
    return {
      atMs: step.at,
      command,
      args,
      as: as as string | undefined,
      position: source.positionOf(keys),
    };
  });
}

/** The lines for events and those for attempts of deliveries; of a kind without a line nothing is compared. */
function readExpected(
  lines: readonly unknown[] | undefined,
  source: Source,
  webhooks: readonly string[],
): Pick<Scenario, "expect" | "expectAttempts"> {
  const events: ExpectedEvent[] = [];
  const attempts: ExpectedAttempt[] = [];
  for (const [index, line] of (lines ?? []).entries()) {
    const keys: Keys = ["expect", index];
    if (typeof line === "object" && line !== null && "attempt" in line)
      attempts.push(readAttempt(line, keys, source, webhooks));
    else events.push({ ...readEventLine(line, keys), position: source.positionOf(keys) });
  }
  const hasEvents = events.length > 0 || lines?.length === 0;
  return {
    expect: hasEvents ? events : undefined,
    expectAttempts: attempts.length > 0 ? attempts : undefined,
  };
}

function readAttempt(
  line: unknown,
  keys: Keys,
  source: Source,
  webhooks: readonly string[],
): ExpectedAttempt {
  const { attempt, webhook, number, status, failure, ended, duplicate, state, reason } = readInput(
    attemptLine,
    line,
    keys,
  );
  if (webhook !== undefined && !webhooks.includes(webhook)) {
    const known = webhooks.join(", ") || "none";
    throw new InputError([...keys, "webhook"], `unknown webhook "${webhook}"; named by \`as\`: ${known}`);
  }
  return {
    ...attempt,
    ...{ webhook, number, status, failure, endedMs: ended, isDuplicate: duplicate, state, reason },
    position: source.positionOf(keys),
  };
}

function webhookNames(steps: readonly Step[]): string[] {
  return steps.flatMap(({ command, as }) => (command === "createWebhook" && as !== undefined ? [as] : []));
}

/** The one key of a step that is not `at`. */
function nameOf(item: unknown, keys: Keys): StepName {
  const expected = `expected { at, <command> } with one of the commands ${stepNames.join(", ")}`;
  if (typeof item !== "object" || item === null || Array.isArray(item))
    throw new InputError(keys, `${expected}, got ${show(item)}`);
  const names = Object.keys(item).filter((key) => key !== "at");
  const unknown = names.find((name) => !stepNames.includes(name as StepName));
  if (unknown !== undefined)
    throw new InputError([...keys, unknown], `unknown step "${unknown}", ${expected}`);
  if (names.length !== 1) throw new InputError(keys, `${expected}, got ${names.length} commands`);
  return names[0] as StepName;
}

/** What `as` can name. */
type Named = (typeof namedKinds)[number];

const messageSteps: ReadonlySet<CommandName> = new Set([
  "receiveMessage",
  "sendConversationMessage",
  "sendMessage",
  "sendTeamMessage",
]);

function kindMadeBy(command: CommandName): Named {
  if (command === "createWebhook") return "webhook";
  return messageSteps.has(command) ? "conversation" : "call";
}

/** What the steps so far and the organisation have names for. */
interface KnownNames {
  readonly named: Map<string, Named>;
  readonly organisation: Organisation;
  /** Trunk entries that steps add. */
  readonly added: Set<string>;
}

/** Calls, conversations, webhooks and parties that a step names must exist. */
function checkNames(
  args: Readonly<Record<string, unknown>>,
  keys: Keys,
  { named, organisation, added }: KnownNames,
): void {
  for (const kind of namedKinds) {
    const name = args[kind];
    if (typeof name !== "string" || named.get(name) === kind) continue;
    const ofKind = [...named].filter(([, each]) => each === kind).map(([each]) => each);
    const known = ofKind.join(", ") || "none";
    throw new InputError([...keys, kind], `unknown ${kind} "${name}"; named by \`as\` before: ${known}`);
  }
  const { users = [], devices = [], trunks = [] } = organisation;
  const trunkEntries = trunks.flatMap((trunk) =>
    [trunk.devices, trunk.queues, trunk.users].flatMap((entries) => entries ?? []),
  );
  const ids = users.map((user) => user.id);
  const emails = users.map((user) => user.email.toLowerCase());
  const check = (key: string, known: readonly string[], what: string) => {
    const name = args[key];
    if (typeof name !== "string" || known.includes(name) || emails.includes(name.toLowerCase())) return;
    const names = [...known, ...emails].join(", ") || "none";
    throw new InputError([...keys, key], `unknown ${what} "${name}"; known: ${names}`);
  };
  const deviceIds = devices.map(({ id }) => id);
  // a team's members are users and devices
  check("user", args.team === undefined ? ids : [...ids, ...deviceIds], "user");
  // any outside number may be a party
  if (typeof args.by === "string" && args.by.startsWith("+")) return;
  const trunkIds = trunkEntries.map(({ id }) => id);
  check("by", ["caller", "callee", ...ids, ...deviceIds, ...trunkIds, ...added], "party");
}
