import type { Agenda, AgendaItem } from "./agenda.ts";
import type { Deviations } from "./deviations.ts";

/** The context for choosing the first of several timers. */
interface Ports {
  readonly agenda: Agenda;
  readonly choices: Deviations;
  readonly startMs: number;
  /** Whether an item is a timer. */
  isTimer(item: AgendaItem): boolean;
}

/**
 * Lets a later one of several timers of one instant run first, if a deviation says so.
 * @returns the timer that runs first, the one before which it runs, and when; undefined if none does
 */
export function chooseTimer({
  agenda,
  choices,
  startMs,
  isTimer,
}: Ports): [first: string, before: string, atMs: number] | undefined {
  const next = agenda.peek();
  if (next === undefined || !isTimer(next)) return undefined;
  const others = agenda.ties().filter((item) => item !== next && isTimer(item));
  if (others.length === 0) return undefined;
  const [usual = "", ...labels] = labelled([next, ...others]);
  const point = choices.pointAt({ what: "timer", at: next.dueMs - startMs, of: usual });
  const options = labels.map((of) => ({ is: "first", of }));
  const deviation = choices.deviationAt(point, options);
  const chosen = others[options.findIndex(({ of }) => of === deviation?.of)];
  if (chosen === undefined || deviation === undefined) return undefined;
  agenda.moveAhead(chosen.serial);
  return [deviation.of, usual, chosen.dueMs];
}

/** Describes timers in words, equal ones with numbers. */
function labelled(items: readonly AgendaItem[]): string[] {
  const counts = new Map<string, number>();
  return items.map(({ purpose, recordId }) => {
    const label = `${purpose} of ${recordId}`;
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}
