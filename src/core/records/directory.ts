import type { UserRecord } from "../generated/records.ts";
import type { AllFields, Mutable } from "./table.ts";

export type {
  Availability,
  DeviceRecord,
  EntryReference,
  LocationRecord,
  TeamMember,
  TeamRecord,
  UserRecord,
  UserReference,
} from "../generated/records.ts";

/** Copies a user for its next version. */
export function copyUser(user: UserRecord): Mutable<UserRecord> {
  return user.ivrKey === undefined && user.mobile === undefined ? copyUsual(user) : { ...user };
}

function copyUsual(user: UserRecord): AllFields<Omit<UserRecord, "ivrKey" | "mobile">> {
  return {
    id: user.id,
    type: user.type,
    email: user.email,
    displayName: user.displayName,
    firstName: user.firstName,
    lastName: user.lastName,
    extension: user.extension,
    status: user.status,
    timezone: user.timezone,
    jobTitle: user.jobTitle,
    manager: user.manager,
    location: user.location,
    phoneNumbers: user.phoneNumbers,
    licenses: user.licenses,
    loginStatus: user.loginStatus,
    isDirectorySynced: user.isDirectorySynced,
    desktopEnrolledReleaseChannel: user.desktopEnrolledReleaseChannel,
    hasVoicemail: user.hasVoicemail,
    vendorRedirectUrl: user.vendorRedirectUrl,
    endpoints: user.endpoints,
    teams: user.teams,
    availability: user.availability,
    callId: user.callId,
    vendor: user.vendor,
    vendorCallId: user.vendorCallId,
  };
}
