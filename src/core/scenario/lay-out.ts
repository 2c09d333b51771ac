import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Scalar,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/** The longest line, where the content allows it. */
export const WIDTH = 130;

/** Lays a scenario out for readers: block style, with short list entries in one line each. */
export function layOut(document: Document): void {
  const { contents } = document;
  if (!isMap(contents)) return;
  for (const { key, value } of contents.items)
    if (isScalar(key) && key.value === "description" && isScalar(value)) value.type = typeOf(value.value);
  layOutChildren(contents, 0);
}

function layOutChildren(node: YAMLMap | YAMLSeq, indent: number): void {
  node.flow = false;
  for (const value of valuesOf(node)) {
    if (!isCollection(value)) continue;
    const collection = value as YAMLMap | YAMLSeq;
    if (fitsInLine(collection, isSeq(node), indent)) putInOneLine(collection);
    else layOutChildren(collection, indent + 2);
  }
}

function fitsInLine(node: YAMLMap | YAMLSeq, isEntry: boolean, indent: number): boolean {
  if (!isEntry && depthOf(node) > (isMap(node) ? 2 : 1)) return false;
  return stringify(node.toJSON(), { collectionStyle: "flow", lineWidth: 0 }).length + indent <= WIDTH;
}

/** The depth of nested collections. */
function depthOf(node: unknown): number {
  if (!isCollection(node)) return 0;
  return 1 + Math.max(0, ...valuesOf(node as YAMLMap | YAMLSeq).map(depthOf));
}

function putInOneLine(node: YAMLMap | YAMLSeq): void {
  node.flow = true;
  for (const value of valuesOf(node)) if (isCollection(value)) putInOneLine(value as YAMLMap | YAMLSeq);
}

function valuesOf(node: YAMLMap | YAMLSeq): unknown[] {
  return isMap(node) ? node.items.map(({ value }) => value) : node.items;
}

function typeOf(text: unknown): Scalar.Type {
  return /[\n"':#]/.test(String(text)) ? Scalar.BLOCK_LITERAL : Scalar.PLAIN;
}
