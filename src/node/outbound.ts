import type { EndpointHandler, HandlerResult } from "../platform/network/network-api.ts";
import { stopwatch } from "./clock.ts";

/** Statuses that answers may have. */
const [MIN_STATUS, MAX_STATUS] = [100, 599];

/** The longest that timers wait; asked for more, they do not wait at all. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends the platform's requests to the real endpoints. Redirects are not followed: the platform does not either. An
 * endpoint that cannot be reached has refused; one that is silent for as long as the platform waits has timed out.
 * @param limitMs how long the platform waits, in real time
 * @param takesTime an answer takes as long on the virtual clock as it took in reality; else no time
 * @param closing ends what is on its way
 */
export function outbound(limitMs: number, takesTime: boolean, closing: AbortSignal): EndpointHandler {
  return async ({ url, method, headers, body }): Promise<HandlerResult> => {
    const elapsedMs = stopwatch();
    const after = () => (takesTime ? Math.round(elapsedMs()) : 0);
    const limit = AbortSignal.timeout(Math.min(limitMs, MAX_TIMER_MS));
    try {
      const response = await fetch(url, {
        method,
        headers: { ...headers },
        ...(method === "GET" || method === "HEAD" ? {} : { body }),
        redirect: "manual",
        signal: AbortSignal.any([limit, closing]),
      });
      const { status } = response;
      if (status < MIN_STATUS || status > MAX_STATUS) return { failure: "refused", after: after() };
      const text = await response.text();
      return { status, headers: Object.fromEntries(response.headers), body: text, after: after() };
    } catch {
      return limit.aborted ? { failure: "timeout" } : { failure: "refused", after: after() };
    }
  };
}
