import { readFileSync } from "node:fs";
import { parse, stringify } from "yaml";
import { yamlOf } from "../organisation.ts";
import { lessonsFolder, organisations, scenariosIn } from "../played-lessons.ts";
import { root } from "../root.ts";
import {
  cell,
  defaultWords,
  limitWords,
  meaningOf,
  referenceName,
  type Schema,
  type SchemaPage,
  shapesOf,
  typeWords,
} from "./schema-words.ts";

/** The schema of scenario files, from which their reference is made. */
export interface FileSchema extends Schema {
  readonly $defs: Readonly<Record<string, Schema>>;
}

export function scenarioFileSchema(): FileSchema {
  return JSON.parse(readFileSync(`${root}scenarios/scenario.schema.json`, "utf8")) as FileSchema;
}

/** The parts of the schema whose names say what they are. */
const partNames: Readonly<Record<string, string>> = {
  duration: "duration",
  drawnDuration: "duration or distribution",
  phoneNumber: "phone number",
  phoneNumbers: "list of phone numbers",
  contactNumber: "phone number",
  contactNumbers: "list of phone numbers",
  hoursOfDay: "list of hours",
  eventType: "event type",
  eventTypes: "list of event types",
  userBehaviour: "[behaviour](scenario.md#behaviour-of-a-user)",
  callerBehaviour: "[behaviour](scenario.md#behaviour-of-a-caller)",
};

export function filePage({ $defs }: FileSchema): SchemaPage {
  return {
    refersTo: (reference) => $defs[referenceName(reference)] ?? {},
    nameOf: (reference) => partNames[referenceName(reference)],
  };
}

/** A key of a file: its path, its schema, and how deep it is. */
export interface Key {
  /** Such as `members[].user`. */
  readonly path: string;
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** Whether it is a key of one of several forms: one of these must be there. */
  readonly isOfForm: boolean;
}

/** The keys of an object and of the objects within, in order. Days of the week are one key. */
export function keysOf(schema: Schema, page: SchemaPage, before = ""): Key[] {
  const seen = new Set<string>();
  const shapes = shapesOf(schema, page);
  const forms = shapes.filter(({ properties }) => properties !== undefined);
  return shapes.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, field]): Key[] => {
      const shown = /^(tues|wednes|thurs|fri|satur|sun)day$/.test(name) ? "" : name;
      if (shown === "" || seen.has(name)) return [];
      seen.add(name);
      const inner = listOf(field, page);
      const path = `${before}${name === "monday" ? "monday … sunday" : name}${inner === undefined ? "" : "[]"}`;
      const words = shapes.flatMap(({ properties: each = {} }) => each[name]?.const ?? []);
      const own = words.length > 1 ? { ...field, const: undefined, enum: [...new Set(words)] } : field;
      const isOfForm = !forms.every(({ properties: each = {} }) => name in each);
      const isRequired = required.includes(name);
      const key: Key = { path, name, schema: own as Schema, isRequired, isOfForm };
      const isNamed = field.$ref !== undefined && page.nameOf(field.$ref) !== undefined;
      return [key, ...(isNamed ? [] : keysOf(inner ?? field, page, `${path}.`))];
    }),
  );
}

/** The schema of a list's items. */
function listOf(schema: Schema, page: SchemaPage): Schema | undefined {
  return shapesOf(schema, page).find(({ items }) => items !== undefined)?.items;
}

/** A table of keys: type, default, meaning, example. */
export function keyTable(keys: readonly Key[], page: SchemaPage, exampleOf: (key: Key) => unknown): string {
  const rows = keys.map((key) => {
    const { schema, isRequired, isOfForm } = key;
    const limits = shapesOf(schema, page).flatMap(limitWords);
    const type = [fileType(key, page), ...new Set(limits)].join(", ");
    const needed = isOfForm ? "one of these" : "**required**";
    const missing = isRequired ? needed : defaultWords(schema);
    const example = exampleOf(key);
    const shown = example === undefined ? "" : `<br>\`${inline(key.name, example)}\``;
    const meaning =
      key.name === "monday"
        ? "The hours of a day, such as `monday`; left out: a day off."
        : meaningOf(schema);
    return `| \`${key.path}\` | ${cell(type)} | ${cell(missing)} | ${cell(meaning)}${cell(shown)} |`;
  });
  return ["| key | type | default | what it is, and an example |", "|---|---|---|---|", ...rows].join("\n");
}

function fileType({ name, schema }: Key, page: SchemaPage): string {
  if (name === "timezone") return "time zone";
  const words = typeWords(schema, page);
  return words.replace(/list of object(s)?\b/, "list").replace(/^text or text$/, "text");
}

/** A key and its value on one line of YAML. */
function inline(name: string, value: unknown): string {
  const text = stringify({ [name]: value }, { collectionStyle: "flow", lineWidth: 0 }).trim();
  return withQuotes(text).replace(/^\{ ?/, "").replace(/ ?\}$/, "").replaceAll("`", "'");
}

/** YAML of ours with quotes round times of day, which other readers of YAML take for numbers. */
function withQuotes(text: string): string {
  return text.replaceAll(/(?<=[ [{:])\d\d:\d\d(?=[ ,\]}\n]|$)/g, '"$&"');
}

/** The longest example on one line. */
const LONGEST = 90;

/** A file as plain values. */
export type Values = Readonly<Record<string, unknown>>;

let lessons: readonly Values[] | undefined;

/** The lessons, in order. */
export function lessonValues(): readonly Values[] {
  lessons ??= scenariosIn(lessonsFolder).map(
    (file) => parse(readFileSync(new URL(file, lessonsFolder), "utf8")) as Values,
  );
  return lessons;
}

let organisationsOfAll: readonly Values[] | undefined;

/** The organisations of the project: the demo organisation, then those of lessons. */
function organisationValues(): readonly Values[] {
  organisationsOfAll ??= [
    parse(organisations.acme ?? "") as Values,
    ...lessonValues().flatMap(({ organisation }) =>
      typeof organisation === "object" && organisation !== null ? [organisation as Values] : [],
    ),
  ];
  return organisationsOfAll;
}

/** The first value that an organisation of the project has at a path, if it is short. */
export function exampleAt(path: string): unknown {
  const steps = path.replaceAll("[]", "").replace("monday … sunday", "monday").split(".");
  const name = steps.at(-1) ?? "";
  for (const organisation of organisationValues())
    for (const value of valuesAt(organisation, steps))
      if (inline(name, value).length <= LONGEST) return value;
  return undefined;
}

function valuesAt(value: unknown, [first, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((each) => valuesAt(each, [first ?? "", ...rest].filter(Boolean)));
  if (first === undefined || first === "") return value === undefined ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  const inner = (value as Values)[first];
  if (rest.length === 0) return inner === undefined ? [] : [inner];
  return valuesAt(inner, rest);
}

/** A whole example of a section: what the first organisation of the project that has the key writes there. */
export function wholeExample(name: string): string | undefined {
  return exampleIn(organisationValues(), name);
}

/** What the first of some files that has a key writes there; of a list, its first two items. */
export function exampleIn(files: readonly Values[], name: string): string | undefined {
  const found = files.find((each) => each[name] !== undefined)?.[name];
  if (found === undefined) return undefined;
  const shown = Array.isArray(found) ? found.slice(0, 2) : found;
  return withQuotes(yamlOf({ [name]: shown }));
}
