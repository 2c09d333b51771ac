import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
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
    if (error !== undefined) throw this.notWellFormed(error.pos[0], messages[error.code] ?? error.message);
    try {
      this.value = this.document.toJS();
    } catch (thrown) {
      // the library's way to refuse an alias without its anchor, and aliases that multiply without end
      if (!(thrown instanceof ReferenceError)) throw thrown;
      throw this.notWellFormed(this.offsetOfBrokenAlias(), thrown.message);
    }
  }

  /** Where a part stands; of one that is missing, where what should hold it stands. */
  positionOf(keys: Keys): Position {
    let node: unknown = this.document.contents;
    let offset = offsetOf(node) ?? 0;
    for (const key of keys) {
      node = this.childOf(node, key);
      if (node === undefined) break;
      offset = offsetOf(node) ?? offset;
    }
    return this.at(offset);
  }

  /** Where a key stands, for what is wrong with the key and not with its value. */
  positionOfKey(keys: Keys): Position {
    let holder: unknown = this.document.contents;
    for (const key of keys.slice(0, -1)) holder = this.childOf(holder, key);
    const offset = offsetOf(pairOf(this.resolved(holder), keys.at(-1))?.key);
    return offset === undefined ? this.positionOf(keys) : this.at(offset);
  }

  private childOf(node: unknown, key: string | number): unknown {
    const holder = this.resolved(node);
    return isSeq(holder) ? holder.items[Number(key)] : pairOf(holder, key)?.value;
  }

  private resolved(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.document) : node;
  }

  private offsetOfBrokenAlias(): number {
    let offset = 0;
    visit(this.document, {
      Alias: (_, alias) => {
        if (alias.resolve(this.document) !== undefined) return;
        offset = offsetOf(alias) ?? 0;
        return visit.BREAK;
      },
    });
    return offset;
  }

  private notWellFormed(offset: number, problem: string): ScenarioError {
    return new ScenarioError(this.at(offset), `not well-formed YAML: ${problem}`);
  }

  private at(offset: number): Position {
    const { line, col } = this.lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

/** Where the library's own words speak to programmers. */
const messages: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: "expected one document, a second begins here",
};

/** A key is text in the value, whatever it is in the file. */
function pairOf(node: unknown, key: unknown): Pair | undefined {
  if (!isMap(node)) return undefined;
  return node.items.find((each) => isScalar(each.key) && String(each.key.value) === String(key));
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
