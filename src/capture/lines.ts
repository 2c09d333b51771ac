import { utf8Decoder } from "../core/foundation/runtime-globals.ts";

/** The longest line that is read, in characters: enough for an escaped body of 6 MB and its headers. */
export const MAX_LINE_LENGTH = 16_000_000;

/** A line of a capture. `text` is undefined if the line is too long. */
export interface CaptureLine {
  /** From 1. */
  readonly line: number;
  readonly text: string | undefined;
  /** In characters. */
  readonly length: number;
}

/**
 * Splits a capture into lines while it streams in. Lines that are too long are counted, not stored.
 * @param input a text, or its pieces, which may end anywhere
 */
export async function* splitLines(
  input: string | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<readonly CaptureLine[]> {
  const splitter = new LineSplitter();
  if (typeof input === "string") {
    for (let start = 0; start < input.length; start += PIECE_LENGTH)
      yield splitter.split(input.slice(start, start + PIECE_LENGTH));
  } else {
    const decoder = utf8Decoder();
    for await (const piece of input)
      yield splitter.split(typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
    yield splitter.split(decoder.decode());
  }
  yield splitter.end();
}

/** How many characters are split at once. */
const PIECE_LENGTH = 1 << 20;

class LineSplitter {
  private line = 1;
  private parts: string[] = [];
  private length = 0;

  split(piece: string): CaptureLine[] {
    const lines: CaptureLine[] = [];
    let start = this.line === 1 && this.length === 0 && piece.startsWith("\ufeff") ? 1 : 0;
    for (let end = piece.indexOf("\n", start); end >= 0; end = piece.indexOf("\n", start)) {
      this.append(piece.slice(start, end));
      lines.push(this.endLine());
      start = end + 1;
    }
    this.append(piece.slice(start));
    return lines;
  }

  end(): CaptureLine[] {
    return this.length === 0 ? [] : [this.endLine()];
  }

  private append(part: string): void {
    this.length += part.length;
    if (this.length > MAX_LINE_LENGTH) this.parts = [];
    else if (part !== "") this.parts.push(part);
  }

  private endLine(): CaptureLine {
    const { line, length } = this;
    const text = length > MAX_LINE_LENGTH ? undefined : this.parts.join("");
    this.line++;
    this.parts = [];
    this.length = 0;
    return { line, text, length };
  }
}
