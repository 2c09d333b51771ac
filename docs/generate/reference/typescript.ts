import { referenceName, type Schema } from "./schema-words.ts";

/** A schema as a TypeScript type; references are names. */
export function typeOf(schema: Schema, indent = ""): string {
  if (schema.$ref !== undefined) return referenceName(schema.$ref);
  const shapes = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (shapes.length > 0) return [...new Set(shapes.map((shape) => typeOf(shape, indent)))].join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (schema.items !== undefined) {
    const item = typeOf(schema.items, indent);
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
  }
  if (schema.properties !== undefined) {
    const lines = Object.entries(schema.properties).map(([name, field]) => {
      const isThere = schema.required?.includes(name) === true;
      return `${indent}  ${name}${isThere ? "" : "?"}: ${typeOf(field, `${indent}  `)};`;
    });
    return `{\n${lines.join("\n")}\n${indent}}`;
  }
  const types = [schema.type ?? "unknown"].flat().map((type) => (type === "integer" ? "number" : type));
  return types.join(" | ");
}
