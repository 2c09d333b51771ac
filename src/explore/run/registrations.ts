import { isPromise, never } from "../../core/foundation/values.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { Following, Life } from "./life.ts";

/** In which life each route of the app was registered. */
export class RouteOwners {
  private readonly owners = new WeakMap<object, Life>();

  constructor(private readonly simulator: Simulator) {}

  note(handler: object, life: Life): void {
    this.owners.set(handler, life);
  }

  /** The handler that a request to a URL gets to. */
  handlerFor(url: string): object | undefined {
    return this.simulator.services.network.routes.endpointOf(url);
  }

  /** The life in which a URL's handler was registered; undefined if that is none of the app's. */
  ownerAt(url: string): Life | undefined {
    const handler = this.handlerFor(url);
    return handler && this.owners.get(handler);
  }
}

/** What is registered at a simulator. */
// biome-ignore lint/suspicious/noExplicitAny: handlers of events, callbacks and others
type Handler = (...given: any[]) => unknown;

/** Ends with a life what the app registered in it: its routes, listeners, callbacks and requests. */
export function followRegistrations(simulator: Simulator, following: Following): RouteOwners {
  const routes = new RouteOwners(simulator);
  followHandlers(simulator, following, routes);
  followRequests(simulator, following);
  return routes;
}

/** Notes whose each route, listener and callback is, and runs each in its life. */
function followHandlers(simulator: Simulator, following: Following, routes: RouteOwners): void {
  const { on, off, schedule, network } = simulator;
  const { route } = network;
  const followed = new WeakMap<object, { readonly life: Life | undefined; readonly call: Handler }>();
  const inLife = (handler: unknown): Handler => {
    if (typeof handler !== "function") return handler as Handler; // refused where it is registered
    const life = following.getStore();
    const known = followed.get(handler);
    if (known !== undefined && known.life === life) return known.call;
    const call: Handler = (...given) => {
      if (life?.isOver === true) return undefined;
      const returned: unknown = following.run(life, () => handler(...given));
      return life !== undefined && isPromise(returned) ? Promise.race([returned, life.ended]) : returned;
    };
    followed.set(handler, { life, call });
    return call;
  };
  Object.assign(simulator, {
    on: (type: "*", handler: () => unknown) => {
      const call = inLife(handler);
      on.call(simulator, type, call);
      following.getStore()?.owns(() => off.call(simulator, type, call));
    },
    off: (type: "*", handler?: () => unknown) =>
      off.call(simulator, type, handler && (followed.get(handler)?.call ?? handler)),
    schedule: (after: string, callback: () => unknown) => {
      const cancel = schedule.call(simulator, after, inLife(callback));
      following.getStore()?.owns(cancel);
      return cancel;
    },
  });
  Object.assign(network, {
    route: (...given: Parameters<typeof route>) => {
      const [urlPrefix, handler] = given;
      const life = following.getStore();
      route.apply(network, given);
      if (life === undefined || typeof handler !== "function") return;
      routes.note(handler, life);
      life.owns(() => {
        if (routes.handlerFor(urlPrefix) === handler) network.unroute(urlPrefix);
      });
    },
  });
}

/** Answers no request of a life that is over. */
function followRequests(simulator: Simulator, following: Following): void {
  const { fetch } = simulator;
  const fetchInLife: typeof fetch = (input, init) => {
    const life = following.getStore();
    if (life === undefined) return fetch(input, init);
    if (life.isOver) return never();
    const given = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const { signal } = life.abort;
    const asked = fetch(input, {
      ...init,
      signal: given === undefined ? signal : AbortSignal.any([given, signal]),
    });
    return new Promise((resolve, reject) => {
      asked.then(
        (answer) => life.isOver || resolve(answer),
        (thrown: unknown) => life.isOver || reject(thrown),
      );
    });
  };
  Object.assign(simulator, { fetch: fetchInLife });
}
