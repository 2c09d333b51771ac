import type { Deviation } from "../engine/choices.ts";
import { plan, planOwn, playStep } from "../scenario/run.ts";
import type { Scenario, Step } from "../scenario/scenario.ts";
import { TiedSteps } from "../scenario/tied-steps.ts";
import { createUnheard, type Simulator } from "../simulator.ts";

/** What happens in every world: a scenario, or a function that gives commands and lets time pass. */
export interface Script {
  /** A simulator at its start. */
  begin(): Simulator;
  /** The deviations that a scenario has itself: every world takes them. */
  readonly own: readonly Deviation[];
  /** What a scenario calls a webhook; its id where it has no name. */
  nameOf(webhookId: string): string;
  /** The ids of what the steps of a scenario named when it was last played. */
  named(): ReadonlyMap<string, string>;
  /** Has a run take deviations, and those of a scenario's own. Before the subject is built, which may come to some. */
  plan(simulator: Simulator, deviations: readonly Deviation[]): void;
  /** Plays it. Returns nothing when it is over at once. */
  play(simulator: Simulator, playing: Playing): Promise<void> | void;
}

/** How a script is played. */
export interface Playing {
  /** Steps that the run does not allow are left out. */
  readonly isDeviating: boolean;
  /** Called after each step, whose promise is awaited. */
  afterStep(): void | Promise<void>;
  /** A step was left out: its index in the scenario. */
  skipped?(index: number): void;
}

/**
 * A scenario: each world starts from a fork of the same beginning, in which the webhooks that its first steps make are
 * there already: nothing can deviate before.
 */
export function scenarioScript(scenario: Scenario): Script {
  const base = createUnheard(scenario.options);
  const startMs = base.timestamp;
  const given = new Map<string, string>();
  const isGiven = ({ command, atMs }: Step) => command === "createWebhook" && atMs === 0;
  const firstOther = scenario.steps.findIndex((step) => !isGiven(step));
  const lead = scenario.steps.slice(0, firstOther < 0 ? undefined : firstOther);
  for (const [index, step] of lead.entries()) playStep(withoutDeviations, base, step, index, given);
  const steps = scenario.steps.slice(lead.length);
  const own = scenario.deviations.map(({ deviation }) => {
    const { webhook } = deviation;
    return { ...deviation, webhook: webhook === undefined ? undefined : (given.get(webhook) ?? webhook) };
  });
  const hasTied = steps.some(({ on }) => on !== undefined);
  let named = given;
  return {
    begin: () => base.fork(),
    own,
    nameOf: (id) => [...named].find(([, each]) => each === id)?.[0] ?? id,
    named: () => named,
    plan(simulator, deviations) {
      for (const deviation of deviations) plan(simulator, deviation);
      planOwn({ steps, deviations: own.map((deviation) => ({ deviation })) }, simulator);
    },
    async play(simulator, { isDeviating, afterStep, skipped }) {
      named = new Map(given);
      const playNow = (step: Step, index: number) => {
        if (!playStep(scenario, simulator, step, index, named, isDeviating)) skipped?.(index);
        tied?.played();
      };
      const tied = hasTied ? new TiedSteps(simulator, scenario, named, playNow) : undefined;
      for (const [index, step] of steps.entries()) {
        if (step.atMs === undefined) {
          tied?.reach(step, lead.length + index);
          continue;
        }
        if (scenario.untilMs !== undefined && step.atMs > scenario.untilMs) break;
        const atMs = startMs + step.atMs;
        const { nextDueMs } = simulator.inside.engine;
        if (atMs > simulator.timestamp || nextDueMs <= atMs) await simulator.advanceToAsync(atMs);
        tied?.begin();
        playNow(step, lead.length + index);
        const waits = afterStep();
        if (waits !== undefined) await waits;
      }
      if (scenario.untilMs !== undefined) await simulator.advanceToAsync(startMs + scenario.untilMs);
    },
  };
}

const withoutDeviations = { deviations: [] };

/** A function, on a simulator with the usual options. */
export function functionScript(
  run: (simulator: Simulator) => void | Promise<void>,
  allowLocal: boolean,
): Script {
  const base = createUnheard({ ids: "counter", allowLocal });
  return {
    begin: () => base.fork(),
    own: [],
    nameOf: (id) => id,
    named: () => new Map(),
    plan(simulator, deviations) {
      for (const deviation of deviations) plan(simulator, deviation);
    },
    play: (simulator) => run(simulator),
  };
}
