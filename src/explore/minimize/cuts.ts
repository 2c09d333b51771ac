import type { Deviation } from "../../core/engine/deviations.ts";
import type { EditableScenario, PartKeys } from "../run/write-scenario.ts";
import type { SameFailure, SmallerWorld } from "./same-failure.ts";
import type { WorldCache } from "./world-cache.ts";

/** Cuts a failing world down as long as it fails for the same reason. */
export class Cuts {
  /** @param best the smallest world so far */
  constructor(
    private readonly same: SameFailure,
    private readonly cache: WorldCache,
    public best: SmallerWorld,
  ) {}

  /** Cuts until nothing more can be removed. */
  async cutDown(): Promise<void> {
    for (let before: SmallerWorld | undefined; before !== this.best; ) {
      before = this.best;
      await this.cutSteps();
      await this.cutParts();
      await this.cutSettings();
      await this.roundTimes();
    }
  }

  /** Delta debugging: removes halves first, then smaller parts, then single steps. */
  private async cutSteps(): Promise<void> {
    const count = () => this.best.scenario?.stepCount ?? 0;
    for (let size = count(); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let start = count() - size; start > -size; start -= size)
        await this.try(...withoutSteps(indexes(start, size)));
  }

  /** Removes entries of the organisation's long lists, halves first, and then every part that can be removed. */
  private async cutParts(): Promise<void> {
    for (const list of this.best.scenario?.longLists ?? []) {
      const count = () => this.best.scenario?.countIn(list) ?? 0;
      for (let size = Math.ceil(count() / 2); size > 1; size = Math.ceil(size / 2))
        for (let start = count() - size; start > -size; start -= size)
          await this.try(`entries ${list.join(".")} ${start} ${size}`, (scenario) =>
            scenario.withoutEntries(list, indexes(start, size)),
          );
    }
    for (let index = 0; index < this.parts.length; ) {
      const isGone = await this.try(...withoutPart(this.parts[index] ?? []));
      if (!isGone) index++;
    }
  }

  private get parts(): readonly PartKeys[] {
    return this.best.scenario?.parts ?? [];
  }

  /** Takes the defaults instead of the scenario's own settings. */
  private async cutSettings(): Promise<void> {
    for (const key of this.best.scenario?.settings ?? []) await this.try(...withoutPart([key]));
  }

  /**
   * Rounds times to minutes, tens of seconds or seconds, as long as the failure stays. Steps about the same call stay
   * apart.
   */
  private async roundTimes(): Promise<void> {
    for (const { index } of timedSteps(this.best.scenario)) {
      const steps = timedSteps(this.best.scenario);
      const step = steps.find((each) => each.index === index);
      if (step === undefined) continue;
      for (const unitMs of [60_000, 10_000, 1_000]) {
        if (step.atMs % unitMs === 0) break;
        const roundedMs = Math.round(step.atMs / unitMs) * unitMs;
        if (!keepsApart(steps, step, roundedMs)) continue;
        const at = `PT${roundedMs / 1_000}S`;
        if (await this.try(`step ${index} at ${at}`, (scenario) => scenario.withStepAt(index, at))) break;
      }
    }
  }

  /**
   * Removes one step or part, and puts another deviation of the same kind in place of one.
   * @returns whether that worked
   */
  async cutWithOtherDeviations(): Promise<boolean> {
    const { scenario } = this.best;
    if (scenario === undefined || this.best.deviations.length === 0) return false;
    const steps = Array.from({ length: scenario.stepCount }, (_, index) => withoutSteps(new Set([index])));
    for (const change of [...steps.reverse(), ...scenario.parts.map(withoutPart)]) {
      const candidate = this.candidate(...change);
      if (candidate !== undefined && (await this.failsWithAnother(candidate))) return true;
    }
    return false;
  }

  /** Whether a candidate fails with another deviation in place of one of its own. */
  private async failsWithAnother(candidate: SmallerWorld): Promise<boolean> {
    const { deviations } = candidate;
    for (const [index, deviation] of deviations.entries()) {
      const earlier = await this.same.moved(this.best, candidate, deviations.slice(0, index));
      if (earlier === undefined) continue;
      const others = (await this.same.possibleIn(candidate, earlier)) ?? [];
      for (const other of others.filter(({ what, is }) => what === deviation.what && is === deviation.is)) {
        const placed = [...earlier, { ...other, webhook: deviation.webhook && other.webhook }];
        const rest = await this.same.moved(this.best, candidate, deviations.slice(index + 1), placed);
        if (rest !== undefined && (await this.take(candidate, [...placed, ...rest]))) return true;
      }
    }
    return false;
  }

  /** Takes a changed scenario, with the deviations at their places in it, if it fails for the same reason. */
  private async try(...change: Change): Promise<boolean> {
    const candidate = this.candidate(...change);
    if (candidate === undefined) return false;
    const { deviations } = candidate;
    if (await this.take(candidate, deviations)) return true;
    if (deviations.length === 0) return false;
    const moved = await this.same.moved(this.best, candidate, deviations);
    if (moved !== undefined) return this.take(candidate, moved);
    // what was removed may have been what a deviation was about
    for (const fewer of fewerOf(deviations)) {
      const placed = await this.same.moved(this.best, candidate, fewer);
      if (placed !== undefined && (await this.take(candidate, placed))) return true;
    }
    return false;
  }

  /** Takes a candidate if it fails for the same reason: with all of the deviations, or else with some of them. */
  private async take(of: SmallerWorld, deviations: readonly Deviation[]): Promise<boolean> {
    const candidate = { ...of, deviations };
    if (await this.same.counts(candidate)) {
      this.best = candidate;
      return true;
    }
    if (
      deviations.length < 2 ||
      this.same.brokenIn(await this.same.playWorld(candidate, deviations)) === undefined
    )
      return false;
    for (const fewer of fewerOf(deviations)) if (await this.take(of, fewer)) return true;
    return false;
  }

  /** A changed scenario with the same deviations; undefined if it is wrong, or the change leaves it as it is. */
  private candidate(...[change, make]: Change): SmallerWorld | undefined {
    const { scenario, prepared, deviations } = this.best;
    if (scenario === undefined) return undefined;
    const smaller = this.cache.smaller({ scenario, prepared }, change, make);
    if (smaller === undefined || smaller.scenario.text === scenario.text) return undefined;
    return { ...smaller, deviations };
  }
}

/** A change of a scenario: its name, and how to make it. */
type Change = readonly [name: string, make: (scenario: EditableScenario) => EditableScenario];

function withoutSteps(gone: ReadonlySet<number>): Change {
  return [`steps ${[...gone].join()}`, (scenario) => scenario.withoutSteps(gone)];
}

function withoutPart(keys: PartKeys): Change {
  return [`part ${keys.join(".")}`, (scenario) => scenario.withoutPart(keys)];
}

/** The lists with one of the items left out, but not an empty one. */
function fewerOf<T>(list: readonly T[]): readonly T[][] {
  return list.length < 2 ? [] : list.map((each) => list.filter((other) => other !== each));
}

/** So many indexes from one on, without those below 0. */
function indexes(start: number, count: number): Set<number> {
  return new Set(Array.from({ length: count }, (_, index) => start + index).filter((each) => each >= 0));
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
