import type { Part } from "./task.ts";

/** The pace is measured after so many worlds: the first take up to three times as long, until V8 has compiled the code. */
const WARMING = 2_000;
/** The pace is known once later worlds have taken this processor time, ms. */
const LONG_ENOUGH_MS = 1_000;
/** After this processor time, the pace of all worlds is taken, ms. */
const KNOWN_ANYWAY_MS = 5_000;

/** Estimates how many worlds are left, and how much processor time this thread would take for them. */
export class RemainingTimeEstimate {
  /** By the number of deviations: how many worlds the parts that were run had, and how many were expected of them. */
  private readonly noted = new Map<number, { expected: number; worlds: number }>();
  private all = { worlds: 0, ms: 0 };
  /** The same without the first worlds. */
  private warm = { worlds: 0, ms: 0 };

  /** Notes a part that was run. @param ms how much processor time it took */
  note(part: Part, worlds: number, ms: number): void {
    const size = sizeOf(part);
    const { expected, worlds: before } = this.noted.get(size) ?? { expected: 0, worlds: 0 };
    this.noted.set(size, { expected: expected + expectedIn(part), worlds: before + worlds });
    if (this.all.worlds >= WARMING) this.warm = { worlds: this.warm.worlds + worlds, ms: this.warm.ms + ms };
    this.all = { worlds: this.all.worlds + worlds, ms: this.all.ms + ms };
  }

  /** About how many worlds there are in some parts. */
  worldsIn(parts: readonly Part[]): number {
    return parts.reduce((sum, part) => sum + expectedIn(part) * this.findRatio(sizeOf(part)), 0);
  }

  /** About how much processor time this thread takes for so many worlds, ms; undefined as long as that is not known. */
  msFor(worlds: number): number | undefined {
    const { all, warm } = this;
    const measured = warm.ms >= LONG_ENOUGH_MS ? warm : all.ms >= KNOWN_ANYWAY_MS ? all : undefined;
    return measured === undefined ? undefined : (worlds * measured.ms) / Math.max(1, measured.worlds);
  }

  /** How many worlds there are for each one that was expected: as in parts of this size, or else of a smaller one. */
  private findRatio(size: number): number {
    for (let each = size; each >= 0; each--) {
      const { expected, worlds } = this.noted.get(each) ?? { expected: 0, worlds: 0 };
      if (expected > 0) return worlds / expected;
    }
    return 1;
  }
}

/** How many deviations the worlds of a part have; 0 where that says nothing of their number. */
function sizeOf(part: Part): number {
  return "size" in part ? part.size : 0;
}

function expectedIn(part: Part): number {
  if ("seeds" in part) return Math.ceil((part.seeds.to - part.seeds.from + 1) / part.seeds.step);
  return "expected" in part ? part.expected : 1;
}
