import { eventKeys } from "../core/platform/catalogue/event-keys.ts";
import { reachedTransitions } from "./coverage.ts";
import type { Story } from "./story-teller.ts";

/** What a story is kept for: a transition of a machine, or an event as an app tells it from others. */
export type Goal = string;

/** A story that is needed, and what no other one that is needed reaches. */
export interface NeededStory<T> {
  readonly story: T;
  readonly onlyHere: readonly Goal[];
}

/** The transitions that a story reaches, and the keys of its events. */
export function listGoals({ reached, simulator }: Pick<Story, "reached" | "simulator">): Goal[] {
  return [...new Set([...reachedTransitions(reached), ...simulator.events.flatMap(eventKeys)])].sort();
}

/** Finds the fewest stories, by greed, that together reach what all of them reach. */
export class Covering<T> {
  readonly goals = new Set<Goal>();
  private readonly candidates = new Map<string, { readonly story: T; readonly goals: readonly Goal[] }>();

  /** Adds a story. Of two that reach the same, the first is kept: it has the fewer acts. */
  add(goals: readonly Goal[], story: () => T): void {
    const key = goals.join("\n");
    if (this.candidates.has(key)) return;
    for (const goal of goals) this.goals.add(goal);
    this.candidates.set(key, { story: story(), goals });
  }

  /** The needed stories, in the order in which they were added. */
  fewest(): NeededStory<T>[] {
    const taken = this.greedy();
    const counts = new Map<Goal, number>();
    for (const { goals } of taken) for (const goal of goals) counts.set(goal, (counts.get(goal) ?? 0) + 1);
    const isOnly = (goal: Goal) => counts.get(goal) === 1;
    const needed = new Set(
      taken.filter(({ goals }) => {
        if (goals.some(isOnly)) return true;
        // the others reach all of this
        for (const goal of goals) counts.set(goal, (counts.get(goal) ?? 0) - 1);
        return false;
      }),
    );
    return [...this.candidates.values()]
      .filter((each) => needed.has(each))
      .map(({ story, goals }) => ({ story, onlyHere: goals.filter(isOnly) }));
  }

  private greedy() {
    const left = new Set(this.goals);
    const candidates = [...this.candidates.values()];
    const taken: typeof candidates = [];
    while (left.size > 0) {
      const count = ({ goals }: (typeof candidates)[number]) => goals.filter((goal) => left.has(goal)).length;
      let best = candidates[0];
      let most = 0;
      for (const each of candidates) {
        const fresh = count(each);
        if (fresh > most) [best, most] = [each, fresh];
      }
      if (best === undefined || most === 0) break;
      taken.push(best);
      for (const goal of best.goals) left.delete(goal);
    }
    return taken;
  }
}
