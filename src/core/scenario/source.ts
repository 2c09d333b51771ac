import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from "yaml";
import type { Keys } from "../foundation/errors.ts";
import { type Position, ScenarioError, type ScenarioProblem, type TextRange } from "./scenario.ts";
import { syntaxProblems } from "./syntax.ts";

type Offsets = readonly [start: number, end: number];

/** A YAML or JSON text, its value, and the place of each part. */
export class Source {
  /** The offset of each line. */
  private readonly lines: readonly number[];
  private readonly document: Document.Parsed;
  /** The value of the part of the text that is well-formed. */
  readonly value: unknown;
  /** Where the text is not well-formed. */
  readonly problems: readonly ScenarioProblem[];
  /** The first line whose value may have been misread; infinity for a well-formed text. */
  readonly brokenFromLine: number;

  private readonly text: string;

  constructor(given: string) {
    // some editors begin a file with a byte order mark
    const text = given.replace(/^\uFEFF/, "");
    this.text = text;
    // the library's line counter misses lines in malformed text
    this.lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    // without `logLevel` the library prints warnings
    this.document = parseDocument(text, { prettyErrors: false, logLevel: "error" });
    const problems = syntaxProblems(text, this.document.errors);
    try {
      this.value = this.document.toJS();
    } catch (thrown) {
      // thrown for an alias without an anchor, and for aliases that expand without end
      if (!(thrown instanceof ReferenceError)) throw thrown;
      if (problems.length === 0)
        problems.push({ offsets: this.brokenAlias(), message: thrown.message, misreadAbove: 0 });
    }
    const placed = problems.map((problem) => ({ ...this.range(problem.offsets), problem }));
    this.problems = placed.map(({ problem: { message, suggestion }, ...range }) => ({
      ...{ message: `not well-formed YAML: ${message}`, path: "", ...range },
      ...(suggestion === undefined ? {} : { suggestion }),
    }));
    this.brokenFromLine = Math.min(
      Number.POSITIVE_INFINITY,
      ...placed.flatMap(({ line, problem: { misreadAbove } }) =>
        misreadAbove === undefined ? [] : [line - misreadAbove],
      ),
    );
  }

  /** @throws {ScenarioError} if the text is not well-formed */
  mustBeWellFormed(): void {
    const [first, ...more] = this.problems;
    if (first !== undefined) throw new ScenarioError(first, ...more);
  }

  /** The place of a part; of a missing part, the first line of its parent. */
  findRange(keys: Keys): TextRange {
    let node: unknown = this.document.contents;
    let [start, end] = offsetsOf(node) ?? [0, 0];
    let isMissing = false;
    for (const key of keys) {
      node = this.findChild(node, key);
      isMissing = node === undefined;
      if (isMissing) break;
      [start, end] = offsetsOf(node) ?? [start, end];
    }
    if (isMissing) end = Math.min(end, this.endOfLine(start));
    return this.range([start, end]);
  }

  /** The place of a key, for problems with the key itself. */
  rangeOfKey(keys: Keys): TextRange {
    let holder: unknown = this.document.contents;
    for (const key of keys.slice(0, -1)) holder = this.findChild(holder, key);
    const offsets = offsetsOf(findPair(this.resolved(holder), keys.at(-1))?.key);
    return offsets === undefined ? this.findRange(keys) : this.range(offsets);
  }

  /** The text of a value that is written without quotes, such as `+6421555001`. */
  plainText(keys: Keys): string | undefined {
    let node: unknown = this.document.contents;
    for (const key of keys) node = this.findChild(node, key);
    const offsets = offsetsOf(node);
    return isScalar(node) && node.type === "PLAIN" && offsets !== undefined
      ? this.text.slice(...offsets)
      : undefined;
  }

  private findChild(node: unknown, key: string | number): unknown {
    const holder = this.resolved(node);
    return isSeq(holder) ? holder.items[Number(key)] : findPair(holder, key)?.value;
  }

  private resolved(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.document) : node;
  }

  private brokenAlias(): Offsets {
    let offsets: Offsets = [0, 0];
    visit(this.document, {
      Alias: (_, alias) => {
        if (alias.resolve(this.document) !== undefined) return;
        offsets = offsetsOf(alias) ?? offsets;
        return visit.BREAK;
      },
    });
    return offsets;
  }

  private endOfLine(offset: number): number {
    const end = this.text.slice(offset).search(/[^\S\n]*(\n|$)/);
    return offset + end;
  }

  private range([start, end]: Offsets): TextRange {
    const [from, to] = [this.at(start), this.at(Math.max(start, end))];
    return { ...from, endLine: to.line, endColumn: to.column };
  }

  private at(offset: number): Position {
    const within = Math.min(offset, this.text.length);
    let [low, high] = [0, this.lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.lines[middle] ?? 0) <= within) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: within - (this.lines[low] ?? 0) + 1 };
  }
}

/** The last line of a range. That of a list may end on the line behind it. */
export function lastLineOf({ line, endLine, endColumn }: TextRange): number {
  return endColumn === 1 && endLine > line ? endLine - 1 : endLine;
}

/** Finds a pair by its key. Keys are text in the value, whatever they are in the file. */
function findPair(node: unknown, key: unknown): Pair | undefined {
  if (!isMap(node)) return undefined;
  return node.items.find((each) => isScalar(each.key) && String(each.key.value) === String(key));
}

/** Where a node's value begins and ends. */
function offsetsOf(node: unknown): Offsets | undefined {
  const range = (node as Node | null | undefined)?.range;
  return range === null || range === undefined ? undefined : [range[0], range[1]];
}
