import { internInstant, iso, shareInstants } from "../foundation/instants.ts";
import { datePairs } from "../generated/records.ts";

/** The two fields of every date: `startedAt` (ISO 8601, UTC) and `startedTimestamp` (ms since the epoch). */
export type DateFields<Name extends string> = { readonly [K in `${Name}At`]: string } & {
  readonly [K in `${Name}Timestamp`]: number;
};

/** The two fields of a date that is null until it is set. */
export type OptionalDateFields<Name extends string> = { readonly [K in `${Name}At`]: string | null } & {
  readonly [K in `${Name}Timestamp`]: number | null;
};

type Name = keyof typeof datePairs;
interface Pair<N extends Name> {
  (at: string, timestamp: number): DateFields<N>;
  (at: null, timestamp: null): OptionalDateFields<N>;
}
const pairs: { readonly [N in Name]: Pair<N> } = datePairs;

/** Creates the two fields of a date. */
export function dateFields<const N extends Name>(name: N, ms: number): DateFields<N> {
  return pairs[name](iso(ms), internInstant(ms));
}

/** Creates the two fields of a date that is not set. */
export function emptyDateFields<const N extends Name>(name: N): OptionalDateFields<N> {
  return pairs[name](null, null);
}

for (const pair of Object.values(datePairs)) shareInstants((nothing) => pair(nothing, nothing));
