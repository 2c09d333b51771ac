import type { DeviceRecord, TeamRecord, UserRecord } from "../../records/directory.ts";
import { type CommandInput, runCommand } from "../commands.ts";
import type { Platform } from "../platform.ts";

/** One user. */
export class UserHandle {
  readonly #platform: Platform;

  constructor(
    platform: Platform,
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
   * `loggedOut` unless a rule is given.
   */
  setAvailability(
    status: CommandInput<"setAvailability">["status"],
    options: Pick<CommandInput<"setAvailability">, "rule" | "reason"> = {},
  ): void {
    runCommand(this.#platform, "setAvailability", { user: this.id, status, ...options });
  }

  /** Registers or unregisters an endpoint. Only registered ones ring; without any the user is logged out. */
  setEndpoint(endpoint: string, options: { readonly registered: boolean }): void {
    runCommand(this.#platform, "setEndpoint", { user: this.id, endpoint, ...options });
  }
}

/** `sim.users`. */
export class UsersApi {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** @throws {CommandError} `not_found` */
  get(idOrEmail: string): UserHandle {
    return new UserHandle(this.#platform, this.#platform.directory.user(idOrEmail).id);
  }

  /** In the order of the organisation. */
  list(): UserHandle[] {
    return [...this.#platform.tables.users].map(({ id }) => new UserHandle(this.#platform, id));
  }
}

/** A directory entry that is only looked at. */
export interface EntryHandle<Entry> {
  readonly id: string;
  /** The record as it is now, frozen. */
  readonly record: Entry;
}

/** `sim.teams` and `sim.devices`. */
export interface EntriesApi<Entry> {
  /** @throws {CommandError} `not_found` */
  get(id: string): EntryHandle<Entry>;
  /** In the order of the organisation. */
  list(): EntryHandle<Entry>[];
}

export function teamsApi(platform: Platform): EntriesApi<TeamRecord> {
  return entriesApi(platform.tables.teams, (id) => platform.directory.team(id));
}

export function devicesApi(platform: Platform): EntriesApi<DeviceRecord> {
  return entriesApi(platform.tables.devices, (id) => platform.directory.device(id));
}

function entriesApi<Entry extends { readonly id: string }>(
  table: Iterable<Entry>,
  find: (id: string) => Entry,
): EntriesApi<Entry> {
  const handle = (id: string): EntryHandle<Entry> => ({
    id,
    get record() {
      return find(id);
    },
  });
  return { get: (id) => handle(find(id).id), list: () => [...table].map(({ id }) => handle(id)) };
}
