import fc from "fast-check";
import type { Simulator } from "../../../src/index.ts";
import type { Player } from "../play.ts";
import { Move, pickFrom } from "./move.ts";

export class Advance extends Move<Player, { readonly ms: number }> {
  static readonly weight = 3;
  static drawn(): fc.Arbitrary<Advance> {
    const ms = fc.oneof(
      fc.constantFrom(0, 1, 1_000, 5_000, 30_000),
      fc.nat({ max: 20_000 }),
      fc.constantFrom(-1, 0.5, Number.NaN, 86_400_000),
    );
    return fc.record({ ms }).map((each) => new Advance(each));
  }

  run(_: Player, sim: Simulator): void {
    sim.advance(this.given.ms);
  }

  override async runAsync(_: Player, sim: Simulator): Promise<void> {
    await sim.advanceAsync(this.given.ms);
  }

  override until({ sim }: Player): number {
    return sim.timestamp + this.given.ms;
  }
}

/** The same where the model is the simulator itself. */
export class Wait extends Move<Simulator, { readonly ms: number }> {
  static drawn(...ms: number[]): fc.Arbitrary<Wait> {
    return fc.record({ ms: fc.constantFrom(...ms) }).map((each) => new Wait(each));
  }

  run(_: Simulator, sim: Simulator): void {
    sim.advance(this.given.ms);
  }
}

/** To the instant of something scheduled, or just before or after it. */
export class AdvanceToTimer extends Move<Player, { readonly pick: number; readonly offsetMs: number }> {
  static readonly weight = 3;
  static drawn(): fc.Arbitrary<AdvanceToTimer> {
    const drawn = fc.record({ pick: fc.nat({ max: 3 }), offsetMs: fc.constantFrom(0, 0, -1, 1) });
    return drawn.map((each) => new AdvanceToTimer(each));
  }

  run(player: Player, sim: Simulator): void {
    sim.advanceTo(this.until(player));
  }

  override async runAsync(player: Player, sim: Simulator): Promise<void> {
    await sim.advanceToAsync(this.until(player));
  }

  override until({ sim }: Player): number {
    const { pick, offsetMs } = this.given;
    return (pickFrom(sim.pending(), pick)?.dueTimestamp ?? sim.timestamp) + offsetMs;
  }
}

export class Step extends Move<Player> {
  static readonly weight = 2;
  static drawn(): fc.Arbitrary<Step> {
    return fc.constant(new Step({}));
  }

  run(_: Player, sim: Simulator): void {
    sim.step();
  }

  override async runAsync(_: Player, sim: Simulator): Promise<void> {
    await sim.stepAsync();
  }
}
