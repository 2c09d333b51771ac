import type { Directory } from "../platform/directory/directory.ts";

/** The names of users, teams, devices and trunk entries, by which two can be told apart. */
export class EntryNames {
  /** How many users, teams and devices have a name. They stay for the whole run. */
  private counts: ReadonlyMap<string, number> | undefined;

  /** @param hasStandIns whether all names are stand-ins of an import, which say nothing without their extensions */
  constructor(
    private readonly directory: Directory,
    private readonly hasStandIns: boolean,
  ) {}

  /** The whole name of an entry, with its extension if another has the same: `Alex Smith, ext. 101`. */
  of({ displayName, extension }: NamedEntry): string {
    return this.isShared(displayName) ? `${displayName}, ext. ${extension}` : displayName;
  }

  /**
   * The same by id, of an entry that may be gone.
   * @param displayName the name as a record has it
   */
  byId(id: string | null | undefined, displayName: string): string {
    const entry = this.directory.find(id ?? "");
    return entry === undefined ? displayName : this.of({ ...entry.record, displayName });
  }

  /** Whether several entries have this name. */
  private isShared(displayName: string): boolean {
    if (this.hasStandIns) return true;
    this.counts ??= countNames(this.directory);
    let count = this.counts.get(displayName) ?? 0;
    // those of trunks are added, renamed and removed
    for (const record of this.directory.trunkEntries()) if (record.displayName === displayName) count++;
    return count > 1;
  }
}

function countNames(directory: Directory): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, record } of directory.entries())
    if (kind !== "trunk") counts.set(record.displayName, (counts.get(record.displayName) ?? 0) + 1);
  return counts;
}

/** What the name of an entry is made of. */
export interface NamedEntry {
  readonly displayName: string;
  readonly extension: string;
}
