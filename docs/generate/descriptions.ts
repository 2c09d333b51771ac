import type ts from "typescript";
import type { Descriptions } from "../../src/core/generated/descriptions.ts";
import { codeBanner } from "./banner.ts";
import { commentOf } from "./inputs.ts";
import { root } from "./root.ts";
import { program } from "./source.ts";
import { bodyComponents, requestBodies } from "./wire.ts";

/**
 * `src/core/generated/descriptions.ts`: the comments on the bodies of requests, for the OpenAPI document. Only the
 * document loads this file, so other simulators need not carry the sentences.
 */
export function descriptionsFile(): string {
  const components = [...bodyComponents()].map(([name, type]) => [name, descriptionsOf(type)] as const);
  const shared = new Map<string, Descriptions>();
  // a component with all fields of another refers to it, and an equal one is not repeated
  const sizeOf = ([, fields]: (typeof components)[number]) => JSON.stringify(fields).length;
  const bySize = components.sort((one, other) => sizeOf(one) - sizeOf(other));
  const constants = bySize.flatMap(([name, fields]) => {
    const text = written(fields, shared, "");
    if (shared.has(text)) return [];
    shared.set(name, fields);
    return [`const ${name}: Descriptions = ${text};`];
  });
  const bodies = [...requestBodies()].map(
    ([id, body]) => `  ${id}: ${written(descriptionsOf(body), shared, "  ")},`,
  );
  return [
    codeBanner("the comments of the schemas"),
    "/** What the fields of an object are, by name: the sentence with its `@default`, and the fields within. */",
    "export interface Descriptions {",
    "  readonly [field: string]: readonly [text: string, within?: Descriptions];",
    "}",
    "",
    ...constants,
    "",
    "/** What the fields of each request's body are, by `operationId`. */",
    "export const bodyDescriptions: Readonly<Record<string, Descriptions>> = {",
    ...bodies,
    "};",
    "",
  ].join("\n");
}

/**
 * Descriptions as code. Repeated parts are written as a constant's name.
 * @param shared the constants by name
 */
export function written(
  fields: Descriptions,
  shared: ReadonlyMap<string, Descriptions>,
  indent: string,
): string {
  const said = new Map(Object.entries(fields).map(([name, each]) => [name, JSON.stringify(each)]));
  const isIn = (part: Descriptions) =>
    Object.entries(part).every(([name, each]) => said.get(name) === JSON.stringify(each));
  const [constant, part = {}] = [...shared].filter(([, each]) => isIn(each)).at(-1) ?? [];
  const rest = Object.entries(fields).filter(([name]) => !Object.hasOwn(part, name));
  if (constant !== undefined && rest.length === 0) return constant;
  const inner = `${indent}  `;
  const lines = rest.map(([name, [text, within]]) => {
    const inside = within === undefined ? "" : `, ${written(within, shared, inner)}`;
    return `${inner}${name}: [${JSON.stringify(text)}${inside}],`;
  });
  return ["{", ...(constant === undefined ? [] : [`${inner}...${constant},`]), ...lines, `${indent}}`].join(
    "\n",
  );
}

/** The comments on a type's fields, by name. Those of several shapes are merged. */
export function descriptionsOf(type: ts.Type): Descriptions {
  const checker = program().getTypeChecker();
  const found: Record<string, Descriptions[string]> = {};
  for (const shape of shapesOf(type, checker))
    for (const property of shape.getProperties()) {
      const text = commentOf(property, checker);
      if (text === "") continue;
      const within = descriptionsOf(checker.getTypeOfSymbol(property));
      const before = found[property.name];
      if (before !== undefined && before[0] !== text)
        throw new Error(`${property.name} is "${before[0]}" here and "${text}" there`);
      found[property.name] = Object.keys(within).length > 0 ? [text, within] : [text];
    }
  // the compiler orders merged fields by which it met first
  return Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The object types in a type, including items of lists. */
function shapesOf(type: ts.Type, checker: ts.TypeChecker): ts.Type[] {
  if (type.isUnion()) return type.types.flatMap((each) => shapesOf(each, checker));
  if (checker.isArrayType(type))
    return checker.getTypeArguments(type as ts.TypeReference).flatMap((each) => shapesOf(each, checker));
  const isOurs = type
    .getProperties()
    .some((each) =>
      each.declarations?.some((from) => from.getSourceFile().fileName.startsWith(`${root}src/`)),
    );
  return isOurs ? [type] : [];
}

export function propertyOf(type: ts.Type, name: string): ts.Type {
  const symbol = type.getProperty(name);
  if (symbol === undefined) throw new Error(`there is no type of ${name}`);
  return program().getTypeChecker().getTypeOfSymbol(symbol);
}

/** A type that a file exports. */
export function typeNamed(path: string, name: string): ts.Type {
  const checker = program().getTypeChecker();
  const file = program().getSourceFile(root + path);
  const module = file && checker.getSymbolAtLocation(file);
  const found = module && checker.getExportsOfModule(module).find((each) => each.name === name);
  if (found === undefined) throw new Error(`${path} exports no ${name}`);
  return checker.getDeclaredTypeOfSymbol(found);
}
