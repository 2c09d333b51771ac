import { makeDecoder } from "../../core/foundation/runtime-globals.ts";
import { CaptureError } from "./capture.ts";

/**
 * The longest line that is read, in characters: enough for an escaped body of 6 MB and its headers. The first may be
 * longer, since a tool's export may be one document on one line.
 */
export function longestLine(line: number): number {
  return line === 1 ? 256_000_000 : 16_000_000;
}

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
 * @param input a text, or its pieces, which may end anywhere. Bytes are UTF-8, UTF-16 with a byte order mark, or either
 * of these in gzip
 */
export async function* splitLines(
  input: string | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<readonly CaptureLine[]> {
  const splitter = new LineSplitter();
  if (typeof input === "string") {
    for (let start = 0; start < input.length; start += PIECE_LENGTH)
      yield splitter.split(input.slice(start, start + PIECE_LENGTH));
  } else {
    for await (const text of decoded(input)) yield splitter.split(text);
  }
  yield splitter.end();
}

/** The texts of the pieces of one file. The first bytes say how they are encoded. */
export async function* decoded(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const pieces = withFirstBytes(input);
  const { value: first } = await pieces.next();
  const rest = { [Symbol.asyncIterator]: () => pieces };
  if (typeof first === "object" && first[0] === 0x1f && first[1] === 0x8b) {
    yield* decoded(decompressed(first, rest));
    return;
  }
  const decoder = makeDecoder(encodingOf(first));
  const textOf = (piece: string | Uint8Array) =>
    typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
  if (first !== undefined) yield textOf(first);
  for await (const piece of rest) yield textOf(piece);
  yield decoder.decode();
}

/** The same pieces, of which the first has at least two bytes if there are as many. */
async function* withFirstBytes(
  input: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array, undefined> {
  let held: Uint8Array | undefined = new Uint8Array();
  for await (const piece of input) {
    if (held === undefined) yield piece;
    else if (typeof piece === "string") {
      if (held.length > 0) yield held;
      held = undefined;
      yield piece;
    } else if (held.length + piece.length < 2) held = new Uint8Array([...held, ...piece]);
    else {
      yield held.length === 0 ? piece : new Uint8Array([...held, ...piece]);
      held = undefined;
    }
  }
  if (held !== undefined && held.length > 0) yield held;
  return undefined;
}

function encodingOf(first: string | Uint8Array | undefined): "utf-8" | "utf-16le" | "utf-16be" {
  if (typeof first !== "object") return "utf-8";
  if (first[0] === 0xff && first[1] === 0xfe) return "utf-16le";
  return first[0] === 0xfe && first[1] === 0xff ? "utf-16be" : "utf-8";
}

/** @throws {CaptureError} if what begins like gzip is none */
async function* decompressed(
  first: Uint8Array,
  rest: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const pieces = rest[Symbol.asyncIterator]();
  const source = new ReadableStream<BufferSource>({
    start: (controller) => controller.enqueue(first as BufferSource),
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else if (typeof value === "object") controller.enqueue(value as BufferSource);
    },
  });
  const reader = source.pipeThrough(new DecompressionStream("gzip")).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new CaptureError("the capture begins like a gzip file, but cannot be decompressed");
    });
    if (done) return;
    yield value;
  }
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
    if (this.length > longestLine(this.line)) this.parts = [];
    else if (part !== "") this.parts.push(part);
  }

  private endLine(): CaptureLine {
    const { line, length } = this;
    const text = length > longestLine(line) ? undefined : this.parts.join("");
    this.line++;
    this.parts = [];
    this.length = 0;
    return { line, text, length };
  }
}
