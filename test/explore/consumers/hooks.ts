import type { PlatformEvent, Simulator } from "../../../src/index.ts";

/** The URL at which the app receives events. */
export const hooks = "https://crm.acme.test/hooks";

/** The platform's REST API answered something other than 2xx, or not at all. */
export class RestError extends Error {
  override readonly name = "RestError";

  constructor(readonly status: number) {
    super(`the platform answered ${status}`);
  }
}

/**
 * Takes events by webhook. If the REST API fails during that, it answers 503, and the platform sends the event again.
 */
export function onEvent(sim: Simulator, handle: (event: PlatformEvent) => void | Promise<void>): void {
  sim.network.route(hooks, ({ body }) => {
    const handled = handle(JSON.parse(body) as PlatformEvent);
    return handled === undefined ? 204 : handled.then(() => 204, unavailable);
  });
}

function unavailable(error: unknown): number {
  if (error instanceof RestError) return 503;
  throw error;
}

/** A client of the REST API. */
export type Client = (method: string, path: string, body?: object) => Promise<unknown>;

/** Makes a client that always has a valid token. @throws {RestError} for an answer that is not 2xx */
export function restClient(sim: Simulator): Client {
  return async (method, path, body) => {
    const answer = await sim
      .fetch(path, {
        method,
        headers: { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      .catch(() => {
        throw new RestError(0); // the connection is lost
      });
    if (!answer.ok) throw new RestError(answer.status);
    return answer.status === 204 ? undefined : answer.json();
  };
}

/**
 * Does something once for each key, also if asked again before it is done. After a failure it may try again.
 */
export function once(): (key: string, run: () => Promise<unknown>) => Promise<unknown> {
  const done = new Map<string, Promise<unknown>>();
  return (key, run) => {
    const doing = done.get(key) ?? run();
    done.set(key, doing);
    doing.catch(() => done.delete(key));
    return doing;
  };
}

/**
 * The calls with an event of this type that the app accepted: it answered 2xx, even if that answer was lost.
 */
export function toldOf(
  sim: Simulator,
  type: "call.started" | "call.not_answered",
): { contactNumber: string | null }[] {
  const delivered = sim.webhooks
    .list()
    .flatMap(({ id }) => sim.webhooks.deliveries(id))
    .filter(({ state }) => state === "delivered");
  const events = new Set(delivered.map(({ event }) => event.id));
  return sim.events.ofType(type).flatMap(({ id, data }) => (events.has(id) ? [data.call] : []));
}
