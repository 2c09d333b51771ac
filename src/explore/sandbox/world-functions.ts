import { type AnyFunction, replaceFunction } from "../../core/foundation/timer-functions.ts";

/** Functions of an object, and what stands in front of each. */
export interface WorldFunctions {
  readonly place: object | undefined;
  readonly names: readonly string[];
  /** Makes the new function from the old one. */
  door(before: AnyFunction, name: string): AnyFunction;
}

/**
 * Stands in front of functions of the process as long as worlds run.
 * @param find finds the functions when the first world begins
 * @returns what replaces them, and what puts them back when the last who replaced them is done
 */
export function worldFunctions(find: () => readonly WorldFunctions[]) {
  let undo: (() => void)[] = [];
  let users = 0;
  return {
    replace(): void {
      if (users++ > 0) return;
      for (const { place, names, door } of find())
        for (const name of names)
          if (place !== undefined && isOpen(place, name))
            undo.push(replaceFunction(place, name, (before) => door(before, name)));
    },
    putBack(): void {
      if (--users > 0) return;
      for (const each of undo.reverse()) each();
      undo = [];
    },
  };
}

/** Whether a function can be replaced: one that is frozen, as by SES, stays. That of Node asks the one of `globalThis.crypto`. */
function isOpen(place: object, name: string): boolean {
  const own = Object.getOwnPropertyDescriptor(place, name);
  return own === undefined ? Object.isExtensible(place) : own.configurable === true;
}
