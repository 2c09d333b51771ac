import { CommandError, notFound } from "../../foundation/errors.ts";
import type { Organisation } from "../../generated/inputs.ts";
import type { LocationRecord, UserRecord } from "../../records/directory.ts";
import type { CoreServices } from "../base/core-services.ts";
import { thePlatform, theUser } from "../declare/description.ts";
import { command, defineService } from "../declare/service.ts";
import type { Directory } from "../directory/directory.ts";
import { newId } from "../directory/new-id.ts";
import {
  type CreateLocationArguments,
  createLocationSchema,
  type UserOfLocationArguments,
  userOfLocationSchema,
} from "./commands.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

type LocationInput = NonNullable<Organisation["locations"]>[number];

export function newLocation(input: LocationInput): LocationRecord {
  const { id, name, address = null, countryIso = null, timezone = null } = input;
  return { id, name, address, countryIso, timezone };
}

/** Locations and their users. A location never changes, so a user's record may hold a copy. */
export class Locations {
  constructor(private readonly world: Needs) {}

  /** @throws {CommandError} `not_found` */
  get(id: string): LocationRecord {
    const { locations } = this.world.tables;
    const location = locations.get(id);
    if (location === undefined) throw notFound("location", id, locations);
    return location;
  }

  /** @throws {CommandError} `conflict` if the id is in use */
  create({ id: wanted, ...fields }: CreateLocationArguments): string {
    const { engine, tables } = this.world;
    const isTaken = (id: string) => tables.locations.get(id) !== undefined;
    if (wanted !== undefined && isTaken(wanted))
      throw new CommandError(
        "conflict",
        `there is a location with the id "${wanted}" already: choose another`,
      );
    const id = wanted ?? newId(engine.ids, "location", isTaken);
    tables.locations.insert(newLocation({ id, ...fields }));
    return id;
  }

  /** The users of a location, in the order of the organisation. @throws {CommandError} `not_found` */
  users(locationId: string): UserRecord[] {
    const { id } = this.get(locationId);
    return [...this.world.tables.users].filter((user) => user.location?.id === id);
  }

  /** Assigns a user, who leaves their previous location. @throws {CommandError} `not_found` */
  addUser({ location: locationId, user: who }: UserOfLocationArguments): void {
    const location = this.get(locationId);
    const user = this.world.directory.user(who);
    if (user.location?.id !== location.id) this.place(user.id, location);
  }

  /** @throws {CommandError} `not_found`, also if the user is not there */
  removeUser({ location: locationId, user: who }: UserOfLocationArguments): void {
    const location = this.get(locationId);
    const user = this.world.directory.user(who);
    if (user.location?.id !== location.id) {
      const where = user.location === null ? "has no location" : `is at ${user.location.id}`;
      throw new CommandError("not_found", `${user.id} is not at ${location.id}: ${user.id} ${where}`);
    }
    this.place(user.id, null);
  }

  private place(userId: string, location: LocationRecord | null): void {
    this.world.tables.users.patch(userId, { location });
    this.world.raise.entryChanged({ entryId: userId });
  }
}

/** Locations and their users. */
export const locations = defineService({
  create: (world: Needs) => new Locations(world),
  commands: {
    createLocation: command(
      createLocationSchema,
      thePlatform,
      ({ name }) => `adds the location ${name}`,
      (it: Locations, args) => it.create(args),
    ),
    addUserToLocation: command(
      userOfLocationSchema,
      theUser,
      ({ location }) => `moves to the location ${location}`,
      (it: Locations, args) => it.addUser(args),
    ),
    removeUserFromLocation: command(
      userOfLocationSchema,
      theUser,
      ({ location }) => `leaves the location ${location}`,
      (it: Locations, args) => it.removeUser(args),
    ),
  },
});
