import { CommandError, notFound } from "../../foundation/errors.ts";
import { dateFields } from "../../records/date-fields.ts";
import type { UserReference } from "../../records/directory.ts";
import type { Table } from "../../records/table.ts";
import type { TrunkKind, TrunkRecord, TrunkRecords } from "../../records/trunk.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import type { Directory } from "../directory/directory.ts";
import { newId } from "../directory/new-id.ts";
import type {
  AddTrunkEntryArguments,
  RemoveTrunkEntryArguments,
  TrunkFields,
  UpdateTrunkEntryArguments,
} from "./schemas.ts";
import { newTrunkEntry, type TrunkEntryContext } from "./trunk-records.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

/**
 * Trunks to other phone systems. Their devices, queues and users are entries of the directory. All methods need
 * `features.pbx`. Rules: docs/fidelity/directory.md#trunks.
 */
export class Trunks {
  constructor(private readonly services: Needs) {}

  list(): TrunkRecord[] {
    this.mustHavePbx();
    return [...this.services.tables.trunks];
  }

  /** @throws {CommandError} `not_found`, `not_allowed` */
  get(id: string): TrunkRecord {
    this.mustHavePbx();
    const { trunks } = this.services.tables;
    const trunk = trunks.get(id);
    if (trunk === undefined) throw notFound("trunk", id, trunks);
    return trunk;
  }

  /** The entries of one kind, in the order in which they were added. @throws {CommandError} as `get` */
  entries<K extends TrunkKind>(trunkId: string, kind: K): TrunkRecords[K][] {
    const { id } = this.get(trunkId);
    return [...this.table(kind)].filter((entry) => entry.trunkId === id);
  }

  /** @throws {CommandError} as `get` */
  entry<K extends TrunkKind>(trunkId: string, kind: K, id: string): TrunkRecords[K] {
    const trunk = this.get(trunkId);
    const entry = this.table(kind).get(id);
    if (entry?.trunkId === trunk.id) return entry;
    throw notFound(`${kind} of trunk ${trunk.id}`, id, this.entries(trunk.id, kind));
  }

  /**
   * Adds an entry.
   * @throws {CommandError} `conflict` if the id or the extension is in use, `not_found`, `not_allowed`
   * @returns its id
   */
  add({ trunk: trunkId, kind, id: wanted, ...fields }: AddTrunkEntryArguments): string {
    const { directory, engine } = this.services;
    const trunk = this.get(trunkId);
    const isTaken = (id: string) => directory.find(id) !== undefined;
    if (wanted !== undefined && isTaken(wanted))
      throw new CommandError(
        "conflict",
        `the directory has an entry with the id "${wanted}" already: choose another`,
      );
    this.mustBeFree(fields.extension);
    const make = (id: string) =>
      newTrunkEntry(kind, fields as TrunkFields[typeof kind], this.makeContext(id, trunk.id));
    // checks come before an id is drawn, since a refused command must not draw one
    const entry = { ...make(wanted ?? ""), id: wanted ?? newId(engine.ids, `trunk-${kind}`, isTaken) };
    this.table(kind).insert(entry);
    directory.setExtension(entry.extension, entry.id);
    return entry.id;
  }

  /** Changes the given fields. @throws {CommandError} as `add` */
  update({ trunk: trunkId, kind, id, ...changes }: UpdateTrunkEntryArguments): void {
    const { directory } = this.services;
    const before = this.entry(trunkId, kind, id);
    const fields = { ...fieldsOf(before), ...changes } as TrunkFields[typeof kind];
    this.mustBeFree(fields.extension, id);
    const entry = newTrunkEntry(kind, fields, this.makeContext(id, before.trunkId));
    this.table(kind).patch(id, { ...entry, ...dateFields("created", before.createdTimestamp) });
    if (entry.extension === before.extension) return;
    directory.removeExtension(before.extension);
    directory.setExtension(entry.extension, id);
  }

  /** @throws {CommandError} `not_found`, `not_allowed` */
  remove({ trunk: trunkId, kind, id }: RemoveTrunkEntryArguments): void {
    const { directory } = this.services;
    const entry = this.entry(trunkId, kind, id);
    this.table(kind).remove(id);
    directory.removeExtension(entry.extension);
  }

  private mustHavePbx(): void {
    if (this.services.settings.features.pbx) return;
    throw new CommandError(
      "not_allowed",
      "trunks need the PBX augmentation feature: set features.pbx to true in the organisation",
    );
  }

  private mustBeFree(extension: string, except?: string): void {
    const owner = this.services.directory.ownerOfExtension(extension);
    if (owner !== undefined && owner !== except)
      throw new CommandError("conflict", `the extension ${extension} is ${owner}'s: choose another`);
  }

  private makeContext(id: string, trunkId: string): TrunkEntryContext {
    const { directory, engine, settings } = this.services;
    const { dialect, organisationId, urls } = settings;
    const userOf = (who: string): UserReference => {
      const { id: userId, displayName, email } = directory.user(who);
      return { id: userId, displayName, email };
    };
    return { id, trunkId, organisationId, dialect, urls, nowMs: engine.now, userOf };
  }

  private table<K extends TrunkKind>(kind: K): Table<TrunkRecords[K]> {
    return this.services.tables.trunkEntries[kind];
  }
}

/** The fields from which a record was made. */
function fieldsOf(record: TrunkRecords[TrunkKind]): object {
  return "user" in record ? { ...record, user: record.user?.id } : record;
}

/** Trunks to other phone systems. They need `features.pbx`. */
export const trunks = defineService({
  create: (services: Needs) => new Trunks(services),
});
