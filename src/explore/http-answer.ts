/** The answer of a server, read to its end. */
export interface HttpAnswer {
  readonly status: number;
  /** By name in lower case. Values of a name that comes several times are joined. */
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** How a body ends: after so many bytes, with an empty chunk, or with the connection. */
type BodyEnd = number | "empty chunk" | "connection";

interface Head {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly end: BodyEnd;
}

/** The longest head of an answer, in characters. Whatever sends more does not speak HTTP. */
const LONGEST_HEAD = 1_000_000;

const BREAK = "\r\n";
/** Keeps a mark of byte order, which is part of the body. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads one answer of HTTP/1.1 as it comes. Each character of the text that it takes is a byte. */
export class AnswerReader {
  private text = "";
  private body = "";
  private head: Head | undefined;
  /** Whether another request may be sent over the connection afterwards. */
  keepsOpen = false;

  /** @param method the method of the request: an answer to `HEAD` has no body */
  constructor(private readonly method: string) {}

  /** Whether nothing has come. */
  get isEmpty(): boolean {
    return this.text === "" && this.head === undefined;
  }

  /** Takes what came. Returns the answer once it is whole. @throws for what is not HTTP/1.1 */
  take(chunk: string): HttpAnswer | undefined {
    this.text += chunk;
    this.head ??= this.readHead();
    if (this.head === undefined) return undefined;
    const { end } = this.head;
    if (typeof end === "number") {
      if (this.text.length < end) return undefined;
      this.body = this.text.slice(0, end);
      this.text = this.text.slice(end);
    } else if (end === "connection" || !this.readChunks()) return undefined;
    return this.answer(this.head);
  }

  /** Called when the connection ends. Returns the answer if that ends it. */
  ended(): HttpAnswer | undefined {
    if (this.head?.end !== "connection") return undefined;
    this.body = this.text;
    return this.answer(this.head);
  }

  private answer({ status, headers }: Head): HttpAnswer {
    // what comes behind an answer belongs to none
    if (this.text !== "") this.keepsOpen = false;
    const bytes = Uint8Array.from(this.body, (character) => character.charCodeAt(0));
    return { status, headers, body: decoder.decode(bytes) };
  }

  private readHead(): Head | undefined {
    for (;;) {
      const length = this.text.indexOf(BREAK + BREAK);
      if (length < 0) {
        if (this.text.length > LONGEST_HEAD) throw new Error("its answer has more than 1 MB of headers");
        return undefined;
      }
      const [first = "", ...lines] = this.text.slice(0, length).split(BREAK);
      const [, version, digits] = /^HTTP\/1\.([01]) (\d{3})( |$)/.exec(first) ?? [];
      if (digits === undefined) throw new Error(`its answer is not of HTTP/1.1: ${first.slice(0, 100)}`);
      this.text = this.text.slice(length + 2 * BREAK.length);
      const status = Number(digits);
      if (status < 200) continue; // it only announces the answer
      const headers = headersIn(lines);
      const options = (headers.connection ?? "").toLowerCase();
      const end = this.endOf(status, headers);
      this.keepsOpen =
        end !== "connection" &&
        (version === "1" ? !/\bclose\b/.test(options) : /\bkeep-alive\b/.test(options));
      return { status, headers, end };
    }
  }

  private endOf(status: number, headers: Readonly<Record<string, string>>): BodyEnd {
    if (this.method === "HEAD" || status === 204 || status === 304) return 0;
    const { "transfer-encoding": encoding, "content-length": length } = headers;
    if (encoding !== undefined) return /\bchunked$/i.test(encoding) ? "empty chunk" : "connection";
    if (length === undefined) return "connection";
    if (!/^\d+$/.test(length)) throw new Error(`its answer has the content-length ${length}`);
    return Number(length);
  }

  /** Reads the chunks that are there. Returns whether the last was among them. */
  private readChunks(): boolean {
    for (;;) {
      const line = this.text.indexOf(BREAK);
      if (line < 0) return false;
      const [, digits] = /^([\da-f]+)\s*(;|$)/i.exec(this.text.slice(0, line)) ?? [];
      if (digits === undefined) throw new Error("its answer has a chunk without a length");
      const size = Number.parseInt(digits, 16);
      const from = line + BREAK.length;
      if (size === 0) {
        // headers may follow, and then an empty line
        const trailer = this.text.startsWith(BREAK, from) ? from : this.text.indexOf(BREAK + BREAK, from);
        if (trailer < 0) return false;
        this.text = this.text.slice(trailer + (trailer === from ? 1 : 2) * BREAK.length);
        return true;
      }
      if (this.text.length < from + size + BREAK.length) return false;
      this.body += this.text.slice(from, from + size);
      this.text = this.text.slice(from + size + BREAK.length);
    }
  }
}

function headersIn(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value = ""] = /^([^\s:]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`its answer has a header without a name: ${line.slice(0, 100)}`);
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
}
