import { getResponse, type HttpHandler, HttpResponse, http, type RequestHandler } from "msw";
import type { Simulator } from "../../core/simulator/simulator.ts";

/**
 * Makes a request handler behind which a service of your app may fail where a scenario is played for an app, as with `sim.dependency`: for
 * apps with a global `fetch`, Axios or `node:http`. It must come first. Elsewhere the other handlers answer as they do without it.
 * @param simulator the simulator of the world
 * @param name the service's name in reports and scenarios: one word
 * @param url which requests go to it, such as `https://api.crm.example/*`
 * @param handlers what answers for it. Requests that none of them answers fail, and never reach the real network
 * @throws {InputError} if the name is not one word
 * @example
 * import { http, HttpResponse } from "msw";
 * import { setupServer } from "msw/node";
 * import { dependency } from "ringback/msw";
 *
 * const handlers = [http.get("https://api.crm.example/people", () => HttpResponse.json([]))];
 * const server = setupServer(dependency(sim, "crm", "https://api.crm.example/*", handlers), ...handlers);
 * server.listen();
 * (await fetch("https://api.crm.example/people")).status; // => 200
 * server.close();
 */
export function dependency(
  simulator: Pick<Simulator, "dependency">,
  name: string,
  url: string,
  handlers: readonly RequestHandler[],
): HttpHandler {
  const asked = new WeakMap<RequestInit, Request>();
  const answer = async (_url: string, init: RequestInit): Promise<Response> => {
    const request = asked.get(init);
    return (request && (await getResponse([...handlers], request))) ?? HttpResponse.error();
  };
  const client = simulator.dependency(name, answer);
  return http.all(url, async ({ request }) => {
    const init = { method: request.method, signal: request.signal };
    asked.set(init, request.clone());
    try {
      return await client(request.url, init);
    } catch {
      return HttpResponse.error();
    }
  });
}
