import type { UserRecord } from "../../records/directory.ts";
import type { Base, CommandInput } from "../base.ts";
import type { Directory } from "../directory/directory.ts";
import type { UserBehaviour } from "./schema.ts";

export interface Needs extends Base {
  readonly directory: Directory;
}

/** One user. */
export class UserHandle {
  readonly #world: Needs;

  /** @internal Reached by the simulator. */
  constructor(
    world: Needs,
    /** The user's id. */
    readonly id: string,
  ) {
    this.#world = world;
  }

  /** The record as it is now, frozen. */
  get record(): UserRecord {
    return this.#world.tables.users.mustGet(this.id);
  }

  /**
   * Sets availability by hand; on a call it takes effect when the call is over. Busy means `doNotDisturb` and offline
   * `loggedOut` unless a rule is given, and last until the next choice; available, chosen out of working hours, lasts
   * until these end next.
   */
  setAvailability(
    status: CommandInput<"setAvailability">["status"],
    options: Pick<CommandInput<"setAvailability">, "rule" | "reason"> = {},
  ): void {
    this.#world.command("setAvailability", { user: this.id, status, ...options });
  }

  /**
   * Has the user act by themselves from their next ring, answer or leaving a call on, as any older behaviour no longer
   * does. `behave({})` leaves everything to commands again.
   * @throws {CommandError} `not_found` for an endpoint that they do not have
   */
  behave(behaviour: UserBehaviour): void {
    this.#world.command("behave", { user: this.id, behaviour });
  }

  /**
   * Changes whether the user is invited, active or suspended. Only active users ring: what rings stops. A call that the
   * user is on goes on.
   */
  setStatus(status: CommandInput<"setUserStatus">["status"]): void {
    this.#world.command("setUserStatus", { user: this.id, status });
  }

  /** Registers or unregisters an endpoint. Only registered ones ring; without any the user is logged out. */
  setEndpoint(endpoint: string, options: { readonly registered: boolean }): void {
    this.#world.command("setEndpoint", { user: this.id, endpoint, ...options });
  }
}

/** `sim.users`. */
export class UsersApi {
  readonly #world: Needs;

  /** @internal Reached by the simulator. */
  constructor(world: Needs) {
    this.#world = world;
  }

  /** @throws {CommandError} `not_found` */
  get(idOrEmail: string): UserHandle {
    return new UserHandle(this.#world, this.#world.directory.user(idOrEmail).id);
  }

  /**
   * In the order of the organisation.
   * @param options.email only the user with this e-mail address, in whatever case
   */
  list({ email }: { readonly email?: string } = {}): UserHandle[] {
    const isWanted = (user: UserRecord) =>
      email === undefined || user.email.toLowerCase() === email.toLowerCase();
    return [...this.#world.tables.users].filter(isWanted).map(({ id }) => new UserHandle(this.#world, id));
  }
}
