import * as v from "valibot";
import { errorStatuses, type RestErrorCode } from "../errors.ts";
import { metaSchema } from "../paging.ts";

/** Schemas of what is answered: exact, so that the document says every field. */

/** A component of the document, by name. */
export function named<const S extends v.GenericSchema>(name: string, schema: S) {
  return v.pipe(schema, v.metadata({ ref: name })) as unknown as S;
}

export const text = v.string();
export const nullableText = v.nullable(v.string());
export const texts = v.array(v.string());
export const integer = v.pipe(v.number(), v.integer());
/** Milliseconds since the Unix epoch. */
const timestamp = integer;
const at = v.pipe(v.string(), v.isoTimestamp());

/** The pair of fields that every date/time is. */
export function moment<const N extends string>(name: N) {
  return { [`${name}At`]: at, [`${name}Timestamp`]: timestamp } as Record<`${N}At`, typeof at> &
    Record<`${N}Timestamp`, typeof timestamp>;
}

/** A pair that is null while unset. */
export function optionalMoment<const N extends string>(name: N) {
  const pair = { [`${name}At`]: v.nullable(at), [`${name}Timestamp`]: v.nullable(timestamp) };
  return pair as Record<`${N}At`, v.NullableSchema<typeof at, undefined>> &
    Record<`${N}Timestamp`, v.NullableSchema<typeof timestamp, undefined>>;
}

/** A list, with where its next page is. */
export function listOf<const N extends string, const S extends v.GenericSchema>(name: N, item: S) {
  return v.strictObject({ [name]: v.array(item), meta } as Record<N, v.ArraySchema<S, undefined>> & {
    meta: typeof meta;
  });
}

const meta = named("Meta", metaSchema);

/** Names that begin with `x-`, and text. */
export const passthroughParameters = v.record(v.string(), v.string());

const detail = v.strictObject({ path: text, message: text });
export const errorSchema = named(
  "Error",
  v.strictObject({
    code: v.picklist(Object.keys(errorStatuses) as [RestErrorCode, ...RestErrorCode[]]),
    message: text,
    details: v.optional(v.array(detail)),
  }),
);
