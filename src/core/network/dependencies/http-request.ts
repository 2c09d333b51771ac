/** A request over HTTP that a call makes. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
}

const methods: ReadonlySet<string> = new Set(["get", "head", "options", "post", "put", "patch", "delete"]);

/**
 * The request that a call makes, if its arguments show one: `fetch(url, init)`, `axios.post(url)`, `axios({ method, url })`, or
 * `client.post("/activities")` of a client with an address of its own.
 * @param name the name of the called method; empty for a function
 */
export function readHttpRequest(name: string, [input, init]: readonly unknown[]): HttpRequest | undefined {
  const verb = methods.has(name.toLowerCase()) ? name : undefined;
  const given = fieldsOf(input);
  const url = urlOf(typeof input === "object" && !(input instanceof URL) ? given.url : input);
  const path =
    url === undefined ? undefined : readPath(url, verb !== undefined || given.method !== undefined);
  if (path === undefined) return undefined;
  const method = verb ?? textOf(fieldsOf(init).method) ?? textOf(given.method) ?? "GET";
  return { method: method.toUpperCase(), path };
}

/** Whether HTTP says that a request changes nothing. */
export function isSafeRequest({ method }: HttpRequest): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

/** The signal with which the app may give up a request. */
export function signalOf([input, init]: readonly unknown[]): AbortSignal | undefined {
  const signal = fieldsOf(init).signal ?? fieldsOf(input).signal;
  return signal instanceof AbortSignal ? signal : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function urlOf(value: unknown): string | undefined {
  return value instanceof URL ? value.href : textOf(value);
}

/** @param mayBePath whether the call itself says that it is a request, so that a path alone will do */
function readPath(url: string, mayBePath: boolean): string | undefined {
  if (/^https?:\/\//.test(url)) return URL.canParse(url) ? new URL(url).pathname : undefined;
  return mayBePath && url.startsWith("/") ? url.replace(/[?#].*$/, "") : undefined;
}
