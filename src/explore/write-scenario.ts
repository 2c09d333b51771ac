import { type Document, isMap, isSeq, parseDocument, stringify } from "yaml";
import type { Deviation } from "../engine/choices.ts";
import { durationMs } from "../engine/instants.ts";
import { demoOrganisation } from "../platform/organisation/demo.ts";
import { deviationItem } from "../scenario/deviations.ts";
import type { Simulator } from "../simulator.ts";
import type { Script } from "./script.ts";

/** A scenario's text that can be cut down. Each change returns a new one. */
export class EditableScenario {
  private constructor(private readonly document: Document) {}

  static of(text: string): EditableScenario {
    return new EditableScenario(parseDocument(text));
  }

  get text(): string {
    return this.document.toString({ lineWidth: 0, flowCollectionPadding: true });
  }

  get stepCount(): number {
    return this.countIn(["steps"]);
  }

  withSeed(seed: number): EditableScenario {
    return this.changed((document) => insertSecond(document, "seed", seed));
  }

  /** Sets the default seed. */
  withoutSeed(): EditableScenario {
    return this.changed((document) => document.delete("seed"));
  }

  /** Adds steps, each behind all that are played no later. Steps that wait for an event stay where they are. */
  withFurtherSteps(further: readonly (readonly [atMs: number, command: object])[]): EditableScenario {
    return this.changed((document) => {
      const list = document.get("steps");
      if (!isSeq(list)) return;
      for (const [atMs, command] of further) {
        const later = list.items.findIndex((_, index) => (atMsIn(document, index) ?? -1) > atMs);
        const item = document.createNode({ at: `PT${atMs / 1_000}S`, ...command });
        if (isMap(item)) item.flow = true;
        list.items.splice(later < 0 ? list.items.length : later, 0, item);
      }
    });
  }

  /** The people and teams that the scenario contains. */
  get entries(): (readonly [list: string, index: number])[] {
    return ["users", "teams", "devices"].flatMap((list) =>
      Array.from({ length: this.countIn(["organisation", list]) }, (_, index) => [list, index] as const),
    );
  }

  /**
   * Writes the named organisation into the scenario, so that it is complete and people can be removed. The demo
   * organisation is left out, since every reader of a scenario has it.
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

  /** The names of what a step makes and uses. */
  namesIn(index: number): string[] {
    const { steps = [] } = this.document.toJS() as { readonly steps?: readonly unknown[] };
    const { as, call, conversation, webhook } = commandOf(steps[index]);
    return [as, call, conversation, webhook].filter((name) => typeof name === "string");
  }

  withStepAt(index: number, at: string): EditableScenario {
    return this.changed((document) => document.setIn(["steps", index, "at"], at));
  }

  withoutEntry(list: string, index: number): EditableScenario {
    return this.changed((document) => document.deleteIn(["organisation", list, index]));
  }

  /** Removes only the given steps. */
  withoutTheSteps(indexes: readonly number[]): EditableScenario {
    return this.changed((document) => {
      for (const index of [...indexes].sort((a, b) => b - a)) document.deleteIn(["steps", index]);
    });
  }

  /** Removes steps, and those that use what they named. */
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

  /** Removes expectations, which hold only for the original world. */
  withoutWhatWasExpected(): EditableScenario {
    return this.changed((document) => document.delete("expect"));
  }

  /** Removes expectations and the scenario's own deviations. */
  withoutExpectations(): EditableScenario {
    return this.withoutWhatWasExpected().changed((document) => document.delete("deviations"));
  }

  withDeviations(deviations: readonly Deviation[], nameOf: (webhookId: string) => string): EditableScenario {
    return this.changed((document) => {
      document.delete("deviations");
      if (deviations.length === 0) return;
      const items = document.createNode(deviations.map((each) => deviationItem(each, nameOf)));
      if (isSeq(items)) for (const item of items.items) if (isMap(item)) item.flow = true;
      document.set("deviations", items);
    });
  }

  withDescription(text: string): EditableScenario {
    return this.changed((document) => insertSecond(document, "description", text));
  }

  private changed(change: (document: Document) => unknown): EditableScenario {
    const document = this.document.clone();
    change(document);
    return new EditableScenario(document);
  }

  private countIn(keys: readonly string[]): number {
    const node = this.document.getIn(keys);
    return isSeq(node) ? node.items.length : 0;
  }
}

/** Puts a key of the head behind the title. */
function insertSecond(document: Document, key: string, value: unknown): void {
  document.delete(key);
  const { contents } = document;
  if (isMap(contents)) contents.items.splice(1, 0, document.createPair(key, value));
}

/** The arguments of a step's command. */
function commandOf(step: unknown): Readonly<Record<string, unknown>> {
  const { at: _, on: __, of: ___, plus: ____, ...command } = (step ?? {}) as Record<string, unknown>;
  return (Object.values(command)[0] ?? {}) as Readonly<Record<string, unknown>>;
}

/** The commands that make something with a name, and the kind of what they make. */
const makers: Readonly<Record<string, string>> = {
  inbound: "c",
  outbound: "c",
  internal: "c",
  redirect: "c",
  connectApplication: "c",
  createWebhook: "w",
};

/**
 * Writes a function as a scenario: it is run without a subject, and each of its commands becomes a step. Undefined if
 * it cannot run without a subject.
 */
export async function scenarioOfFunction(script: Script): Promise<string | undefined> {
  const simulator = script.begin();
  const steps: Record<string, unknown>[] = [];
  const names = new Map<string, string>();
  recordCommands(simulator, (name, args, result) => {
    const named = Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key, names.get(String(value)) ?? value]),
    );
    const prefix = makers[name];
    const as = prefix !== undefined && typeof result === "string" ? `${prefix}${names.size + 1}` : undefined;
    if (as !== undefined) names.set(result as string, as);
    const at = `PT${(simulator.timestamp - simulator.startTimestamp) / 1_000}S`;
    steps.push({ at, [name]: as === undefined ? named : { as, ...named } });
  });
  try {
    await script.play(simulator, { isDeviating: false, afterStep: () => {} });
  } catch {
    return undefined; // it needs its subject, so the failure is reported without a scenario
  }
  const document = parseDocument(stringify({ scenario: "The script", steps }));
  const list = document.get("steps");
  if (isSeq(list)) for (const item of list.items) if (isMap(item)) item.flow = true;
  return document.toString({ lineWidth: 0 });
}

function recordCommands(
  simulator: Simulator,
  record: (name: string, args: Readonly<Record<string, unknown>>, result: unknown) => void,
): void {
  const { engine } = simulator.inside;
  const issue = engine.command.bind(engine);
  engine.command = (name, args, act) => {
    const result = issue(name, args, act);
    // the effects of REST requests are commands of their own
    if (name !== "restServed") record(name, args as Readonly<Record<string, unknown>>, result);
    return result;
  };
}

/** Whether an organisation's text is only the demo organisation. */
function isDemo(text: string): boolean {
  return JSON.stringify(parseDocument(text).toJS()) === JSON.stringify(demoOrganisation);
}

function atMsIn(document: Document, index: number): number | undefined {
  const at = document.getIn(["steps", index, "at"]);
  return typeof at === "string" || typeof at === "number" ? durationMs(at) : undefined;
}
