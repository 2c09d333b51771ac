import type { TrunkDeviceRecord, TrunkQueueRecord, TrunkUserRecord } from "../generated/records.ts";

export type {
  TrunkDeviceRecord,
  TrunkQueueRecord,
  TrunkRecord,
  TrunkUserRecord,
} from "../generated/records.ts";

/** The record of each kind of trunk entry. */
export interface TrunkRecords {
  /** A device of a trunk. */
  readonly device: TrunkDeviceRecord;
  /** A queue of a trunk. */
  readonly queue: TrunkQueueRecord;
  /** A user of a trunk. */
  readonly user: TrunkUserRecord;
}

/** The kinds of trunk entries. */
export type TrunkKind = keyof TrunkRecords;
/** An entry of a trunk, of any kind. */
export type TrunkEntryRecord = TrunkRecords[TrunkKind];
