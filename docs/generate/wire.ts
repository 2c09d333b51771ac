import type ts from "typescript";
import type { GenericSchema } from "valibot";
import { operations } from "../../src/core/platform/catalogue/operations.ts";
import { components, types } from "../../src/core/records/fields.ts";
import { codeBanner } from "./banner.ts";
import { commandInputs, namedTypes, Printer, propertyOf, sideOf, textOf, typeOfValue } from "./inputs.ts";
import { print } from "./records.ts";
import { program } from "./source.ts";

/**
 * `src/core/generated/wire.ts`: the bodies of each operation's request and answers, as plain types for consumers who write
 * clients.
 */
export function wireTypes(): string {
  const checker = program().getTypeChecker();
  const names = new Map(namedTypes(checker));
  const parts = bodyComponents();
  for (const [name, type] of parts) names.set(textOf(type, checker), name);
  for (const [name, type] of commandInputs()) names.set(textOf(type, checker), `CommandInputs["${name}"]`);
  const printer = new Printer(checker, "readonly ", names);
  const requests = [...requestBodies()].map(([id, body]) => `  ${id}: ${printer.print(body, "  ")};`);
  const answers = current().flatMap(({ id, answers }) => {
    const bodies = Object.values(answers).filter((schema) => schema != null);
    const printed = new Set(bodies.map(answerType));
    return printed.size === 0 ? [] : [`  ${id}: ${[...printed].join(" | ")};`];
  });
  const declared = [...parts]
    .filter(([name]) => [...names.values()].includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, type]) => [`interface ${name} ${printer.object(type, "")}`, ""]);
  const lines = [
    ...declared,
    "/** A page of a list, its items under their name. */",
    "type List<Name extends string, Item> = { readonly [N in Name]: readonly Item[] } & {",
    "  /** `next` is empty when there is no further page. */",
    "  readonly meta: { readonly next: string };",
    "};",
    "",
    "/** The bodies of requests, by `operationId`. */",
    "export interface RequestBodies {",
    ...requests.sort(),
    "}",
    "",
    "/** The bodies of answers, by `operationId`; errors are `RestErrorBody`. */",
    "export interface ResponseBodies {",
    ...answers.sort(),
    "}",
    "",
  ];
  const used = [...types.keys(), "EventType"].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(lines.join("\n")),
  );
  return [
    codeBanner("src/core/platform/catalogue/operations.ts"),
    'import type { CommandInputs } from "./inputs.ts";',
    "import type {",
    ...used.sort().map((name) => `  ${name},`),
    '} from "./records.ts";',
    "",
    ...lines,
  ].join("\n");
}

/** The type of each operation's body, by `operationId`. */
export function requestBodies(): ReadonlyMap<string, ts.Type> {
  const checker = program().getTypeChecker();
  return new Map([...bodySchemas()].map(([id, schema]) => [id, sideOf(schema, "input", checker)]));
}

/** The type of each component of the document that is a body or a part of one, by name. */
export function bodyComponents(): ReadonlyMap<string, ts.Type> {
  const checker = program().getTypeChecker();
  const found = [...bodySchemas().values()].flatMap((schema) => [...componentsIn(schema)]);
  return new Map(found.map(([name, schema]) => [name, sideOf(schema, "input", checker)]));
}

/** The schema of each operation's body, as the compiler sees it. */
function bodySchemas(): ReadonlyMap<string, ts.Type> {
  const checker = program().getTypeChecker();
  const all = typeOfValue("src/core/platform/catalogue/operations.ts", "operations") as ts.TypeReference;
  const [declared] = checker.getTypeArguments(all);
  if (declared === undefined || !declared.isUnion()) throw new Error("the operations have lost their types");
  const byId = new Map(
    declared.types.map((type) => {
      const id = propertyOf(type, "id", checker);
      return [id.isStringLiteral() ? id.value : "", type] as const;
    }),
  );
  return new Map(
    current().flatMap(({ id, body }) => {
      if (body === undefined) return [];
      const type = byId.get(id);
      if (type === undefined) throw new Error(`the type of the operation ${id} does not say its id`);
      return [[id, checker.getNonNullableType(propertyOf(type, "body", checker))] as const];
    }),
  );
}

/** The components in a schema, and it itself if it is one. */
function* componentsIn(schema: ts.Type): Iterable<readonly [name: string, schema: ts.Type]> {
  const checker = program().getTypeChecker();
  const typeOf = (name: string) => {
    const symbol = schema.getProperty(name);
    return symbol && checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
  };
  const name = typeOf("component");
  if (name?.isStringLiteral()) yield [name.value, schema];
  for (const within of [typeOf("item"), typeOf("wrapped")])
    if (within !== undefined) yield* componentsIn(within);
  const [entries, options] = [typeOf("entries"), typeOf("options")];
  for (const each of entries?.getProperties() ?? []) yield* componentsIn(checker.getTypeOfSymbol(each));
  if (options !== undefined && checker.isTupleType(options))
    for (const each of checker.getTypeArguments(options as ts.TypeReference)) yield* componentsIn(each);
}

/** The type of an answer. A list is named after its items. */
function answerType(schema: GenericSchema): string {
  const { entries = {} } = schema as { readonly entries?: Readonly<Record<string, ListPart>> };
  const { meta, ...rest } = entries;
  const [[name, items] = ["", undefined], ...others] = Object.entries(rest);
  const item = items?.pipe?.[0]?.item;
  const isList = meta?.pipe?.[0]?.getter?.() === components.get("Meta") && others.length === 0;
  return isList && item !== undefined ? `List<"${name}", ${print(item, "  ")}>` : print(schema, "  ");
}

/** The items of a list, or the cursor of its next page, as `listOf` describes them. */
interface ListPart {
  readonly pipe?: readonly { readonly item?: GenericSchema; getter?(): GenericSchema }[];
}

/** The operations without their deprecated paths. */
function current() {
  return operations.filter(({ replacedBy }) => replacedBy === undefined);
}
