import type { AnyStateMachine } from "xstate";
import { each } from "./any.ts";
import { SideBySide } from "./side-by-side.ts";
import type { Subject } from "./subjects.ts";

type StateNode = AnyStateMachine["root"];
type Transition = NonNullable<StateNode["always"]>[number];

/** Takes a machine everywhere that its events can lead, compiled and by XState side by side. */
export class Exploration {
  private readonly taken = new Set<Transition>();
  /** How many different places were visited: a state, its context and its pending timers. */
  private places = 0;

  constructor(
    private readonly subject: Subject,
    private readonly placeLimit: number,
  ) {
    const open = each(subject.input).map((input) => this.begin(input));
    const seen = new Set(open.map(keyOf));
    for (let pair = open.shift(); pair !== undefined && this.places < placeLimit; pair = open.shift()) {
      this.places++;
      for (const next of this.around(pair)) {
        const key = keyOf(next);
        if (!seen.has(key)) open.push(next);
        seen.add(key);
      }
    }
  }

  /** Whether every reachable place was visited. */
  get isComplete(): boolean {
    return this.places < this.placeLimit;
  }

  /** The machine's transitions that were never taken. */
  get missed(): string[] {
    const { root } = this.subject.machine;
    return [root, ...Object.values(root.states)].flatMap((node: StateNode) => {
      const all = [...node.transitions.entries(), ["always", node.always ?? []] as const];
      return all.flatMap(([type, transitions]) =>
        transitions.flatMap((transition, at) =>
          this.taken.has(transition) ? [] : [`${node.key}, ${type}, number ${at + 1}`],
        ),
      );
    });
  }

  private begin(input: unknown): SideBySide {
    return new SideBySide(this.subject.machine, input, (transition) => this.taken.add(transition));
  }

  private around(pair: SideBySide): SideBySide[] {
    if (pair.isDone) return [];
    pair.compareAllowed();
    const told = each((any) => this.subject.event(any, pair.context)).map((event) => {
      pair.compareCan(event);
      const next = pair.fork();
      next.send(event);
      return next;
    });
    const rung = pair.timers.map((timer) => {
      const next = pair.fork();
      next.fire(timer);
      return next;
    });
    return [...told, ...rung];
  }
}

const keyOf = (pair: SideBySide) => JSON.stringify([pair.state, pair.context, pair.timers]);
