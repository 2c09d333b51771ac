/** `ringback/msw`: the platform's REST API for MSW's `setupServer` and `setupWorker`. */
import { type HttpHandler, http } from "msw";
import type { Simulator } from "../simulator.ts";

/** What handlers need: a simulator, or the time that it shares with an app. */
export type Answering = Pick<Simulator, "fetch" | "urls">;

/**
 * Request handlers that have a simulator answer whatever goes to its REST API, its token endpoint and its redirect handler:
 * `setupServer(...handlers(sim))`. No time passes by a request, and no port is opened.
 */
export function handlers({ fetch, urls }: Answering): HttpHandler[] {
  return Object.values(urls).map((origin) => http.all(`${origin}/*`, ({ request }) => fetch(request)));
}
