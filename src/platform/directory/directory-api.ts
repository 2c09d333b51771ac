import type { DeviceRecord, TeamRecord, UserRecord } from "../../records/directory.ts";
import type { UserBehaviour } from "../behaviour/schema.ts";
import { type CommandInput, runCommand } from "../commands.ts";
import type { Platform } from "../platform.ts";
import { type RecordHandle, recordHandle } from "./record-handle.ts";

/** One user. */
export class UserHandle {
  readonly #platform: Platform;

  /** @internal Reached by the simulator. */
  constructor(
    platform: Platform,
    /** The user's id. */
    readonly id: string,
  ) {
    this.#platform = platform;
  }

  /** The record as it is now, frozen. */
  get record(): UserRecord {
    return this.#platform.tables.users.mustGet(this.id);
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
    runCommand(this.#platform, "setAvailability", { user: this.id, status, ...options });
  }

  /**
   * Has the user act by themselves from their next ring, answer or leaving a call on, as any older behaviour no longer
   * does. `behave({})` leaves everything to commands again.
   * @throws {CommandError} `not_found` for an endpoint that they do not have
   */
  behave(behaviour: UserBehaviour): void {
    runCommand(this.#platform, "behave", { user: this.id, behaviour });
  }

  /**
   * Changes whether the user is invited, active or suspended. Only active users ring: what rings stops. A call that the
   * user is on goes on.
   */
  setStatus(status: CommandInput<"setUserStatus">["status"]): void {
    runCommand(this.#platform, "setUserStatus", { user: this.id, status });
  }

  /** Registers or unregisters an endpoint. Only registered ones ring; without any the user is logged out. */
  setEndpoint(endpoint: string, options: { readonly registered: boolean }): void {
    runCommand(this.#platform, "setEndpoint", { user: this.id, endpoint, ...options });
  }
}

/** `sim.users`. */
export class UsersApi {
  readonly #platform: Platform;

  /** @internal Reached by the simulator. */
  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** @throws {CommandError} `not_found` */
  get(idOrEmail: string): UserHandle {
    return new UserHandle(this.#platform, this.#platform.directory.user(idOrEmail).id);
  }

  /**
   * In the order of the organisation.
   * @param options.email only the user with this e-mail address, in whatever case
   */
  list({ email }: { readonly email?: string } = {}): UserHandle[] {
    const isWanted = (user: UserRecord) =>
      email === undefined || user.email.toLowerCase() === email.toLowerCase();
    return [...this.#platform.tables.users]
      .filter(isWanted)
      .map(({ id }) => new UserHandle(this.#platform, id));
  }
}

/** One team. */
export class TeamHandle {
  readonly #platform: Platform;

  /** @internal Reached by the simulator. */
  constructor(
    platform: Platform,
    /** The team's id. */
    readonly id: string,
  ) {
    this.#platform = platform;
  }

  /** The record as it is now, frozen. */
  get record(): TeamRecord {
    return this.#platform.tables.teams.mustGet(this.id);
  }

  /** The ids of the calls that wait for a member, in the order in which they will be offered. */
  waiting(): string[] {
    return this.#platform.teamOffers.waitingFor(this.id).map(({ offer }) => offer.callId);
  }

  /** Adds a user or a device, or changes their offer priority (1 highest) from the next offer on. */
  setMember(member: string, options: { readonly priority?: number } = {}): void {
    runCommand(this.#platform, "setTeamMember", { team: this.id, user: member, ...options });
  }

  /** Takes a member out; what the team rings them for stops. */
  removeMember(member: string): void {
    runCommand(this.#platform, "removeTeamMember", { team: this.id, user: member });
  }
}

/** `sim.teams`, `sim.devices`. */
export interface EntriesApi<Handle> {
  /** @throws {CommandError} `not_found` */
  get(id: string): Handle;
  /** In the order of the organisation. */
  list(): Handle[];
}

/** A device, which is only looked at. */
export type DeviceHandle = RecordHandle<DeviceRecord>;

export function teamsApi(platform: Platform): EntriesApi<TeamHandle> {
  const handle = ({ id }: TeamRecord) => new TeamHandle(platform, id);
  return {
    get: (id) => handle(platform.directory.team(id)),
    list: () => [...platform.tables.teams].map(handle),
  };
}

export function devicesApi(platform: Platform): EntriesApi<DeviceHandle> {
  const handle = ({ id }: DeviceRecord) => recordHandle(id, (each) => platform.directory.device(each));
  return {
    get: (id) => handle(platform.directory.device(id)),
    list: () => [...platform.tables.devices].map(handle),
  };
}
