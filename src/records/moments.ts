import { iso, shared, shareInstants } from "../engine/instants.ts";
import { datePairs } from "../generated/records.ts";

/** The two fields of every date: `startedAt` (ISO 8601, UTC) and `startedTimestamp` (ms since the epoch). */
export type Moment<Name extends string> = { readonly [K in `${Name}At`]: string } & {
  readonly [K in `${Name}Timestamp`]: number;
};

/** The two fields of a date that is null until it is set. */
export type OptionalMoment<Name extends string> = { readonly [K in `${Name}At`]: string | null } & {
  readonly [K in `${Name}Timestamp`]: number | null;
};

type Name = keyof typeof datePairs;

/** Makes the two fields of an instant. */
export function moment<const N extends Name>(name: N, ms: number): Moment<N> {
  return datePairs[name](iso(ms), shared(ms)) as unknown as Moment<N>;
}

/** Makes the two fields of a date that is not set. */
export function noMoment<const N extends Name>(name: N): OptionalMoment<N> {
  return datePairs[name](null, null) as unknown as OptionalMoment<N>;
}

for (const pair of Object.values(datePairs)) shareInstants((nothing) => pair(nothing, nothing));
