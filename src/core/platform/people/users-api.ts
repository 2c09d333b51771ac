import type { UserRecord } from "../../records/directory.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import type { Directory } from "../directory/directory.ts";
import type { UserBehaviour } from "../organisation/behaviour.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

/** One user. */
export class UserHandle {
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(
    services: Needs,
    /** The user's id. */
    readonly id: string,
  ) {
    this.#services = services;
  }

  /** The current record, frozen. */
  get record(): UserRecord {
    return this.#services.tables.users.mustGet(this.id);
  }

  /**
   * Sets availability by hand. During a call it takes effect when the call is over. Without a rule, busy means
   * `doNotDisturb` and offline `loggedOut`; both last until the next choice. `available` chosen outside working hours
   * lasts until the hours next end.
   * @param status `available`, `busy` or `offline`
   * @param options.rule why the user is not available
   * @param options.reason the reason in the user's own words
   * @throws {CommandError} `invalid_argument` if the rule does not fit the status
   * @example
   * const alice = sim.users.get("alice");
   * alice.setAvailability("busy", { reason: "In a meeting" });
   * alice.record.availability.status; // => "busy"
   */
  setAvailability(
    status: CommandInput<"setAvailability">["status"],
    options: Pick<CommandInput<"setAvailability">, "rule" | "reason"> = {},
  ): void {
    this.#services.command("setAvailability", { user: this.id, status, ...options });
  }

  /**
   * Keeps the user busy for a while, to finish what a call left to do: after the call that they are on, instead of what their
   * behaviour says, or from now on. During a wrap-up it takes this long from now on. `setAvailability("available")` ends it.
   * @param duration how long, above 0
   * @throws {CommandError} `not_allowed` for a user who is offline or busy by choice
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.answer("alice");
   * sim.users.get("alice").wrapUp("PT30S"); // once the call is over
   */
  wrapUp(duration: CommandInput<"wrapUp">["for"]): void {
    this.#services.command("wrapUp", { user: this.id, for: duration });
  }

  /**
   * Lets the user act by themselves, from their next ring, answer or end of a call on. Replaces an earlier behaviour;
   * `behave({})` removes it.
   * @param behaviour when they answer, decline and hang up, in any order
   * @throws {CommandError} `not_found` for an endpoint that they do not have
   * @example
   * sim.users.get("alice").behave({ answer: { after: "PT4S" }, talk: "PT2M" });
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.runUntilIdle();
   * call.status; // => "ended"
   */
  behave(behaviour: UserBehaviour): void {
    this.#services.command("behave", { user: this.id, behaviour });
  }

  /**
   * Changes whether the user is invited, active or suspended. Only active users are rung: present rings stop. A call
   * that the user is on goes on.
   * @param status `invited`, `active` or `suspended`
   * @example
   * sim.users.get("alice").setStatus("suspended");
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.ringing(); // => []
   */
  setStatus(status: CommandInput<"setUserStatus">["status"]): void {
    this.#services.command("setUserStatus", { user: this.id, status });
  }

  /**
   * Registers or unregisters an endpoint. Only registered endpoints ring. A user without any is logged out.
   * @param endpoint the endpoint's id
   * @param options.registered whether it is signed in from now on
   * @throws {CommandError} `not_found` for an unknown endpoint, `busy` while the user talks on it
   * @example
   * sim.users.get("alice").setEndpoint("mobile", { registered: false });
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.ringing(); // => [{ user: "alice", endpoint: "desktop" }]
   */
  setEndpoint(endpoint: string, options: { readonly registered: boolean }): void {
    this.#services.command("setEndpoint", { user: this.id, endpoint, ...options });
  }
}

/** `sim.users`: the people of the organisation. */
export class UsersApi {
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(services: Needs) {
    this.#services = services;
  }

  /**
   * Returns one user.
   * @param idOrEmail the user's id or e-mail address
   * @throws {CommandError} `not_found`
   * @example
   * sim.users.get("alice@acme.test").record.displayName; // => "Alice Ng"
   */
  get(idOrEmail: string): UserHandle {
    return new UserHandle(this.#services, this.#services.directory.user(idOrEmail).id);
  }

  /**
   * All users, in the order of the organisation.
   * @param options.email lists only the user with this e-mail address, in any case
   * @example
   * sim.users.list().map(({ id }) => id); // => ["alice", "bob", "carol", "dave", "erin"]
   */
  list({ email }: { readonly email?: string } = {}): UserHandle[] {
    const isWanted = (user: UserRecord) =>
      email === undefined || user.email.toLowerCase() === email.toLowerCase();
    return [...this.#services.tables.users]
      .filter(isWanted)
      .map(({ id }) => new UserHandle(this.#services, id));
  }
}
