import { parse, stringify } from "yaml";
import type { JournalEntry } from "../../core/engine/journal.ts";
import { iso, isoDuration } from "../../core/foundation/instants.ts";
import { withWrittenDurations } from "../../core/foundation/written-input.ts";
import { DEPENDENCY_ENTRY } from "../../core/network/dependencies/called.ts";
import { ANSWER_ENTRY } from "../../core/network/network.ts";
import type { CommandName } from "../../core/platform/base/core-services.ts";
import { commands } from "../../core/platform/catalogue/commands.ts";
import { writtenName } from "../../core/platform/catalogue/forms.ts";
import { assumptionsSchema } from "../../core/platform/declare/assumptions.ts";
import { dialectNamesSchema, timingSchema } from "../../core/platform/declare/settings.ts";
import { defaultUrls, type Urls } from "../../core/platform/declare/urls.ts";
import { webhookSettingsSchema } from "../../core/platform/declare/webhook-settings.ts";
import { URLS_ENTRY } from "../../core/platform/move.ts";
import { organisationSchema } from "../../core/platform/organisation/schema.ts";
import { LEFT_OUT_ENTRY } from "../../core/platform/webhooks/left-out.ts";
import { commandsWithoutStep } from "../../core/scenario/schema.ts";
import { journalStart, networkSchema } from "../../core/simulator/options.ts";
import { resume, SKIPPED_ENTRY } from "../../core/simulator/replay.ts";
import { createSimulator, InputError, type JournalDocument, replay } from "../../index.ts";

interface Step {
  readonly name: string;
  readonly args: unknown;
  /** From the start of the run, ms. */
  readonly atMs: number;
}

/** What commands create, with the prefix of the names. */
const kinds = { call: "c", conversation: "m", webhook: "w" } as const;

/** Journal entries that are no steps: what endpoints, the dialect and the REST API answered, where a server is, skipped steps. */
const notCommands: readonly string[] = [
  ...[ANSWER_ENTRY, LEFT_OUT_ENTRY, URLS_ENTRY, SKIPPED_ENTRY, DEPENDENCY_ENTRY],
  ...commandsWithoutStep,
];

/**
 * Writes a command as a scenario step; undefined if no step expresses it. References use the names of the
 * scenario that was played; without one, those that `toScenarioText` gives.
 */
export function stepText(
  journal: JournalDocument,
  step: Step,
  scenario: string | undefined,
): string | undefined {
  if (notCommands.includes(step.name)) return undefined;
  const names = namesOfCreated(journal, namedSteps(scenario));
  const stepMs = Date.parse(journal.options.start) + step.atMs;
  const entry = journal.entries.find(
    ({ atMs, command, args }) => command === step.name && atMs === stepMs && isSame(args, step.args),
  );
  return stepLine(step, names, entry && names.byEntry.get(entry));
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
function findName(given: NamedStep[], command: string, args: unknown): string | undefined {
  const same = (step: NamedStep) =>
    step.command === command &&
    ["from", "to", "url"].every((key) => step.args[key] === (args as Record<string, unknown>)[key]);
  const index = given.findIndex(same);
  return index < 0 ? undefined : given.splice(index, 1)[0]?.as;
}

/**
 * Writes a journal as a scenario that does the same, for the editor. Answers of endpoints are left out. A command that was given
 * while timers were due at its instant comes after them there.
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
    ...writeHead(options),
    urls: changed(urlsInEvents(journal, names), defaultUrls),
    start: options.start,
    until: isoDuration(journal.end.atMs - startMs),
  });
  const steps = entries
    .filter(({ command }) => !notCommands.includes(command))
    .map((entry) => {
      const { atMs, command, args } = entry;
      return stepLine({ name: command, args, atMs: atMs - startMs }, names, names.byEntry.get(entry));
    });
  return `${head}steps:${steps.length === 0 ? " []" : ""}\n${steps.join("")}`;
}

/**
 * The addresses with which the run begins: those of its options, or where it was moved to before anything else. What no
 * event says stays as usual, since the app that a scenario explores may ask the usual addresses.
 */
function urlsInEvents({ options, entries: [first] }: JournalDocument, { says }: Names): Urls {
  const { api, redirect } = first?.command === URLS_ENTRY ? (first.args as Urls) : options.urls;
  const hasRecordings = api !== defaultUrls.api && says(`"${api}/call/`);
  return { ...defaultUrls, redirect, ...(hasRecordings ? { api } : {}) };
}

/** The options that a scenario's head can say, as far as they differ from those of a scenario that says nothing. */
function writeHead({ organisation, seed, ...options }: JournalDocument["options"]): Record<string, unknown> {
  const usual = createSimulator({ ids: "counter" }).options;
  const isDemo = isSame(organisation, usual.organisation);
  const written = Object.entries(settings).flatMap(([name, schema]) => {
    const key = name as keyof typeof settings;
    const own = changed(options[key], usual[key]);
    return own === undefined ? [] : [[name, withWrittenDurations(schema, own)]];
  });
  return {
    organisation: isDemo ? organisation.id : withWrittenDurations(organisationSchema, organisation),
    ...{ seed, ids: changed(options.ids, usual.ids), profile: options.profile },
    ...Object.fromEntries(written),
  };
}

/** The options of a scenario's head that have durations, or may get some. */
const settings = {
  timing: timingSchema,
  assume: assumptionsSchema,
  network: networkSchema,
  dialect: dialectNamesSchema,
  webhooks: webhookSettingsSchema,
} as const;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A value, of an object only the fields that differ; undefined if it is the usual one. */
function changed(value: unknown, usual: unknown): unknown {
  if (isSame(value, usual)) return undefined;
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(
    ([name, field]) => !isSame(field, (usual as Record<string, unknown>)[name]),
  );
  return Object.fromEntries(fields);
}

/** @param as the name of what it makes */
function stepLine({ name, args, atMs }: Step, { byId }: Names, as: string | undefined): string {
  const command = name as CommandName;
  const written = withWrittenDurations(commands[command].schema, args) as object;
  const own = Object.entries(written).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined) return [];
    return [[key, typeof value === "string" && key in kinds ? (byId.get(value) ?? value) : value]];
  });
  const body = Object.fromEntries([...(as === undefined ? [] : [["as", as] as const]), ...own]);
  const text = stringify([{ at: isoDuration(atMs), [writtenName(command, body)]: body }], {
    collectionStyle: "flow",
    lineWidth: 0,
  });
  // the only item of a list, without the brackets
  return `  - ${text.trim().replace(/^\[\s*|\s*\]$/g, "")}\n`;
}

/** The names of what a journal's commands create. */
interface Names {
  readonly byId: ReadonlyMap<string, string>;
  readonly byEntry: ReadonlyMap<JournalEntry, string>;
  /** Whether an event of the run has this text. */
  says(text: string): boolean;
}

/** @param given the scenario's named steps */
function namesOfCreated(journal: JournalDocument, given: NamedStep[] = []): Names {
  const byId = new Map<string, string>();
  const byEntry = new Map<JournalEntry, string>();
  const counts = { call: 0, conversation: 0, webhook: 0 };
  const options = { ...journal.options, retain: {} };
  const simulator = replay({ ...journal, options, entries: [], end: journalStart(journal) });
  let current: { command: string; args: unknown; atMs: number } | undefined;
  const made = (kind: keyof typeof kinds, id: string) => {
    if (byId.has(id) || current === undefined) return;
    const { command, args, atMs } = current;
    const name = findName(given, command, args) ?? `${kinds[kind]}${++counts[kind]}`;
    byId.set(id, name);
    // two commands of one instant may be alike: each names its own
    const entry = journal.entries.find(
      (each) =>
        each.atMs === atMs && each.command === command && !byEntry.has(each) && isSame(each.args, args),
    );
    if (entry !== undefined) byEntry.set(entry, name);
  };
  simulator.watch({
    command: (command, args) => {
      current = { command, args, atMs: simulator.timestamp };
    },
    item: () => {
      current = undefined;
    },
    fact: () => {},
    event: () => {},
    requestOver: () => {},
    requestDeviates: () => {},
    machine: ({ machine, previous, about }) => {
      if (previous === undefined && (machine === "call" || machine === "conversation"))
        made(machine, about.recordId);
    },
  });
  let known = simulator.webhooks.list().length;
  for (const _ of resume(simulator.services, journal)) {
    const webhooks = simulator.webhooks.list();
    if (webhooks.length > known) made("webhook", webhooks.at(-1)?.id ?? "");
    known = webhooks.length;
  }
  return { byId, byEntry, says: (text) => simulator.events.toJSONL().includes(text) };
}
