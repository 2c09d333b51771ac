import type { CommandInput, CoreServices } from "../base/core-services.ts";
import type { RestRequest, RestTraffic } from "./rest-traffic.ts";

export interface Needs extends CoreServices {
  readonly restTraffic: RestTraffic;
}

/** `sim.rest`: the requests to the REST API, and ways to make it fail. */
export class RestApi {
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(services: Needs) {
    this.#services = services;
  }

  /**
   * Every answered request, in order. With `retain.requests`, only the newest.
   * @example
   * const headers = { authorization: `Bearer ${sim.token()}` };
   * await sim.fetch("/users?mail=alice@acme.test", { headers });
   * sim.rest.requests[0]?.status; // => 200
   * sim.rest.requests[0]?.ignored; // => ["mail"]
   */
  get requests(): readonly RestRequest[] {
    return this.#services.restTraffic.requests();
  }

  /**
   * Lets requests to the REST API fail. A fault comes before any other check. If several match, the newest wins.
   * @param fault.path the path that fails, with the paths under it. Default: the whole API, without the token
   * endpoint and the redirect handler
   * @param fault.method requests with this method; default: all
   * @param fault.status the status of the answer; default 503, or the usual answer if `after` is given
   * @param fault.retryAfter the header `retry-after`
   * @param fault.times for how many requests; 0 ends the faults of this path and method
   * @param fault.for for how long from now, in virtual time
   * @param fault.after how long the answer takes, in virtual time
   * @throws {CommandError} `invalid_argument`
   * @example
   * sim.rest.fault({ path: "/calls", status: 429, retryAfter: "PT10S", times: 1 });
   * const headers = { authorization: `Bearer ${sim.token()}` };
   * (await sim.fetch("/calls", { headers })).status; // => 429
   * (await sim.fetch("/calls", { headers })).status; // => 200
   */
  fault(fault: CommandInput<"restFault">): void {
    this.#services.command("restFault", fault);
  }

  /**
   * Expires every access token issued so far.
   * @example
   * const headers = { authorization: `Bearer ${sim.token()}` };
   * sim.rest.expireTokens();
   * (await sim.fetch("/users", { headers })).status; // => 401
   */
  expireTokens(): void {
    this.#services.command("expireTokens", {});
  }
}
