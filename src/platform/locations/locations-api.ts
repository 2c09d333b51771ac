import type { LocationRecord } from "../../records/directory.ts";
import { type CommandInput, runCommand } from "../commands.ts";
import { UserHandle } from "../directory/directory-api.ts";
import { type RecordHandle, recordHandle } from "../directory/record-handle.ts";
import type { Platform } from "../platform.ts";

/** One location, as `sim.locations.get` gives it. */
export type LocationHandle = RecordHandle<LocationRecord>;

/** `sim.locations`. */
export class LocationsApi {
  readonly #platform: Platform;

  /** @internal Reached by the simulator. */
  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** @throws {CommandError} `not_found` */
  get(id: string): LocationHandle {
    return recordHandle(this.#platform.locations.get(id).id, (each) => this.#platform.locations.get(each));
  }

  /** In the order in which they were made. */
  list(): LocationHandle[] {
    return [...this.#platform.tables.locations].map(({ id }) => this.get(id));
  }

  /**
   * @param location.id default: a new one
   * @throws {CommandError} `conflict` when there is one with this id
   */
  create(location: CommandInput<"createLocation">): LocationHandle {
    return this.get(runCommand(this.#platform, "createLocation", location));
  }

  /** Who is there, in the order of the organisation. @throws {CommandError} `not_found` */
  users(locationId: string): UserHandle[] {
    return this.#platform.locations.users(locationId).map(({ id }) => new UserHandle(this.#platform, id));
  }

  /**
   * Assigns a user, by id or e-mail address, who leaves the location that they were at.
   * @throws {CommandError} `not_found`
   */
  addUser(locationId: string, user: string): void {
    runCommand(this.#platform, "addUserToLocation", { location: locationId, user });
  }

  /** @throws {CommandError} `not_found`, also for a user who is not there */
  removeUser(locationId: string, user: string): void {
    runCommand(this.#platform, "removeUserFromLocation", { location: locationId, user });
  }
}
