import { Document, isMap, isSeq, type Node, stringify } from "yaml";
import type { OrganisationInput } from "../../src/core/platform/organisation/schema.ts";
import { bannerText } from "./banner.ts";

const header =
  " The demo organisation: what simulators have by default, and what the lessons are taught with.\n" +
  ` ${bannerText("src/core/platform/organisation/demo.ts")}`;

const LINE_WIDTH = 110;

/** Writes an organisation as YAML. Each item of a list is on one line if all items of the list fit. */
export function organisationFile(organisation: OrganisationInput): string {
  const document = new Document(organisation);
  document.commentBefore = header;
  if (isMap(document.contents)) for (const { value } of document.contents.items) layOut(value as Node, 1);
  return document.toString({ lineWidth: LINE_WIDTH });
}

/** A value as YAML, laid out in the same way. */
export function yamlOf(value: unknown): string {
  const document = new Document(value);
  if (isMap(document.contents))
    for (const { value: each } of document.contents.items) layOut(each as Node, 1);
  return document.toString({ lineWidth: LINE_WIDTH });
}

/** Puts simple, short values on one line: `{ number: "+6495550100", owner: alice }`. */
function layOut(node: Node, depth: number): void {
  const parts = partsOf(node);
  for (const part of parts) layOut(part, depth + 1);
  if (isSeq(node) && parts.every(isMap)) {
    // one item a line, and all items of a list in the same form
    const isOneLineEach = parts.every((part) => isSimple(part) && fits(part, depth));
    for (const part of parts) part.flow = isOneLineEach;
  } else if (isSeq(node) || isMap(node)) node.flow = fits(node, depth) && (isSeq(node) || isSimple(node));
}

function partsOf(node: Node): Node[] {
  if (isMap(node)) return node.items.map(({ value }) => value as Node);
  return isSeq(node) ? (node.items as Node[]) : [];
}

/** Whether a value contains only plain values and lists of them. */
function isSimple(node: Node): boolean {
  return !partsOf(node).some((part) => isMap(part) || partsOf(part).some(isMap));
}

function fits(node: Node, depth: number): boolean {
  const line = stringify(node.toJSON(), { collectionStyle: "flow", lineWidth: 0 }).trimEnd();
  return line.length + 2 * depth + 2 <= LINE_WIDTH;
}
