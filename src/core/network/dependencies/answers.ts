/** How long a 429 says to wait, s. */
const RETRY_AFTER_S = "30";

const read = [
  "status",
  "statusText",
  "headers",
  "body",
  "text",
  "json",
  "arrayBuffer",
  "blob",
  "bytes",
] as const;

/**
 * An answer of a dependency that does nothing.
 * @param noticed is called when the app reads more of it than whether it is ok: to others, 503 and 429 are the same
 */
export function refusingAnswer(status: "503" | "429", noticed: () => void): Response {
  const headers: Record<string, string> = status === "429" ? { "retry-after": RETRY_AFTER_S } : {};
  const response = new Response("", { status: Number(status), headers });
  for (const name of [...read, "formData", "clone"] as const)
    Object.defineProperty(response, name, {
      get() {
        noticed();
        const value: unknown = Reflect.get(Response.prototype, name, response);
        return typeof value === "function" ? value.bind(response) : value;
      },
    });
  return response;
}

type Settling = "then" | "catch" | "finally";
const settling: ReadonlySet<unknown> = new Set<Settling>(["then", "catch", "finally"]);

/**
 * A promise that is made when somebody awaits it, and takes any other call before: a method may return one, or a query that is built by
 * further calls and runs when it is awaited.
 */
export function whenAwaited(make: () => Promise<never>): unknown {
  let made: Promise<never> | undefined;
  const builder: object = new Proxy(() => builder, {
    get(_, key) {
      if (!settling.has(key)) return typeof key === "symbol" ? undefined : builder;
      made ??= make();
      return made[key as Settling].bind(made);
    },
  });
  return builder;
}
