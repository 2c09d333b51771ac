import * as v from "valibot";
import { notFound } from "../../foundation/errors.ts";
import { flag, object, readArguments, text } from "../../foundation/input-schemas.ts";
import type { DirectoryEntry } from "../../generated/records.ts";
import type { Directory, Entry } from "./directory.ts";

export interface Needs {
  readonly directory: Directory;
}

const optional = v.optional;

const filterSchema = object({
  extension: optional(text()),
  ivrKey: optional(text()),
  phoneNumber: optional(text()),
  includeSuspendedUsers: optional(flag()),
  includeHiddenCallGroups: optional(flag()),
});

/** The filter of `sim.directory.list`. An entry must match every given property. */
export type DirectoryFilter = v.InferInput<typeof filterSchema>;

/** `sim.directory`: everything that has an extension. */
export interface DirectoryApi {
  /**
   * Users, teams, devices, and with `features.pbx` trunk entries, in the order of the organisation.
   * @param filter.extension the exact extension; likewise `ivrKey` and `phoneNumber`
   * @param filter.includeSuspendedUsers default false; invited users are always included
   * @param filter.includeHiddenCallGroups default false
   * @example
   * sim.directory.list({ extension: "200" }).map(({ id }) => id); // => ["sales"]
   * sim.directory.list({ includeSuspendedUsers: true }).some(({ id }) => id === "erin"); // => true
   */
  list(filter?: DirectoryFilter): DirectoryEntry[];
  /**
   * Returns an entry by its id, even if it is suspended or hidden.
   * @deprecated `sim.users.get(id).record` is the same, of a user; likewise `sim.teams` and `sim.devices`.
   * @param id the entry's id
   * @throws {CommandError} `not_found`
   * @example
   * sim.directory.get("lobby").displayName; // => "Lobby"
   */
  get(id: string): DirectoryEntry;
}

export function directoryApi(services: Needs): DirectoryApi {
  return {
    list: (filter = {}) => {
      const wanted = readArguments("directory.list", filterSchema, filter);
      return services.directory
        .entries()
        .filter((entry) => isInDirectory(entry, wanted))
        .map(({ record }) => record);
    },
    get: (id) => {
      const entry = services.directory.find(id);
      // only by id: elsewhere, an e-mail address also finds a user
      if (entry !== undefined && entry.record.id === id) return entry.record;
      throw notFound(
        "entry of the directory",
        id,
        services.directory.entries().map(({ record }) => record),
      );
    },
  };
}

/** Whether an entry of the directory is listed with a filter. */
export function isInDirectory({ kind, record }: Entry, filter: DirectoryFilter): boolean {
  const { extension, ivrKey, phoneNumber } = filter;
  if (kind === "user" && record.status === "suspended" && filter.includeSuspendedUsers !== true) return false;
  if (kind === "team" && record.isHidden && filter.includeHiddenCallGroups !== true) return false;
  const phoneNumbers = "phoneNumbers" in record ? record.phoneNumbers : [];
  return (
    (extension === undefined || record.extension === extension) &&
    (ivrKey === undefined || record.ivrKey === ivrKey) &&
    (phoneNumber === undefined || phoneNumbers.includes(phoneNumber))
  );
}
