import { notFound } from "../../foundation/errors.ts";
import type { Organisation } from "../../generated/inputs.ts";
import type { LocationRecord, UserRecord } from "../../records/directory.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";

type LocationInput = NonNullable<Organisation["locations"]>[number];

export function newLocation(input: LocationInput): LocationRecord {
  const { id, name, address = null, countryIso = null, timezone = null } = input;
  return { id, name, address, countryIso, timezone };
}

/** Locations and their users. A location never changes, so a user's record may hold a copy. */
export class Locations {
  constructor(private readonly services: CoreServices) {}

  /** @throws {CommandError} `not_found` */
  get(id: string): LocationRecord {
    const { locations } = this.services.tables;
    const location = locations.get(id);
    if (location === undefined) throw notFound("location", id, locations);
    return location;
  }

  /** The users of a location, in the order of the organisation. @throws {CommandError} `not_found` */
  users(locationId: string): UserRecord[] {
    const { id } = this.get(locationId);
    return [...this.services.tables.users].filter((user) => user.location?.id === id);
  }

  /** Puts a user at a location, or at none. */
  place(userId: string, location: LocationRecord | null): void {
    this.services.tables.users.patch(userId, { location });
    this.services.raise.entryChanged({ entryId: userId });
  }
}

/** Locations and their users. */
export const locations = defineService({
  create: (services: CoreServices) => new Locations(services),
});
