import { parse, stringify } from "yaml";
import { iso } from "../../core/foundation/instants.ts";
import { ANSWER_ENTRY } from "../../core/network/network.ts";
import type { CommandName } from "../../core/platform/base/core-services.ts";
import { writtenName } from "../../core/platform/catalogue/forms.ts";
import { URLS_ENTRY } from "../../core/platform/move.ts";
import { LEFT_OUT_ENTRY } from "../../core/platform/webhooks/left-out.ts";
import { commandsWithoutStep } from "../../core/scenario/schema.ts";
import { journalStart } from "../../core/simulator/options.ts";
import { resume } from "../../core/simulator/replay.ts";
import { createSimulator, InputError, type JournalDocument, replay } from "../../index.ts";

interface Step {
  readonly name: string;
  readonly args: unknown;
  /** From the start of the run, ms. */
  readonly atMs: number;
}

/** What commands create, with the prefix of the names. */
const kinds = { call: "c", conversation: "m", webhook: "w" } as const;

/** Journal entries that are no steps: what endpoints, the dialect and the REST API answered, and where a server is. */
const notCommands: readonly string[] = [ANSWER_ENTRY, LEFT_OUT_ENTRY, URLS_ENTRY, ...commandsWithoutStep];

/**
 * Writes a command as a scenario step; undefined if no step expresses it. References use the names of the
 * scenario that was played; without one, those that `toScenarioText` gives.
 */
export function stepText(
  journal: JournalDocument,
  step: Step,
  scenario: string | undefined,
): string | undefined {
  return notCommands.includes(step.name)
    ? undefined
    : stepLine(step, namesOfCreated(journal, namedSteps(scenario)));
}

/** A step of a scenario's text that names what it makes. */
interface NamedStep {
  readonly as: string;
  readonly command: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The named steps. An unreadable text has none: its run is shown anyway. */
function namedSteps(scenario: string | undefined): NamedStep[] {
  if (scenario === undefined) return [];
  const { steps = [] } = (parse(scenario, { logLevel: "silent" }) ?? {}) as { steps?: readonly object[] };
  return steps.flatMap((step) =>
    Object.entries(step).flatMap(([command, body]): NamedStep[] => {
      const { as, ...args } = (body ?? {}) as Record<string, unknown>;
      return typeof as === "string" ? [{ as, command, args }] : [];
    }),
  );
}

/** The scenario's name for what a command creates. Each name is used once. */
function nameOf(given: NamedStep[], command: string, args: unknown): string | undefined {
  const same = (step: NamedStep) =>
    step.command === command &&
    ["from", "to", "url"].every((key) => step.args[key] === (args as Record<string, unknown>)[key]);
  const index = given.findIndex(same);
  return index < 0 ? undefined : given.splice(index, 1)[0]?.as;
}

/**
 * Writes a journal as a scenario that does the same, for the editor. Answers of endpoints are left out.
 * @throws {InputError} for a journal that was compacted
 */
export function toScenarioText(journal: JournalDocument, title: string): string {
  const { options, entries, snapshot } = journal;
  if (snapshot !== undefined)
    throw new InputError(
      ["journal"],
      `was compacted at ${iso(snapshot.atMs)}: a scenario of what came after would begin in another state`,
    );
  const startMs = Date.parse(options.start);
  const names = namesOfCreated(journal);
  const head = stringify({
    scenario: title,
    ...headOf(options),
    start: options.start,
    until: isoDuration(journal.end.atMs - startMs),
  });
  const steps = entries
    .filter(({ command }) => !notCommands.includes(command))
    .map(({ atMs, command, args }) => stepLine({ name: command, args, atMs: atMs - startMs }, names));
  return `${head}steps:${steps.length === 0 ? " []" : ""}\n${steps.join("")}`;
}

/** The options that a scenario's head can say, as far as they differ from those of a scenario that says nothing. */
function headOf({ organisation, seed, ...options }: JournalDocument["options"]): Record<string, unknown> {
  const usual = createSimulator({ ids: "counter" }).options;
  const isDemo = isSame(organisation, usual.organisation);
  const { timing, webhooks } = options;
  const { schedule = [] } = webhooks;
  const settings = {
    ...{ ids: changed(options.ids, usual.ids), profile: options.profile },
    timing: changed(inUnits(timing), inUnits(usual.timing)),
    ...{ assume: changed(options.assume, usual.assume), network: changed(options.network, usual.network) },
    dialect: changed(options.dialect, usual.dialect),
    webhooks: changed(
      { ...webhooks, schedule: schedule.map(isoDuration) },
      { ...usual.webhooks, schedule: usual.webhooks.schedule.map(isoDuration) },
    ),
  };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { organisation: isDemo ? organisation.id : organisation, seed, ...Object.fromEntries(given) };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const inUnits = (timing: object) =>
  Object.fromEntries(
    Object.entries(timing).map(([name, ms]) => [name, typeof ms === "number" ? isoDuration(ms) : ms]),
  );

/** A value, of an object only the fields that differ; undefined if it is the usual one. */
function changed(value: unknown, usual: unknown): unknown {
  if (isSame(value, usual)) return undefined;
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(
    ([name, field]) => !isSame(field, (usual as Record<string, unknown>)[name]),
  );
  return Object.fromEntries(fields);
}

function stepLine({ name, args, atMs }: Step, names: ReadonlyMap<string, string>): string {
  const given = Object.entries(args as object).filter(([, value]) => value !== undefined);
  const made = [...names].find(([id]) => id === `made ${name} ${JSON.stringify(args)} ${atMs}`)?.[1];
  const own = given.map(([key, value]): [string, unknown] => {
    if (typeof value === "string" && names.has(value) && key in kinds) return [key, names.get(value)];
    return [key, isDuration(key) && typeof value === "number" ? isoDuration(value) : value];
  });
  const body = Object.fromEntries([
    ...(made === undefined ? [] : [["as", made] as [string, unknown]]),
    ...own,
  ]);
  const text = stringify([{ at: isoDuration(atMs), [writtenName(name as CommandName, body)]: body }], {
    collectionStyle: "flow",
    lineWidth: 0,
  });
  // the only item of a list, without the brackets
  return `  - ${text.trim().replace(/^\[\s*|\s*\]$/g, "")}\n`;
}

const isDuration = (key: string) => ["duration", "after", "for", "latency"].includes(key);

function isoDuration(ms: number): string {
  return `PT${ms / 1000}S`;
}

/**
 * The names of what a journal's commands create, by id and by the command.
 * @param given the scenario's named steps
 */
function namesOfCreated(journal: JournalDocument, given: NamedStep[] = []): Map<string, string> {
  const names = new Map<string, string>();
  const startMs = Date.parse(journal.options.start);
  const counts = { call: 0, conversation: 0, webhook: 0 };
  const simulator = replay({ ...journal, entries: [], end: journalStart(journal) });
  let current: { command: string; args: unknown; atMs: number } | undefined;
  const made = (kind: keyof typeof kinds, id: string) => {
    if (names.has(id) || current === undefined) return;
    const { command, args } = current;
    const name = nameOf(given, command, args) ?? `${kinds[kind]}${++counts[kind]}`;
    names.set(id, name);
    names.set(`made ${current.command} ${JSON.stringify(current.args)} ${current.atMs}`, name);
  };
  simulator.watch({
    command: (command, args) => {
      current = { command, args, atMs: simulator.timestamp - startMs };
    },
    item: () => {
      current = undefined;
    },
    fact: () => {},
    event: () => {},
    requestOver: () => {},
    requestDeviates: () => {},
    machine: ({ machine, before, about }) => {
      if (before === undefined && (machine === "call" || machine === "conversation"))
        made(machine, about.recordId);
    },
  });
  let known = simulator.webhooks.list().length;
  for (const _ of resume(simulator.services, journal)) {
    const webhooks = simulator.webhooks.list();
    if (webhooks.length > known) made("webhook", webhooks.at(-1)?.id ?? "");
    known = webhooks.length;
  }
  return names;
}
