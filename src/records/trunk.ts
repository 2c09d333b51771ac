import type { TrunkDeviceRecord, TrunkQueueRecord, TrunkUserRecord } from "../generated/records.ts";

export type {
  TrunkDeviceRecord,
  TrunkQueueRecord,
  TrunkRecord,
  TrunkUserRecord,
} from "../generated/records.ts";

/** The record of each kind of trunk entry. */
export interface TrunkRecords {
  readonly device: TrunkDeviceRecord;
  readonly queue: TrunkQueueRecord;
  readonly user: TrunkUserRecord;
}

/** The kinds of trunk entries. */
export type TrunkKind = keyof TrunkRecords;
/** An entry of a trunk, of any kind. */
export type TrunkEntryRecord = TrunkRecords[TrunkKind];
