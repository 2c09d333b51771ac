import { asyncModule } from "../foundation/async-hooks.ts";
import { realNextTick as nextTick } from "../foundation/real-functions.ts";
import { keepWrapped } from "./call-before.ts";
import { onHttp } from "./http-channels.ts";
import { asksToLeaveHttp, beginsHttpRequest, HTTP_REQUEST } from "./http-requests.ts";
import { asksNothing } from "./postgres-messages.ts";
import { isOfWorld, mayAsk } from "./whose-code.ts";

/** The connections over which apps speak HTTP/1, by `node:http`, `fetch` or the package that it is made of. */

/** The parts of `net.Socket` that are used. */
export interface HttpConnection {
  readonly destroyed: boolean;
  /** The request of `node:http` that has the connection. Internal to Node. */
  readonly _httpMessage?: unknown;
  readonly _handle?: { asyncReset?(resource: object): void } | null;
  destroy(error?: Error): unknown;
  /** @returns whether anybody listens */
  emit(event: string): boolean;
  removeAllListeners(event: string): unknown;
}

/** Runs code as that which asked. */
interface Scope {
  runInAsyncScope(run: (...given: unknown[]) => unknown, receiver: unknown): unknown;
}

/** The connections that an app had which may ask nothing any more: what it still writes to them reaches nobody. */
const keptBack = new WeakSet<HttpConnection>();
/** The connections on which an HTTP request began: what else is written to them belongs to it. */
const ofHttp = new WeakSet<HttpConnection>();

/** Who made a request of undici: a client that others use too writes it later, when it has answered another. */
const scopes = new WeakMap<object, Scope>();
/** Who made the request that is written to a connection. */
const writers = new WeakMap<HttpConnection, Scope>();
/** The requests of undici that a connection has to answer. */
const unanswered = new WeakMap<HttpConnection, Set<object>>();
/** … and the other way round. */
const connections = new WeakMap<object, HttpConnection>();

/** Hears of the requests that code of a world makes by undici, from the making to the end of the answer. */
export interface RequestListener {
  began(request: object): void;
  ended(request: object): void;
}

/** Follows the requests of undici as long as somebody follows what apps do. */
export function followUndici(listener: RequestListener): void {
  let ends: (() => void)[] = [];
  const over = (request: object) => {
    const connection = connections.get(request);
    if (connection !== undefined) unanswered.get(connection)?.delete(request);
    listener.ended(request);
  };
  keepWrapped({
    wrap() {
      ends = [
        onHttp<object>("fetched", (request) => {
          if (!isOfWorld() || asyncModule === undefined) return;
          scopes.set(request, new asyncModule.AsyncResource("HttpRequest"));
          listener.began(request);
        }),
        onHttp<object>("written", (request, socket) => noteWritten(request, socket as HttpConnection)),
        onHttp<object>("completed", over),
        onHttp<object>("failed", over),
      ];
    },
    unwrap() {
      for (const end of ends.splice(0)) end();
    },
  });
}

function noteWritten(request: object, connection: HttpConnection): void {
  // one that did not come through is written to the next connection
  const before = connections.get(request);
  if (before !== undefined) unanswered.get(before)?.delete(request);
  connections.set(request, connection);
  const all = unanswered.get(connection) ?? new Set();
  unanswered.set(connection, all.add(request));
  const scope = scopes.get(request);
  if (scope === undefined) writers.delete(connection);
  else writers.set(connection, scope);
}

/**
 * Runs what is called before something is written to a connection, as the code that made the request. What the connection brings runs
 * as that from then on: a client that outlives a world would else write what waits for an answer for the world that opened it. Its timers
 * are real, unlike those of other clients.
 */
export function asWriter<R>(connection: HttpConnection, run: () => R): R {
  const writer = writers.get(connection);
  if (writer === undefined) return run();
  const { _handle: handle } = connection;
  const asThat = () => {
    handle?.asyncReset?.({ handle });
    return run();
  };
  return writer.runInAsyncScope(asThat, undefined) as R;
}

/**
 * Whether what an app writes reaches nobody, since it ends before it asks that.
 * @param noteRequest called if it begins a request of HTTP
 */
export function isKeptBack(connection: HttpConnection, chunk: unknown, noteRequest: () => void): boolean {
  if (keptBack.has(connection)) return true;
  if (!isOfWorld() || asksNothing(chunk)) return false;
  if (!beginsHttpRequest(chunk)) {
    if (!ofHttp.has(connection)) mayAsk("a connection", "other");
    return false;
  }
  if (asksToLeaveHttp(chunk)) ofHttp.delete(connection);
  else ofHttp.add(connection);
  noteRequest();
  if (mayAsk(HTTP_REQUEST, "place")) return false;
  keptBack.add(connection);
  nextTick?.(() => leave(connection));
  return true;
}

/** Whether what is written to a connection belongs to a request of HTTP. */
export function isOfHttp(connection: HttpConnection): boolean {
  return ofHttp.has(connection);
}

/** Whether a request has the connection, whose answer has not come or has not been read. */
export function hasRequest(connection: HttpConnection): boolean {
  if (connection.destroyed || !ofHttp.has(connection)) return false;
  return connection._httpMessage != null || (unanswered.get(connection)?.size ?? 0) > 0;
}

/** A request of `node:http` that is written. */
interface Written {
  readonly writableEnded?: boolean;
  getHeader?(name: string): unknown;
}

/** Whether an app has not ended the request that it writes, so that nobody answers yet, unless it asks whether to go on. */
export function isUnended({ _httpMessage }: HttpConnection): boolean {
  const request = _httpMessage as Written | null | undefined;
  return request?.writableEnded === false && request.getHeader?.("expect") === undefined;
}

/** What clients hear of a connection that is closed since the app ended that had it. */
const appEnded = new Error("the app has ended");

/** Whether something is thrown since the app has ended that asked. */
export function isOfEndedRequest(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) if (error === appEnded) return true;
  return false;
}

/** Frees the place of a connection in what may outlive the app, such as an `http.Agent`. A request by `node:http` does not hear of it. */
export function leave(connection: HttpConnection): void {
  const isOfNodeHttp = connection.emit("agentRemove") || connection._httpMessage != null;
  if (isOfNodeHttp) connection.removeAllListeners("close");
  connection.destroy(isOfNodeHttp ? undefined : appEnded);
}
