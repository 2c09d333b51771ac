import { iso, shared, shareInstants } from "../engine/instants.ts";
import { datePairs } from "../generated/records.ts";

/** The pair of fields that every date/time is: `startedAt` (ISO 8601, UTC) and `startedTimestamp` (ms since the epoch). */
export type Moment<Name extends string> = { readonly [K in `${Name}At`]: string } & {
  readonly [K in `${Name}Timestamp`]: number;
};

/** A pair that is null while unset. */
export type OptionalMoment<Name extends string> = { readonly [K in `${Name}At`]: string | null } & {
  readonly [K in `${Name}Timestamp`]: number | null;
};

type Name = keyof typeof datePairs;

/** The pair of an instant. */
export function moment<const N extends Name>(name: N, ms: number): Moment<N> {
  return datePairs[name](iso(ms), shared(ms)) as unknown as Moment<N>;
}

/** The pair while unset. */
export function noMoment<const N extends Name>(name: N): OptionalMoment<N> {
  return datePairs[name](null, null) as unknown as OptionalMoment<N>;
}

for (const pair of Object.values(datePairs)) shareInstants((nothing) => pair(nothing, nothing));
