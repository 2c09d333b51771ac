import { once } from "node:events";
import {
  Agent,
  type ClientRequest,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { urlToHttpOptions } from "node:url";
import { pairsOf } from "../capture/record/capture-to.ts";
import type { CaptureFile, OutcomeWriter } from "./capture-file.ts";

/** Options of `recordingProxy`. */
export interface RecordingOptions {
  /** Where requests go. With a path, all go there; without, each keeps its own. */
  readonly forward: URL;
  /** The port to listen at; default: any free one. */
  readonly port?: number | undefined;
  /** The address to listen at; default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Keeps each request as soon as it has arrived, and later its outcome. */
  readonly file: Pick<CaptureFile, "append">;
  /** Called for each request once its answer is over, without its content. */
  onRequest?(request: {
    readonly method: string;
    readonly path: string;
    readonly status: number | undefined;
    readonly responseMs: number;
    readonly problem: string | undefined;
  }): void;
}

/** A running proxy. */
export interface RecordingProxy {
  readonly url: string;
  /** Takes no new requests, waits for the open ones, at most `withinMs`, and stops. */
  close(withinMs: number): Promise<void>;
}

/** Headers of one connection, which a proxy does not pass on. */
const connectionHeaders = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Stands in front of an app: passes each request on as it is, answers what the app answers, and keeps both. If the
 * app cannot be reached, it answers 502.
 * @throws {Error} what listening fails with
 */
export async function recordingProxy(options: RecordingOptions): Promise<RecordingProxy> {
  const { port = 0, host = "127.0.0.1" } = options;
  const open = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const { isOver } = new Exchange(request, response, options);
    open.add(isOver);
    void isOver.then(() => open.delete(isOver));
  });
  // the sender closes idle connections: after a pause of this process, one of them may have just been used again
  server.keepAliveTimeout = 0;
  server.listen(port, host);
  await once(server, "listening");
  const { address, family, port: bound } = server.address() as AddressInfo;
  const name = family === "IPv6" ? `[${address}]` : address;
  return { url: `http://${name}:${bound}`, close: (withinMs) => closeServer(server, open, withinMs) };
}

async function closeServer(
  server: Server,
  open: ReadonlySet<Promise<void>>,
  withinMs: number,
): Promise<void> {
  const over = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), withinMs);
  await over;
  clearTimeout(timer);
  // a connection may close before its request is kept
  await Promise.all(open);
}

/** One request and its answer. */
class Exchange {
  private readonly receivedMs = Date.now();
  private readonly chunks: Buffer[] = [];
  private readonly forwarded: ClientRequest;
  /** Settles once the request was kept. */
  readonly isOver: Promise<void>;
  private problem: string | undefined;
  private keepOutcome: OutcomeWriter | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly options: RecordingOptions,
  ) {
    const { forward } = options;
    const isSecure = forward.protocol === "https:";
    this.forwarded = (isSecure ? httpsRequest : httpRequest)({
      ...urlToHttpOptions(forward),
      method: request.method,
      path: pathAt(forward, request.url ?? "/"),
      headers: ["Host", forward.host, ...forwardedHeaders(request.rawHeaders)],
      // connections are not kept: one that the app has just closed would fail
      agent: isSecure ? new HttpsAgent() : new Agent(),
    });
    this.forwarded.on("response", (answer) => this.answer(answer));
    this.forwarded.on("error", (error) => this.failUnreachable(error));
    request.on("data", (chunk: Buffer) => this.chunks.push(chunk));
    request.on("end", () => this.keepRequest());
    request.on("error", () => {}); // handled by `close` of the response
    request.pipe(this.forwarded);
    response.on("error", (error) => {
      this.problem ??= `the answer could not be passed on: ${reasonOf(error)}`;
    });
    this.isOver = new Promise((resolve) => {
      response.on("close", () => {
        this.finish();
        resolve();
      });
    });
  }

  private answer(answer: IncomingMessage): void {
    const { statusCode = 502, statusMessage, rawHeaders } = answer;
    this.response.writeHead(statusCode, statusMessage, forwardedHeaders(rawHeaders));
    this.response.flushHeaders();
    answer.on("error", (error) => this.failAnswer(error));
    answer.pipe(this.response);
  }

  private failUnreachable(error: Error): void {
    if (this.response.headersSent) {
      // the app answered before it had read everything
      this.request.resume();
      return;
    }
    this.problem = `the app could not be reached: ${reasonOf(error)}`;
    this.request.resume();
    if (this.response.destroyed) return;
    this.response.writeHead(502, { "content-type": "text/plain" });
    this.response.end(`${this.problem}\n`);
  }

  private failAnswer(error: Error): void {
    this.problem = `the app stopped in the middle of its answer: ${reasonOf(error)}`;
    this.response.destroy();
  }

  /** Keeps the request, once. */
  private keepRequest(): OutcomeWriter {
    const { method = "GET", url: path = "/", rawHeaders } = this.request;
    this.keepOutcome ??= this.options.file.append({
      receivedMs: this.receivedMs,
      method,
      path,
      headers: pairsOf(rawHeaders),
      body: Buffer.concat(this.chunks),
    });
    return this.keepOutcome;
  }

  private finish(): void {
    const { method = "GET", url: path = "/", complete } = this.request;
    const { headersSent, statusCode } = this.response;
    const status = headersSent ? statusCode : undefined;
    const responseMs = Date.now() - this.receivedMs;
    this.forwarded.destroy();
    const problem = this.problem ?? (complete ? undefined : "the sender stopped before its request was over");
    this.keepRequest()({ status, responseMs: status === undefined ? undefined : responseMs, problem });
    this.options.onRequest?.({ method, path: path.split("?")[0] ?? "/", status, responseMs, problem });
  }
}

/** The path that the app is asked for: its own if it has one, else the request's, byte for byte. */
function pathAt({ pathname, search }: URL, requested: string): string {
  if (pathname === "/" && search === "") return requested;
  const query = requested.indexOf("?");
  return `${pathname}${query < 0 ? search : requested.slice(query)}`;
}

/** The raw headers that are passed on, with names and values as they were sent. `Host` is written anew. */
function forwardedHeaders(rawHeaders: readonly string[]): string[] {
  const pairs = pairsOf(rawHeaders);
  const connectionOptions = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((each) => each.trim().toLowerCase()));
  const left = new Set([...connectionHeaders, ...connectionOptions, "host"]);
  return pairs.filter(([name]) => !left.has(name.toLowerCase())).flat();
}

function reasonOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code ?? error.message;
}
