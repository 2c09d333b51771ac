import { ConnectionLost } from "../../core/network/connection-lost.ts";
import { neededModule } from "./http-client.ts";

/** The functions of Node's `http` that are used. */
interface Http {
  createServer(listener: (asked: IncomingMessage, answer: Answering) => void): Server;
}

interface Server {
  keepAliveTimeout: number;
  listen(port: number, host: string, ready: () => void): void;
  once(event: "error", hear: (error: Error) => void): void;
  on(event: "connection", hear: (socket: { unref(): void }) => void): void;
  address(): { readonly port: number };
  unref(): void;
}

interface IncomingMessage extends AsyncIterable<Uint8Array> {
  readonly method?: string;
  readonly url?: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

interface Answering {
  readonly destroyed: boolean;
  writeHead(status: number, headers: Readonly<Record<string, string>>): void;
  end(body: string): void;
  destroy(): void;
}

/** Answers a request of an explored server. */
export type Answerer = (request: Request) => Promise<Response>;

/**
 * An address that an explored server asks: of the REST API, or of one of its dependencies. It is the same in all worlds. A request between two worlds, or one
 * still open at the end of its world, gets no answer: its connection is closed.
 */
export class WorldAddress {
  private answerer: Answerer | undefined;
  private readonly open = new Set<Answering>();
  private url: Promise<string> | undefined;

  /** Begins a world. @returns the address @throws {InputError} if this is not Node; the error if it cannot listen */
  async begin(answerer: Answerer): Promise<string> {
    this.url ??= this.listen();
    const url = await this.url;
    this.answerer = answerer;
    return url;
  }

  /** Ends the world. */
  end(): void {
    this.answerer = undefined;
    for (const answering of this.open) answering.destroy();
    this.open.clear();
  }

  private listen(): Promise<string> {
    const server = neededModule<Http>("node:http").createServer((asked, answering) => {
      void this.answer(asked, answering);
    });
    // a server may send something at the moment at which a connection of its own is closed
    server.keepAliveTimeout = 0;
    // it must not keep the process alive
    server.on("connection", (socket) => socket.unref());
    server.unref();
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`));
    });
  }

  private async answer(asked: IncomingMessage, answering: Answering): Promise<void> {
    const { answerer } = this;
    if (answerer === undefined) return answering.destroy();
    this.open.add(answering);
    const answered = await writeAnswer(answerer, asked);
    // the world may be over by now
    if (!this.open.delete(answering)) return;
    if (answered === undefined) return answering.destroy();
    answering.writeHead(answered.status, answered.headers);
    answering.end(answered.body);
  }
}

/** The answer, or an error as an answer; undefined if it is lost. */
async function writeAnswer(answerer: Answerer, asked: IncomingMessage) {
  try {
    const answer = await answerer(await readRequest(asked));
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  } catch (error) {
    if (error instanceof ConnectionLost) return undefined;
    return { status: 500, headers: {}, body: String(error) };
  }
}

async function readRequest(asked: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers: given } = asked;
  const headers = new Headers();
  for (const [name, values] of Object.entries(given))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  const body = await readBody(asked);
  return new Request(new URL(url, "http://127.0.0.1"), {
    method,
    headers,
    ...(body === "" ? {} : { body }),
  });
}

async function readBody(asked: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder();
  let body = "";
  for await (const chunk of asked) body += decoder.decode(chunk, { stream: true });
  return body + decoder.decode();
}
