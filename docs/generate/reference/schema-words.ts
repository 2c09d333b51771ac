import { DEFAULT, defaultSentence } from "../../../src/core/rest/openapi/describe.ts";

/** A JSON Schema, as far as the reference says it in words. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly "x-default"?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly readOnly?: boolean;
  readonly deprecated?: boolean;
  readonly $ref?: string;
}

/** How a page finds and names what schemas refer to. */
export interface SchemaPage {
  /** Returns the schema that a reference names. */
  refersTo(reference: string): Schema;
  /** The type of a reference in words, or as a link; undefined to describe what it refers to. */
  nameOf(reference: string): string | undefined;
  /** Whether readers get these values: then most fields are there, and the page says which may be absent. */
  readonly isRead?: boolean;
}

/** The name at the end of a reference, such as `Call` of `#/components/schemas/Call`. */
export function referenceName(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}

/** The shapes that a schema allows, without null. */
export function shapesOf(schema: Schema, page: SchemaPage): Schema[] {
  if (schema.$ref !== undefined) return shapesOf(page.refersTo(schema.$ref), page);
  const shapes = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (shapes.length === 0 || schema.properties !== undefined) return schema.type === "null" ? [] : [schema];
  return shapes.flatMap((shape) => shapesOf(shape, page));
}

/** A field of an object. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** The fields of these shapes, each name once, without those that are only read. */
export function fieldsOf(shapes: readonly Schema[]): Field[] {
  const found = new Map<string, Field>();
  for (const { properties = {}, required = [] } of shapes)
    for (const [name, schema] of Object.entries(properties))
      if (!found.has(name) && schema.readOnly !== true)
        found.set(name, { name, schema, isRequired: required.includes(name) });
  return [...found.values()];
}

/** A type in words: `text`, `true or false`, `list of text`, `one of a, b`. */
export function typeWords(schema: Schema, page: SchemaPage): string {
  if (schema.$ref !== undefined) {
    const name = page.nameOf(schema.$ref);
    return name ?? typeWords(page.refersTo(schema.$ref), page);
  }
  const shapes = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (shapes.length > 0 && schema.properties === undefined) {
    const words = shapes.map((shape) => typeWords(shape, page));
    return [...new Set(words)].join(" or ");
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((each) => `\`${String(each)}\``).join(", ");
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return schema.pattern === undefined ? "anything" : "text";
  return types.map((type) => plainType(type, schema, page)).join(" or ");
}

function plainType(type: string, schema: Schema, page: SchemaPage): string {
  if (type === "string") return stringType(schema);
  if (type === "integer") return "whole number";
  if (type === "boolean") return "true or false";
  if (type === "array")
    return `list of ${schema.items === undefined ? "anything" : itemWords(schema.items, page)}`;
  return type;
}

function itemWords(items: Schema, page: SchemaPage): string {
  const words = typeWords(items, page);
  return words.replaceAll(/\b(object|duration|phone number|whole number)\b(?!s)/g, "$1s");
}

function stringType({ pattern, format }: Schema): string {
  if (pattern === "^P") return "duration";
  if (pattern === "^\\+[1-9]\\d{1,14}$") return "phone number";
  if (format === "date-time") return "instant";
  return "text";
}

/** The limits of a value in words: `0 to 1000`, `at most 100 characters`. */
export function limitWords(schema: Schema): string[] {
  const { minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems, exclusiveMinimum } = schema;
  const isBounded = maximum !== undefined && Math.abs(maximum) < Number.MAX_SAFE_INTEGER;
  return [
    ...(minimum !== undefined && isBounded ? [`${minimum} to ${maximum}`] : []),
    ...(minimum !== undefined && !isBounded && minimum > 0 ? [`at least ${minimum}`] : []),
    ...(minimum === undefined && isBounded ? [`at most ${maximum}`] : []),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(maxLength === undefined
      ? []
      : [`${minLength > 1 ? `${minLength} to` : "at most"} ${maxLength} characters`]),
    ...(minItems > 0 ? [`at least ${minItems}`] : []),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
  ];
}

/** A description without what it says of a missing value. */
export function meaningOf({ description = "" }: Schema): string {
  const [text = ""] = description.split(` ${DEFAULT}`);
  return text;
}

/** What holds where the value is missing, in words; empty if nothing is said. */
export function defaultWords(schema: Schema): string {
  const field = schema.default === undefined ? schema["x-default"] : schema.default;
  // words are shorter than a long list
  const value = Array.isArray(field) && field.length > 3 ? undefined : field;
  const said =
    value === undefined ? (schema.description ?? "").split(` ${DEFAULT}`)[1] : defaultSentence(value);
  return (said ?? "").replace(DEFAULT, "").replace(/\.$/, "");
}

/** A cell of a table in Markdown. */
export function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** The heading of a part that readers do not search for, such as the errors of an operation. */
export function label(text: string): string {
  return `<p class="label">${text}</p>`;
}
