import {
  defaultWords,
  limitWords,
  meaningOf,
  type Schema,
  type SchemaPage,
  shapesOf,
  typeWords,
} from "./schema-words.ts";

/** The fields of an object as a list; objects within are lists within. */
export function fieldList(schema: Schema, page: SchemaPage, depth = 0): string {
  const shapes = shapesOf(schema, page).filter(({ properties }) => properties !== undefined);
  const seen = new Set<string>();
  return shapes
    .flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).flatMap(([name, field]) => {
        if (seen.has(name) || field.readOnly === true) return [];
        seen.add(name);
        return [fieldItem(name, field, { page, depth, isRequired: required.includes(name) })];
      }),
    )
    .join("\n");
}

function fieldItem(
  name: string,
  field: Schema,
  {
    page,
    depth,
    isRequired,
  }: { readonly page: SchemaPage; readonly depth: number; readonly isRequired: boolean },
): string {
  const line = `${"  ".repeat(depth)}- **\`${name}\`** ${factsOf(field, page, isRequired)}`;
  const meaning = meaningOf(field);
  const inner = innerOf(field, page);
  const within = inner === undefined || depth > 3 ? "" : `\n${fieldList(inner, page, depth + 1)}`;
  return `${line}${meaning === "" ? "" : `: ${meaning}`}${within}`;
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
