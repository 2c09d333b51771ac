import { InputError } from "../../core/foundation/errors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { realTimeMs } from "../../findings/real-time.ts";
import { ofNobody } from "../sandbox/asking.ts";
import { runAsQuestion } from "../sandbox/world-context.ts";

/** The functions of Node's `http` and `https` that are used. */
type Http = Pick<typeof import("node:http"), "Agent" | "request">;
type Agent = import("node:http").Agent;
type ClientRequest = import("node:http").ClientRequest;

/** A request to a server. */
export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly body: string;
}

/** The complete answer of a server. */
export interface HttpAnswer {
  readonly status: number;
  /** By name in lower case. Several values of a name are joined by commas. */
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** An idle connection is closed after this time, ms. It must be less than in servers, or one may close while it is used. */
const IDLE_MS = 1_000;

/** The error of a request that is aborted because its world is over. */
export const OVER = "the world is over";

/** Sends requests to one server over connections that stay open. */
export class HttpClient {
  private readonly http: Http;
  private readonly agent: Agent;
  /** The requests without an answer. */
  private readonly open = new Set<ClientRequest>();
  /** Since when each connection is idle, as `realTimeMs` counts. */
  private readonly idleSince = new WeakMap<object, number>();

  /** @throws {InputError} if this is not Node */
  constructor(private readonly base: string) {
    this.http = neededModule<Http>(new URL(base).protocol === "https:" ? "node:https" : "node:http");
    this.agent = new this.http.Agent({ keepAlive: true, timeout: IDLE_MS });
    this.agent.on("free", (socket: object) => this.idleSince.set(socket, realTimeMs()));
  }

  /** Sends a request. @throws the error of the connection, or a `TypeError` for an invalid header */
  send(path: string, { method, headers, body }: Sent): Promise<HttpAnswer> {
    this.closeIdle();
    const { pathname, search } = new URL(path, this.base);
    const length =
      body === "" && (method === "GET" || method === "HEAD")
        ? {}
        : { "content-length": Buffer.byteLength(body) };
    const options = {
      agent: this.agent,
      path: `${pathname}${search}`,
      method,
      headers: { ...headers, ...length },
    };
    return new Promise((resolve, reject) => {
      const answered = (response: import("node:http").IncomingMessage) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", () => reject(new Error("the connection broke in the middle of an answer")));
        response.on("end", () => {
          const { statusCode = 0, headersDistinct } = response;
          resolve({ status: statusCode, headers: joined(headersDistinct), body: text });
        });
      };
      // it is the explorer that asks, though within the app's work: no restart comes before it
      const request = runAsQuestion(ofNobody, () => this.http.request(this.base, options, answered));
      this.open.add(request);
      request.on("close", () => this.open.delete(request));
      request.on("error", (error) => reject(withReason(error)));
      request.end(body);
    });
  }

  /** Closes the connections that are idle for too long: after a pause of the process, their timers are still to come. */
  private closeIdle(): void {
    const nowMs = realTimeMs();
    for (const socket of Object.values(this.agent.freeSockets).flatMap((sockets = []) => sockets))
      if (nowMs - (this.idleSince.get(socket) ?? nowMs) > IDLE_MS) socket.destroy();
  }

  /** Aborts every request without an answer. */
  abort(why = OVER): void {
    for (const request of this.open) request.destroy(new Error(why));
    this.open.clear();
  }

  /** The same, and closes every connection. */
  disconnect(): void {
    this.abort("the server restarts");
    this.agent.destroy();
  }
}

/** Replaces Node's "Parse Error" by its reason. */
function withReason(error: Error & { readonly code?: string; readonly reason?: string }): Error {
  const isUnparsed = error.code?.startsWith("HPE_") === true;
  return isUnparsed ? new Error(`its answer is not valid HTTP: ${error.reason}`) : error;
}

function joined(headers: NodeJS.Dict<string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values = []]) => [name, values.join(", ")]));
}

/** Returns a module of Node. @throws {InputError} if this is not Node: in browsers the rest of the explorer works */
export function neededModule<T>(name: string): T {
  const found = nodeModule<T>(name);
  if (found === undefined) throw new InputError(["app"], "a running server can be explored only on Node");
  return found;
}
