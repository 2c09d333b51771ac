/** How many items at the start of a sorted list fulfil a condition that no later one fulfils, by binary search. */
export function countWhile<Item>(sorted: readonly Item[], holds: (item: Item) => boolean): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const half = (from + to) >> 1;
    if (holds(sorted[half] as Item)) from = half + 1;
    else to = half;
  }
  return from;
}

/** Appends an item to the list of a key. */
export function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
