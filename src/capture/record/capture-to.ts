/** The longest body that is kept, bytes. A longer one would make a line that `readCapture` refuses. */
const MAX_BODY_BYTES = 32 << 20;

/** Receives each line of a capture, with its line break. The result is not awaited. */
export type CaptureWriter = (line: string) => unknown;

/** A request as it arrived at the app. */
export interface ArrivedRequest {
  /** Milliseconds since the Unix epoch. */
  readonly receivedMs: number;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** In the order and spelling in which they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** How the app answered a request. */
export interface AppAnswerLine {
  /** Undefined if nothing was answered. */
  readonly status: number | undefined;
  /** Undefined if nothing was answered. */
  readonly responseMs: number | undefined;
  /** What went wrong; undefined if nothing did. */
  readonly problem?: string | undefined;
}

/** A request as one line of a capture. */
export function captureLine(request: ArrivedRequest & AppAnswerLine): string {
  return `${JSON.stringify({ ...captureRow(request), ...noteAppAnswer(request, request) })}\n`;
}

/** The part of a line that is known when the request arrives. */
export function captureRow({ receivedMs, method, path, headers, body }: ArrivedRequest) {
  const isTooLong = body.length > MAX_BODY_BYTES;
  return {
    receivedAt: new Date(receivedMs).toISOString(),
    method,
    path,
    headers: joinHeaders(headers),
    ...encodeBody(isTooLong ? new Uint8Array() : body),
    ...(isTooLong ? { problem: `the body of ${body.length} bytes was not kept` } : {}),
  };
}

/** The part of a line that is known once the request is answered. A body that was too long keeps its problem. */
export function noteAppAnswer(
  { body }: ArrivedRequest,
  { status, responseMs, problem }: AppAnswerLine,
): Partial<AppAnswerLine> {
  return { status, responseMs, ...(body.length > MAX_BODY_BYTES ? {} : { problem }) };
}

/** Headers as an object. Values of the same name are joined with commas, as apps see them. */
function joinHeaders(headers: ArrivedRequest["headers"]): Readonly<Record<string, string>> {
  const values = new Map<string, { readonly name: string; readonly all: string[] }>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const known = values.get(key);
    if (known === undefined) values.set(key, { name, all: [value] });
    else known.all.push(value);
  }
  return Object.fromEntries([...values.values()].map(({ name, all }) => [name, all.join(", ")]));
}

/** Text unchanged, other bytes as base64, so that the signature can be verified. */
function encodeBody(body: Uint8Array): { readonly body: string; readonly encoding?: "base64" } {
  try {
    return { body: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body) };
  } catch {
    let binary = "";
    for (let at = 0; at < body.length; at += 8_192)
      binary += String.fromCharCode(...body.subarray(at, at + 8_192));
    return { body: btoa(binary), encoding: "base64" };
  }
}

/**
 * Records what a fetch-style handler receives and answers, as lines that `readCapture` and `ringback import` read. Requests and
 * answers pass through unchanged. Lines contain names, numbers and signatures: write them where only you can read them.
 * @param write receives each line. If it fails, a warning is printed and the handler goes on.
 * @returns a function that wraps a handler and passes on further arguments, such as the environment of a worker
 * @example
 * import { appendFileSync } from "node:fs";
 * const keep = captureTo((line) => appendFileSync("monday.jsonl", line, { mode: 0o600 }));
 * const fetch = keep((request) => new Response(`you asked for ${request.url}`));
 */
export function captureTo(write: CaptureWriter) {
  const writeLine = warnOnFailure(write);
  return <Rest extends unknown[]>(
    handler: (request: Request, ...rest: Rest) => Response | Promise<Response>,
  ): ((request: Request, ...rest: Rest) => Promise<Response>) =>
    async (request, ...rest) => {
      const receivedMs = Date.now();
      const { method, url, headers } = request;
      const { pathname, search } = new URL(url);
      const body = readBytes(request);
      const finish = async (status: number | undefined) => {
        const responseMs = status === undefined ? undefined : Date.now() - receivedMs;
        const arrived = { receivedMs, method, path: `${pathname}${search}`, headers: [...headers] };
        writeLine(captureLine({ ...arrived, ...(await body), status, responseMs }));
      };
      try {
        const response = await handler(request, ...rest);
        void finish(response.status);
        return response;
      } catch (error) {
        void finish(undefined);
        throw error;
      }
    };
}

async function readBytes(
  request: Request,
): Promise<{ readonly body: Uint8Array; readonly problem?: string }> {
  try {
    return { body: new Uint8Array(await request.clone().arrayBuffer()) };
  } catch (error) {
    return { body: new Uint8Array(), problem: `the body could not be read: ${messageOf(error)}` };
  }
}

/** The members of Node's `http.IncomingMessage` that the middleware uses. */
interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly readableLength: number;
  readonly readableDidRead: boolean;
  read(): unknown;
  unshift(chunk: unknown): void;
  push(chunk: unknown, encoding?: never): boolean;
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/** The members of Node's `http.ServerResponse` that the middleware uses. */
interface NodeResponse {
  readonly statusCode: number;
  once(event: "finish" | "close", listener: () => void): unknown;
}

/**
 * Like `captureTo`, as middleware for Express or anything else on Node's `http`. Put it before body parsers: a body that was
 * parsed earlier is written as JSON anew, and its signature can no longer be verified.
 * @param write receives each line. If it fails, a warning is printed and the app goes on.
 * @example
 * import { appendFileSync } from "node:fs";
 * import express from "express";
 * const app = express();
 * app.use(captureMiddleware((line) => appendFileSync("monday.jsonl", line, { mode: 0o600 })));
 * app.use(express.json());
 */
export function captureMiddleware(write: CaptureWriter) {
  const writeLine = warnOnFailure(write);
  return (request: NodeRequest, response: NodeResponse, next: () => void): void => {
    const receivedMs = Date.now();
    const chunks = collectChunks(request);
    let responseMs: number | undefined;
    response.once("finish", () => {
      responseMs = Date.now() - receivedMs;
    });
    response.once("close", () => {
      const { method = "GET", rawHeaders } = request;
      const path = request.originalUrl ?? request.url ?? "/";
      const status = responseMs === undefined ? undefined : response.statusCode;
      const body = chunks.length > 0 ? concatenate(chunks) : earlierBody(request);
      writeLine(
        captureLine({ receivedMs, method, path, headers: pairsOf(rawHeaders), ...body, status, responseMs }),
      );
    });
    next();
  };
}

/** Node's raw headers, which alternate names and values, as pairs. */
export function pairsOf(rawHeaders: readonly string[]): [name: string, value: string][] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""] satisfies [string, string]] : [],
  );
}

/** Collects the chunks of a body, whoever reads it, even if nobody does. */
function collectChunks(request: NodeRequest): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  const collect = (chunk: unknown) => {
    if (chunk instanceof Uint8Array) chunks.push(chunk);
  };
  if (request.readableLength > 0 && !request.readableDidRead) {
    const early = request.read();
    collect(early);
    request.unshift(early);
  }
  const push = request.push.bind(request);
  request.push = (chunk, encoding) => {
    collect(chunk);
    return push(chunk, encoding);
  };
  return chunks;
}

function concatenate(chunks: readonly Uint8Array[]): { readonly body: Uint8Array } {
  const body = new Uint8Array(chunks.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return { body };
}

/** The body that an earlier middleware has read. */
function earlierBody({ body, rawBody }: NodeRequest): {
  readonly body: Uint8Array;
  readonly problem?: string;
} {
  const raw = rawBody ?? body;
  if (raw instanceof Uint8Array) return { body: raw };
  const encoder = new TextEncoder();
  if (typeof raw === "string") return { body: encoder.encode(raw) };
  if (raw === undefined || raw === null) return { body: new Uint8Array() };
  return {
    body: encoder.encode(JSON.stringify(raw)),
    problem: "the body was parsed before it was kept, so its signature cannot be verified",
  };
}

/** Wraps a writer so that the first failure in a row prints a warning. */
function warnOnFailure(write: CaptureWriter): (line: string) => void {
  let isFailing = false;
  const failed = (error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: the app must go on, and nothing else reports that its capture has gaps
    if (!isFailing) console.warn(`ringback: a request was not kept: ${messageOf(error)}`);
    isFailing = true;
  };
  const succeeded = () => {
    isFailing = false;
  };
  return (line) => {
    try {
      const written = write(line);
      if (written instanceof Promise) written.then(succeeded, failed);
      else succeeded();
    } catch (error) {
      failed(error);
    }
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
