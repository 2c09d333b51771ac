import type { Deviation } from "../engine/choices.ts";
import type { JournalDocument } from "../options.ts";
import { ScenarioError } from "../scenario/scenario.ts";
import { type Broken, fingerprintOf } from "./failure.ts";
import type { ScenarioText } from "./files.ts";
import { type Prepared, preparedText } from "./prepare.ts";
import type { Wanted, WorldRun } from "./world.ts";
import { EditableScenario } from "./write-scenario.ts";

/** A world that breaks a property. */
export interface FailingWorld {
  readonly prepared: Prepared;
  readonly deviations: readonly Deviation[];
  readonly fingerprint: string;
  runIn(prepared: Prepared, deviations: readonly Deviation[], wanted: Wanted): Promise<WorldRun>;
}

/** The smallest world that breaks it in the same way. */
export interface Shrunk {
  readonly broken: Broken;
  readonly deviations: readonly Deviation[];
  readonly text: string | undefined;
  readonly journal: JournalDocument;
}

interface Candidate {
  readonly scenario: EditableScenario | undefined;
  readonly prepared: Prepared;
  readonly deviations: readonly Deviation[];
}

/**
 * Shrinks a failing world: removes deviations, steps and people as long as the same failure stays, and rounds times.
 * At the end, removing any single deviation or step would make the world pass.
 */
export async function shrink(world: FailingWorld): Promise<Shrunk> {
  return new Shrinker(world, await world.prepared.text()).run();
}

class Shrinker {
  constructor(
    private readonly world: FailingWorld,
    private readonly source: ScenarioText | undefined,
  ) {}

  async run(): Promise<Shrunk> {
    let best = await this.begin();
    for (let before: Candidate | undefined; before !== best; ) {
      before = best;
      best = await this.withFewerDeviations(best);
      best = await this.withFewerSteps(best);
      best = await this.withFewerPeople(best);
      best = await this.withRounderTimes(best);
      best = (await this.changed(best, best.scenario?.withoutSeed())) ?? best;
    }
    const { broken, journal } = await this.world.runIn(best.prepared, best.deviations, { journal: true });
    if (broken === undefined || journal === undefined)
      throw new Error(
        `${this.world.fingerprint}: the world did not fail again: its subject is not deterministic`,
      );
    return { broken, journal, deviations: best.deviations, text: this.finalText(best, broken) };
  }

  /** Begins with the scenario of the failure. One that was made from a function may not show it. */
  private async begin(): Promise<Candidate> {
    const { prepared, deviations } = this.world;
    if (this.source !== undefined) {
      const scenario = EditableScenario.of(this.source.text)
        .withoutExpectations()
        .withOwnOrganisation(this.source.organisations);
      const candidate = this.candidate(this.source, scenario, [...prepared.script.own, ...deviations]);
      if (candidate !== undefined && (await this.fails(candidate))) return candidate;
    }
    return { scenario: undefined, prepared, deviations };
  }

  private async withFewerDeviations(from: Candidate): Promise<Candidate> {
    let best = from;
    for (let index = best.deviations.length - 1; index >= 0; index--) {
      const smaller = { ...best, deviations: best.deviations.filter((_, each) => each !== index) };
      if (await this.fails(smaller)) best = smaller;
    }
    return best;
  }

  /** Delta debugging: removes halves first, then smaller parts, then single steps. */
  private async withFewerSteps(from: Candidate): Promise<Candidate> {
    let best = from;
    for (let size = best.scenario?.stepCount ?? 0; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let start = (best.scenario?.stepCount ?? 0) - size; start > -size; start -= size) {
        const gone = new Set(
          Array.from({ length: size }, (_, index) => start + index).filter((each) => each >= 0),
        );
        const smaller = await this.changed(best, best.scenario?.withoutSteps(gone));
        if (smaller !== undefined) best = smaller;
      }
    }
    return best;
  }

  private async withFewerPeople(from: Candidate): Promise<Candidate> {
    let best = from;
    for (const [list, index] of [...(from.scenario?.entries ?? [])].reverse()) {
      const smaller = await this.changed(best, best.scenario?.withoutEntry(list, index));
      if (smaller !== undefined) best = smaller;
    }
    return best;
  }

  /**
   * Rounds times to minutes, tens of seconds or seconds, as long as the failure stays. Steps about the same call stay
   * apart.
   */
  private async withRounderTimes(from: Candidate): Promise<Candidate> {
    let best = from;
    for (const { index } of timedSteps(from.scenario)) {
      const steps = timedSteps(best.scenario);
      const step = steps.find((each) => each.index === index);
      if (step === undefined) continue;
      for (const unitMs of [60_000, 10_000, 1_000]) {
        if (step.atMs % unitMs === 0) break;
        const roundedMs = Math.round(step.atMs / unitMs) * unitMs;
        if (!keepsApart(steps, step, roundedMs)) continue;
        const rounded = best.scenario?.withStepAt(index, `PT${roundedMs / 1_000}S`);
        const rounder = await this.changed(best, rounded);
        if (rounder === undefined) continue;
        best = rounder;
        break;
      }
    }
    return best;
  }

  /**
   * Tries another scenario, with the deviations at their places in it; undefined if it does not fail in the same way.
   */
  private async changed(
    best: Candidate,
    scenario: EditableScenario | undefined,
  ): Promise<Candidate | undefined> {
    const { source } = this;
    if (source === undefined || scenario === undefined || scenario.text === best.scenario?.text)
      return undefined;
    const candidate = this.candidate(source, scenario, best.deviations);
    if (candidate === undefined) return undefined;
    if (await this.fails(candidate)) return candidate;
    const moved = await this.moved(best, candidate);
    return moved !== undefined && (await this.fails(moved)) ? moved : undefined;
  }

  private candidate(
    source: ScenarioText,
    scenario: EditableScenario,
    deviations: readonly Deviation[],
  ): Candidate | undefined {
    try {
      return { scenario, prepared: preparedText({ ...source, text: scenario.text }), deviations };
    } catch (error) {
      if (error instanceof ScenarioError) return undefined; // it does not work without what was removed
      throw error;
    }
  }

  /** Finds the deviations' places in another scenario, where their events may have other times and ids. */
  private async moved(from: Candidate, to: Candidate): Promise<Candidate | undefined> {
    const moved: Deviation[] = [];
    for (const [index, deviation] of from.deviations.entries()) {
      const before = await this.possibleIn(from, from.deviations.slice(0, index));
      const after = await this.possibleIn(to, moved);
      if (before === undefined || after === undefined) return undefined;
      const isLike = (other: Deviation) => isSameKind(other, deviation);
      const place = before
        .filter(isLike)
        .findIndex(
          ({ at, nth, of }) => at === deviation.at && nth === (deviation.nth ?? 1) && of === deviation.of,
        );
      const there = after.filter(isLike)[place];
      if (there === undefined) return undefined;
      const { webhook } = deviation;
      moved.push({ ...there, webhook: webhook === undefined ? undefined : there.webhook });
    }
    return { ...to, deviations: moved };
  }

  /** All deviations that a world could also have. */
  private async possibleIn(
    { prepared }: Candidate,
    deviations: readonly Deviation[],
  ): Promise<Deviation[] | undefined> {
    try {
      const { met } = await this.world.runIn(prepared, deviations, { points: true, unjudged: true });
      return met.flatMap(({ point: { to: _, ...place }, options }) =>
        options.map((option) => ({ ...place, ...option })),
      );
    } catch (error) {
      if (error instanceof ScenarioError) return undefined;
      throw error;
    }
  }

  private async fails({ prepared, deviations }: Candidate): Promise<boolean> {
    try {
      const { broken, unmet } = await this.world.runIn(prepared, deviations, {});
      if (broken === undefined || unmet.length > 0) return false;
      return fingerprintOf(broken) === this.world.fingerprint;
    } catch (error) {
      if (error instanceof ScenarioError) return false; // a step cannot be played without one that was removed
      throw error;
    }
  }

  private finalText(
    { scenario, prepared, deviations }: Candidate,
    { property, message }: Broken,
  ): string | undefined {
    const [line = ""] = message.split("\n");
    return scenario
      ?.withDescription(`Breaks "${property}": ${line.trim()}`)
      .withDeviations(deviations, (id) => prepared.script.nameOf(id)).text;
  }
}

/** A step with a time. */
interface TimedStep {
  readonly index: number;
  readonly atMs: number;
  /** The names of what it makes and uses. */
  readonly names: readonly string[];
}

/** The steps that do not wait for an event. */
function timedSteps(scenario: EditableScenario | undefined): TimedStep[] {
  return Array.from({ length: scenario?.stepCount ?? 0 }, (_, index) => index).flatMap((index) => {
    const atMs = scenario?.stepAtMs(index);
    return scenario === undefined || atMs === undefined
      ? []
      : [{ index, atMs, names: scenario.namesIn(index) }];
  });
}

/** Whether a step keeps its order at another time, and stays apart from other steps about the same call. */
function keepsApart(steps: readonly TimedStep[], step: TimedStep, toMs: number): boolean {
  return steps.every(({ index, atMs, names }) => {
    if (index === step.index) return true;
    const [before, after] = [Math.sign(atMs - step.atMs), Math.sign(atMs - toMs)];
    return before === after || (after === 0 && !names.some((name) => step.names.includes(name)));
  });
}

/** Whether both do the same to the same kind of thing. Ids may differ. */
function isSameKind(a: Deviation, b: Deviation): boolean {
  const withoutIds = (of: string) => of.replaceAll(/\d+/g, "#");
  return (
    a.what === b.what &&
    a.is === b.is &&
    (a.after ?? 0) === (b.after ?? 0) &&
    (a.by ?? 1) === (b.by ?? 1) &&
    (a.number ?? 1) === (b.number ?? 1) &&
    withoutIds(a.of) === withoutIds(b.of)
  );
}
