import type { Base, CommandInput } from "../base.ts";
import type { RestRequest, RestTraffic } from "./rest-traffic.ts";

export interface Needs extends Base {
  readonly restTraffic: RestTraffic;
}

/** `sim.rest`: what clients asked of the REST API, and ways to make it fail. */
export class RestApi {
  readonly #world: Needs;

  /** @internal Reached by the simulator. */
  constructor(world: Needs) {
    this.#world = world;
  }

  /** Every request that was answered, in order; with `retain.requests`, only the newest. */
  get requests(): readonly RestRequest[] {
    return this.#world.restTraffic.requests();
  }

  /**
   * Lets requests fail: those to `path` and the paths under it, with `method`. Without a path all of the API, but not the
   * token endpoint and the redirect handler. They are answered with `status` (default 503) and the header `retry-after`
   * (`retryAfter`), for so many requests (`times`) or for a span of virtual time from now on (`for`). `after` is how long the
   * answer takes; without a status it is the usual answer, late. `times: 0` ends the faults of this path and method. A fault
   * comes before any other check. If several match, the newest wins.
   * @throws {CommandError} `invalid_argument`
   */
  fault(fault: CommandInput<"restFault">): void {
    this.#world.command("restFault", fault);
  }

  /** Expires every access token that was issued so far. */
  expireTokens(): void {
    this.#world.command("expireTokens", {});
  }
}
