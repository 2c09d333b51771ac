import { InputError } from "../../core/foundation/errors.ts";
import { pickAssumptions } from "../../findings/assumptions.ts";
import { FailureMemory } from "../minimize/minimal-cause.ts";
import type { ScenarioText } from "../run/files.ts";
import { type WorldOutcome, worldOutcome } from "../run/outcome.ts";
import { parseScenarioText, preparedText } from "../run/prepare.ts";
import { EditableScenario } from "../run/write-scenario.ts";
import type { PartEnd } from "./frontier.ts";
import type { Seeds } from "./limits.ts";
import type { Shard } from "./sharding.ts";
import type { OutcomeSink, SeedsPart, Task } from "./task.ts";
import { type WorldPlayer, wholeRunPoints } from "./world-player.ts";
import { WorldSampler } from "./world-sampler.ts";

/** How many seeds are one part. */
const SEEDS_PER_PART = 16;

/** The seeds of a shard. Shards take seeds in turn. */
export function seedParts({ from, to }: Seeds, { index, count }: Shard): SeedsPart[] {
  const parts: SeedsPart[] = [];
  const span = SEEDS_PER_PART * count;
  for (let start = from + index - 1; start <= to; start += span)
    parts.push({ seeds: { from: start, to: Math.min(start + span - 1, to), step: count } });
  return parts;
}

/** Worlds that are drawn by chance, one for each seed. */
export class SeededWorlds {
  /** @param text the task's scenario as text */
  constructor(
    private readonly player: WorldPlayer,
    private readonly task: Task,
    private readonly text: () => Promise<ScenarioText | undefined>,
  ) {}

  /** Runs the worlds of some seeds. */
  async run({ seeds: { from, to, step } }: SeedsPart, sink: OutcomeSink): Promise<PartEnd> {
    for (let seed = from; seed <= to; seed += step) {
      const leftOut = sink.whyToStop();
      if (leftOut !== undefined) return { leftOut, equivalentWorlds: 0 };
      sink.add(await this.runSeed(seed));
    }
    return { leftOut: undefined, equivalentWorlds: 0 };
  }

  /** Runs the world of a seed. The outcome of a failure contains everything that the seed decided. */
  private async runSeed(seed: number): Promise<WorldOutcome> {
    const { prepared, bound, seeds } = this.task;
    const given = await this.text();
    if (given === undefined || seeds === undefined)
      throw new InputError(["seeds"], "expected a scenario, or a function that runs without the app");
    const { source, chooser } = new WorldSampler(seed, seeds).world(
      parseScenarioText(given, prepared.given.phoneNumbers),
      given,
      bound,
    );
    const sampled = preparedText(source, prepared.given);
    const assumptions = pickAssumptions(wholeRunPoints(bound, sampled.recordedRun), chooser);
    const run = await this.player.play(sampled, assumptions, { chooser });
    const deviations = [...assumptions, ...run.chosen];
    if (run.failures.length === 0) return worldOutcome([0, seed, 0], deviations, run, 0, []);
    const text = EditableScenario.of(source.text).withoutTheSteps(run.skipped).text;
    const played = preparedText({ ...source, text }, prepared.given);
    const known = new FailureMemory((some) => this.player.play(played, some, {}));
    const failures = await known.findCauses(run.failures, deviations, played.recordedRun.own);
    return { ...worldOutcome([0, seed, 0], deviations, run, 0, failures), scenario: { ...source, text } };
  }
}
