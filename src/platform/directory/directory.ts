import type { ForkableMap } from "../../engine/collections.ts";
import { CommandError, notFound } from "../../engine/errors.ts";
import type { DeviceRecord, EntryReference, TeamRecord, UserRecord } from "../../records/directory.ts";
import type { Table } from "../../records/table.ts";
import type { TrunkEntryRecord, TrunkKind, TrunkRecords } from "../../records/trunk.ts";
import type { Destination } from "../calls/live-call.ts";

/** A trunk's devices, queues and users are one kind: they ring as devices do. */
export type EntryKind = "user" | "team" | "device" | "trunk";

/** An entry of the directory, with the kind that its `type` field may be renamed from. */
export type Entry =
  | { readonly kind: "user"; readonly record: UserRecord }
  | { readonly kind: "team"; readonly record: TeamRecord }
  | { readonly kind: "device"; readonly record: DeviceRecord }
  | { readonly kind: "trunk"; readonly record: TrunkEntryRecord };

export type TrunkEntryTables = { readonly [K in TrunkKind]: Table<TrunkRecords[K]> };

export interface DirectoryTables {
  readonly users: Table<UserRecord>;
  readonly teams: Table<TeamRecord>;
  readonly devices: Table<DeviceRecord>;
  /** Empty without `features.pbx`. */
  readonly trunkEntries: TrunkEntryTables;
}

/** Looks up who is who. The indices hold ids only; forks share those that never change. */
export class Directory {
  constructor(
    private readonly tables: DirectoryTables,
    private readonly indices: {
      /** Owners by number, in the organisation's order. */
      readonly numbers: ReadonlyMap<string, string>;
      /** Those that messages are sent from and come to. */
      readonly messagingNumbers: ReadonlySet<string>;
      /** Users by e-mail address in lower case. */
      readonly emails: ReadonlyMap<string, string>;
      /** Entries by extension: trunk entries come and go. */
      readonly extensions: ForkableMap<string, string>;
    },
  ) {}

  /** The organisation's numbers, in its order. */
  get numbers(): string[] {
    return [...this.indices.numbers.keys()];
  }

  /** The entry with this id, or the user with this e-mail address. */
  find(idOrEmail: string): Entry | undefined {
    const user =
      this.tables.users.get(idOrEmail) ??
      this.tables.users.get(this.indices.emails.get(idOrEmail.toLowerCase()) ?? "");
    if (user !== undefined) return { kind: "user", record: user };
    const team = this.tables.teams.get(idOrEmail);
    if (team !== undefined) return { kind: "team", record: team };
    const device = this.tables.devices.get(idOrEmail);
    if (device !== undefined) return { kind: "device", record: device };
    const { trunkEntries } = this.tables;
    const trunkEntry =
      trunkEntries.device.get(idOrEmail) ??
      trunkEntries.queue.get(idOrEmail) ??
      trunkEntries.user.get(idOrEmail);
    return trunkEntry === undefined ? undefined : { kind: "trunk", record: trunkEntry };
  }

  /** Who can call and be in a team. */
  usersAndDevices(): (UserRecord | DeviceRecord)[] {
    return [...this.tables.users, ...this.tables.devices];
  }

  /** Everything in it: users, teams, devices, then trunk devices, queues and users. */
  entries(): Entry[] {
    const { users, teams, devices, trunkEntries } = this.tables;
    return [
      ...Array.from(users, (record) => ({ kind: "user", record }) as const),
      ...Array.from(teams, (record) => ({ kind: "team", record }) as const),
      ...Array.from(devices, (record) => ({ kind: "device", record }) as const),
      ...[...trunkEntries.device, ...trunkEntries.queue, ...trunkEntries.user].map(
        (record) => ({ kind: "trunk", record }) as const,
      ),
    ];
  }

  /** The user with this id or e-mail address. */
  findUser(idOrEmail: string): UserRecord | undefined {
    const entry = this.find(idOrEmail);
    return entry?.kind === "user" ? entry.record : undefined;
  }

  /** @throws {CommandError} `not_found`, naming the users there are. */
  user(idOrEmail: string): UserRecord {
    const user = this.findUser(idOrEmail);
    if (user !== undefined) return user;
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

  /** Whether messages can be sent from and to this number of the organisation. */
  isMessagingNumber(number: string): boolean {
    return this.indices.messagingNumbers.has(number);
  }

  /** Whose number this is, if it is the organisation's. */
  findOwner(number: string): Entry | undefined {
    const owner = this.indices.numbers.get(number);
    return owner === undefined ? undefined : this.find(owner);
  }

  /**
   * Whose number this is.
   * @throws {CommandError} `unknown_number`, naming the numbers there are.
   */
  ownerOf(number: string): Entry {
    const entry = this.findOwner(number);
    if (entry !== undefined) return entry;
    const known = [...this.indices.numbers].map(([each, id]) => `${each} (${id})`).join(", ");
    throw new CommandError(
      "unknown_number",
      `nobody has the number ${number}; the organisation's numbers: ${known || "none"}`,
    );
  }

  /** @throws {CommandError} `not_found` when no entry has this extension */
  byExtension(extension: string): Entry {
    const id = this.ownerOfExtension(extension);
    const entry = id === undefined ? undefined : this.find(id);
    if (entry !== undefined) return entry;
    const known = this.entries().map(({ record }) => `${record.extension} (${record.id})`);
    throw new CommandError(
      "not_found",
      `nobody has the extension ${extension}; known: ${known.join(", ") || "none"}`,
    );
  }

  /** A number of the entry with this extension, else one of the organisation's. @throws {CommandError} `not_found` */
  numberOf(extension: string): string | undefined {
    const { record } = this.byExtension(extension);
    const own = "phoneNumbers" in record ? record.phoneNumbers[0] : undefined;
    return own ?? this.indices.numbers.keys().next().value;
  }

  /** The id of the entry that has an extension. */
  ownerOfExtension(extension: string): string | undefined {
    return this.indices.extensions.get(extension);
  }

  setExtension(extension: string, id: string): void {
    this.indices.extensions.set(extension, id);
  }

  removeExtension(extension: string): void {
    this.indices.extensions.delete(extension);
  }

  /**
   * What a call can be transferred to or joined by: an extension, an id, an e-mail address or a number, which is an
   * outside one unless it has an owner here.
   * @throws {CommandError} `not_found`
   */
  destination(target: string): Destination {
    const owner = this.findOwner(target);
    if (owner === undefined && target.startsWith("+")) return { kind: "number", id: target };
    const { kind, record } = owner ?? this.find(target) ?? this.byExtension(target);
    return { kind, id: record.id };
  }

  fork(tables: DirectoryTables): Directory {
    return new Directory(tables, { ...this.indices, extensions: this.indices.extensions.fork() });
  }
}

/** How an entry is named inside other records, where the types have their short names and a trunk entry is a device. */
export function referenceTo({ kind, record }: Entry, overriddenDisplayName?: string): EntryReference {
  return {
    id: record.id,
    type: kind === "trunk" ? "device" : kind,
    displayName: record.displayName,
    extension: record.extension,
    email: kind === "user" ? record.email : null,
    ...(overriddenDisplayName === undefined ? {} : { overriddenDisplayName }),
  };
}
