import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import type { Deviation } from "../../src/core/engine/deviations.ts";
import { isRestart, namedDeviations } from "../../src/core/network/request-deviations.ts";
import type { RequestRecord } from "../../src/core/records/request.ts";
import { playStep } from "../../src/core/scenario/run.ts";
import { type DeviationKind, exploreReport } from "../../src/explore/index.ts";
import { generaliseMessage } from "../../src/findings/property-failure.ts";
import {
  CommandError,
  createSimulator,
  parseScenario,
  type Scenario,
  ScenarioError,
  type Simulator,
} from "../../src/index.ts";
import { alwaysAsync } from "./support.ts";

const url = "https://crm.acme.test/hooks";
const types = ["call.started", "call.answered", "call.not_answered", "call.ended"] as const;

/** An event as a webhook gets it. */
interface Told {
  readonly id: string;
  readonly type: string;
  readonly createdTimestamp: number;
  readonly data: { readonly call: { readonly id: string } };
}

/**
 * An app as a state machine: from each state, each type of event leads to a state. It keeps the events of a
 * call, each once, in the order in which they happened. The state of a call follows from them.
 */
interface Machine {
  /** By state, then by type. */
  readonly table: readonly (readonly number[])[];
  readonly defects: readonly Defect[];
}

/** What the machine does wrong, when an event of a type meets a state. */
interface Defect {
  readonly does: "counts twice" | "appends" | "drops" | "throws" | "counts the third" | "forgets";
  readonly type: string;
  /** Undefined for every state. */
  readonly state: number | undefined;
}

/** Machines with defects about the events that they hear of. Two may break the same property, each by other worlds. */
const machinesFor = (heard: readonly string[]): fc.Arbitrary<Machine> =>
  fc.record({
    // each event leads to another state, so that few defects show nothing
    table: fc
      .array(fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 4, maxLength: 4 }), {
        minLength: 3,
        maxLength: 3,
      })
      .map((rows) => rows.map((row, state) => row.map((by) => (state + by) % 3))),
    defects: fc.array(
      fc.record({
        does: fc.constantFrom("counts twice", "drops", "throws", "appends", "counts the third", "forgets"),
        type: fc.oneof(fc.constant(types[0]), fc.constantFrom(...heard)),
        state: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.nat(2)),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  });

function inOrder(a: Told, b: Told): number {
  return a.createdTimestamp - b.createdTimestamp || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The state to which events lead, in their order. */
function stateAfter(table: Machine["table"], events: readonly Told[]): number {
  return events.reduce((state, { type }) => table[state]?.[types.indexOf(type as "call.ended")] ?? state, 0);
}

/** The events that a machine has taken, by call. */
type Taken = Map<string, Told[]>;

/** What outlives a restart of a machine: the events that it has taken, and how often it received each. */
interface Stored {
  readonly taken: Taken;
  readonly received: Map<string, number>;
}

const nothingStored = (): Stored => ({ taken: new Map(), received: new Map() });

function build(
  { table, defects }: Machine,
  simulator: Simulator,
  { taken, received: stored }: Stored,
): Taken {
  const inMemory = new Map<string, number>();
  simulator.network.route(url, ({ body }) => {
    const event = JSON.parse(body) as Told;
    const events = taken.get(event.data.call.id) ?? [];
    taken.set(event.data.call.id, events);
    const forgets = defects.some(({ does, type }) => does === "forgets" && type === event.type);
    const received = forgets ? inMemory : stored;
    const times = (received.get(event.id) ?? 0) + 1;
    received.set(event.id, times);
    const state = stateAfter(table, events);
    const does = defects.find((each) => event.type === each.type && state === (each.state ?? state))?.does;
    if (does === "drops") return 204;
    if (does === "throws" && times === 2) throw new Error(`${event.id} is known`);
    if (times === 1 || does === "counts twice" || (does === "counts the third" && times === 3))
      events.push(event);
    if (does !== "appends") events.sort(inOrder);
    return 204;
  });
  return taken;
}

/** The calls of which a webhook has told, each with its state. */
function shown(table: Machine["table"], taken: ReadonlyMap<string, readonly Told[]>) {
  return Object.fromEntries([...taken].sort().map(([id, events]) => [id, stateAfter(table, events)]));
}

/** The same from what happened. Without a webhook the machine must know all, which it cannot. */
function truth({ table }: Machine, { events, webhooks }: Simulator) {
  const hooks = webhooks.list();
  const heard = new Set<string>(hooks.length === 0 ? types : hooks.flatMap((webhook) => webhook.events));
  const byCall: Taken = new Map();
  for (const event of [...events] as unknown as Told[]) {
    if (!heard.has(event.type)) continue;
    const { id } = event.data.call;
    byCall.set(id, [...(byCall.get(id) ?? []), event].sort(inOrder));
  }
  return shown(table, byCall);
}

const property = "each call is in its state";
const machineApp = (machine: Machine, restarts: boolean) => ({
  subject: (simulator: Simulator, stored = nothingStored()) => build(machine, simulator, stored),
  ...(restarts ? { durable: nothingStored } : {}),
  eventually: {
    [property]: (simulator: Simulator, taken: Taken) =>
      expect(shown(machine.table, taken)).toEqual(truth(machine, simulator)),
    "no event counts twice": (_: Simulator, taken: Taken) => {
      const ids = [...taken.values()].flat().map(({ id }) => id);
      expect(ids).toHaveLength(new Set(ids).size);
    },
  },
});

/** The steps of a scenario, as YAML has them. */
type Steps = readonly Readonly<Record<string, unknown>>[];

/** A scenario, as YAML has it. */
interface Written {
  readonly organisation?: object;
  readonly steps: Steps;
}

/** What a smallest scenario has besides. */
interface Head {
  readonly scenario: string;
  readonly description: string;
  readonly deviations?: readonly object[];
}

const calls = fc.array(
  fc.record({
    atS: fc.constantFrom(0, 10.4, 70),
    ends: fc.constantFrom("missed", "answered", "given up"),
  }),
  { minLength: 1, maxLength: 2 },
);
const stepsFor = (heard: readonly string[]): fc.Arbitrary<Steps> =>
  calls.map((calls) => {
    const steps = calls.flatMap(({ atS, ends }, index) => {
      const call = `c${index + 1}`;
      const at = (seconds: number) => `PT${atS + seconds}S`;
      const from = `+642155500${index + 1}`;
      const inbound = { at: at(0), inbound: { as: call, from, to: `+649555010${index + 1}` } };
      const hangup = (seconds: number) => ({ at: at(seconds), hangup: { call, by: "caller" } });
      if (ends === "missed") return [inbound];
      if (ends === "given up") return [inbound, hangup(4)];
      const by = ["alice", "bob"][index];
      return [inbound, { at: at(5), answer: { call, by } }, hangup(25)];
    });
    const atS = ({ at }: { readonly at: string }) => Number.parseFloat(at.slice(2));
    const webhook = { at: "PT0S", createWebhook: { as: "crm", url, events: heard } };
    return [webhook, ...steps.sort((a, b) => atS(a) - atS(b))];
  });

const person = (id: string, extension: string) => ({
  ...{ id, extension, email: `${id}@shop.test`, displayName: id, endpoints: ["mobile", "desktop"] },
  voicemail: false,
});
/** An organisation with people and a team whom no call needs. */
const shop = {
  id: "shop",
  numbers: [
    { number: "+6495550101", owner: "alice" },
    { number: "+6495550102", owner: "bob" },
    { number: "+6495550200", owner: "sales" },
  ],
  users: [person("alice", "101"), person("bob", "102"), person("carol", "103"), person("dave", "104")],
  teams: [{ id: "sales", displayName: "Sales", extension: "200", members: [{ user: "carol", priority: 1 }] }],
};
const settings = { seed: 7, ids: "uuid", timing: { ringTimeout: "PT20S" } };

/** Calls in the demo organisation, or in one that is written out, with settings of their own. */
const scenariosFor = (heard: readonly string[]): fc.Arbitrary<Written> =>
  fc
    .record({
      steps: stepsFor(heard),
      organisation: fc.option(fc.constant(shop), { nil: undefined }),
      keys: fc.subarray(Object.keys(settings) as (keyof typeof settings)[]),
    })
    .map(({ steps, organisation, keys }) => ({
      ...Object.fromEntries(keys.map((key) => [key, settings[key]])),
      ...(organisation === undefined ? {} : { organisation }),
      steps,
    }));

/** What a machine hears of. */
const heard = fc.subarray(types.slice(1)).map((more) => [types[0], ...more]);

/** A machine, and a scenario in which it hears of the events that its defects are about. */
const machinesAndScenarios = heard.chain((events) => fc.tuple(machinesFor(events), scenariosFor(events)));

function scenarioOf(written: Written): Scenario {
  return parseScenario(stringify({ scenario: "Some calls", ...written }));
}

/** A world that was run without the explorer. */
interface Played {
  /** What the world breaks, and the messages. */
  readonly broken: ReadonlyMap<string, string>;
  readonly isTouched: boolean;
  /** The types of events that happened. */
  readonly emitted: ReadonlySet<string>;
  /** All deviations that it could have at each deviation point. */
  readonly met: readonly (readonly Deviation[])[];
}

/** Builds a machine again whenever it has handled a request at which it restarts. */
function restart(machine: Machine, simulator: Simulator, stored: Stored): void {
  simulator.services.engine.probes.attach({
    askEndpoint(request, ask) {
      const answer = ask();
      if (simulator.services.network.restartAt((request as RequestRecord).id) !== undefined)
        build(machine, simulator, stored);
      return answer;
    },
  });
}

/** Plays a world without the explorer. Undefined if a step cannot be played. */
function play(machine: Machine, scenario: Scenario, deviations: readonly Deviation[]): Played | undefined {
  const simulator = createSimulator(scenario.options);
  const met: Deviation[][] = [];
  const broken = new Map<string, string>();
  simulator.services.engine.deviations.watch((point, options) => {
    const { to: _, ...place } = point;
    const usual = options.filter(({ is }) => !namedDeviations.has(is) || isRestart(is));
    met.push(usual.map((option) => ({ ...place, ...option })));
  });
  for (const each of deviations) simulator.services.engine.deviations.plan(each);
  const { subject, eventually } = machineApp(machine, true);
  const stored = nothingStored();
  restart(machine, simulator, stored);
  const taken = subject(simulator, stored);
  const named = new Map<string, string>();
  try {
    for (const [index, step] of scenario.steps.entries()) {
      simulator.advanceTo(simulator.startTimestamp + Number(step.atMs));
      playStep(scenario, simulator, step, index, named, deviations.length > 0);
    }
    simulator.runUntilIdle();
    for (const [name, holds] of Object.entries(eventually)) {
      try {
        holds(simulator, taken);
      } catch (error) {
        broken.set(name, (error as Error).message);
      }
    }
  } catch (error) {
    if (error instanceof CommandError || error instanceof ScenarioError) return undefined;
    broken.set("the app throws", (error as Error).message);
  }
  const emitted = new Set(simulator.events.map(({ type }) => type));
  return { broken, met, emitted, isTouched: simulator.network.requests.length > 0 };
}

/** Plays every world of a scenario with certain deviations, each set once. */
function* worldsOf(
  machine: Machine,
  scenario: Scenario,
  atMost: number,
  isPossible: (deviations: readonly Deviation[]) => boolean,
): Generator<{ readonly deviations: readonly Deviation[]; readonly world: Played }> {
  const open = [{ deviations: [] as readonly Deviation[], from: 0 }];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { deviations, from } = next;
    const world = play(machine, scenario, deviations);
    if (world === undefined) continue;
    yield { deviations, world };
    if (deviations.length < atMost)
      for (const [index, options] of world.met.entries())
        if (index >= from)
          for (const each of options)
            if (isPossible([...deviations, each]))
              open.push({ deviations: [...deviations, each], from: index + 1 });
  }
}

/** Whether a list is made of some of another's items, each as often at most. */
function isPartOf(some: readonly string[], all: readonly string[]): boolean {
  const left = [...all];
  return some.every((each) => left.includes(each) && left.splice(left.indexOf(each), 1).length === 1);
}

function kindsOf(deviations: readonly Deviation[]): string[] {
  return deviations.map(({ what, is }) => `${what} ${is}`);
}

/** Whether a world breaks something with its deviations, and not without any one of them. */
function isCause(
  machine: Machine,
  scenario: Scenario,
  deviations: readonly Deviation[],
  broken: string,
): boolean {
  return deviations.every((each) => {
    const others = play(
      machine,
      scenario,
      deviations.filter((other) => other !== each),
    );
    return others?.broken.has(broken) !== true;
  });
}

/** All lists that lack at least one of the items. */
function smallerLists<T>(list: readonly T[]): T[][] {
  return Array.from({ length: 2 ** list.length - 1 }, (_, bits) =>
    list.filter((_, index) => (bits >> index) % 2 === 1),
  );
}

/** All values that lack one part, at any depth. An object keeps its `id`. */
function withoutOnePart(value: unknown): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => [
      value.toSpliced(index, 1),
      ...withoutOnePart(item).map((smaller) => value.with(index, smaller)),
    ]);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    ...(key === "id" ? [] : [Object.fromEntries(Object.entries(value).filter(([each]) => each !== key))]),
    ...withoutOnePart(part).map((smaller) => ({ ...value, [key]: smaller })),
  ]);
}

/** The scenarios that lack some steps, one part of the organisation, or one setting. */
function smallerScenarios({ steps, organisation, ...others }: Written): Written[] {
  const whole = { ...others, ...(organisation === undefined ? {} : { organisation }) };
  return [
    ...smallerLists(steps).map((fewer) => ({ ...whole, steps: fewer })),
    ...withoutOnePart(organisation).map((less) => ({ ...others, organisation: less as object, steps })),
    ...Object.keys(others).map((key) => ({
      ...Object.fromEntries(Object.entries(whole).filter(([each]) => each !== key)),
      steps,
    })),
  ];
}

/**
 * The worlds of smaller scenarios that break the same by some of the same kinds of deviations, at any place. Each is
 * named by its scenario and deviations. Without deviations, nothing may happen in them that did not in the original.
 */
function smallerThan(
  machine: Machine,
  { written, original }: { readonly written: Written; readonly original: Played | undefined },
  deviations: readonly Deviation[],
  [broken, message]: readonly [name: string, message: string],
): string[] {
  const kinds = kindsOf(deviations);
  return smallerScenarios(written).flatMap((smaller) => {
    let scenario: Scenario;
    try {
      scenario = scenarioOf(smaller);
    } catch (error) {
      if (error instanceof ScenarioError) return []; // something names what is not there
      throw error;
    }
    const worlds = worldsOf(machine, scenario, deviations.length, (some) => isPartOf(kindsOf(some), kinds));
    return [...worlds]
      .filter(
        ({ deviations: some, world }) =>
          some.length > 0 === deviations.length > 0 &&
          world.isTouched &&
          world.broken.has(broken) &&
          (some.length > 0 ||
            (generaliseMessage(world.broken.get(broken) ?? "") === generaliseMessage(message) &&
              original !== undefined &&
              [...world.emitted].every((type) => original.emitted.has(type)))) &&
          isCause(machine, scenario, some, broken),
      )
      .map((found) => `${JSON.stringify(smaller)} with ${JSON.stringify(found.deviations)}`);
  });
}

function fewest(worlds: readonly { readonly deviations: readonly Deviation[] }[]): number {
  return Math.min(...worlds.map(({ deviations }) => deviations.length));
}

interface Bounds {
  readonly atMost: number;
  readonly kinds?: readonly DeviationKind[];
}

/** Bounds, and whether the machine may restart. */
const bounds = fc.constantFrom<readonly [bound: Bounds, restarts: boolean]>(
  [{ atMost: 1 }, false],
  [{ atMost: 1 }, true],
  [{ atMost: 2, kinds: ["lost", "unanswered"] }, false],
  [{ atMost: 2, kinds: ["duplicated", "late"] }, false],
  [{ atMost: 2, kinds: ["restarted", "restartedAfter", "unanswered"] }, true],
);

describe("Of a random state machine with a defect", () => {
  test("the explorer finds what any world breaks, in a world that has nothing smaller", async () => {
    await alwaysAsync(
      140,
      fc.tuple(machinesAndScenarios, bounds),
      async ([[machine, written], [bound, restarts]]) => {
        const scenario = scenarioOf(written);
        const { atMost, kinds } = bound;
        const isIn = (some: readonly Deviation[]) =>
          some.every(({ is }) =>
            kinds === undefined ? restarts || !isRestart(is) : (kinds as readonly string[]).includes(is),
          );
        const all = [...worldsOf(machine, scenario, atMost, isIn)];
        const broken = new Set(all.flatMap(({ world }) => [...world.broken.keys()]));
        const report = await exploreReport({
          scenario,
          ...machineApp(machine, restarts),
          deviations: bound,
        });
        expect(report.worlds + report.skipped).toBe(all.length);
        expect(new Set(report.failures.map((failure) => failure.property))).toEqual(broken);
        for (const each of broken) {
          const failing = all.filter(({ world }) => world.broken.has(each));
          const shown = report.failures.filter((failure) => failure.property === each);
          expect(fewest(shown.map(({ smallest }) => smallest))).toBeLessThanOrEqual(fewest(failing));
        }
        for (const { property, smallest } of report.failures) {
          const text = smallest.scenario ?? "";
          expect(smallest.isMinimal).toBe(true);
          const { scenario: _, description: __, deviations: ___, ...own } = parse(text) as Written & Head;
          const { deviations } = smallest;
          const world = play(machine, scenarioOf(own), deviations);
          const message = world?.broken.get(property);
          if (message === undefined) throw new Error(`holds in what is called its smallest world: ${text}`);
          expect(world?.isTouched, text).toBe(true);
          expect(isCause(machine, scenarioOf(own), deviations, property), text).toBe(true);
          if (deviations.length === 0)
            expect(generaliseMessage(message)).toBe(
              generaliseMessage(all[0]?.world.broken.get(property) ?? ""),
            );
          const from = { written: own, original: all[0]?.world };
          expect(smallerThan(machine, from, deviations, [property, message]), text).toEqual([]);
        }
      },
    );
  });
});

describe("A random state machine without a defect", () => {
  test("passes every exploration", async () => {
    await alwaysAsync(
      20,
      fc.tuple(machinesAndScenarios, bounds),
      async ([[{ table }, scenario], [bound, restarts]]) => {
        const machine = { table, defects: [] };
        const report = await exploreReport({
          scenario: scenarioOf(scenario),
          ...machineApp(machine, restarts),
          deviations: bound,
        });
        expect(report.failures.map(({ smallest }) => smallest.scenario)).toEqual([]);
        expect(report.complete).toBe(true);
      },
    );
  });
});
