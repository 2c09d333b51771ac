import fc from "fast-check";
import type { Simulator } from "../../../src/index.ts";

/**
 * One move in a run, drawn by fast-check, which shrinks it and prints it so that it can be pasted into an example. A
 * new command is one more class, in the list of classes that are drawn. When the move is played, it picks from
 * `Model`.
 */
export abstract class Move<Model extends object, Fields extends object = object>
  implements fc.Command<Model, Simulator>
{
  constructor(readonly given: Fields) {}

  /** Always true: the simulator decides whether it is allowed. */
  check(): boolean {
    return true;
  }

  abstract run(model: Model, sim: Simulator): void;

  /** The same with the asynchronous time methods. */
  async runAsync(model: Model, sim: Simulator): Promise<void> {
    this.run(model, sim);
  }

  /** The instant to which it moves time, ms; undefined if it does not. */
  until(_model: Model): number | undefined {
    return undefined;
  }

  toString(): string {
    return `new ${this.constructor.name}(${fc.stringify(this.given)})`;
  }
}

/** How well a command fits: something possible now, something that exists, or nonsense. */
export type Aim = "possible" | "existing" | "nonsense";

/** The parts of every command of people. Commands do not name calls or people, but pick among those that exist. */
export interface Picks {
  readonly aim: Aim;
  readonly pick: number;
}

export const picks = fc.nat({ max: 1_000 });

/** Draws the arguments of a command. */
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

/** Turns a number that picked from this list into one that picks from the next. */
export function turnOf(pick: number, list: readonly unknown[]): number {
  return Math.floor(pick / Math.max(1, list.length));
}
