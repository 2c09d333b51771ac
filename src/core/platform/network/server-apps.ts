/**
 * What to do about an app of a server library that is given in place of a handler; undefined for anything else. Such apps
 * take Node's requests and responses, so as handlers they would fail, or never answer.
 */
export function serverAppProblem(given: unknown): string | undefined {
  if (given === null || (typeof given !== "object" && typeof given !== "function")) return undefined;
  const has = (...names: readonly string[]) =>
    names.every((name) => typeof (given as Record<string, unknown>)[name] === "function");
  if (has("fetch")) return "got an app that has fetch: give fromFetch((request) => app.fetch(request))";
  if (has("inject", "listen"))
    return "got a Fastify app: give a function that returns what app.inject answers, as the guide to an app that receives webhooks shows";
  const what = kindOf(has);
  return (
    what &&
    `got ${what}, which takes the requests of a server: let it listen, and give fromFetch((request) => fetch(new Request("http://127.0.0.1:<its port>" + new URL(request.url).pathname, request)))`
  );
}

function kindOf(has: (...names: readonly string[]) => boolean): string | undefined {
  if (has("use", "handle")) return "an Express app";
  if (has("use", "callback")) return "a Koa app";
  return has("listen") ? "a server" : undefined;
}
