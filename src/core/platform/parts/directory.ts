import type { DeviceRecord, LocationRecord } from "../../records/directory.ts";
import { Table } from "../../records/table.ts";
import { definePart } from "./define-part.ts";

/** Devices, and where people are. */
export const directoryPart = definePart({
  tables: {
    devices: () => new Table<DeviceRecord>(),
    locations: () => new Table<LocationRecord>(),
  },
});
