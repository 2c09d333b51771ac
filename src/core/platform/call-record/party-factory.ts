import { none, type Party } from "../../records/call.ts";
import { ANONYMOUS_NAME } from "../../records/withheld.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import type { Entry } from "../directory/directory.ts";
import type { Phonebooks } from "../phonebooks/phonebooks.ts";

export interface Needs extends CoreServices {
  readonly phonebooks: Phonebooks;
}

/** Makes the parties of calls. */
export class PartyFactory {
  constructor(private readonly services: Needs) {}

  /**
   * Makes an outside party, with its name in this user's phonebook or a shared one.
   * @param number null for a caller who withholds it
   */
  external(number: string | null, userEmail: string | undefined): Party {
    return {
      id: this.newId(),
      type: "external",
      isInternal: false,
      displayName: number === null ? ANONYMOUS_NAME : this.services.phonebooks.nameOf(number, userEmail),
      phoneNumber: number,
      extension: null,
      email: null,
      tariff: null,
      dials: none,
    };
  }

  /** Makes the party of a user or a device. A trunk entry counts as a device. */
  internal(entry: Entry): Party {
    const { record } = entry;
    const userFields =
      entry.kind === "user"
        ? {
            timezone: entry.record.timezone,
            manager: entry.record.manager,
            location: entry.record.location,
          }
        : {};
    return {
      id: this.newId(),
      type: entry.kind === "user" ? "user" : "device",
      isInternal: true,
      displayName: record.displayName,
      entryId: record.id,
      phoneNumber: null,
      extension: record.extension,
      email: entry.kind === "user" ? entry.record.email : null,
      ...userFields,
      tariff: null,
      dials: none,
    };
  }

  private newId(): string {
    return this.services.engine.ids.next("party");
  }
}

/** Makes the parties of calls. */
export const parties = defineService({ create: (services: Needs) => new PartyFactory(services) });
