import { ForkableMap } from "../../foundation/collections.ts";
import { CommandError, namesOf, notFound } from "../../foundation/errors.ts";
import type { Organisation } from "../../generated/inputs.ts";
import type { DeviceRecord, EntryReference, TeamRecord, UserRecord } from "../../records/directory.ts";
import type { Table } from "../../records/table.ts";
import type { TrunkEntryRecord } from "../../records/trunk.ts";
import type { CoreServices, Tables } from "../base/core-services.ts";
import type { Destination } from "../declare/destination.ts";
import { defineService } from "../declare/service.ts";

/** A directory entry with its kind. The record's `type` field may be renamed by a dialect. */
export type Entry =
  | { readonly kind: "user"; readonly record: UserRecord }
  | { readonly kind: "team"; readonly record: TeamRecord }
  | { readonly kind: "device"; readonly record: DeviceRecord }
  | { readonly kind: "trunk"; readonly record: TrunkEntryRecord };

/** Indices that never change. */
export interface Indices {
  /** The owners of numbers, in the organisation's order. */
  readonly numbers: ReadonlyMap<string, string>;
  /** Numbers that can send and receive messages. */
  readonly messagingNumbers: ReadonlySet<string>;
  /** Users by e-mail address in lower case. */
  readonly emails: ReadonlyMap<string, string>;
}

export interface State {
  /** Entries by extension. Trunk entries may be added and removed. */
  readonly extensions: ForkableMap<string, string>;
}

/** Finds entries by id, e-mail address, number and extension. The indices hold ids only. */
export class Directory {
  private readonly tables: Tables;

  constructor(
    { tables }: CoreServices,
    private readonly state: State,
    private readonly indices: Indices,
  ) {
    this.tables = tables;
  }

  /** The organisation's numbers, in its order. */
  get numbers(): string[] {
    return [...this.indices.numbers.keys()];
  }

  /** Finds an entry by its id, or a user by e-mail address. */
  find(idOrEmail: string): Entry | undefined {
    const user =
      this.tables.users.get(idOrEmail) ??
      // from JavaScript, it may be no text
      this.tables.users.get(this.indices.emails.get(String(idOrEmail).toLowerCase()) ?? "");
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

  /** All users and devices: they can call and be in teams. */
  usersAndDevices(): (UserRecord | DeviceRecord)[] {
    return [...this.tables.users, ...this.tables.devices];
  }

  /** The entries of trunks: devices, queues and users. */
  *trunkEntries(): IterableIterator<TrunkEntryRecord> {
    const { device, queue, user } = this.tables.trunkEntries;
    yield* device;
    yield* queue;
    yield* user;
  }

  /** All entries: users, teams, devices, then trunk devices, queues and users. */
  entries(): Entry[] {
    return Array.from(this.entriesAfter(undefined), ([, entry]) => entry);
  }

  /**
   * The entries after a place, with their places.
   * @param last undefined begins with the first
   */
  *entriesAfter(last: string | undefined): IterableIterator<readonly [place: string, entry: Entry]> {
    const { users, teams, devices, trunkEntries } = this.tables;
    const { device, queue, user } = trunkEntries;
    const trunk = (record: TrunkEntryRecord): Entry => ({ kind: "trunk", record });
    const lists = [
      listEntries(users, (record) => ({ kind: "user", record })),
      listEntries(teams, (record) => ({ kind: "team", record })),
      listEntries(devices, (record) => ({ kind: "device", record })),
      listEntries(device, trunk),
      listEntries(queue, trunk),
      listEntries(user, trunk),
    ];
    const [first = 0, after = -1] = last?.split(":").map(Number) ?? [];
    for (let list = first; list < lists.length; list++)
      for (const [ordinal, entry] of lists[list]?.(list === first ? after + 1 : 0) ?? [])
        yield [`${list}:${ordinal}`, entry];
  }

  /** Finds a user by id or e-mail address. */
  findUser(idOrEmail: string): UserRecord | undefined {
    const entry = this.find(idOrEmail);
    return entry?.kind === "user" ? entry.record : undefined;
  }

  /** @throws {CommandError} `not_found`, listing the known users */
  user(idOrEmail: string): UserRecord {
    const user = this.findUser(idOrEmail);
    if (user !== undefined) return user;
    throw notFound("user", idOrEmail, this.tables.users);
  }

  /** @throws {CommandError} `not_found`, listing the known devices */
  device(id: string): DeviceRecord {
    const record = this.tables.devices.get(id);
    if (record !== undefined) return record;
    throw notFound("device", id, this.tables.devices);
  }

  /** @throws {CommandError} `not_found`, listing the known teams */
  team(id: string): TeamRecord {
    const record = this.tables.teams.get(id);
    if (record !== undefined) return record;
    throw notFound("team", id, this.tables.teams);
  }

  /** Whether a number of the organisation can send and receive messages. */
  isMessagingNumber(number: string): boolean {
    return this.indices.messagingNumbers.has(number);
  }

  /** The owner of a number, or the trunk user who has it; undefined if it is not the organisation's. */
  findOwner(number: string): Entry | undefined {
    const owner = this.indices.numbers.get(number);
    return owner === undefined ? this.findTrunkUser(number) : this.find(owner);
  }

  /** The trunk user who has a number of their own. */
  private findTrunkUser(number: string): Entry | undefined {
    for (const record of this.tables.trunkEntries.user)
      if (record.phoneNumbers.includes(number)) return { kind: "trunk", record };
    return undefined;
  }

  /**
   * The owner of a number.
   * @throws {CommandError} `unknown_number`, listing the organisation's numbers
   */
  mustFindOwner(number: string): Entry {
    const entry = this.findOwner(number);
    if (entry !== undefined) return entry;
    const known = [...this.indices.numbers].map(([each, id]) => `${each} (${id})`);
    throw new CommandError(
      "unknown_number",
      `nobody has the number ${number}; the organisation's numbers: ${namesOf(known)}`,
    );
  }

  /** @throws {CommandError} `not_found` if no entry has this extension */
  byExtension(extension: string): Entry {
    const entry = this.findByExtension(extension);
    if (entry !== undefined) return entry;
    throw this.unknownExtension(extension);
  }

  findByExtension(extension: string): Entry | undefined {
    const id = this.ownerOfExtension(extension);
    return id === undefined ? undefined : this.find(id);
  }

  private unknownExtension(extension: string): CommandError {
    const known = this.entries().map(({ record }) => `${record.extension} (${record.id})`);
    return new CommandError("not_found", `nobody has the extension ${extension}; known: ${namesOf(known)}`);
  }

  /** A number of the entry with this extension, or one of the organisation's. @throws {CommandError} `not_found` */
  numberOf(extension: string): string | undefined {
    const { record } = this.byExtension(extension);
    const own = "phoneNumbers" in record ? record.phoneNumbers[0] : undefined;
    return own ?? this.indices.numbers.keys().next().value;
  }

  /** The id of the entry that has an extension. */
  ownerOfExtension(extension: string): string | undefined {
    return this.state.extensions.get(extension);
  }

  /** Sets the extensions of all entries at the start of a run. */
  setExtensions(): void {
    const { users, teams, devices, trunkEntries } = this.tables;
    const { device, queue, user } = trunkEntries;
    for (const table of [users, teams, devices, device, queue, user])
      for (const { extension, id } of table) this.setExtension(extension, id);
  }

  setExtension(extension: string, id: string): void {
    this.state.extensions.set(extension, id);
  }

  removeExtension(extension: string): void {
    this.state.extensions.delete(extension);
  }

  /**
   * Resolves the target of a transfer or an addition: an extension, an id, an e-mail address or a number. A number
   * without an owner in the organisation is an outside number.
   * @throws {CommandError} `not_found`
   */
  destination(target: string): Destination {
    const owner = this.findOwner(target);
    if (owner === undefined && target.startsWith("+")) return { kind: "number", id: target };
    const entry = owner ?? this.find(target) ?? this.findByExtension(target);
    if (entry !== undefined) return { kind: entry.kind, id: entry.record.id };
    if (/^\d+$/.test(target)) throw this.unknownExtension(target);
    const all = this.entries().map(({ record }) => record);
    throw notFound("user, team or device", target, all);
  }
}

/** Finds the entries of a table from an ordinal on, each with its ordinal. */
function listEntries<R extends { readonly id: string }>(table: Table<R>, entryOf: (record: R) => Entry) {
  return function* (from: number): IterableIterator<readonly [ordinal: number, entry: Entry]> {
    for (const [ordinal, record] of table.fromOrdinal(from, 1)) yield [ordinal, entryOf(record)];
  };
}

/** Refers to an entry from other records. Types have their short names there, and a trunk entry is a device. */
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

/** The endpoints on which an entry rings. */
export function endpointsOf(entry: Entry): string[] {
  if (entry.kind !== "user") return ["sip"];
  return entry.record.endpoints.filter((each) => each.registered).map((each) => each.id);
}

function makeIndices({ numbers = [], users = [] }: Organisation): Indices {
  return {
    numbers: new Map(numbers.map(({ number, owner }) => [number, owner])),
    messagingNumbers: new Set(numbers.filter(({ sms }) => sms === true).map(({ number }) => number)),
    emails: new Map(users.map(({ id, email }) => [email.toLowerCase(), id])),
  };
}

/** All directory entries: everything that has an extension or a number. */
export const directory = defineService({
  constants: makeIndices,
  init: (): State => ({ extensions: new ForkableMap() }),
  create: (services: CoreServices, state, indices) => new Directory(services, state, indices),
  onStart: (it) => {
    it.setExtensions();
  },
});
