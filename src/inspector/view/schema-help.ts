import built from "built:schema";
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";

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
  const options = cursor.isKey ? keyOptions(schemas) : valueOptions(schemas);
  return options.length === 0 ? null : { from: word.from, options, validFor: /^[\w.+:@-]*$/ };
}

function keyOptions(schemas: readonly Schema[]): Completion[] {
  const found = new Map<string, Completion>();
  for (const { properties = {}, required = [] } of schemas)
    for (const [key, schema] of Object.entries(properties)) {
      if (found.has(key)) continue;
      const description = expand(schema).find((each) => each.description !== undefined)?.description;
      found.set(key, {
        label: key,
        apply: `${key}: `,
        type: "property",
        detail: typeText(schema).replace(/^object$/, ""),
        boost: required.includes(key) ? 1 : 0,
        ...(description === undefined ? {} : { info: description }),
      });
    }
  return [...found.values()];
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
  const path = [...pathOf(state, key.parent?.parent ?? null), name];
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
    return { path: pathOf(state, pair), isKey: false };
  if (/^\s*-\s*$/.test(before) || /[{,]\s*$/.test(before) || /^\s*$/.test(before))
    return { path: enclosingPath(state, position, before, node), isKey: true };
  return { path: pathOf(state, node), isKey: true };
}

const startsMapping = (before: string) => /[{,]\s*\w*$/.test(before);

function colonOf(pair: SyntaxNode): SyntaxNode | undefined {
  return pair.getChild(":") ?? undefined;
}

/** The path of the mapping around an empty place. */
function enclosingPath(state: EditorState, position: number, before: string, node: SyntaxNode): Path {
  const flow = ancestor(node, "FlowMapping");
  if (flow !== undefined && flow.to >= position) return pathOf(state, flow);
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
function pathOf(state: EditorState, node: SyntaxNode | null): string[] {
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
