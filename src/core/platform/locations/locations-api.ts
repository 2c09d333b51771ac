import type { LocationRecord } from "../../records/directory.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import type { Directory } from "../directory/directory.ts";
import { type RecordHandle, recordHandle } from "../directory/record-handle.ts";
import { UserHandle } from "../people/users-api.ts";
import type { Locations } from "./locations.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly locations: Locations;
}

/** One location, as `sim.locations.get` gives it. */
export type LocationHandle = RecordHandle<LocationRecord>;

/** `sim.locations`: where users work. */
export class LocationsApi {
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(services: Needs) {
    this.#services = services;
  }

  /**
   * Returns one location.
   * @param id the location's id
   * @throws {CommandError} `not_found`
   * @example
   * sim.locations.get("london").record.timezone; // => "Europe/London"
   */
  get(id: string): LocationHandle {
    return recordHandle(this.#services.locations.get(id).id, (each) => this.#services.locations.get(each));
  }

  /**
   * All locations, in the order in which they were created.
   * @example
   * sim.locations.list().map(({ id }) => id); // => ["auckland", "london"]
   */
  list(): LocationHandle[] {
    return [...this.#services.tables.locations].map(({ id }) => this.get(id));
  }

  /**
   * Creates a location.
   * @param location.id default: a new id
   * @throws {CommandError} `conflict` if the id is in use
   * @example
   * const perth = sim.locations.create({ name: "Perth", countryIso: "AU", timezone: "Australia/Perth" });
   * sim.locations.addUser(perth.id, "carol");
   */
  create(location: CommandInput<"createLocation">): LocationHandle {
    return this.get(this.#services.command("createLocation", location));
  }

  /**
   * The users of a location, in the order of the organisation.
   * @param locationId the location's id
   * @throws {CommandError} `not_found`
   * @example
   * sim.locations.users("london").map(({ id }) => id); // => ["dave"]
   */
  users(locationId: string): UserHandle[] {
    return this.#services.locations.users(locationId).map(({ id }) => new UserHandle(this.#services, id));
  }

  /**
   * Assigns a user to a location. The user leaves their previous one.
   * @param locationId the location's id
   * @param user id or e-mail address
   * @throws {CommandError} `not_found`
   * @example
   * sim.locations.addUser("london", "bob");
   * sim.locations.users("london").map(({ id }) => id); // => ["bob", "dave"]
   */
  addUser(locationId: string, user: string): void {
    this.#services.command("addUserToLocation", { location: locationId, user });
  }

  /**
   * Removes a user from a location.
   * @param locationId the location's id
   * @param user id or e-mail address
   * @throws {CommandError} `not_found`, also if the user is not there
   * @example
   * sim.locations.removeUser("london", "dave");
   * sim.locations.users("london"); // => []
   */
  removeUser(locationId: string, user: string): void {
    this.#services.command("removeUserFromLocation", { location: locationId, user });
  }
}
