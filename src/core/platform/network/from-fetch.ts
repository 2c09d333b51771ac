import { InputError } from "../../foundation/errors.ts";
import { mustHaveFetch } from "../../foundation/runtime-globals.ts";
import { show } from "../../foundation/show.ts";
import { watchAlso } from "../../network/header-reads.ts";
import type { EndpointHandler } from "./network-api.ts";
import { serverAppProblem } from "./server-apps.ts";

/**
 * Makes a handler of a function that answers a `Request`, such as the `fetch` of a Hono app or of a worker.
 * @param fetch since it returns a promise, time must be moved by the `Async` methods
 * @throws {InputError} if it is no function, or an app of a server library
 * @example
 * const app = async (request: Request) => new Response(null, { status: request.method === "POST" ? 204 : 405 });
 * sim.network.route("https://crm.test/", fromFetch(app));
 * sim.webhooks.create({ url: "https://crm.test/hooks", events: ["call.started"] });
 * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
 * await sim.advanceAsync("PT1S");
 * sim.network.requests[0]?.answer?.status; // => 204
 */
export function fromFetch(fetch: (request: Request) => Response | Promise<Response>): EndpointHandler {
  const problem = serverAppProblem(fetch);
  if (problem !== undefined || typeof fetch !== "function")
    throw new InputError(
      ["fromFetch"],
      `expected a function from a Request to a Response, ${problem ?? `got ${show(fetch)}`}`,
    );
  mustHaveFetch("fromFetch");
  return async ({ url, method, headers, body }) => {
    const request = new Request(url, {
      ...{ method, headers: { ...headers } },
      ...(method === "GET" ? {} : { body }),
    });
    watchAlso(request.headers, headers);
    return fetch(request);
  };
}
