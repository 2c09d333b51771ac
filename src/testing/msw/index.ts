/** `ringback/msw`: the platform's REST API for MSW's `setupServer` and `setupWorker`. */
import { type HttpHandler, http } from "msw";

export { dependency } from "./dependency.ts";

import type { Simulator } from "../../core/simulator/simulator.ts";

/** A simulator, or the time that one shares with an app. */
export type Answering = Pick<Simulator, "fetch" | "urls">;

/**
 * Makes request handlers with which a simulator answers requests to its REST API, token endpoint and redirect
 * handler: `setupServer(...handlers(sim))`. A request takes no virtual time, and no port is opened.
 * @param simulator the simulator, or the time that it shares with an app
 * @example
 * import { setupServer } from "msw/node";
 * import { handlers } from "ringback/msw";
 *
 * const server = setupServer(...handlers(sim));
 * server.listen();
 * const headers = { authorization: `Bearer ${sim.token()}` };
 * (await fetch(`${sim.urls.api}/users`, { headers })).status; // => 200
 * server.close();
 */
export function handlers({ fetch, urls }: Answering): HttpHandler[] {
  return Object.values(urls).map((origin) => http.all(`${origin}/*`, ({ request }) => fetch(request)));
}
