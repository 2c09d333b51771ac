import { machines } from "../../machines/index.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import type { Transition } from "../core/statecharts/chart.ts";
import { chartOf } from "../core/statecharts/chart-of.ts";
import { CompiledChart } from "../core/statecharts/compiled.ts";
import type { TableState } from "../core/statecharts/tables.ts";

/** How many worlds reached each state and transition of a machine; 0 if none did. */
export interface MachineCoverage {
  /** How many worlds reached each state, by name. */
  readonly states: Readonly<Record<string, number>>;
  /** Counts by name, such as `ringing: after nextOffer` or `any state: LEAVE_CALL [wrapsUp]`. */
  readonly transitions: Readonly<Record<string, number>>;
}

/** The coverage of all machines, by their name in docs/machines.md. */
export type Coverage = Readonly<Record<string, MachineCoverage>>;

/** A state or a transition. */
interface CoverageItem {
  readonly machine: string;
  readonly kind: keyof MachineCoverage;
  readonly name: string;
}

/** A machine, and the indexes of its states in `items`. */
interface Chart {
  readonly first: TableState;
  readonly states: ReadonlyMap<unknown, number>;
  /** The indexes of what a machine reaches when it starts, by the state that it is in then. Filled as machines start. */
  readonly beginnings: Map<unknown, readonly number[]>;
}

const noItems: readonly number[] = [];

const items: CoverageItem[] = [];
/** The indexes of each transition and of the state that it leads to. */
const transitions = new Map<Transition, readonly number[]>();
const charts = new Map(Object.values(machines).map((machine) => [machine.id, read(machine)]));

/** @throws if a machine is not compiled, since XState does not report transitions */
function read(machine: (typeof machines)[keyof typeof machines]): Chart {
  const chart = chartOf(machine);
  if (!(chart instanceof CompiledChart)) throw new Error(`the ${machine.id} machine is not compiled`);
  const { tables } = chart;
  const all = [...tables.states.values()];
  const findPlace = (kind: CoverageItem["kind"], name: string): number => {
    const at = items.findIndex(
      (each) => each.machine === machine.id && each.kind === kind && each.name === name,
    );
    return at >= 0 ? at : items.push({ machine: machine.id, kind, name }) - 1;
  };
  const states = new Map<unknown, number>(all.map(({ value }) => [value, findPlace("states", value)]));
  for (const { always, candidates, wildcards } of all)
    for (const each of [...always, ...[...candidates.values()].flat(), ...wildcards]) {
      const target = each.target === undefined ? [] : [findPlace("states", each.target.value)];
      transitions.set(each, [findPlace("transitions", each.name), ...target]);
    }
  return { first: tables.first, states, beginnings: new Map() };
}

/** The indexes of what a machine reaches when it starts: its first state, and the next one if it went on by itself. */
function itemsAtStart({ first, states }: Chart, value: unknown): readonly number[] {
  const taken = first.always.find(({ target }) => target?.value === value);
  const on = taken === undefined ? noItems : (transitions.get(taken) ?? noItems);
  return [states.get(first.value) ?? -1, states.get(value) ?? -1, ...on];
}

/** Notes the states and transitions that a run reaches. */
export class CoverageRecorder {
  private readonly reached = new Set<number>();

  /** @param simulator a simulator whose machines may already run; how they reached their states is not known */
  constructor(simulator: Simulator) {
    const { host, probes } = simulator.services.engine;
    for (const { machine, value } of host.states()) this.begins(machine, value);
    probes.attach({ machineStarted: this.begins, transitionTaken: this.took });
  }

  /** The indexes of what was reached, in order. */
  get places(): readonly number[] {
    return [...this.reached];
  }

  /** A machine started. */
  private readonly begins = (machine: string, value: unknown): void => {
    const chart = charts.get(machine);
    if (chart === undefined) return;
    let reached = chart.beginnings.get(value);
    if (reached === undefined) {
      reached = itemsAtStart(chart, value);
      chart.beginnings.set(value, reached);
    }
    this.record(reached);
  };

  private readonly took = (transition: Transition): void =>
    this.record(transitions.get(transition) ?? noItems);

  private record(reached: readonly number[]): void {
    for (const place of reached) this.reached.add(place);
  }
}

/** Adds up the coverage of worlds. */
export class CoverageCount {
  private readonly counts = items.map(() => 0);

  add(reached: readonly number[]): void {
    for (const place of reached) this.counts[place] = (this.counts[place] ?? 0) + 1;
  }

  get coverage(): Coverage {
    const coverage: Record<string, Record<CoverageItem["kind"], Record<string, number>>> = {};
    for (const [at, { machine, kind, name }] of items.entries()) {
      coverage[machine] ??= { states: {}, transitions: {} };
      coverage[machine][kind][name] = this.counts[at] ?? 0;
    }
    return coverage;
  }
}

/** Adds up the coverage of explorations. */
export function mergeCoverage(parts: readonly Coverage[]): Coverage {
  const sum = new CoverageCount().coverage;
  const add = (kind: CoverageItem["kind"], machine: string, name: string) =>
    parts.reduce((total, part) => total + (part[machine]?.[kind][name] ?? 0), 0);
  return Object.fromEntries(
    Object.entries(sum).map(([machine, { states, transitions }]) => [
      machine,
      {
        states: Object.fromEntries(Object.keys(states).map((name) => [name, add("states", machine, name)])),
        transitions: Object.fromEntries(
          Object.keys(transitions).map((name) => [name, add("transitions", machine, name)]),
        ),
      },
    ]),
  );
}

/** Describes coverage: `machines: 31 of 53 states and 40 of 126 transitions reached`. */
export function coverageText(coverage: Coverage): string {
  const of = (kind: CoverageItem["kind"]) => {
    const counts = Object.values(coverage).flatMap((each) => Object.values(each[kind]));
    return `${counts.filter((count) => count > 0).length} of ${counts.length} ${kind}`;
  };
  return `machines: ${of("states")} and ${of("transitions")} reached, of the platform and by this scenario`;
}

/** The machines of requests and analyses, which move without people. */
const withoutPeople: ReadonlySet<string> = new Set(["delivery", "webhook", "analysis"]);

/**
 * The transitions among what a run reached, of the machines that people move: `call: ringing: ANSWER`.
 * @param places what `CoverageRecorder` noted
 */
export function reachedTransitions(places: Iterable<number>): string[] {
  return [...places].flatMap((place) => {
    const item = items[place];
    if (item === undefined || item.kind !== "transitions" || withoutPeople.has(item.machine)) return [];
    return [`${item.machine}: ${item.name}`];
  });
}

/** All transitions of the machines that people move, those that nothing can reach included. */
export function transitionsOfPeople(): string[] {
  return reachedTransitions(items.keys());
}
