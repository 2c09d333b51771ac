import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A request that a receiver got. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A status, a status with a body, `hang` for no answer, or `reset` for a closed connection. */
type Answer =
  | number
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  | "hang"
  | "reset";

/**
 * Starts a webhook receiver at a free port of this machine, until the test is over.
 * @param answer is given each request
 */
export async function receiving(answer: (request: ReceivedRequest) => Answer) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (asked, response) => {
    const request = { headers: asked.headers, body: await text(asked) };
    requests.push(request);
    const given = answer(request);
    if (given === "hang") return;
    if (given === "reset") {
      asked.socket.destroy();
      return;
    }
    const { status, body = "", headers = {} } = typeof given === "number" ? { status: given } : given;
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, requests };
}
