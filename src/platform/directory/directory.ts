import { CommandError } from "../../engine/errors.ts";
import type { DeviceRecord, EntryReference, TeamRecord, UserRecord } from "../../records/directory.ts";
import type { Table } from "../../records/table.ts";

export type EntryKind = "user" | "team" | "device";

/** An entry of the directory, with the kind that its `type` field may be renamed from. */
export type Entry =
  | { readonly kind: "user"; readonly record: UserRecord }
  | { readonly kind: "team"; readonly record: TeamRecord }
  | { readonly kind: "device"; readonly record: DeviceRecord };

export interface DirectoryTables {
  readonly users: Table<UserRecord>;
  readonly teams: Table<TeamRecord>;
  readonly devices: Table<DeviceRecord>;
}

/** Looks up who is who. The indices hold ids only and are shared by forks. */
export class Directory {
  constructor(
    private readonly tables: DirectoryTables,
    private readonly numbers: ReadonlyMap<string, string>,
    private readonly emails: ReadonlyMap<string, string>,
  ) {}

  /** The entry with this id, or the user with this e-mail address. */
  find(idOrEmail: string): Entry | undefined {
    const user =
      this.tables.users.get(idOrEmail) ??
      this.tables.users.get(this.emails.get(idOrEmail.toLowerCase()) ?? "");
    if (user !== undefined) return { kind: "user", record: user };
    const team = this.tables.teams.get(idOrEmail);
    if (team !== undefined) return { kind: "team", record: team };
    const device = this.tables.devices.get(idOrEmail);
    return device === undefined ? undefined : { kind: "device", record: device };
  }

  /** @throws {CommandError} `not_found`, naming the users there are. */
  user(idOrEmail: string): UserRecord {
    const entry = this.find(idOrEmail);
    if (entry?.kind === "user") return entry.record;
    throw notFound("user", idOrEmail, this.tables.users);
  }

  /** @throws {CommandError} `not_found`, naming the devices there are. */
  device(id: string): DeviceRecord {
    const record = this.tables.devices.get(id);
    if (record !== undefined) return record;
    throw notFound("device", id, this.tables.devices);
  }

  /** @throws {CommandError} `not_found`, naming the teams there are. */
  team(id: string): TeamRecord {
    const record = this.tables.teams.get(id);
    if (record !== undefined) return record;
    throw notFound("team", id, this.tables.teams);
  }

  /**
   * Whose number this is.
   * @throws {CommandError} `unknown_number`, naming the numbers there are.
   */
  ownerOf(number: string): Entry {
    const owner = this.numbers.get(number);
    const entry = owner === undefined ? undefined : this.find(owner);
    if (entry !== undefined) return entry;
    const known = [...this.numbers].map(([each, id]) => `${each} (${id})`).join(", ");
    throw new CommandError(
      "unknown_number",
      `nobody has the number ${number}; the organisation's numbers: ${known || "none"}`,
    );
  }

  fork(tables: DirectoryTables): Directory {
    return new Directory(tables, this.numbers, this.emails);
  }
}

/** How an entry is named inside other records, where the types have their short names. */
export function referenceTo({ kind, record }: Entry): EntryReference {
  return {
    id: record.id,
    type: kind,
    displayName: record.displayName,
    extension: record.extension,
    email: kind === "user" ? record.email : null,
  };
}

function notFound(what: string, given: string, known: Iterable<{ readonly id: string }>): CommandError {
  const ids = [...known].map(({ id }) => id);
  return new CommandError(
    "not_found",
    `no ${what} is known as "${given}"; known: ${ids.join(", ") || "none"}`,
  );
}
