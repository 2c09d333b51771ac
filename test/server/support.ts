import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { createSimulator, type SimulatorOptions } from "../../src/index.ts";
import { type ServeOptions, serve } from "../../src/server/index.ts";

/** Serves a simulator for as long as a test runs. It uses only the loopback network. */
export async function served(options: SimulatorOptions = {}, how: ServeOptions = {}) {
  const sim = createSimulator({ ids: "counter", allowLocal: true, ...options });
  const server = await serve(sim, how);
  onTestFinished(() => server.close());
  return { sim, server, url: server.url, control: controlOf(server.url) };
}

interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what any JSON is
  readonly body: any;
}

/** The control plane as a test in another language uses it, by requests with JSON. */
export function controlOf(url: string) {
  const answered = async (response: Response): Promise<Answered> => ({
    status: response.status,
    body: await response.json(),
  });
  return {
    get: async (path: string) => answered(await fetch(`${url}/_sim/${path}`)),
    post: async (path: string, body?: unknown) =>
      answered(
        await fetch(`${url}/_sim/${path}`, {
          method: "POST",
          ...(body === undefined
            ? {}
            : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
        }),
      ),
  };
}

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An endpoint of a consumer, on its own port. */
export async function receiver(
  answer: (received: Received) => number | undefined | Promise<number | undefined> = () => 200,
  /** Writes the answer itself. */
  write?: (response: ServerResponse) => void,
) {
  const received: Received[] = [];
  const { url, close } = await listening(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const each = { method, path: url, headers, body: await text(request) };
    received.push(each);
    if (write !== undefined) {
      write(response);
      return;
    }
    const status = await answer(each);
    // undefined: it never answers
    if (status !== undefined) response.writeHead(status).end();
  });
  return { url: `${url}/hooks`, received, close };
}

/** A server on a port of its own, for as long as a test runs. */
export async function listening(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  // else a pause of the machine makes it close a connection on which a client has just sent something
  server.keepAliveTimeout = 0;
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(async () => void (await close()));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server, close };
}

/** A port at which nobody listens, nor can for as long as a test runs: the end of a connection occupies it. */
export async function unusedPort(): Promise<number> {
  const { url, close } = await listening(() => {});
  const occupying = connect(Number(new URL(url).port), "127.0.0.1");
  await once(occupying, "connect");
  onTestFinished(async () => {
    occupying.destroy();
    await close();
  });
  return occupying.localPort as number;
}

/** A stream of server-sent events, one after another. */
export async function streamOf(url: string, headers: Record<string, string> = {}) {
  const aborting = new AbortController();
  const response = await fetch(url, { headers, signal: aborting.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  /** Its fields by name; undefined at the end of the stream. */
  const next = async (): Promise<Record<string, string> | undefined> => {
    for (;;) {
      const end = buffer.indexOf("\n\n");
      if (end >= 0) {
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (block.startsWith(":")) continue;
        return Object.fromEntries(
          block.split("\n").map((line) => {
            const [, name = "", value = ""] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? [];
            return [name, value];
          }),
        );
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      buffer += decoder.decode(value, { stream: true });
    }
  };
  return { response, next, end: () => aborting.abort() };
}
