import {
  type Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import type { Keys } from "../engine/errors.ts";
import { type Position, ScenarioError } from "./scenario.ts";

/** A YAML (or JSON) text, its value, and where each part of it stands. */
export class Source {
  private readonly lines = new LineCounter();
  private readonly document: Document.Parsed;
  readonly value: unknown;

  /** @throws {ScenarioError} when it is not well-formed */
  constructor(text: string) {
    this.document = parseDocument(text, { lineCounter: this.lines, prettyErrors: false });
    const [error] = this.document.errors;
    if (error !== undefined)
      throw new ScenarioError(this.at(error.pos[0]), `not well-formed YAML: ${error.message}`);
    this.value = this.document.toJS();
  }

  /** Where a part stands; of one that is missing, where what should hold it stands. */
  positionOf(keys: Keys): Position {
    let node: unknown = this.document.contents;
    let offset = offsetOf(node) ?? 0;
    for (const key of keys) {
      const next = isCollection(node) ? node.get(key, true) : undefined;
      offset = offsetOf(next) ?? offset;
      if (next === undefined) break;
      node = next;
    }
    return this.at(offset);
  }

  /** Where a key stands, for what is wrong with the key and not with its value. */
  positionOfKey(keys: Keys): Position {
    const holder = keys.length > 1 ? this.document.getIn(keys.slice(0, -1), true) : this.document.contents;
    const pair = isMap(holder)
      ? holder.items.find((each) => isPair(each) && isScalar(each.key) && each.key.value === keys.at(-1))
      : undefined;
    const offset = offsetOf(pair?.key);
    return offset === undefined ? this.positionOf(keys) : this.at(offset);
  }

  private at(offset: number): Position {
    const { line, col } = this.lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
