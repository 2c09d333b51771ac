import type { DeviceRecord } from "../../records/directory.ts";
import type { Base } from "../base.ts";
import type { Directory } from "./directory.ts";
import { type RecordHandle, recordHandle } from "./record-handle.ts";

export interface Needs extends Base {
  readonly directory: Directory;
}

/** `sim.teams`, `sim.devices`. */
export interface EntriesApi<Handle> {
  /** @throws {CommandError} `not_found` */
  get(id: string): Handle;
  /** In the order of the organisation. */
  list(): Handle[];
}

/** A device, which is only looked at. */
export type DeviceHandle = RecordHandle<DeviceRecord>;

export function devicesApi(world: Needs): EntriesApi<DeviceHandle> {
  const handle = ({ id }: DeviceRecord) => recordHandle(id, (each) => world.directory.device(each));
  return {
    get: (id) => handle(world.directory.device(id)),
    list: () => [...world.tables.devices].map(handle),
  };
}
