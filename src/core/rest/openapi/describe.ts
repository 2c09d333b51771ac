import type { JsonSchema } from "@valibot/to-json-schema";
import type { Descriptions } from "../../generated/descriptions.ts";

/** Begins the sentence of a description that says what holds where a field is missing. */
export const DEFAULT = "Default: ";

/** How a description is written into a schema. */
interface DescribeOptions {
  /** Returns the schema of a reference. */
  refersTo(reference: string): unknown;
  /**
   * The key for default values. `x-default`, the default, is for the bodies of requests: generators of clients take a
   * field with a `default` for one that is always there, and would require it. Then a sentence says it too.
   */
  readonly defaultKey?: "default" | "x-default";
}

/** Adds descriptions and defaults to the fields of a JSON Schema. */
export function describe(part: unknown, descriptions: Descriptions, options: DescribeOptions): void {
  if (typeof part !== "object" || part === null) return;
  if (Array.isArray(part)) {
    for (const each of part) describe(each, descriptions, options);
    return;
  }
  const { $ref, properties = {}, items, anyOf, oneOf } = part as JsonSchema;
  if ($ref !== undefined) describe(options.refersTo($ref), descriptions, options);
  for (const [name, field] of Object.entries(properties)) {
    const known = Object.hasOwn(descriptions, name) ? descriptions[name] : undefined;
    if (known === undefined || typeof field !== "object") continue;
    const [comment, within = {}] = known;
    const { text, value } = readComment(comment, options);
    if (field.description?.startsWith(text)) continue; // several bodies share the field
    if (value !== undefined) Object.assign(field, { [options.defaultKey ?? "x-default"]: value });
    // the field's own description comes before the general one
    field.description = field.description === undefined ? text : `${text} ${withPeriod(field.description)}`;
    describe(field, within, options);
  }
  for (const each of [items, anyOf, oneOf]) describe(each, descriptions, options);
}

/** Separates a comment's `@default`. One that is no JSON, such as "the organisation's", is a sentence of the text. */
function readComment(
  comment: string,
  { defaultKey }: DescribeOptions,
): { readonly text: string; readonly value?: unknown } {
  const [text = "", missing] = comment.split(/ ?@default /);
  if (missing === undefined) return { text };
  if (!isJson(missing)) return { text: `${text} ${DEFAULT}${withPeriod(missing)}` };
  const value: unknown = JSON.parse(missing);
  return { text: defaultKey === "default" ? text : `${text} ${defaultSentence(value)}`, value };
}

/** Whether a `@default` is a value, and not words. */
export function isJson(missing: string): boolean {
  return /^(["[{\d-]|(true|false|null)$)/.test(missing);
}

/** A default value as a sentence: `Default: none.`, "Default: `active`." */
export function defaultSentence(value: unknown): string {
  const isNone = Array.isArray(value) && value.length === 0;
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  return `${DEFAULT}${isNone ? "none" : `\`${shown}\``}.`;
}

function withPeriod(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
