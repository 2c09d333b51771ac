/** The longest line that is read, in characters: a body of 6 MB, escaped, and its headers. */
export const LONGEST_LINE = 16_000_000;

/** A line of a capture. `text` is undefined if the line is too long to be read. */
export interface CaptureLine {
  /** From 1. */
  readonly line: number;
  readonly text: string | undefined;
  /** In characters. */
  readonly length: number;
}

/**
 * Splits a capture into lines as it comes. A line that is too long is counted and not kept.
 * @param input a text, or pieces of one, cut anywhere
 */
export async function* linesOf(
  input: string | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<readonly CaptureLine[]> {
  const splitter = new Splitter();
  if (typeof input === "string") {
    for (let start = 0; start < input.length; start += PIECE)
      yield splitter.take(input.slice(start, start + PIECE));
  } else {
    const decoder = new TextDecoder();
    for await (const piece of input)
      yield splitter.take(typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
    yield splitter.take(decoder.decode());
  }
  yield splitter.end();
}

/** How much of a text is split at once, in characters. */
const PIECE = 1 << 20;

class Splitter {
  private line = 1;
  private parts: string[] = [];
  private length = 0;

  take(piece: string): CaptureLine[] {
    const lines: CaptureLine[] = [];
    let start = this.line === 1 && this.length === 0 && piece.startsWith("\ufeff") ? 1 : 0;
    for (let end = piece.indexOf("\n", start); end >= 0; end = piece.indexOf("\n", start)) {
      this.add(piece.slice(start, end));
      lines.push(this.finished());
      start = end + 1;
    }
    this.add(piece.slice(start));
    return lines;
  }

  end(): CaptureLine[] {
    return this.length === 0 ? [] : [this.finished()];
  }

  private add(part: string): void {
    this.length += part.length;
    if (this.length > LONGEST_LINE) this.parts = [];
    else if (part !== "") this.parts.push(part);
  }

  private finished(): CaptureLine {
    const { line, length } = this;
    const text = length > LONGEST_LINE ? undefined : this.parts.join("");
    this.line++;
    this.parts = [];
    this.length = 0;
    return { line, text, length };
  }
}
