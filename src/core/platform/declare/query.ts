import * as v from "valibot";
import { contactNumberOfCall, e164 } from "../../foundation/input-schemas.ts";

/** A parameter of a query: how its text is read, and its description in the document. */
export interface QueryParameter<Output = unknown> {
  readonly schema: v.GenericSchema<unknown, Output>;
  readonly description: string;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
}

export type QueryOf<Q extends Record<string, QueryParameter>> = {
  readonly [Name in keyof Q]: Q[Name] extends QueryParameter<infer Output> ? Output : never;
};

export function queryText(description: string): QueryParameter<string | undefined> {
  return { schema: v.optional(v.string()), description, jsonSchema: { type: "string" } };
}

/** What a query makes of a plus that is not encoded. */
const blank = "a plus in a query means a blank, write it %2B";

/** An e-mail address, which has no blanks. */
export function queryEmail(description: string): QueryParameter<string | undefined> {
  const schema = v.optional(
    v.pipe(
      v.string(),
      v.check((text) => !text.includes(" "), `expected an e-mail address without blanks: ${blank}`),
    ),
  );
  return { schema, description, jsonSchema: { type: "string" } };
}

/** Text that does not begin with a plus that became a blank. */
function withoutLostPlus() {
  return v.pipe(
    v.string(),
    v.check(
      (text) => !/^ \d/.test(text),
      ({ input }) => `expected "+${String(input).trim()}": ${blank}`,
    ),
  );
}

export function queryNumber(description: string): QueryParameter<string | undefined> {
  const schema = v.optional(v.pipe(withoutLostPlus(), e164()) as v.GenericSchema<unknown, string>);
  return { schema, description, jsonSchema: { type: "string", pattern: "^\\+[1-9]\\d{1,14}$" } };
}

/** The `contactNumber` of a call: as `queryNumber`, a short code, or an extension of any length. */
export function queryContactNumber(description: string): QueryParameter<string | undefined> {
  const schema = v.optional(
    v.pipe(withoutLostPlus(), contactNumberOfCall()) as v.GenericSchema<unknown, string>,
  );
  return { schema, description, jsonSchema: { type: "string", pattern: "^(\\+[1-9]\\d{1,14}|\\d+)$" } };
}

/** @param missing what it is where the query does not say */
export function queryFlag(description: string, missing = false): QueryParameter<boolean> {
  const schema = v.optional(
    v.pipe(
      v.picklist(["true", "false"], "expected true or false"),
      v.transform((text) => text === "true"),
    ),
    missing ? "true" : "false",
  );
  return { schema, description, jsonSchema: { type: "boolean", default: missing } };
}

/**
 * One of several words; the first is the default.
 * @param aliases other spellings of some of them
 */
export function queryChoice<const T extends readonly [string, ...string[]]>(
  description: string,
  words: T,
  aliases: Readonly<Record<string, T[number]>> = {},
): QueryParameter<T[number]> {
  const values: string[] = [...words, ...Object.keys(aliases)];
  const schema = v.pipe(
    v.optional(v.picklist(values, `expected one of ${values.join(", ")}`), words[0]),
    v.transform((word): T[number] => aliases[word] ?? word),
  );
  return { schema, description, jsonSchema: { type: "string", enum: values, default: words[0] } };
}

export function queryWholeNumber(
  description: string,
  range: { readonly min: number; readonly max: number; readonly default: number },
): QueryParameter<number> {
  const { min, max, default: missing } = range;
  const schema = v.optional(wholeNumberText(min, max), String(missing));
  const jsonSchema = { type: "integer", minimum: min, maximum: max, default: missing };
  return { schema, description, jsonSchema };
}

/** An instant as integer milliseconds since the epoch. */
export function queryTimestamp(description: string): QueryParameter<number | undefined> {
  const expected = "expected an instant in milliseconds since the epoch, such as 1782864000000";
  const schema = v.optional(wholeNumberText(-8.64e15, 8.64e15, expected));
  return { schema, description, jsonSchema: { type: "integer", format: "int64" } };
}

function wholeNumberText(
  min: number,
  max: number,
  expected = `expected a whole number from ${min} to ${max}`,
) {
  return v.pipe(
    v.string(expected),
    v.regex(/^-?\d{1,16}$/, expected),
    v.transform(Number),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
}
