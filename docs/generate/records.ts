import * as v from "valibot";
import { eventCall } from "../../src/records/schemas/call.ts";
import { eventData } from "../../src/records/schemas/events.ts";
import { DEPRECATED, inOrder, types } from "../../src/records/schemas/fields.ts";
import "../../src/records/schemas/webhook.ts";

/**
 * `src/generated/records.ts`: what the schemas of records describe, as plain types that editors show as they are, and what
 * the platform needs of the schemas at run time, so that it need not load them.
 */
export function recordTypes(): string {
  return [
    "/* Made by `npm run generate` from src/records/schemas. Do not edit: change the schemas. */",
    "",
    ...inOrder(types).flatMap(([name, schema]) => [...doc(schema, ""), declaration(name, schema), ""]),
    "/** What each event carries in `data`: records as they were at that instant. */",
    "export interface EventData {",
    ...Object.entries(eventData).flatMap(([type, schema]) => [
      ...doc(schema, "  "),
      `  ${JSON.stringify(type)}: ${print(schema, "  ")};`,
    ]),
    "}",
    "",
    "/** The types of the events that there are. */",
    "export type EventType = keyof EventData;",
    "",
    "/** Every type of event that is simulated. */",
    "export const eventTypes: readonly EventType[] = [",
    ...Object.keys(eventData).map((type) => `  ${JSON.stringify(type)},`),
    "];",
    "",
    "/** Makes the pair of fields of each date/time: written out, so that each is an object literal of one shape. */",
    "export const datePairs = {",
    ...dateNames().map(
      (name) =>
        `  ${name}: (${name}At: string | null, ${name}Timestamp: number | null) => ({ ${name}At, ${name}Timestamp }),`,
    ),
    "};",
    "",
    ...copies("CallRecord", eventCall),
  ].join("\n");
}

/**
 * Copies of a record as literals of all its fields, without those that may be absent and with them. These come last: a record
 * gets them later.
 */
function copies(type: string, schema: Schema): string[] {
  const fields = Object.entries(shapeOf(schema).entries ?? {});
  const keysOf = (isOptional: boolean) =>
    fields.filter(([, field]) => (field.type === "optional") === isOptional).map(([key]) => key);
  const [usual, optional] = [keysOf(false), keysOf(true)];
  const usualType = `Omit<${type}, ${optional.map((key) => JSON.stringify(key)).join(" | ")}>`;
  const copy = (name: string, of: string, keys: readonly string[]) => [
    `export const ${name}${type} = (of: ${type}): { -readonly [Key in keyof Required<${of}>]: ${of}[Key] } => ({`,
    ...keys.map((key) => `  ${key}: of.${key},`),
    "});",
    "",
  ];
  return [
    "/** The copy of a record that has none of the fields that may be absent. */",
    ...copy("copyUsual", usualType, usual),
    "/** The copy of one that has them. */",
    ...copy("copyWhole", type, [...usual, ...optional]),
  ];
}

type Schema = v.GenericSchema;
/** A schema as far as it is looked into. */
type Parts = Schema & {
  readonly pipe?: readonly [Schema, ...unknown[]];
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly value?: Schema;
  readonly wrapped?: Schema;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  getter?(input: undefined): Schema;
};

const names = new Map([...types].map(([name, schema]) => [schema, name]));

function declaration(name: string, schema: Schema): string {
  const shape = shapeOf(schema);
  return shape.entries === undefined
    ? `export type ${name} = ${printShape(shape, "")};`
    : `export interface ${name} ${printShape(shape, "")}`;
}

/** A schema as a type: by its name, if it has one. */
export function print(schema: Schema, indent: string): string {
  const { pipe, getter } = schema as Parts;
  const name = names.get(schema);
  if (name !== undefined) return name;
  if (pipe !== undefined) return print(pipe[0], indent);
  return getter === undefined ? printShape(schema as Parts, indent) : print(getter(undefined), indent);
}

function printShape(schema: Parts, indent: string): string {
  const { type, entries, item, value, wrapped, options, literal } = schema;
  if (entries !== undefined) return printObject(entries, indent);
  if (item !== undefined) {
    const printed = print(item, indent);
    return `readonly ${printed.includes(" | ") && !printed.startsWith("{") ? `(${printed})` : printed}[]`;
  }
  if (value !== undefined) return `Readonly<Record<string, ${print(value, indent)}>>`;
  if (wrapped !== undefined)
    return type === "nullable" ? `${print(wrapped, indent)} | null` : print(wrapped, indent);
  if (options !== undefined)
    return options
      .map((each) => (typeof each === "string" ? JSON.stringify(each) : print(each as Schema, indent)))
      .join(" | ");
  if (literal !== undefined) return JSON.stringify(literal);
  if (type === "custom") return "Readonly<Record<string, unknown>>";
  if (["string", "number", "boolean", "unknown"].includes(type)) return type;
  throw new Error(`how is a schema of type ${type} written in TypeScript?`);
}

function printObject(entries: Readonly<Record<string, Schema>>, indent: string): string {
  const lines = Object.entries(entries).flatMap(([key, field]) => {
    const optional = field.type === "optional" ? "?" : "";
    return [
      ...doc(field, `${indent}  `),
      `${indent}  readonly ${key}${optional}: ${print(field, `${indent}  `)};`,
    ];
  });
  return ["{", ...lines, `${indent}}`].join("\n");
}

/** The docstring of a schema, on lines of their own. */
function doc(schema: Schema, indent: string): string[] {
  const { wrapped } = schema as Parts;
  const described = schema.type === "optional" && wrapped !== undefined ? wrapped : schema;
  const text = v.getDescription(described);
  return text === undefined ? [] : [`${indent}/** ${text.replace(DEPRECATED, "@deprecated ")} */`];
}

/** What a schema is, without what is piped after it. */
function shapeOf(schema: Schema): Parts {
  const { pipe } = schema as Parts;
  return pipe === undefined ? schema : shapeOf(pipe[0]);
}

/** The date/times of all records, by the first part of their pairs' names. */
function dateNames(): string[] {
  const keys = new Set([...types.values()].flatMap(keysIn));
  return [...keys]
    .filter((key) => key.endsWith("At") && keys.has(key.replace(/At$/, "Timestamp")))
    .map((key) => key.slice(0, -"At".length))
    .sort();
}

/** The keys of an object and of those that stand in it without a name of their own. */
function keysIn(schema: Schema): string[] {
  const { entries, item, wrapped, options = [] } = shapeOf(schema);
  const inside = [item, wrapped, ...options].filter((each) => typeof each === "object") as Schema[];
  return [
    ...Object.entries(entries ?? {}).flatMap(([key, field]) => [key, ...keysIn(field)]),
    ...inside.flatMap(keysIn),
  ];
}
