import { InputError } from "../../core/foundation/errors.ts";
import { type StoriesPart, type ToldPeople, tellStories } from "../../stories/told-stories.ts";
import type { ScenarioText } from "../run/files.ts";
import { STORY_ORDER, type WorldOutcome, withCause, worldOutcome } from "../run/outcome.ts";
import { parseScenarioText, preparedText } from "../run/prepare.ts";
import { EditableScenario } from "../run/write-scenario.ts";
import type { PartEnd } from "./frontier.ts";
import type { Shard } from "./sharding.ts";
import type { OutcomeSink, Part, Task } from "./task.ts";
import type { WorldPlayer } from "./world-player.ts";

/** Runs the worlds of a task. */
interface Runner {
  parts(shard: Shard): Promise<Part[]>;
  run(part: Part, sink: OutcomeSink): Promise<PartEnd>;
}

/** Worlds in which people do what the scenario does not say. */
export class StoryWorlds {
  /** The stories that people may add; undefined if they do what the scenario says. */
  told: ToldPeople | undefined;

  /**
   * @param text the task's scenario as text
   * @param explore explores one story as a task of its own
   */
  constructor(
    private readonly player: WorldPlayer,
    private readonly task: Task,
    private readonly text: () => Promise<ScenarioText | undefined>,
    private readonly explore: (task: Task) => Runner,
  ) {}

  /** Tells the stories of a shard. */
  async parts(shard: Shard): Promise<StoriesPart[]> {
    const { people, prepared } = this.task;
    if (people === undefined) return [];
    const source = await this.sourceOfStories();
    const scenario = parseScenarioText(source, prepared.given.phoneNumbers);
    const { parts, told } = tellStories(scenario, source.text, people, shard);
    this.told = told;
    return parts;
  }

  /** Plays stories with the app, each as a scenario of its own. */
  async run({ stories, storyDeviations }: StoriesPart, sink: OutcomeSink): Promise<PartEnd> {
    for (const { text, acts, place } of stories) {
      const leftOut = sink.whyToStop();
      if (leftOut !== undefined) return { leftOut, equivalentWorlds: 0 };
      const scenario = { ...(await this.sourceOfStories()), text };
      const order = [STORY_ORDER + acts, place, 0];
      if (storyDeviations === 0) sink.add(await this.runStory(scenario, order));
      else await this.exploreStory(scenario, order, storyDeviations, sink);
    }
    return { leftOut: undefined, equivalentWorlds: 0 };
  }

  /** Plays one story. What the app does by itself may forbid an act, which is then left out. */
  private async runStory(scenario: ScenarioText, order: readonly number[]): Promise<WorldOutcome> {
    const prepared = preparedText(scenario, this.task.prepared.given);
    const run = await this.player.play(prepared, [], { chooser: () => undefined });
    if (run.failures.length === 0) return worldOutcome(order, [], run, 0, []);
    const text = EditableScenario.of(scenario.text).withoutTheSteps(run.skipped).text;
    const failures = run.failures.map((broken) => withCause(broken, [], prepared.recordedRun.own));
    return { ...worldOutcome(order, [], run, 0, failures), scenario: { ...scenario, text } };
  }

  /** Plays one story with deviations of the network, as an exploration of that story alone. */
  private async exploreStory(
    scenario: ScenarioText,
    order: readonly number[],
    atMost: number,
    sink: OutcomeSink,
  ): Promise<void> {
    const bound = { ...this.task.bound, atMost };
    const task = {
      ...this.task,
      prepared: preparedText(scenario, this.task.prepared.given),
      bound,
      people: undefined,
    };
    const runner = this.explore({ ...task, corpus: [], seeds: undefined });
    for (const part of await runner.parts({ index: 1, count: 1 }))
      await runner.run(part, {
        isFull: () => sink.isFull(),
        whyToStop: () => sink.whyToStop(),
        add: (outcome) => sink.add({ ...outcome, order: [...order.slice(0, 2), ...outcome.order], scenario }),
      });
  }

  /** The scenario to which people add. @throws {InputError} for a function that does not run without the app */
  private async sourceOfStories(): Promise<ScenarioText> {
    const source = await this.text();
    if (source !== undefined) return source;
    throw new InputError(["people"], "expected a scenario, or a function that runs without the app");
  }
}
