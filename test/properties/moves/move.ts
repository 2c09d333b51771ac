import fc from "fast-check";
import type { Simulator } from "../../../src/index.ts";

/**
 * One thing that is done in a run, drawn by fast-check, which makes it smaller and prints it as it can be pasted into an
 * example. A new command is one more class, in the list of those that are drawn. `Model` is what it picks from when its
 * turn comes.
 */
export abstract class Move<Model extends object, Fields extends object = object>
  implements fc.Command<Model, Simulator>
{
  constructor(readonly given: Fields) {}

  /** Always: whether it is allowed is for the simulator to say. */
  check(): boolean {
    return true;
  }

  abstract run(model: Model, sim: Simulator): void;

  /** The same with the asynchronous time methods. */
  async runAsync(model: Model, sim: Simulator): Promise<void> {
    this.run(model, sim);
  }

  /** The instant to which time passes, ms; undefined for what takes no time. */
  until(_model: Model): number | undefined {
    return undefined;
  }

  toString(): string {
    return `new ${this.constructor.name}(${fc.stringify(this.given)})`;
  }
}

/** How well a command fits: something possible now, something that exists, or nonsense. */
export type Aim = "possible" | "existing" | "nonsense";

/** What every command of people has. Commands do not name calls or people: they pick among those that there are. */
export interface Picks {
  readonly aim: Aim;
  readonly pick: number;
}

export const picks = fc.nat({ max: 1_000 });

/** Draws what a command is made with. */
export function fields<const Rest extends object>(
  aim: fc.Arbitrary<Aim>,
  rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
): fc.Arbitrary<Picks & Rest> {
  return fc.record({ aim, pick: picks, ...rest }) as unknown as fc.Arbitrary<Picks & Rest>;
}

export const nonsensePeople = ["nobody", "", "caller ", "+64211", "constructor"];

export function pickFrom<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(1, list.length)];
}

/** What each turn of a number that picked from a list picks next from another. */
export function turnOf(pick: number, list: readonly unknown[]): number {
  return Math.floor(pick / Math.max(1, list.length));
}
