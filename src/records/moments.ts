import { iso } from "../engine/instants.ts";

/** The pair of fields that every date/time is: `startedAt` (ISO 8601, UTC) and `startedTimestamp` (ms since the epoch). */
export type Moment<Name extends string> = { readonly [K in `${Name}At`]: string } & {
  readonly [K in `${Name}Timestamp`]: number;
};

/** A pair that is null while unset. */
export type OptionalMoment<Name extends string> = { readonly [K in `${Name}At`]: string | null } & {
  readonly [K in `${Name}Timestamp`]: number | null;
};

/** The pair of an instant. */
export function moment<const Name extends string>(name: Name, ms: number): Moment<Name> {
  return { [`${name}At`]: iso(ms), [`${name}Timestamp`]: ms } as Moment<Name>;
}

/** The pair while unset. */
export function noMoment<const Name extends string>(name: Name): OptionalMoment<Name> {
  return { [`${name}At`]: null, [`${name}Timestamp`]: null } as OptionalMoment<Name>;
}
