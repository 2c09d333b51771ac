import * as v from "valibot";
import { eventCall } from "../../src/core/platform/calls/record.ts";
import { eventData } from "../../src/core/platform/catalogue/events.ts";
import {
  type Cases,
  casesOf,
  DEPRECATED,
  initialValueOf,
  sortedByName,
  types,
} from "../../src/core/records/fields.ts";
import { codeBanner } from "./banner.ts";
import "../../src/core/platform/webhooks/record.ts";

/**
 * `src/core/generated/records.ts`: the types of records, as plain types that editors show as they are, and what the
 * platform needs of the schemas at run time, so that it need not load them.
 */
export function recordTypes(): string {
  return [
    codeBanner("each record.ts of src/core/platform"),
    "",
    ...sortedByName(types).flatMap(([name, schema]) => [
      ...doc(schema, ""),
      ...declaration(name, schema),
      "",
    ]),
    '/** Every record and every part of one, by name: `Records["call"]` is `CallRecord`, `Records["callSummary"]` its summary. */',
    "export interface Records {",
    ...sortedByName(types).flatMap(([name, schema]) => [
      ...doc(schema, "  "),
      `  ${recordKey(name)}: ${name};`,
    ]),
    "}",
    "",
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
      (name) => `  ${name}: <A, T>(${name}At: A, ${name}Timestamp: T) => ({ ${name}At, ${name}Timestamp }),`,
    ),
    "};",
    "",
    ...literals("CallRecord", eventCall),
  ].join("\n");
}

/** The key of a type in `Records`: `call` of `CallRecord`, `callSummary` of `CallSummary`. */
const recordKey = (name: string) => `${name[0]?.toLowerCase()}${name.slice(1)}`.replace(/Record$/, "");

/**
 * Functions that make and copy a record as a literal of all its fields: one with optional fields, one without.
 * Optional fields come last, since a record gets them later.
 */
function literals(type: string, schema: Schema): string[] {
  const fields = Object.entries(shapeOf(schema).entries ?? {});
  const [usual, optional] = [false, true].map((isOptional) =>
    fields.filter(([, field]) => (field.type === "optional") === isOptional),
  ) as [typeof fields, typeof fields];
  const union = (keys: readonly string[]) => keys.map((key) => JSON.stringify(key)).join(" | ");
  const usualType = `Omit<${type}, ${union(optional.map(([key]) => key))}>`;
  const literal = (name: string, parameters: string, of: string, values: readonly [string, string][]) => [
    `export const ${name}${type} = (${parameters}): { -readonly [Key in keyof Required<${of}>]: ${of}[Key] } => ({`,
    ...values.map(([key, value]) => `  ${key === value ? key : `${key}: ${value}`},`),
    "});",
    "",
  ];
  const copied = ([key]: (typeof fields)[number]): [string, string] => [key, `of.${key}`];
  const begun = usual.map(([key, field]): [string, string] => [key, beginning(key, field)]);
  const given = begun.filter(([key, value]) => value === `of.${key}`).map(([key]) => key);
  return [
    "const none: readonly never[] = Object.freeze([]);",
    "",
    "/** What a new record is made with; its other fields begin as the schema says. */",
    `export type New${type} = Pick<${type}, ${union(given)}>;`,
    "",
    `/** A new record. The instant at which it is made is not in \`of\`, where it would get a box of its own. */`,
    ...literal("new", `of: New${type}, nowAt: string, nowTimestamp: number`, usualType, begun),
    "/** The copy of a record that has none of the fields that may be absent. */",
    ...literal("copyUsual", `of: ${type}`, usualType, usual.map(copied)),
    "/** The copy of one that has them. */",
    ...literal("copyWhole", `of: ${type}`, type, [...usual, ...optional].map(copied)),
  ];
}

/** The code for a field's value in a new record. */
function beginning(key: string, field: Schema): string {
  const begins = initialValueOf(field);
  if (begins === "given") return `of.${key}`;
  if (begins === "now") return key.endsWith("At") ? "nowAt" : "nowTimestamp";
  if (begins !== undefined) return JSON.stringify(begins.value);
  const { type } = shapeOf(field);
  if (type === "nullable") return "null";
  return type === "array" ? "none" : `of.${key}`;
}

type Schema = v.GenericSchema;
/** The parts of a schema that are read here. */
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

function declaration(name: string, schema: Schema): string[] {
  const shape = shapeOf(schema);
  const cases = casesOf.get(schema);
  if (cases !== undefined) return union(name, shape, cases);
  return [
    shape.entries === undefined
      ? `export type ${name} = ${printShape(shape, "")};`
      : `export interface ${name} ${printShape(shape, "")}`,
  ];
}

/** A record whose type is a union, with an interface for each case. */
function union(name: string, { entries = {} }: Parts, { by, fields }: Cases): string[] {
  const nameOf = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}${name}`;
  const words = Object.keys(fields);
  const declared = words.flatMap((word) => {
    const lines = Object.entries(entries).flatMap(([key, field]) => {
      const own = fields[word]?.[key];
      const type = own === undefined ? print(field, "  ") : own === "absent" ? "undefined" : print(own, "  ");
      const optional = own === "absent" || (own === undefined && field.type === "optional") ? "?" : "";
      return [
        ...doc(field, "  "),
        `  readonly ${key}${optional}: ${key === by ? JSON.stringify(word) : type};`,
      ];
    });
    return ["", `interface ${nameOf(word)} {`, ...lines, "}"];
  });
  return [`export type ${name} = ${words.map(nameOf).join(" | ")};`, ...declared];
}

/** The type of a schema, by its name if it has one. */
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
  if (type === "null") return "null";
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

/** A schema without what is piped after it. */
function shapeOf(schema: Schema): Parts {
  const { pipe } = schema as Parts;
  return pipe === undefined ? schema : shapeOf(pipe[0]);
}

/** The dates of all records, by the first part of their two fields' names. */
function dateNames(): string[] {
  const keys = new Set([...types.values()].flatMap(keysIn));
  return [...keys]
    .filter((key) => key.endsWith("At") && keys.has(key.replace(/At$/, "Timestamp")))
    .map((key) => key.slice(0, -"At".length))
    .sort();
}

/** The keys of an object and of objects in it without a name of their own. */
function keysIn(schema: Schema): string[] {
  const { entries, item, wrapped, options = [] } = shapeOf(schema);
  const inside = [item, wrapped, ...options].filter((each) => typeof each === "object") as Schema[];
  return [
    ...Object.entries(entries ?? {}).flatMap(([key, field]) => [key, ...keysIn(field)]),
    ...inside.flatMap(keysIn),
  ];
}
