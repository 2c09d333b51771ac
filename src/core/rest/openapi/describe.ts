import type { JsonSchema } from "@valibot/to-json-schema";
import type { Descriptions } from "../../generated/descriptions.ts";

/**
 * Adds descriptions to the fields of a JSON Schema.
 * @param refers returns the schema of a reference
 */
export function describe(
  part: unknown,
  descriptions: Descriptions,
  refers: (reference: string) => unknown,
): void {
  if (typeof part !== "object" || part === null) return;
  if (Array.isArray(part)) {
    for (const each of part) describe(each, descriptions, refers);
    return;
  }
  const { $ref, properties = {}, items, anyOf, oneOf } = part as JsonSchema;
  if ($ref !== undefined) describe(refers($ref), descriptions, refers);
  for (const [name, field] of Object.entries(properties)) {
    const known = Object.hasOwn(descriptions, name) ? descriptions[name] : undefined;
    if (known === undefined || typeof field !== "object") continue;
    const [text, within = {}] = known;
    if (field.description?.startsWith(text)) continue; // several bodies share the field
    // the field's own description comes before the general one
    field.description = field.description === undefined ? text : `${text} ${withPeriod(field.description)}`;
    describe(field, within, refers);
  }
  for (const each of [items, anyOf, oneOf]) describe(each, descriptions, refers);
}

function withPeriod(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
