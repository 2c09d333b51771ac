import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Access } from "./access.ts";
import { ControlError } from "./errors.ts";

/** A page, and what its server does for it. */
export interface AppPage {
  readonly html: string;
  /** Answers a question of the page. @throws what is wrong with the question, or with the app */
  answer(question: unknown): Promise<unknown>;
}

/** The path to which the page sends its questions. */
export const ASK_PATH = "/_app";

/** Serves a page to browsers of this machine. @throws {Error} what listening fails with */
export async function serveAppPage(
  page: AppPage,
  port = 0,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const access = new Access({ hosts: [], cors: [], publicUrl: undefined, token: undefined });
  const server = createServer((request, response) => {
    void answerPage(page, access, request).then(
      ({ status, type, body }) => response.writeHead(status, { "content-type": type }).end(body),
      (error: Error) => refuse(response, error),
    );
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const json = "application/json";

async function answerPage(page: AppPage, access: Access, incoming: IncomingMessage) {
  const { method = "GET", url = "/" } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const request = new Request(new URL(url, `http://${incoming.headers.host ?? "127.0.0.1"}`), {
    method,
    headers,
  });
  access.mustNameThisServer(request, incoming.socket.localAddress);
  access.mustComeFromAllowedPage(request);
  if (url === "/" && method === "GET")
    return { status: 200, type: "text/html; charset=utf-8", body: page.html };
  if (url !== ASK_PATH || method !== "POST")
    throw new ControlError(404, "not_found", `there is nothing at ${method} ${url}`);
  access.mustBeAllowedToControl(request);
  let question = "";
  for await (const chunk of incoming.setEncoding("utf8")) question += chunk;
  const body = JSON.stringify(await page.answer(JSON.parse(question)));
  return { status: 200, type: json, body };
}

function refuse(response: ServerResponse, error: Error): void {
  const status = error instanceof ControlError ? error.status : 409;
  response.writeHead(status, { "content-type": json }).end(JSON.stringify({ message: error.message }));
}
