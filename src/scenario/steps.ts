import type { Keys, Problem } from "../engine/errors.ts";
import { readInput } from "../engine/input.ts";
import { show } from "../engine/instants.ts";
import type { CommandName } from "../platform/base.ts";
import type { Organisation } from "../platform/organisation/schema.ts";
import type { Problems } from "./problems.ts";
import { namedKinds, type Step, type TextRange } from "./scenario.ts";
import {
  argumentKeys,
  argumentsOf,
  commandOfStep,
  headEntries,
  type StepName,
  stepNames,
  whenSchema,
} from "./schema.ts";

/** What steps are read with. */
interface StepsContext {
  readonly problems: Problems;
  /** Undefined when it is wrong itself: then nobody is missed in it. */
  readonly organisation: Organisation | undefined;
  rangeOf(keys: Keys): TextRange;
}

/** A step in a file, before its values are read. */
type Given = Readonly<Record<string, unknown>>;

/** The keys of a step that say when it is played. */
const whenKeys = Object.keys(whenSchema.entries);

/** Reads every step; what is wrong with one does not keep the others from being read. */
export function readSteps(
  items: readonly unknown[],
  { problems, organisation, rangeOf }: StepsContext,
): Step[] {
  const known: KnownNames = { named: new Map(), organisation, added: new Set() };
  let lastMs = 0;
  return items.flatMap((item, index): Step[] => {
    const keys: Keys = ["steps", index];
    if (!isObject(item)) {
      problems.add(
        keys,
        `expected a step such as { at: PT6S, answer: { call: c1, by: alice } }, got ${show(item)}`,
      );
      return [];
    }
    const given = Object.entries(item).filter(([key]) => whenKeys.includes(key));
    const when = problems.attempt(() => readInput(whenSchema, Object.fromEntries(given), keys));
    if (when !== undefined && when.at < lastMs)
      problems.add([...keys, "at"], `time goes backwards: the step before is at PT${lastMs / 1000}S`);
    lastMs = when?.at ?? lastMs;
    const name = nameOf(item, keys, problems);
    if (name === undefined) return [];
    const command = commandOfStep[name];
    const read = problems.attempt(() =>
      readInput(argumentsOf(command), item[name], [...keys, name], (args) => nameProblems(args, known)),
    );
    const { as, id } = (isObject(item[name]) ? item[name] : {}) as Given;
    if (typeof as === "string") known.named.set(as, kindMadeBy(command));
    if (command === "addTrunkEntry") known.added.add(String(id));
    if (read === undefined) return [];
    const { as: _, ...args } = read as Given;
    return [
      { atMs: lastMs, command, args, as: typeof as === "string" ? as : undefined, position: rangeOf(keys) },
    ];
  });
}

/** The one key of a step that is not about its time; what is wrong with its keys is noted. */
function nameOf(item: Given, keys: Keys, problems: Problems): StepName | undefined {
  const others = Object.keys(item).filter((key) => !whenKeys.includes(key));
  const names = others.filter(isStepName);
  const [name] = names;
  if (name === undefined && others.length === 0)
    problems.add(keys, "expected a command, such as inbound, answer or hangup, and what it takes", stepNames);
  if (names.length > 1)
    problems.add(keys, `expected one command in a step, got ${names.length}: ${names.join(", ")}`);
  for (const key of others) {
    if (isStepName(key)) continue;
    const misplaced = whereKeyBelongs(key, name);
    if (misplaced !== undefined) problems.add([...keys, key], `wrong indentation: ${misplaced}`);
    else
      problems.add(
        [...keys, key],
        `unknown step "${key}", expected a command: ${stepNames.join(", ")}`,
        stepNames,
      );
  }
  // arguments that stand beside their command are missing in it
  const isHollow = name !== undefined && item[name] === null && others.length > 1;
  return names.length > 1 || isHollow ? undefined : name;
}

/** Where a key belongs that a step has by its indentation; undefined for one that belongs nowhere. */
function whereKeyBelongs(key: string, name: StepName | undefined): string | undefined {
  if (name !== undefined && argumentKeys(name).includes(key))
    return `"${key}" is an argument of "${name}" and stands beside it, where it must stand below it and further in`;
  if (Object.hasOwn(headEntries, key))
    return `"${key}" belongs to the scenario and not to a step: it must begin in the same column as "steps"`;
  return undefined;
}

const isStepName = (key: string): key is StepName => Object.hasOwn(commandOfStep, key);

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
  readonly organisation: Organisation | undefined;
  /** Trunk entries that steps add. */
  readonly added: Set<string>;
}

/** Calls, conversations, webhooks and parties that a step names must exist, and a new name must be new. */
function nameProblems(args: Given, { named, organisation, added }: KnownNames): Problem[] {
  const problems: Problem[] = [];
  const missing = (key: string, what: string, words: string, choices: readonly string[]) =>
    problems.push({
      keys: [key],
      message: `unknown ${what} "${args[key]}"; ${words}: ${choices.join(", ") || "none"}`,
      choices,
    });
  for (const kind of namedKinds) {
    const name = args[kind];
    if (typeof name !== "string" || named.get(name) === kind) continue;
    const ofKind = [...named].filter(([, each]) => each === kind).map(([each]) => each);
    missing(kind, kind, "named by `as` before", ofKind);
  }
  const other = typeof args.as === "string" ? named.get(args.as) : undefined;
  if (other !== undefined)
    problems.push({ keys: ["as"], message: `another ${other} is named "${args.as}" already` });
  if (organisation === undefined) return problems;
  const { users = [], devices = [], trunks = [] } = organisation;
  const emails = users.map((user) => user.email.toLowerCase());
  const check = (key: string, known: readonly string[], what: string) => {
    const name = args[key];
    if (typeof name !== "string" || known.includes(name) || emails.includes(name.toLowerCase())) return;
    missing(key, what, "known", [...known, ...emails]);
  };
  const ids = users.map((user) => user.id);
  const deviceIds = devices.map(({ id }) => id);
  // a team's members are users and devices
  check("user", args.team === undefined ? ids : [...ids, ...deviceIds], "user");
  // any outside number may be a party
  if (typeof args.by === "string" && args.by.startsWith("+")) return problems;
  const trunkIds = trunks.flatMap((trunk) =>
    [trunk.devices, trunk.queues, trunk.users].flatMap((entries) => (entries ?? []).map(({ id }) => id)),
  );
  check("by", ["caller", "callee", ...ids, ...deviceIds, ...trunkIds, ...added], "party");
  return problems;
}
