import type { DeviationPicker, DeviationPoint, PossibleDeviation } from "../../core/engine/deviations.ts";
import { Randomness } from "../../core/foundation/random.ts";
import type { Scenario } from "../../core/scenario/scenario.ts";
import { type Bound, findBoundKind, isWithinBound } from "../../findings/bound.ts";
import type { ScenarioText } from "../run/files.ts";
import { EditableScenario } from "../run/write-scenario.ts";
import type { Seeds } from "./limits.ts";

/** Area codes of the North American numbering plan, in each of which 555-0100 to 555-0199 belong to nobody. */
const areas = ["202", "212", "213", "305", "312", "415", "503", "602", "617", "702"] as const;
const NUMBERS_IN_AREA = 100;

/**
 * The numbers of callers: apps take them as valid, and nobody has them. After a thousand callers the first comes again.
 *
 * @param known a text with all numbers that somebody has
 */
function callerNumbers(count: number, known: string): string[] {
  const callers: string[] = [];
  for (let index = 0; callers.length < count; index++) {
    const area = areas[Math.floor(index / NUMBERS_IN_AREA) % areas.length];
    const number = `+1${area}55501${String(index % NUMBERS_IN_AREA).padStart(2, "0")}`;
    if (index >= areas.length * NUMBERS_IN_AREA || !known.includes(number)) callers.push(number);
  }
  return callers;
}

/** The world of a seed: a scenario, and a picker for its deviation points. */
export interface SampledWorld {
  readonly source: ScenarioText;
  readonly chooser: DeviationPicker;
}

/**
 * How likely each kind of variation is to be enabled. In a world with few kinds, one cannot hide the
 * failure that another causes.
 */
const ENABLED = 0.5;
const SECOND = 1_000;

/** Makes the world of a seed. Each purpose has random numbers of its own, so that a further one for it changes no other. */
export class WorldSampler {
  private readonly randomness: Randomness;

  constructor(
    private readonly seed: number,
    private readonly seeds: Seeds,
  ) {
    this.randomness = new Randomness(seed);
  }

  /** The scenario's steps and what this seed adds to them, all written out. */
  world(scenario: Scenario, given: ScenarioText, bound: Bound): SampledWorld {
    const further = [...this.behaviours(scenario), ...this.traffic(scenario, given.text)].sort(
      ([a], [b]) => a - b,
    );
    const written = EditableScenario.of(given.text)
      .withoutExpected()
      .withSeed(this.seed)
      .withFurtherSteps(further);
    return { source: { ...given, text: written.text }, chooser: this.chooser(bound) };
  }

  /** People who act by themselves from the start. */
  private behaviours({ options: { organisation } }: Scenario): [atMs: number, command: object][] {
    const { users = this.idsOf(organisation) } = this.seeds;
    return users
      .filter((user) => this.chance(`who acts: ${user}`, ENABLED))
      .map((user) => {
        const [answers, declines] = [0.7, 0.2].map((share, index) => this.chance(`${user} ${index}`, share));
        const answer = answers ? { after: this.seconds(`${user} answers`, 1, 25) } : "never";
        const decline = declines ? { decline: { after: this.seconds(`${user} declines`, 1, 25) } } : {};
        const talk = { talk: this.seconds(`${user} talks`, 2, 120) };
        return [0, { behave: { user, behaviour: { answer, ...decline, ...talk } } }];
      });
  }

  /** Calls from outside, whose callers act by themselves. */
  private traffic({ options: { organisation } }: Scenario, text: string): [atMs: number, command: object][] {
    const numbers = (organisation?.numbers ?? []).map(({ number }) => number);
    const { calls, withinMs } = this.seeds;
    const count =
      numbers.length === 0 || !this.chance("traffic", ENABLED) ? 0 : this.upTo("calls", calls + 1);
    if (count === 0) return [];
    return callerNumbers(count, JSON.stringify(organisation) + text).map((from, index) => {
      const of = `call ${index + 1}`;
      const to = numbers[this.upTo(`${of}: to`, numbers.length)];
      const behaviour = {
        patience: this.seconds(`${of}: patience`, 3, 90),
        talk: this.seconds(`${of}: talk`, 2, 120),
        voicemail: this.chance(`${of}: message`, 0.5)
          ? { duration: this.seconds(`${of}: message`, 2, 60) }
          : "hangUp",
      };
      const atMs = this.upTo(`${of}: at`, Math.floor(withinMs / SECOND) + 1) * SECOND;
      return [atMs, { inbound: { from, to, behaviour } }];
    });
  }

  private idsOf(organisation: Scenario["options"]["organisation"]): readonly string[] {
    return (organisation?.users ?? []).map(({ id }) => id);
  }

  /** Swarm testing: enables some kinds of deviation in this world, each with its own rate. */
  private chooser(bound: Bound): DeviationPicker {
    const rates = new Map<string, number>();
    let left = bound.atMost;
    const rateOf = (kind: string) => {
      let rate = rates.get(kind);
      if (rate === undefined) {
        rate = this.chance(`kind ${kind}`, ENABLED) ? this.seeds.rate * this.uniform(`rate of ${kind}`) : 0;
        rates.set(kind, rate);
      }
      return rate;
    };
    return (point: DeviationPoint, options: readonly PossibleDeviation[]) => {
      // where it is not named, nothing is drawn, so that a seed keeps its world
      if (left === 0 || (point.what === "caller" && bound.kinds?.has("caller") !== true)) return undefined;
      const possible = options.filter(
        (option) => isWithinBound(bound, point, option) && rateOf(findBoundKind(point.what, option)) > 0,
      );
      const option = possible[this.upTo("which", possible.length)];
      if (option === undefined || !this.chance("choice", rateOf(findBoundKind(point.what, option))))
        return undefined;
      left--;
      return option;
    };
  }

  private uniform(purpose: string): number {
    return this.randomness.uniform(`explore ${purpose}`);
  }

  private chance(purpose: string, share: number): boolean {
    return this.uniform(purpose) < share;
  }

  private upTo(purpose: string, end: number): number {
    return Math.floor(this.uniform(purpose) * end);
  }

  private seconds(purpose: string, from: number, to: number): string {
    return `PT${from + this.upTo(`${purpose} for`, to - from + 1)}S`;
  }
}
