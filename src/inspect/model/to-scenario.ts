import { stringify } from "yaml";
import { demoOrganisation, type JournalDocument, replay } from "../../index.ts";
import { ANSWER_ENTRY } from "../../network/network.ts";

interface Step {
  readonly name: string;
  readonly args: unknown;
  /** From the start of the run, ms. */
  readonly atMs: number;
}

/** The things that a command can make, each with the letter of its names. */
const kinds = { call: "c", conversation: "m", webhook: "w" } as const;

/** Writes a command as a scenario's step. Ids get the names that `toScenarioText` gives. */
export function stepText(journal: JournalDocument, step: Step): string {
  return stepLine(step, namesIn(journal));
}

/** Writes a journal as a scenario that does the same, for the editor. Answers of endpoints are left out. */
export function toScenarioText(journal: JournalDocument, title: string): string {
  const { options, entries } = journal;
  const startMs = Date.parse(options.start);
  const names = namesIn(journal);
  const isDemo = options.organisation.id === demoOrganisation.id;
  const head = stringify({
    scenario: title,
    ...(isDemo ? { organisation: options.organisation.id } : {}),
    seed: options.seed,
    start: options.start,
    until: isoDuration(journal.end.atMs - startMs),
  });
  const steps = entries
    // answers of endpoints and to clients are left out, since they follow from the rest
    .filter(({ command }) => command !== ANSWER_ENTRY && command !== "restServed")
    .map(({ atMs, command, args }) => stepLine({ name: command, args, atMs: atMs - startMs }, names));
  return `${head}steps:${steps.length === 0 ? " []" : ""}\n${steps.join("")}`;
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
  const text = stringify([{ at: isoDuration(atMs), [name]: body }], {
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

/** Names for what a journal's commands make, by its id and by the command that made it. */
function namesIn(journal: JournalDocument): Map<string, string> {
  const names = new Map<string, string>();
  const startMs = Date.parse(journal.options.start);
  const counts = { call: 0, conversation: 0, webhook: 0 };
  const simulator = replay({ ...journal, entries: [], end: { atMs: startMs, step: 0 } });
  let current: { command: string; args: unknown; atMs: number } | undefined;
  const made = (kind: keyof typeof kinds, id: string) => {
    if (names.has(id) || current === undefined) return;
    const name = `${kinds[kind]}${++counts[kind]}`;
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
  for (const _ of simulator.resume(journal)) {
    const webhooks = simulator.webhooks.list();
    if (webhooks.length > known) made("webhook", webhooks.at(-1)?.id ?? "");
    known = webhooks.length;
  }
  return names;
}
