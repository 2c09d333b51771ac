/** Chooses among values: at random, or each in turn. */
export interface Any {
  of<const T>(...values: readonly T[]): T;
  /** A number of milliseconds. */
  ms(): number;
  isTrue(): boolean;
}

/** All results of a function, one for each combination of choices. */
export function each<T>(make: (any: Any) => T): T[] {
  const made: T[] = [];
  let path: { pick: number; of: number }[] = [];
  do {
    let depth = 0;
    const choose = (count: number): number => {
      const place = path[depth] ?? { pick: 0, of: count };
      path[depth++] = place;
      return place.pick;
    };
    made.push(make(choosing(choose, [0, 1_000, 20_000])));
    path = path.slice(0, depth);
    while (path.length > 0 && isLast(path.at(-1))) path.pop();
    const last = path.at(-1);
    if (last !== undefined) last.pick++;
  } while (path.length > 0);
  return made;
}

const isLast = (place: { pick: number; of: number } | undefined) =>
  place !== undefined && place.pick === place.of - 1;

/** Chooses by numbers that are given, as fast-check does: small numbers choose early values. */
export function by(numbers: readonly number[]): Any {
  let at = 0;
  const next = () => numbers[at++ % numbers.length] ?? 0;
  return { ...choosing((count) => next() % count, []), ms: () => next() % 200_000 };
}

function choosing(choose: (count: number) => number, lengths: readonly number[]): Any {
  return {
    of: (...values) => {
      const [first] = values;
      if (first === undefined && values.length === 0) throw new Error("nothing to choose from");
      return values[choose(values.length)] as (typeof values)[number];
    },
    ms: () => lengths[choose(lengths.length)] ?? 0,
    isTrue: () => choose(2) === 1,
  };
}
