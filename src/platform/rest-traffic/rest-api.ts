import type { Base, CommandInput } from "../base.ts";
import type { RestRequest, RestTraffic } from "./rest-traffic.ts";

export interface Needs extends Base {
  readonly restTraffic: RestTraffic;
}

/** `sim.rest`: what clients asked the REST API, and trouble for them. */
export class RestApi {
  readonly #world: Needs;

  /** @internal Reached by the simulator. */
  constructor(world: Needs) {
    this.#world = world;
  }

  /** Every request that was answered, in order; with `retain.requests` the newest. */
  get requests(): readonly RestRequest[] {
    return this.#world.restTraffic.requests();
  }

  /**
   * Has requests fail, before anything else is looked at: those to `path` and the paths under it, by `method`. Without a
   * path all of the API, but not the token endpoint and the redirect handler. They are answered `status` (default 503) with
   * `retryAfter` in the header `retry-after`, for so many requests (`times`) or for a span of virtual time from now on
   * (`for`). `after` is how long the answer takes; without a status it is the usual answer, late. `times: 0` ends the faults
   * of this path and method. Of several that fit, the newest counts.
   * @throws {CommandError} `invalid_argument`
   */
  fault(fault: CommandInput<"restFault">): void {
    this.#world.command("restFault", fault);
  }

  /** Every access token issued so far is expired from now on. */
  expireTokens(): void {
    this.#world.command("expireTokens", {});
  }
}
