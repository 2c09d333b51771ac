import { InputError, type Keys, type Problem } from "../foundation/errors.ts";
import { readInput } from "../foundation/input-schemas.ts";
import { isoDuration } from "../foundation/instants.ts";
import { show } from "../foundation/show.ts";
import { isRecord } from "../foundation/values.ts";
import type { CommandName } from "../platform/base/core-services.ts";
import { findForm, mixtureProblem } from "../platform/catalogue/forms.ts";
import type { EventType } from "../platform/declare/events.ts";
import type { Organisation } from "../platform/organisation/schema.ts";
import { typeProblems } from "../platform/organisation/webhook-problems.ts";
import type { Problems } from "./problems.ts";
import { namedKinds, type Step, type TextRange } from "./scenario.ts";
import {
  argumentKeys,
  argumentsOf,
  commandOfStep,
  headEntries,
  isStepName,
  listWhenKeys,
  type StepName,
  stepNames,
  whenSchema,
} from "./schema.ts";

/** The context in which steps are read. */
interface StepsContext {
  readonly problems: Problems;
  /** Undefined if the organisation is invalid: its ids are then not checked. */
  readonly organisation: Organisation | undefined;
  /** The types of events that the scenario's dialect declares. */
  readonly declaredTypes: readonly string[];
  rangeOf(keys: Keys): TextRange;
}

/** An unread step of a file. */
type Given = Readonly<Record<string, unknown>>;

/** Arguments that were parsed here, and are not parsed again when the step is played. */
const parsedArguments = new WeakSet<object>();

interface Subscription {
  readonly events?: readonly string[];
}

/** Whether a command has the event types of a webhook. */
const subscribesToEvents = (command: CommandName) =>
  command === "createWebhook" || command === "updateWebhook";

/** Whether a step's arguments were parsed, unlike those of a step built in code. */
export function isParsed({ args }: Step): boolean {
  return parsedArguments.has(args);
}

/** Reads every step, even if others are wrong. */
export function readSteps(
  items: readonly unknown[],
  { problems, organisation, declaredTypes, rangeOf }: StepsContext,
): Step[] {
  const known: KnownNames = { named: new Map(), organisation, added: new Set() };
  let lastMs = 0;
  return items.flatMap((item, index): Step[] => {
    const keys: Keys = ["steps", index];
    if (!isRecord(item)) {
      problems.add(
        keys,
        `expected a step such as { at: PT6S, answer: { call: c1, by: alice } }, got ${show(item)}`,
      );
      return [];
    }
    const when = problems.attempt(() => readWhen(item, keys, lastMs, known));
    lastMs = when?.atMs ?? lastMs;
    const waited = when?.on?.as;
    if (when?.on !== undefined && waited !== undefined)
      known.named.set(waited, kindOfEvent(when.on.type) ?? "call");
    const name = readCommandName(item, keys, problems);
    if (name === undefined) return [];
    const command = findForm(commandOfStep[name], item[name]);
    const read = problems.attempt(() => {
      const mixture = mixtureProblem(commandOfStep[name], item[name]);
      if (mixture !== undefined) throw new InputError([...keys, name, ...mixture.keys], mixture.message);
      return readInput(argumentsOf(command), item[name], [...keys, name], (args) => [
        ...nameProblems(args, known),
        ...(subscribesToEvents(command) ? typeProblems(declaredTypes, (args as Subscription).events) : []),
      ]);
    });
    const { as, id, from } = (isRecord(item[name]) ? item[name] : {}) as Given;
    if (typeof as === "string") known.named.set(as, kindNamedBy(command));
    if (command === "addTrunkEntry") known.added.add(String(id));
    // a short code, or "anonymous"
    if (command === "inbound" && typeof from === "string" && !from.startsWith("+")) known.added.add(from);
    if (read === undefined || when === undefined) return [];
    const { as: _, ...given } = read as Given;
    const args = Object.freeze(given);
    parsedArguments.add(args);
    const alias = typeof as === "string" ? as : undefined;
    return [{ ...when, command, args, as: alias, position: rangeOf(keys) }];
  });
}

/**
 * Reads when a step is played.
 * @throws {InputError} listing every problem
 */
function readWhen(item: Given, keys: Keys, lastMs: number, known: KnownNames): Pick<Step, "atMs" | "on"> {
  const keysOfWhen = listWhenKeys(item);
  const given = Object.fromEntries(Object.entries(item).filter(([key]) => keysOfWhen.includes(key)));
  const { at, on, of, nth, plus, as } = readInput(whenSchema, given, keys, (when) => [
    ...whenProblems(given, when.at, lastMs),
    ...(when.as === undefined ? [] : namingProblems(when.as, when.on, known)),
    ...(when.of === undefined ? [] : triggerProblems(when.of, known)),
  ]);
  if (on === undefined) return { atMs: at, on: undefined };
  const name = as === undefined ? {} : { as };
  return { atMs: undefined, on: { type: on, of, nth: nth ?? 1, plusMs: plus ?? 0, ...name } };
}

/** What an event is about that a name can be given to. */
function kindOfEvent(type: EventType): NamedKind | undefined {
  if (type.startsWith("call.")) return "call";
  return type.startsWith("conversation.") ? "conversation" : undefined;
}

/** Checks the name that a step gives to what its event is about. */
function namingProblems(as: string, type: EventType | undefined, { named }: KnownNames): Problem[] {
  const other = named.get(as);
  if (other !== undefined) return [{ keys: ["as"], message: `another ${other} is named "${as}" already` }];
  if (type === undefined || kindOfEvent(type) !== undefined) return [];
  return [
    { keys: ["as"], message: `${type} is about no call and no conversation, which a name could be given to` },
  ];
}

function whenProblems(given: Given, atMs: number | undefined, lastMs: number): Problem[] {
  if (given.on !== undefined)
    return given.at === undefined
      ? []
      : [{ keys: ["at"], message: "expected either `at`, a time, or `on`, an event to wait for, got both" }];
  const alone = ["of", "nth", "plus"].filter((key) => given[key] !== undefined);
  if (alone.length > 0)
    return alone.map((key) => ({
      keys: [key],
      message: `expected \`on\` beside "${key}": the event to wait for`,
    }));
  if (given.at === undefined) return [{ keys: ["at"], message: "missing" }];
  return atMs !== undefined && atMs < lastMs
    ? [{ keys: ["at"], message: `time goes backwards: the step before is at ${isoDuration(lastMs)}` }]
    : [];
}

/**
 * Checks that the `of` of an event is known: a call or a conversation that an earlier step names, a user or a team.
 */
function triggerProblems(of: string, { named, organisation }: KnownNames): Problem[] {
  if (named.get(of) === "webhook")
    return [{ keys: ["of"], message: `"${of}" is a webhook: events are about calls and conversations` }];
  if (named.has(of) || organisation === undefined) return [];
  const { users = [], teams = [] } = organisation;
  const emails = users.map((user) => user.email.toLowerCase());
  const choices = [
    ...[...named].filter(([, kind]) => kind !== "webhook").map(([name]) => name),
    ...[...users, ...teams].map(({ id }) => id),
  ];
  if (choices.includes(of) || emails.includes(of.toLowerCase())) return [];
  return [{ keys: ["of"], message: `unknown name "${of}"; known: ${choices.join(", ") || "none"}`, choices }];
}

/** Finds the key of a step that names its command, and adds problems with its keys. */
function readCommandName(item: Given, keys: Keys, problems: Problems): StepName | undefined {
  const whenKeys = listWhenKeys(item);
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
      problems.add([...keys, key], `unknown step "${key}", expected a command: ${stepNames.join(", ")}`, [
        ...whenKeys,
        ...stepNames,
      ]);
  }
  // the arguments are beside the command instead of below it
  const isHollow = name !== undefined && item[name] === null && others.length > 1;
  return names.length > 1 || isHollow ? undefined : name;
}

/** Says where a misplaced key belongs; undefined if no part of a scenario has such a key. */
function whereKeyBelongs(key: string, name: StepName | undefined): string | undefined {
  if (name !== undefined && argumentKeys(name).includes(key))
    return `"${key}" is an argument of "${name}": indent it below "${name}"`;
  if (Object.hasOwn(headEntries, key))
    return `"${key}" belongs to the scenario and not to a step: it must begin in the same column as "steps"`;
  return undefined;
}

/** The kinds of things that `as` can name. */
type NamedKind = (typeof namedKinds)[number];

const messageSteps: ReadonlySet<CommandName> = new Set([
  "receiveMessage",
  "sendConversationMessage",
  "sendMessage",
  "sendTeamMessage",
]);

function kindNamedBy(command: CommandName): NamedKind {
  if (command === "createWebhook") return "webhook";
  return messageSteps.has(command) ? "conversation" : "call";
}

/** The names from the organisation and from the steps above. */
interface KnownNames {
  readonly named: Map<string, NamedKind>;
  readonly organisation: Organisation | undefined;
  /** Trunk entries that steps above add, and numbers that call in them. */
  readonly added: Set<string>;
}

/** Checks that the names in a step exist, and that the name it gives is new. */
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
  // members of a team may be users or devices
  check("user", args.team === undefined ? ids : [...ids, ...deviceIds], "user");
  // `by` may be any outside number
  if (typeof args.by === "string" && args.by.startsWith("+")) return problems;
  const trunkIds = trunks.flatMap((trunk) =>
    [trunk.devices, trunk.queues, trunk.users].flatMap((entries) => (entries ?? []).map(({ id }) => id)),
  );
  check("by", ["caller", "callee", ...ids, ...deviceIds, ...trunkIds, ...added], "party");
  return problems;
}
