import built from "built:schema";
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { lessons } from "../common/lessons.ts";

/** Completion and hover from the scenario's JSON Schema, at any place in the YAML, in braces or not. */

interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const root = built as Schema;

/** The keys that lead to a part; `*` for an item of a list. */
type Path = readonly string[];

/** The place of the cursor. */
interface CursorPosition {
  /** The path of the mapping or the value that is written there. */
  readonly path: Path;
  readonly isKey: boolean;
}

export function completeScenario(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/[\w.+:@-]*/);
  if (word === null || (word.from === word.to && !context.explicit)) return null;
  const cursor = cursorAt(context.state, word.from);
  const schemas = schemasAt(cursor.path);
  const options = cursor.isKey
    ? keyOptions(schemas, keysAround(context.state, word.from), cursor.path)
    : [...valueOptions(schemas), ...valuesInText(context.state, cursor.path.at(-1) ?? "", word)];
  return options.length === 0 ? null : { from: word.from, options, validFor: /^[\w.+:@-]*$/ };
}

/**
 * The keys that fit, without those that are there. Needed ones come first, then steps that lessons use most, then the order
 * of the schema.
 * @param present the keys that the mapping has
 */
function keyOptions(schemas: readonly Schema[], present: readonly string[], path: Path): Completion[] {
  const isStep = path.join(".") === "steps.*";
  const found = new Map<string, Completion>();
  for (const { properties = {}, required = [] } of schemas) {
    // a step has one command
    const isDone = isStep && present.some((key) => isCommand(properties[key]));
    for (const [key, schema] of Object.entries(properties)) {
      if (found.has(key) || present.includes(key) || (isDone && isCommand(schema))) continue;
      const description = expand(schema).find((each) => each.description !== undefined)?.description;
      const rank = isStep ? stepRank(key, present) : required.includes(key) ? 99 : 60 - found.size;
      found.set(key, {
        label: key,
        apply: `${key}: `,
        type: "property",
        detail: typeText(schema).replace(/^object$/, ""),
        boost: Math.max(-99, Math.min(99, rank)),
        ...(description === undefined ? {} : { info: description }),
      });
    }
  }
  return [...found.values()];
}

/** Whether a key of a step is its command, and does not say when it is played. */
function isCommand(schema: Schema | undefined): boolean {
  return schema !== undefined && schema.$ref?.startsWith("#/$defs/when.") !== true;
}

/** First when it is played, then what, then the rest. */
function stepRank(key: string, present: readonly string[]): number {
  const isTimed = present.includes("at") || present.includes("on");
  if (key === "at") return isTimed ? -99 : 99;
  return (stepUses().get(key) ?? 0) / 2 - 50;
}

let uses: ReadonlyMap<string, number> | undefined;

/** How often the lessons use each step. */
function stepUses(): ReadonlyMap<string, number> {
  if (uses !== undefined) return uses;
  const counts = new Map<string, number>();
  for (const { text } of lessons)
    for (const [, name = ""] of text.matchAll(/^ {2}- \{ (?:at|on): [^,]+, (\w+):/gm))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  uses = counts;
  return counts;
}

/** The arguments that refer to what `as` names. */
const references = ["call", "conversation", "webhook", "of"];

/** The values that the text has for the same key, and the names that `as` gives for arguments that refer to them. */
function valuesInText(
  { doc }: EditorState,
  key: string,
  word: { readonly from: number; readonly to: number },
): Completion[] {
  const keys = references.includes(key) ? `${key}|as` : key;
  if (!/^[\w|-]+$/.test(keys)) return [];
  const values = new Set<string>();
  for (const found of doc.toString().matchAll(new RegExp(`\\b(?:${keys}): *("[^"\\n]*"|[\\w.@+-]+)`, "g"))) {
    const end = found.index + found[0].length;
    if (found[1] !== undefined && end !== word.to) values.add(found[1]);
  }
  return [...values].map((label) => ({ label, type: "text", boost: 1 }));
}

/** The keys of the mapping around a place, without the one that is written there. */
function keysAround(state: EditorState, position: number): string[] {
  const node = syntaxTree(state).resolveInner(position, -1);
  const mapping = ancestor(node, "FlowMapping") ?? ancestor(node, "BlockMapping");
  const pairs = mapping?.getChildren("Pair") ?? [];
  return pairs.flatMap((pair) => {
    const key = pair.getChild("Key");
    if (key === null || (key.from <= position && position <= key.to)) return [];
    return [state.sliceDoc(key.from, key.to).replace(/^["']|["']$/g, "")];
  });
}

function valueOptions(schemas: readonly Schema[]): Completion[] {
  const values = schemas.flatMap((schema) => [
    ...(schema.enum ?? []),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...(schema.type === "boolean" ? [true, false] : []),
  ]);
  const types = schemas.flatMap(({ pattern }) => eventTypesIn(pattern));
  return [...new Set([...values.map(String), ...types])].map((label) => ({ label, type: "enum" }));
}

/** The event types in the pattern of an expected line, which ends in one. */
function eventTypesIn(pattern: string | undefined): string[] {
  const [, list] = /\(((?:[a-z_]+\\\.[a-z_.\\|]+)+)\)/.exec(pattern ?? "") ?? [];
  return list === undefined ? [] : list.replaceAll("\\", "").split("|");
}

/** Describes the key under the pointer. */
export function describeAt(
  state: EditorState,
  position: number,
): { from: number; to: number; title: string; text: string } | undefined {
  const node = syntaxTree(state).resolveInner(position, 1);
  const key = ancestor(node, "Key");
  if (key === undefined) return undefined;
  const name = state.sliceDoc(key.from, key.to);
  const path = [...readPath(state, key.parent?.parent ?? null), name];
  const schemas = schemasAt(path);
  const text = schemas.map(({ description }) => description).find((each) => each !== undefined);
  const type = schemas.map(typeText).find((each) => each !== "") ?? "";
  if (schemas.length === 0 || (text === undefined && type === "")) return undefined;
  return {
    from: key.from,
    to: key.to,
    title: path.filter((each) => each !== "*").join("."),
    text: [text, type].filter(Boolean).join(" "),
  };
}

function typeText(schema: Schema): string {
  const all = expand(schema);
  const values = all.flatMap((each) => each.enum ?? (each.const === undefined ? [] : [each.const]));
  if (values.length > 0 && values.length <= 6) return values.join(" | ");
  const types = new Set(all.flatMap(({ type }) => type ?? []));
  return [...types].join(" | ");
}

/** The schemas that may apply at a path: all branches of a choice. */
function schemasAt(path: Path): Schema[] {
  let schemas = expand(root);
  for (const key of path)
    schemas = schemas.flatMap(({ properties, items, additionalProperties }) => {
      const next =
        key === "*"
          ? items
          : (properties?.[key] ??
            (typeof additionalProperties === "object" ? additionalProperties : undefined));
      return next === undefined ? [] : expand(next);
    });
  return schemas;
}

function expand(schema: Schema): Schema[] {
  const { $ref, ...beside } = schema;
  if ($ref !== undefined) {
    // a description beside a reference is about this key, and comes before that of the referred schema
    const target = root.$defs?.[$ref.replace(/^#\/\$defs\//, "")];
    return target === undefined ? [] : expand({ ...target, ...beside });
  }
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...branches.flatMap(expand)];
}

function cursorAt(state: EditorState, position: number): CursorPosition {
  const node = syntaxTree(state).resolveInner(position, -1);
  const line = state.doc.lineAt(position);
  const before = state.sliceDoc(line.from, position);
  const pair = ancestor(node, "Pair");
  const value = pair === undefined ? undefined : colonOf(pair);
  const isInValue =
    value !== undefined &&
    position > value.from &&
    state.doc.lineAt(value.from).number === line.number &&
    !/[{,]\s*$/.test(before);
  if (pair !== undefined && isInValue && !startsMapping(before))
    return { path: readPath(state, pair), isKey: false };
  if (/^\s*-\s*$/.test(before) || /[{,]\s*$/.test(before) || /^\s*$/.test(before))
    return { path: enclosingPath(state, position, before, node), isKey: true };
  return { path: readPath(state, node), isKey: true };
}

const startsMapping = (before: string) => /[{,]\s*\w*$/.test(before);

function colonOf(pair: SyntaxNode): SyntaxNode | undefined {
  return pair.getChild(":") ?? undefined;
}

/** The path of the mapping around an empty place. */
function enclosingPath(state: EditorState, position: number, before: string, node: SyntaxNode): Path {
  const flow = ancestor(node, "FlowMapping");
  if (flow !== undefined && flow.to >= position) return readPath(state, flow);
  // by indentation, as a reader sees it, since the tree ignores empty lines
  const indent = /^\s*(-\s*)?/.exec(before)?.[0].length ?? 0;
  const path: string[] = /^\s*-/.test(before) ? ["*"] : [];
  let limit = /^(\s*)/.exec(before)?.[1]?.length ?? 0;
  if (!/^\s*-/.test(before)) limit = indent;
  for (let number = state.doc.lineAt(position).number - 1; number >= 1 && limit > 0; number--) {
    const { text } = state.doc.line(number);
    const [, space = "", dash = "", key = ""] = /^(\s*)(-\s+)?([\w-]+):/.exec(text) ?? [];
    const column = space.length + dash.length;
    if (key === "" || column >= limit) {
      if (dash !== "" && space.length < limit && column === limit) {
        path.unshift("*");
        limit = space.length + 1;
      }
      continue;
    }
    path.unshift(key);
    if (dash !== "") path.unshift("*");
    limit = dash === "" ? column : space.length;
  }
  return path;
}

/** The keys from the top of the text to a node. */
function readPath(state: EditorState, node: SyntaxNode | null): string[] {
  const path: string[] = [];
  for (let at = node; at !== null; at = at.parent) {
    if (at.name === "Pair") {
      const key = at.getChild("Key");
      if (key !== null) path.unshift(state.sliceDoc(key.from, key.to).replace(/^["']|["']$/g, ""));
    } else if (at.name === "Item" || (at.name === "FlowSequence" && at !== node)) path.unshift("*");
  }
  return path;
}

function ancestor(node: SyntaxNode, name: string): SyntaxNode | undefined {
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) if (at.name === name) return at;
  return undefined;
}
