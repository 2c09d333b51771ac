import type { Equivalence } from "../../core/engine/deviations.ts";
import type { DeviationChoice } from "./deviation-choices.ts";

/** The names of worlds in which the app sees the same as in one that was run. */
export function equivalentNames(
  path: readonly DeviationChoice[],
  equivalences: readonly Equivalence[],
): (number | string)[] {
  if (path.every((choice, index) => isAlone(choice, equivalences[index]))) return [];
  const forms = path.map((choice, index) => listForms(choice, equivalences[index]));
  let lists: DeviationChoice[][] = [[]];
  for (const same of forms) lists = lists.flatMap((list) => same.map((each) => [...list, each]));
  const others = lists.slice(1);
  const together = equivalences.includes("together")
    ? others.filter((list) => areTogether(list, equivalences))
    : others;
  return together.map(pathKey);
}

/** Whether no later choice of its point would have shown the app the same. */
function isAlone(
  { deviation, all, index, equivalenceKey }: DeviationChoice,
  equivalence: Equivalence | undefined,
): boolean {
  // refused and rejected differ only in the platform's own records
  if ((deviation.is !== "refused" || deviation.what === "dependency") && equivalence === "no") return true;
  return all[index + 1]?.equivalenceKey !== equivalenceKey;
}

/** A choice, and those of its point that come later in the order and would have shown the app the same. */
function listForms(
  choice: DeviationChoice,
  equivalence: Equivalence | undefined,
): readonly DeviationChoice[] {
  if (isAlone(choice, equivalence)) return [choice];
  const { all, index, equivalenceKey } = choice;
  return all.slice(index).filter((other) => other.equivalenceKey === equivalenceKey);
}

/** Whether the choices that look the same only together take the same form at each instant. */
function areTogether(list: readonly DeviationChoice[], equivalences: readonly Equivalence[]): boolean {
  return list.every(({ deviation: { is, at } }, index) => {
    if (equivalences[index] !== "together" || is === "lost") return true;
    return list.every(({ deviation: other }) => other.at !== at || other.is !== "lost");
  });
}

/** How many bits of a number are exact. */
const BITS = 53;

/**
 * Identifies a world among all with as many deviations: by a number where that is exact, since a number takes a quarter
 * of the memory of a text.
 */
export function pathKey(path: readonly DeviationChoice[]): number | string {
  const base = 2 ** Math.floor(BITS / path.length);
  let name = 0;
  for (const { id } of path) {
    if (id === 0 || id >= base) return joinKeys(path);
    name = name * base + id;
  }
  return name;
}

/** Identifies a world among all, by a text. */
export function joinKeys(path: readonly DeviationChoice[]): string {
  let keys = "";
  for (const { key } of path) keys += key;
  return keys;
}
