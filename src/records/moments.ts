import { iso } from "../engine/instants.ts";

/** The pair of fields that every date/time is: `startedAt` (ISO 8601, UTC) and `startedTimestamp` (ms since the epoch). */
export type Moment<Name extends string> = { readonly [K in `${Name}At`]: string } & {
  readonly [K in `${Name}Timestamp`]: number;
};

/** A pair that is null while unset. */
export type OptionalMoment<Name extends string> = { readonly [K in `${Name}At`]: string | null } & {
  readonly [K in `${Name}Timestamp`]: number | null;
};

type Pair<Value, At> = (at: At, value: Value) => Record<string, At | Value>;

/** Written out, so that each pair is an object literal of one shape: this runs a dozen times in every call. */
const pairs = {
  answered: (answeredAt, answeredTimestamp) => ({ answeredAt, answeredTimestamp }),
  closed: (closedAt, closedTimestamp) => ({ closedAt, closedTimestamp }),
  completed: (completedAt, completedTimestamp) => ({ completedAt, completedTimestamp }),
  created: (createdAt, createdTimestamp) => ({ createdAt, createdTimestamp }),
  disabled: (disabledAt, disabledTimestamp) => ({ disabledAt, disabledTimestamp }),
  ended: (endedAt, endedTimestamp) => ({ endedAt, endedTimestamp }),
  joined: (joinedAt, joinedTimestamp) => ({ joinedAt, joinedTimestamp }),
  lastModified: (lastModifiedAt, lastModifiedTimestamp) => ({ lastModifiedAt, lastModifiedTimestamp }),
  left: (leftAt, leftTimestamp) => ({ leftAt, leftTimestamp }),
  started: (startedAt, startedTimestamp) => ({ startedAt, startedTimestamp }),
  status: (statusAt, statusTimestamp) => ({ statusAt, statusTimestamp }),
} satisfies Record<string, Pair<number | null, string | null>>;

type Name = keyof typeof pairs;

/** The pair of an instant. */
export function moment<const N extends Name>(name: N, ms: number): Moment<N> {
  return pairs[name](iso(ms), ms) as unknown as Moment<N>;
}

/** The pair while unset. */
export function noMoment<const N extends Name>(name: N): OptionalMoment<N> {
  return pairs[name](null, null) as unknown as OptionalMoment<N>;
}
