import {
  defaultWords,
  type Field,
  fieldsOf,
  limitWords,
  meaningOf,
  type Schema,
  type SchemaPage,
  shapesOf,
  typeWords,
} from "./schema-words.ts";

/** The fields of an object as a list; objects within are lists within. */
export function fieldList(schema: Schema, page: SchemaPage, depth = 0): string {
  return fieldsOf(shapesOf(schema, page))
    .map((field) => fieldItem(field, page, depth))
    .join("\n");
}

function fieldItem({ name, schema, isRequired }: Field, page: SchemaPage, depth: number): string {
  const line = `${"  ".repeat(depth)}- **\`${name}\`** ${factsOf(schema, page, isRequired)}`;
  const meaning = meaningOf(schema);
  const within = depth > 3 ? "" : innerList(schema, page, depth + 1);
  return `${line}${meaning === "" ? "" : `: ${meaning}`}${within === "" ? "" : `\n${within}`}`;
}

/** The fields within a field as a list; empty if it has none, or a place of its own. */
export function innerList(field: Schema, page: SchemaPage, depth = 0): string {
  const inner = innerOf(field, page);
  return inner === undefined ? "" : fieldList(inner, page, depth);
}

/** The object in a field or in its list, unless it has a place of its own. */
function innerOf(field: Schema, page: SchemaPage): Schema | undefined {
  const named = (schema: Schema) => schema.$ref !== undefined && page.nameOf(schema.$ref) !== undefined;
  if (named(field)) return undefined;
  for (const shape of shapesOf(field, page)) {
    if (shape.properties !== undefined) return shape;
    if (shape.items !== undefined && !named(shape.items)) {
      const inner = innerOf(shape.items, page);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

/** The facts of a value: its type, its limits, its default, whether it must be there. */
export function factsOf(field: Schema, page: SchemaPage, isRequired: boolean): string {
  const missing = defaultWords(field);
  const facts = [
    typeWords(field, page),
    ...shapesOf(field, page).flatMap(limitWords),
    ...(missing === "" ? [] : [`default: ${missing}`]),
    ...(page.isRead === true ? (isRequired ? [] : ["may be absent"]) : isRequired ? ["required"] : []),
    ...(field.deprecated === true ? ["deprecated"] : []),
  ];
  return `<small>${[...new Set(facts)].join(" · ")}</small>`;
}
