import type { UserReference } from "./directory.ts";
import type { Moment } from "./moments.ts";

/** A SIP trunk to another phone system. Made in the account portal only, so here in the organisation only. */
export interface TrunkRecord {
  readonly id: string;
  readonly name: string;
}

/** What every entry of a trunk has. Specification, "Trunk resources". */
interface TrunkEntryFields extends Moment<"created">, Moment<"lastModified"> {
  readonly id: string;
  readonly trunkId: string;
  readonly type: string;
  readonly displayName: string;
  readonly extension: string;
  /** Absent without one. */
  readonly ivrKey?: string;
  readonly vendorRedirectUrl: string;
  readonly description: string | null;
}

/** A device of a trunk. */
export interface TrunkDeviceRecord extends TrunkEntryFields {
  readonly location: string | null;
  readonly model: string | null;
  readonly product: string | null;
}

/** A queue of a trunk. */
export interface TrunkQueueRecord extends TrunkEntryFields {}

/** A user of a trunk. */
export interface TrunkUserRecord extends TrunkEntryFields {
  readonly department: string | null;
  readonly jobTitle: string | null;
  readonly location: string | null;
  readonly manager: string | null;
  /** The service user that they are. */
  readonly user: UserReference | null;
  readonly phoneNumbers: readonly string[];
}

/** The record of each kind of trunk entry. */
export interface TrunkRecords {
  readonly device: TrunkDeviceRecord;
  readonly queue: TrunkQueueRecord;
  readonly user: TrunkUserRecord;
}

/** The kinds of entries that a trunk has. */
export type TrunkKind = keyof TrunkRecords;
/** An entry of a trunk, of any kind. */
export type TrunkEntryRecord = TrunkRecords[TrunkKind];
