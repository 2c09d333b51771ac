import type { Moment } from "./moments.ts";

/** How a user, a team or a device is named inside another record. */
export interface EntryReference {
  readonly id: string;
  readonly type: string;
  readonly displayName: string;
  readonly extension: string;
  /** Null for teams and devices. */
  readonly email: string | null;
  /** Present only if a Team Call data action overrode the name. */
  readonly overriddenDisplayName?: string;
}

/** A location of the organisation. */
export interface LocationRecord {
  readonly id: string;
  readonly name: string;
  readonly address: string | null;
  readonly countryIso: string | null;
  readonly timezone: string | null;
}

/** How a user is named in the record of another entry: as its manager, or as who a trunk user is. */
export interface UserReference {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
}
/** Whom a user reports to. */
export type ManagerReference = UserReference;

/** Whether a user can be called. */
export type AvailabilityStatus = "available" | "busy" | "offline";
/** The rule by which a user is not available. */
export type NotAvailableRule = "busyOnACall" | "doNotDisturb" | "outOfHours" | "loggedOut";

/** Whether a user can be called, since when, and why not. */
export interface Availability extends Moment<"status"> {
  readonly status: AvailabilityStatus;
  readonly availabilitySummary: string;
  readonly notAvailableRule: NotAvailableRule | null;
  readonly notAvailableReason: string | null;
  /** The call, its vendor and the vendor's id for it, while busy on a call; else null. */
  readonly callId: string | null;
  readonly vendor: string | null;
  readonly vendorCallId: string | null;
}

/** An endpoint of a user or a device: an app or a phone that rings. */
export interface EndpointRecord {
  readonly id: string;
  readonly type: "mobile" | "desktop" | "sip";
  /** Only registered endpoints ring. */
  readonly registered: boolean;
}

/** A user of the directory. */
export interface UserRecord {
  readonly id: string;
  readonly type: string;
  readonly email: string;
  readonly displayName: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly extension: string;
  /** Absent without one. */
  readonly ivrKey?: string;
  readonly status: "invited" | "active" | "suspended";
  readonly timezone: string;
  readonly jobTitle: string | null;
  readonly manager: ManagerReference | null;
  readonly location: LocationRecord | null;
  readonly phoneNumbers: readonly string[];
  /** Absent without one, and with `features.excludeEmployeePhoneNumbers`. */
  readonly mobile?: string;
  readonly licenses: readonly string[];
  readonly loginStatus: "loggedIn" | "loggedOut";
  readonly isDirectorySynced: boolean;
  readonly desktopEnrolledReleaseChannel: string;
  readonly hasVoicemail: boolean;
  readonly vendorRedirectUrl: string;
  readonly endpoints: readonly EndpointRecord[];
  readonly availability: Availability;
  /** As in `availability`: the specification lists these three on the user itself. */
  readonly callId: string | null;
  readonly vendor: string | null;
  readonly vendorCallId: string | null;
}

/** A device of the directory, such as the phone in the lobby. */
export interface DeviceRecord {
  readonly id: string;
  readonly type: string;
  readonly displayName: string;
  readonly extension: string;
  readonly ivrKey?: string;
  readonly sipAddress: string | null;
  /** Whether it may dial outside numbers. */
  readonly isOutboundAllowed: boolean;
  readonly phoneNumbers: readonly string[];
  readonly vendorRedirectUrl: string;
}

/** A user or a device in a team, with its offer priority: 1 is rung first. */
export interface TeamMember {
  readonly id: string;
  readonly type: string;
  readonly displayName: string;
  readonly extension: string;
  /** Offer priority, 1 highest. */
  readonly priority: number;
  readonly isAvailable: boolean;
}

/** A team of the directory. */
export interface TeamRecord {
  readonly id: string;
  readonly type: string;
  readonly displayName: string;
  readonly extension: string;
  readonly ivrKey?: string;
  readonly isHidden: boolean;
  readonly phoneNumbers: readonly string[];
  readonly vendorRedirectUrl: string;
  readonly teamMembers: readonly TeamMember[];
  readonly availability: {
    readonly status: "available" | "busy";
    readonly totalMembers: number;
    readonly totalAvailable: number;
    readonly availabilitySummary: string;
  };
}
