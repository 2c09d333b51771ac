import type { Agenda, AgendaItem } from "./agenda.ts";
import type { Deviations } from "./deviations.ts";

/** What choosing the first of several timers needs. */
interface Ports {
  readonly agenda: Agenda;
  readonly deviations: Deviations;
  readonly startMs: number;
  /** Whether an item is a timer. */
  isTimer(item: AgendaItem): boolean;
}

/**
 * Lets a later one of several timers of one instant run first, if a deviation says so.
 * @returns the timer that runs first, the one before which it runs, and their instant; undefined without a deviation
 */
export function chooseTimer({
  agenda,
  deviations,
  startMs,
  isTimer,
}: Ports): [first: string, before: string, atMs: number] | undefined {
  const next = agenda.peek();
  if (next === undefined || !isTimer(next)) return undefined;
  const others = agenda.ties().filter((item) => item !== next && isTimer(item));
  if (others.length === 0) return undefined;
  const [usual = "", ...labels] = labelTimers([next, ...others]);
  const point = deviations.numberPoint({ what: "timer", at: next.dueMs - startMs, of: usual });
  const options = labels.map((of) => ({ is: "first", of }));
  const deviation = deviations.deviationAt(point, options);
  const chosen = others[options.findIndex(({ of }) => of === deviation?.of)];
  if (chosen === undefined || deviation === undefined) return undefined;
  agenda.moveAhead(chosen.serial);
  return [deviation.of, usual, chosen.dueMs];
}

/** Labels timers. Equal labels get numbers. */
function labelTimers(items: readonly AgendaItem[]): string[] {
  const counts = new Map<string, number>();
  return items.map(({ purpose, recordId }) => {
    const label = `${purpose} of ${recordId}`;
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}
