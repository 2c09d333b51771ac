import * as v from "valibot";
import { object } from "../../foundation/input-schemas.ts";
import { omit } from "../../foundation/values.ts";
import { many, named, one, record, textField } from "../../records/fields.ts";
import { errorStatuses, OTHER_FAULT } from "./rest-errors.ts";

/** Schemas of REST lists and errors. Those of records are in `record.ts` of their folders. */

/** Names the body of a request as a component of the OpenAPI document and as a type. */
export function defineBody<const Name extends string, const S extends v.GenericSchema>(
  component: Name,
  schema: S,
): S & Named<Name> {
  return named({ component }, schema);
}

/**
 * A body that changes a record. Clients send back what `GET` gave, so the record's other fields may be there: whatever
 * they say is left out.
 */
export function takingBack<const E extends v.ObjectEntries, const R extends v.ObjectEntries>(
  entries: E,
  { entries: recordEntries }: { readonly entries: R },
) {
  const names = Object.keys(recordEntries).filter((name) => !Object.hasOwn(entries, name));
  const readOnly = Object.fromEntries(names.map((name) => [name, readOnlyField])) as {
    // `as` keeps the order of the record's fields, in which types are written
    readonly [Name in keyof R as Exclude<Name, keyof E>]: typeof readOnlyField;
  };
  return v.pipe(
    object({ ...entries, ...readOnly }),
    v.transform(
      (given) => omit(given, ...(names as never[])) as v.InferOutput<v.StrictObjectSchema<E, undefined>>,
    ),
  );
}

const readOnlyField = v.optional(
  v.pipe(v.unknown(), v.metadata({ readOnly: true }), v.description("As the record has it. Ignored.")),
);

/** A schema whose type has its name, which `npm run generate` reads. */
export interface Named<Name extends string> {
  readonly component?: Name;
}

const meta = record({ component: "Meta" }, "Where the next page of a list is.", {
  next: textField("The cursor of the next page; empty when there is none."),
});

/** A list, with the cursor of its next page. */
export function defineList<const N extends string, const S extends v.GenericSchema>(name: N, item: S) {
  const items = many(item, "The items, in order.");
  return v.strictObject({ [name]: items, meta: one(meta, "Where the next page is.") } as Record<
    N,
    v.ArraySchema<S, undefined>
  > & {
    meta: typeof meta;
  });
}

export const nothing = record(
  { component: "Nothing" },
  "It is done, and there is nothing to say about it.",
  {},
);

export const errorSchema = record({ component: "Error" }, "Why a request was refused. Nothing was changed.", {
  code: v.pipe(
    v.picklist([OTHER_FAULT, ...(Object.keys(errorStatuses) as (keyof typeof errorStatuses)[])]),
    v.description("The kind of error, for programs."),
  ),
  message: textField("What is wrong and what was expected, for people."),
  details: v.optional(
    many(
      v.strictObject({
        path: textField("The field, such as `contacts[0].name`."),
        message: textField("What is wrong with it."),
      }),
      "What is wrong with which field of the request, each once.",
    ),
  ),
});
