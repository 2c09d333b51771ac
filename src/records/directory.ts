import type { UserReference } from "../generated/records.ts";

export type {
  Availability,
  AvailabilityStatus,
  DeviceRecord,
  EndpointRecord,
  EntryReference,
  LocationRecord,
  NotAvailableRule,
  TeamDevice,
  TeamMember,
  TeamRecord,
  TeamUser,
  UserRecord,
  UserReference,
} from "../generated/records.ts";

/** Whom a user reports to. */
export type ManagerReference = UserReference;
