import ts from "typescript";
import { commands } from "../../src/core/platform/catalogue/commands.ts";
import type { AnyCommand } from "../../src/core/platform/declare/any-command.ts";
import { codeBanner } from "./banner.ts";
import { root } from "./root.ts";
import { program } from "./source.ts";

/**
 * `src/core/generated/inputs.ts`: what schemas read and give, as plain types. Editors show them with the schemas'
 * comments, and consumers' compilers need not infer them.
 */
export function inputTypes(): string {
  const checker = program().getTypeChecker();
  const organisation = valueIn("src/core/platform/organisation/schema.ts", "organisationSchema", checker);
  const named = namedTypes(checker);
  const input = new Printer(checker, "readonly ", named);
  const behaviours = behaviourTypes.map(([name, doc]) => {
    const type = behaviourOf(name, checker);
    return [`/** ${doc} */`, `export interface ${name} ${input.object(type, "")}`, ""];
  });
  const output = new Printer(checker, "", new Map());
  const results = [...commandResults()].map(([name, type]) => `  ${name}: ${type};`);
  return [
    codeBanner("the schemas and their comments"),
    ...[
      'import type { DurationInput } from "../foundation/instants.ts";',
      'import type { DrawnDuration } from "../foundation/distributions.ts";',
      'import type { DialLinkResult, EventType, ReceiveResult, SendResult, TransferResult } from "./records.ts";',
    ],
    "",
    "/** What `createSimulator({ organisation })` and a scenario's `organisation` accept. */",
    `export interface OrganisationInput ${input.print(sideOf(organisation, "input", checker), "")}`,
    "",
    "/** The same with every duration in milliseconds. */",
    `export interface Organisation ${output.print(sideOf(organisation, "output", checker), "")}`,
    "",
    ...behaviours.flat(),
    "/** The arguments of every command, by its name. */",
    "export interface CommandInputs {",
    ...[...commandInputs()].flatMap(([name, type]) => [
      ...deprecation(name),
      `  ${name}: ${input.print(type, "  ")};`,
    ]),
    "}",
    "",
    "/** What every command returns, by its name. */",
    "export interface CommandResults {",
    ...results,
    "}",
    "",
  ].join("\n");
}

/** The comment on a command that has a new name. */
function deprecation(name: string): string[] {
  const { now }: AnyCommand = commands[name as keyof typeof commands];
  return now === undefined ? [] : [`  /** @deprecated Now \`${now}\`. */`];
}

/**
 * The type of each command's arguments, in the order of the registry. The compiler's own order depends on what else
 * it has seen.
 */
export function commandInputs(): ReadonlyMap<string, ts.Type> {
  const checker = program().getTypeChecker();
  const types = valueIn("src/core/platform/catalogue/commands.ts", "commands", checker);
  return new Map(
    Object.keys(commands).map((name) => {
      const schema = propertyOf(propertyOf(types, name, checker), "schema", checker);
      return [name, sideOf(schema, "input", checker)];
    }),
  );
}

/** The type of what each command returns, as it is written. */
export function commandResults(): ReadonlyMap<string, string> {
  const checker = program().getTypeChecker();
  const types = valueIn("src/core/platform/catalogue/commands.ts", "commands", checker);
  return new Map(
    Object.keys(commands).map((name) => {
      const returned = propertyOf(propertyOf(types, name, checker), "returns", checker);
      return [name, textOf(returned, checker).replace(/ \| undefined$/, "")];
    }),
  );
}

/** The behaviour schemas, which become types of their own. */
const behaviourTypes = [
  ["UserBehaviour", "How a user acts by themselves, as `behave` and an organisation take it."],
  ["CallerBehaviour", "How an outside caller acts by themselves, as `inbound` and `traffic` take it."],
] as const;

function behaviourOf(name: (typeof behaviourTypes)[number][0], checker: ts.TypeChecker): ts.Type {
  const schema = `${name[0]?.toLowerCase()}${name.slice(1)}Schema`;
  return sideOf(valueIn("src/core/platform/organisation/behaviour.ts", schema, checker), "input", checker);
}

/** Named types, by how the compiler writes them out. */
export function namedTypes(checker: ts.TypeChecker): Map<string, string> {
  const aliases = [
    ["src/core/foundation/instants.ts", "DurationInput"],
    ["src/core/foundation/distributions.ts", "DrawnDuration"],
    ["src/core/generated/records.ts", "EventType"],
  ] as const;
  const declared = aliases.map(([path, name]) => {
    const symbol = exportOf(path, name, checker);
    return [textOf(checker.getDeclaredTypeOfSymbol(symbol), checker), name] as const;
  });
  const behaviours = behaviourTypes.map(
    ([name]) => [textOf(behaviourOf(name, checker), checker), name] as const,
  );
  return new Map([...declared, ...behaviours]);
}

export class Printer {
  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly readonly: "readonly " | "",
    private readonly named: ReadonlyMap<string, string>,
  ) {}

  /** A type as code: each property of an object on its own line, with its comment. */
  print(type: ts.Type, indent: string): string {
    const text = textOf(type, this.checker);
    const name = this.named.get(text.replace(/ \| undefined$/, ""));
    if (name !== undefined) return text.endsWith(" | undefined") ? `${name} | undefined` : name;
    if (this.checker.isArrayType(type)) {
      const item = this.checker.getTypeArguments(type as ts.TypeReference)[0] as ts.Type;
      const inner = this.print(item, indent);
      return `${this.readonly}${item.isUnion() && inner.includes(" | ") ? `(${inner})` : inner}[]`;
    }
    if (type.isUnion() && /[{[]/.test(text)) {
      // as it was written: the compiler takes named unions apart and puts undefined first
      const { types } = (type as ts.UnionType & { origin?: ts.UnionType }).origin ?? type;
      const isAbsent = (each: ts.Type) => (each.flags & ts.TypeFlags.Undefined) !== 0;
      const parts = [...types.filter((each) => !isAbsent(each)), ...types.filter(isAbsent)];
      return parts.map((each) => this.print(each, indent)).join(" | ");
    }
    if (type.isIntersection()) return type.types.map((each) => this.print(each, indent)).join(" & ");
    if (type.getProperties().length > 0 && text.startsWith("{")) return this.object(type, indent);
    return text.replaceAll("{ [", `{ ${this.readonly}[`);
  }

  /** An object's properties, each on a line of its own. */
  object(type: ts.Type, indent: string): string {
    const lines = type.getProperties().flatMap((property) => {
      const doc = commentOf(property, this.checker);
      const optional = property.flags & ts.SymbolFlags.Optional ? "?" : "";
      const printed = this.print(this.checker.getTypeOfSymbol(property), `${indent}  `);
      const line = `${indent}  ${this.readonly}${property.name}${optional}: ${printed};`;
      return doc === "" ? [line] : [`${indent}  /** ${doc} */`, line];
    });
    return ["{", ...lines, `${indent}}`].join("\n");
  }
}

/** The comment on a property in one line, with its default. */
export function commentOf(property: ts.Symbol, checker: ts.TypeChecker): string {
  const text = ts.displayPartsToString(property.getDocumentationComment(checker));
  const tag = property.getJsDocTags(checker).find(({ name }) => name === "default");
  const missing = tag === undefined ? "" : `@default ${ts.displayPartsToString(tag.text)}`;
  return `${text} ${missing}`.replaceAll(/\s+/g, " ").trim();
}

export function textOf(type: ts.Type, checker: ts.TypeChecker): string {
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
  return inStableOrder(
    checker.typeToString(type, undefined, flags).replaceAll("keyof EventData", "EventType"),
  );
}

/** A type's text with unions in one order. The compiler orders a union by which type it met first. */
export function inStableOrder(text: string): string {
  return text
    .replace(/"[^"]*"(?: \| "[^"]*")+/g, (union) => union.split(" | ").sort().join(" | "))
    .replace(/(\(string & [^()]*\)) \| ((?:"[^"]*"|[A-Z]\w*)(?: \| (?:"[^"]*"|[A-Z]\w*))*)/g, "$2 | $1")
    .replace(/("[^"]*") \| ([A-Z]\w*)/g, "$2 | $1");
}

/** The input or the output of a schema. */
export function sideOf(schema: ts.Type, side: "input" | "output", checker: ts.TypeChecker): ts.Type {
  return propertyOf(checker.getNonNullableType(propertyOf(schema, "~types", checker)), side, checker);
}

/** The input of a schema that a file exports. */
export function inputOf(path: string, name: string): ts.Type {
  return sideOf(typeOfValue(path, name), "input", program().getTypeChecker());
}

/** The type of a value that a file exports. */
export function typeOfValue(path: string, name: string): ts.Type {
  return valueIn(path, name, program().getTypeChecker());
}

export function propertyOf(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type {
  const symbol = type.getProperty(name);
  if (symbol === undefined) throw new Error(`${checker.typeToString(type)} has no ${name}`);
  return checker.getTypeOfSymbol(symbol);
}

function valueIn(path: string, name: string, checker: ts.TypeChecker): ts.Type {
  return checker.getTypeOfSymbol(exportOf(path, name, checker));
}

function exportOf(path: string, name: string, checker: ts.TypeChecker): ts.Symbol {
  const file = program().getSourceFile(root + path);
  const module = file && checker.getSymbolAtLocation(file);
  const found = module && checker.getExportsOfModule(module).find((each) => each.name === name);
  if (found === undefined) throw new Error(`${path} exports no ${name}`);
  return found;
}
