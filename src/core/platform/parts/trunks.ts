import { Table } from "../../records/table.ts";
import type { TrunkKind, TrunkRecord, TrunkRecords } from "../../records/trunk.ts";
import { definePart } from "./define-part.ts";

/** Trunks to other phone systems, and their entries. */
export const trunksPart = definePart({
  tables: {
    trunks: () => new Table<TrunkRecord>(),
    /** Empty without `features.pbx`. */
    trunkEntries: (): { readonly [Kind in TrunkKind]: Table<TrunkRecords[Kind]> } => ({
      device: new Table(),
      queue: new Table(),
      user: new Table(),
    }),
  },
});
