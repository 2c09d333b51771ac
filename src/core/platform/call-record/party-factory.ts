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
      displayName: number === null ? ANONYMOUS_NAME : this.services.phonebooks.findName(number, userEmail),
      phoneNumber: number,
      extension: null,
      email: null,
      tariff: null,
      dials: none,
    };
  }

  /** Makes the party of a user or a device. A trunk entry counts as a device. */
  internal(entry: Entry): Party {
    const { id, displayName, extension } = entry.record;
    if (entry.kind !== "user")
      return {
        id: this.newId(),
        type: "device",
        isInternal: true,
        displayName,
        entryId: id,
        phoneNumber: null,
        extension,
        email: null,
        tariff: null,
        dials: none,
      };
    const { email, timezone, manager, location } = entry.record;
    return {
      id: this.newId(),
      type: "user",
      isInternal: true,
      displayName,
      entryId: id,
      phoneNumber: null,
      extension,
      email,
      timezone,
      manager,
      location,
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
