import * as v from "valibot";

/**
 * The parts of the records' schemas. Every field has a sentence with its meaning, its unit, and when it is null or
 * absent, which consumers' types (`generated/records.ts`) and the OpenAPI document show.
 */

/** Schemas that are types of their own, by name. `npm run generate` writes them. */
export const types = new Map<string, v.GenericSchema>();
/** Schemas that are components of the OpenAPI document, by name. */
export const components = new Map<string, v.GenericSchema>();

/** The schemas sorted by name: their order of creation depends on imports. */
export function sortedByName(schemas: ReadonlyMap<string, v.GenericSchema>): [string, v.GenericSchema][] {
  return [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The names of a schema. */
interface SchemaNames {
  /** The name of its type. */
  readonly type?: string;
  /** The name of its component in the OpenAPI document. Default: its fields are repeated at each use. */
  readonly component?: string;
}

/** Keeps a schema by its names. One that serves only as a type needs no constant. */
export function named<const S extends v.GenericSchema>({ type, component }: SchemaNames, schema: S): S {
  for (const [map, name] of [[types, type] as const, [components, component] as const]) {
    if (name === undefined) continue;
    if (map.has(name)) throw new Error(`two schemas are named ${name}`);
    map.set(name, schema);
  }
  return schema;
}

/** An object with exactly these fields. */
export function record<const E extends v.ObjectEntries>(names: SchemaNames, description: string, fields: E) {
  return named(names, v.pipe(v.strictObject(fields), v.description(description)));
}

/** How the type of a record depends on one of its fields. */
export interface Cases {
  /** The field that tells them apart. */
  readonly by: string;
  /** For each of its words, what other fields are then; `absent` for one that the record does not have. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, v.GenericSchema | "absent">>>>;
}

/** The cases of records whose type is a union; their schema says all of them at once. */
export const casesOf = new Map<v.GenericSchema, Cases>();

/** One of several shapes. */
export function anyOf<const S extends readonly v.GenericSchema[]>(
  names: SchemaNames,
  description: string,
  shapes: S,
) {
  return named(names, v.pipe(v.union(shapes), v.description(description)));
}

/** One of these words. */
export function oneOfField<const W extends readonly string[]>(
  names: SchemaNames,
  description: string,
  words: W,
) {
  return named(names, v.pipe(v.picklist(words), v.description(description)));
}

/** A field with the type of another schema. */
export function one<const S extends v.GenericSchema>(
  schema: S,
  description: string,
): v.GenericSchema<v.InferInput<S>, v.InferOutput<S>> {
  const isComponent = [...components.values()].includes(schema);
  // a pipe would copy the component; a lazy schema refers to it
  return v.pipe(isComponent ? v.lazy(() => schema) : schema, v.description(description));
}

export function many<const S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(v.array(schema), v.description(description));
}

export function nullable<const S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(v.nullable(schema), v.description(description));
}

/** A field that is absent when it does not apply. */
export function absentable<const S extends v.GenericSchema>(schema: S) {
  return v.optional(schema);
}

const wholeNumber = v.pipe(v.number(), v.integer());
const isoTimestamp = v.pipe(v.string(), v.isoTimestamp());

export const textField = (description: string) => v.pipe(v.string(), v.description(description));
export const texts = (description: string) => many(v.string(), description);
export const nullableText = (description: string) => nullable(v.string(), description);
export const flagField = (description: string) => v.pipe(v.boolean(), v.description(description));
export const whole = (description: string) => v.pipe(wholeNumber, v.description(description));
export const nullableWhole = (description: string) => nullable(wholeNumber, description);
export const decimal = (description: string) => v.pipe(v.number(), v.description(description));

/** Separates the description of a deprecated field from its replacement. */
export const DEPRECATED = "Deprecated: ";

/** A field that still exists and will be removed. */
export function deprecated<const S extends v.GenericSchema>(replacement: string, schema: S) {
  const description = `${v.getDescription(schema)} ${DEPRECATED}${replacement}`;
  return v.pipe(schema, v.metadata({ deprecated: true, description }));
}

export function isDeprecated(schema: v.GenericSchema): boolean {
  return v.getMetadata(schema).deprecated === true;
}

/** The initial value of a field in a new record. */
type InitialValue = { readonly value: unknown } | "given" | "now";

/** The declared initial values. Not in the schemas' metadata, which the OpenAPI document shows. */
const initialValues = new WeakMap<v.GenericSchema, InitialValue>();

export function initialValueOf(schema: v.GenericSchema): InitialValue | undefined {
  return initialValues.get(schema);
}

function setInitialValue<const S extends v.GenericSchema>(initial: InitialValue, schema: S): S {
  if (initialValues.has(schema)) throw new Error("a field's schema has two initial values");
  initialValues.set(schema, initial);
  return schema;
}

/**
 * Declares a field's initial value. Default: null for a nullable field, an empty list, absent for an optional field;
 * the code that creates the record gives any other value.
 */
export function startsAs<const S extends v.GenericSchema>(value: v.InferOutput<S>, schema: S): S {
  return setInitialValue({ value }, schema);
}

/** Declares that the code that creates the record gives the value, although it could be null or empty. */
export function startsAsGiven<const S extends v.GenericSchema>(schema: S): S {
  return setInitialValue("given", schema);
}

type At<N extends string> = `${N}At`;
type Timestamp<N extends string> = `${N}Timestamp`;

/**
 * The two fields of a date.
 * @param what describes the instant, such as "When the call began"
 */
export function dateField<const N extends string>(name: N, what: string) {
  const at = v.pipe(isoTimestamp, v.description(`${what}, ISO 8601 in UTC.`));
  const timestamp = v.pipe(wholeNumber, v.description(`${what}, ms since the Unix epoch.`));
  return { [`${name}At`]: at, [`${name}Timestamp`]: timestamp } as Record<At<N>, typeof at> &
    Record<Timestamp<N>, typeof timestamp>;
}

/** The two fields of a date whose initial value is the record's creation. */
export function createdDateField<const N extends string>(name: N, what: string) {
  const pair = dateField(name, what);
  for (const field of Object.values<v.GenericSchema>(pair)) setInitialValue("now", field);
  return pair;
}

/** The two fields of a date that is null until it is set. */
export function optionalDateField<const N extends string>(name: N, what: string) {
  const at = nullable(isoTimestamp, `${what}, ISO 8601 in UTC; null until then.`);
  const timestamp = nullable(wholeNumber, `${what}, ms since the Unix epoch; null until then.`);
  return { [`${name}At`]: at, [`${name}Timestamp`]: timestamp } as Record<At<N>, typeof at> &
    Record<Timestamp<N>, typeof timestamp>;
}

/** Passthrough parameters of a call or a conversation. */
export const passthroughParameters = v.pipe(
  v.record(v.string(), v.string()),
  v.description("What a customer's own systems sent along: names that begin with `x-`, each with a text."),
);

/** The schema of an event's `data`. @param description what happened, as a sentence */
export function eventDataSchema<const E extends v.ObjectEntries>(description: string, fields: E) {
  return v.pipe(v.strictObject(fields), v.description(description));
}

/** The schema of an event's wrapper, as it is delivered and listed. */
export function eventSchema<const T extends string>(type: T, data: v.GenericSchema) {
  return v.strictObject({
    id: textField("The event's id, the same on every attempt to deliver it."),
    type: v.pipe(v.literal(type), v.description("The type of the event.")),
    ...dateField("created", "When it happened"),
    organisationId: textField("The organisation that it happened in."),
    data,
  });
}
