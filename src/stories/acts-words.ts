import type { ToldAct } from "./story-tree.ts";

/** What is shown of the acts of a branch: the first, and the next one or how many follow. */
export function shownActs([first, second, ...more]: readonly ToldAct[]): readonly (ToldAct | string)[] {
  if (first === undefined) return ["Nobody does anything more"];
  if (second === undefined) return [first];
  return [first, more.length === 0 ? second : `then ${more.length + 1} more steps`];
}
