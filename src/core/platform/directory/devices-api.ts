import type { DeviceRecord } from "../../records/directory.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { Directory } from "./directory.ts";
import { type RecordHandle, recordHandle } from "./record-handle.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

/** `sim.teams` and `sim.devices`: entries of one kind. */
export interface EntriesApi<Handle> {
  /**
   * Returns one entry.
   * @param id the entry's id
   * @throws {CommandError} `not_found`
   * @example
   * sim.teams.get("sales").record.displayName; // => "Sales"
   * sim.devices.get("lobby").record.extension; // => "300"
   */
  get(id: string): Handle;
  /**
   * All entries, in the order of the organisation.
   * @example
   * sim.teams.list().map(({ id }) => id); // => ["sales", "support"]
   */
  list(): Handle[];
}

/** One device. It cannot be changed. */
export type DeviceHandle = RecordHandle<DeviceRecord>;

export function devicesApi(services: Needs): EntriesApi<DeviceHandle> {
  const handle = ({ id }: DeviceRecord) => recordHandle(id, (each) => services.directory.device(each));
  return {
    get: (id) => handle(services.directory.device(id)),
    list: () => [...services.tables.devices].map(handle),
  };
}
