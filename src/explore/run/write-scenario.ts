import { type Document, isMap, isScalar, isSeq, parseDocument, stringify } from "yaml";
import type { Deviation } from "../../core/engine/deviations.ts";
import { durationMs, isoDuration } from "../../core/foundation/instants.ts";
import { omit } from "../../core/foundation/values.ts";
import type { CommandName } from "../../core/platform/base/core-services.ts";
import { writtenName } from "../../core/platform/catalogue/forms.ts";
import { demoOrganisation } from "../../core/platform/organisation/demo.ts";
import { deviationItem } from "../../core/scenario/deviations.ts";
import { layOut } from "../../core/scenario/lay-out.ts";
import { commandsWithoutStep } from "../../core/scenario/schema.ts";
import { RULES } from "../../core/simulator/compatibility.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { splitAssumptions } from "../../findings/assumptions.ts";
import type { CalendarStart } from "../../findings/calendar.ts";
import { shortMessage } from "../../findings/explain.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** The keys and indices that lead to a part of a scenario. */
export type PartKeys = readonly (string | number)[];

/** The title, description and deviations of a finished scenario. */
interface ScenarioEnding {
  readonly title: string;
  readonly description: string;
  readonly deviations: readonly Deviation[];
  /** The scenario's name for a webhook. */
  nameOf(webhookId: string): string;
  /** Where in the calendar the scenario may start instead. */
  calendar(): readonly CalendarStart[];
}

/** A list of at least this length is cut by halves first. */
const LONG = 4;

/** The keys of a scenario's settings that may be left out. `until` says how long an app is watched, so it stays. */
const settingKeys = [
  "seed",
  "start",
  "ids",
  "profile",
  "timing",
  "assume",
  "network",
  "dialect",
  "webhooks",
  "urls",
];

/** The text of a scenario, which can be changed. Each change returns a new one. */
export class EditableScenario {
  private written: string | undefined;

  private constructor(private readonly document: Document) {}

  static of(text: string): EditableScenario {
    return new EditableScenario(parseDocument(text));
  }

  get text(): string {
    this.written ??= this.document.toString({ lineWidth: 0, flowCollectionPadding: true });
    return this.written;
  }

  get stepCount(): number {
    return this.countIn(["steps"]);
  }

  withSeed(seed: number): EditableScenario {
    return this.changed((document) => insertSecond(document, "seed", seed));
  }

  /** Adds the version of the rules, which files of a corpus must name. */
  withRules(): EditableScenario {
    return this.changed((document) => insertSecond(document, "rules", RULES));
  }

  /** Inserts steps in order of time. Steps that wait for an event stay where they are. */
  withFurtherSteps(further: readonly (readonly [atMs: number, command: object])[]): EditableScenario {
    return this.changed((document) => {
      const list = document.get("steps");
      if (!isSeq(list)) return;
      for (const [atMs, command] of further) {
        const later = list.items.findIndex((_, index) => (atMsIn(document, index) ?? -1) > atMs);
        const item = document.createNode({ at: isoDuration(atMs), ...command });
        if (isMap(item)) item.flow = true;
        list.items.splice(later < 0 ? list.items.length : later, 0, item);
      }
    });
  }

  /**
   * Writes the named organisation into the scenario, so that its parts can be removed. Not the demo organisation, which
   * every reader of a scenario has.
   * @param organisations the texts of the organisations that it may name
   */
  withOwnOrganisation(organisations: Readonly<Record<string, string>>): EditableScenario {
    const name = this.document.get("organisation");
    const text = typeof name === "string" ? organisations[name] : undefined;
    if (text === undefined || (name === demoOrganisation.id && isDemo(text))) return this;
    return this.changed((document) => document.set("organisation", parseDocument(text).contents));
  }

  /** When a step is played, ms from the start; undefined if it waits for an event. */
  stepAtMs(index: number): number | undefined {
    return atMsIn(this.document, index);
  }

  /** The names that a step gives and uses. */
  namesIn(index: number): string[] {
    const { steps = [] } = this.document.toJS() as { readonly steps?: readonly unknown[] };
    const { as, call, conversation, webhook } = commandOf(steps[index]);
    return [as, call, conversation, webhook].filter((name) => typeof name === "string");
  }

  withStepAt(index: number, at: string): EditableScenario {
    return this.changed((document) => document.setIn(["steps", index, "at"], at));
  }

  /**
   * Every part of an organisation that the scenario contains, outer parts first: keys, and entries of lists. Without
   * the organisation's id.
   */
  get parts(): PartKeys[] {
    return partsBelow(this.document.get("organisation"), ["organisation"]);
  }

  /** The lists of the organisation that are long enough to remove several entries at once. */
  get longLists(): PartKeys[] {
    return this.parts.filter((keys) => this.countIn(keys) >= LONG);
  }

  /** The settings that the scenario has. Each has a default. */
  get settings(): string[] {
    return settingKeys.filter((key) => this.document.has(key));
  }

  withoutPart(keys: PartKeys): EditableScenario {
    return this.changed((document) => document.deleteIn(keys));
  }

  withoutEntries(list: PartKeys, indexes: ReadonlySet<number>): EditableScenario {
    return this.changed((document) => {
      for (const index of [...indexes].sort((a, b) => b - a)) document.deleteIn([...list, index]);
    });
  }

  /**
   * Removes wrong parts of the organisation, such as a number whose owner was removed: the wrong key, or the entry of a
   * list that misses it.
   * @param paths the paths of the problems, such as `organisation.numbers[0].owner`
   * @returns undefined if something outside the organisation is wrong
   */
  mended(paths: readonly string[]): EditableScenario | undefined {
    const found = new Map<string, PartKeys>();
    for (const path of paths) {
      const keys = this.wrongPart(path);
      if (keys === undefined) return undefined;
      found.set(JSON.stringify(keys), keys);
    }
    // the last entry of a list first, so that the indexes of the others stay right
    const parts = [...found.values()].reverse();
    return this.changed((document) => {
      for (const keys of parts) document.deleteIn(keys);
    });
  }

  private wrongPart(path: string): PartKeys | undefined {
    const keys = (path.match(/[^.[\]]+/g) ?? []).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    if (keys[0] !== "organisation" || keys.length < 3) return undefined;
    if (this.document.hasIn(keys)) return keys;
    const entry = keys.findLastIndex((key) => typeof key === "number");
    return entry < 0 ? undefined : keys.slice(0, entry + 1);
  }

  /** Removes these steps, but not those that use what they named. */
  withoutTheSteps(indexes: readonly number[]): EditableScenario {
    return this.changed((document) => {
      for (const index of [...indexes].sort((a, b) => b - a)) document.deleteIn(["steps", index]);
    });
  }

  /** Removes these steps and those that use what they named. */
  withoutSteps(indexes: ReadonlySet<number>): EditableScenario {
    const gone = new Set(indexes);
    const names = new Set<string>();
    const steps = (this.document.toJS() as { steps?: unknown[] }).steps ?? [];
    for (const [index, step] of steps.entries()) {
      const { as, ...uses } = commandOf(step);
      if (
        !gone.has(index) &&
        Object.values(uses).some((value) => typeof value === "string" && names.has(value))
      )
        gone.add(index);
      if (gone.has(index) && typeof as === "string") names.add(as);
    }
    return this.withoutTheSteps([...gone]);
  }

  /** Removes `expect`, which is true only of the original world. */
  withoutExpected(): EditableScenario {
    return this.changed((document) => document.delete("expect"));
  }

  /** Removes `expect` and the scenario's own deviations. */
  withoutExpectations(): EditableScenario {
    return this.withoutExpected().changed((document) => document.delete("deviations"));
  }

  /** Removes title, description and deviations. */
  withoutHeading(): EditableScenario {
    return this.changed((document) => {
      for (const key of ["scenario", "description", "deviations"]) document.delete(key);
    });
  }

  /** Gives the scenario its title, description and deviations, and lays it out for reading. */
  finished({ title, description, deviations, nameOf, calendar }: ScenarioEnding): EditableScenario {
    return this.changed((document) => {
      document.set("scenario", title);
      insertSecond(document, "description", document.createNode(shortMessage(description)));
      const { assume, calendar: turn, others } = splitAssumptions(deviations);
      if (turn !== undefined) document.set("start", calendar().find(({ is }) => is === turn.is)?.start);
      if (assume !== undefined) document.set("assume", { ...assumedIn(document), ...assume });
      if (others.length > 0)
        document.set("deviations", document.createNode(others.map((each) => deviationItem(each, nameOf))));
      layOut(document);
    });
  }

  private changed(change: (document: Document) => unknown): EditableScenario {
    const document = this.document.clone();
    change(document);
    return new EditableScenario(document);
  }

  countIn(keys: PartKeys): number {
    const node = this.document.getIn(keys);
    return isSeq(node) ? node.items.length : 0;
  }
}

/** The assumptions that a scenario names. */
function assumedIn(document: Document): object {
  const { assume } = document.toJS() as { readonly assume?: object };
  return assume ?? {};
}

/** Puts a key after the title. */
function insertSecond(document: Document, key: string, value: unknown): void {
  document.delete(key);
  const { contents } = document;
  if (isMap(contents)) contents.items.splice(1, 0, document.createPair(key, value));
}

function partsBelow(node: unknown, keys: PartKeys): PartKeys[] {
  const below = (value: unknown, key: string | number): PartKeys[] => {
    const own = [...keys, key];
    return [own, ...partsBelow(value, own)];
  };
  if (isSeq(node)) return node.items.flatMap((item, index) => below(item, index));
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) => {
    const name = String(isScalar(key) ? key.value : key);
    return keys.length === 1 && name === "id" ? [] : below(value, name);
  });
}

/** The arguments of a step's command. */
function commandOf(step: unknown): Readonly<Record<string, unknown>> {
  const command = omit((step ?? {}) as Record<string, unknown>, "at", "on", "of", "plus");
  return (Object.values(command)[0] ?? {}) as Readonly<Record<string, unknown>>;
}

/** The commands that create a call or a webhook, and the first letter of its name. */
const makers: Readonly<Record<string, string>> = {
  inbound: "c",
  outbound: "c",
  internal: "c",
  redirect: "c",
  connectApplication: "c",
  createWebhook: "w",
};

/**
 * Writes a function as a scenario: runs it without an app, and makes each of its commands a step.
 * @returns undefined if the function cannot run without an app
 */
export async function scenarioOfFunction(
  recordedRun: RecordedRun,
  profile: string | undefined,
): Promise<string | undefined> {
  const simulator = recordedRun.begin();
  const steps: Record<string, unknown>[] = [];
  const names = new Map<string, string>();
  recordCommands(simulator, (name, args, result) => {
    const named = Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key, names.get(String(value)) ?? value]),
    );
    const prefix = makers[name];
    const before = [...names.values()].filter((each) => each[0] === prefix).length;
    const as = prefix !== undefined && typeof result === "string" ? `${prefix}${before + 1}` : undefined;
    if (as !== undefined) names.set(result as string, as);
    const at = isoDuration(simulator.timestamp - simulator.startTimestamp);
    steps.push({ at, [writtenName(name as CommandName, args)]: as === undefined ? named : { as, ...named } });
  });
  try {
    await recordedRun.play(simulator, { isDeviating: false, afterStep: () => {} });
    // what it has scheduled, and what it does once it hears of something
    await simulator.runUntilIdleAsync();
  } catch {
    return undefined; // the failure is reported without a scenario
  }
  const document = parseDocument(stringify({ scenario: "The script", profile, steps }));
  const list = document.get("steps");
  if (isSeq(list)) for (const item of list.items) if (isMap(item)) item.flow = true;
  return document.toString({ lineWidth: 0 });
}

/** A scenario with a profile in its head, if it names none. */
export function withProfile<S extends { readonly text: string }>(source: S, profile: string | undefined): S {
  if (profile === undefined) return source;
  const document = parseDocument(source.text);
  if (!isMap(document.contents) || document.has("profile")) return source;
  // behind the rest, where it moves no line that an error names
  if (document.contents.flow !== true)
    return { ...source, text: `${source.text.trimEnd()}\nprofile: ${profile}\n` };
  document.set("profile", profile);
  return { ...source, text: document.toString({ lineWidth: 0 }) };
}

function recordCommands(
  simulator: Simulator,
  record: (name: string, args: Readonly<Record<string, unknown>>, result: unknown) => void,
): void {
  simulator.services.engine.probes.attach({
    // what a REST request does is a command too, and is recorded as that
    commandRun: (name, args, result) => {
      if (!commandsWithoutStep.includes(name))
        record(name, args as Readonly<Record<string, unknown>>, result);
    },
  });
}

/** Whether an organisation's text is only the demo organisation. */
function isDemo(text: string): boolean {
  return JSON.stringify(parseDocument(text).toJS()) === JSON.stringify(demoOrganisation);
}

function atMsIn(document: Document, index: number): number | undefined {
  const at = document.getIn(["steps", index, "at"]);
  return typeof at === "string" || typeof at === "number" ? durationMs(at) : undefined;
}
