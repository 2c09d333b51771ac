import * as v from "valibot";
import type { DirectoryEntry } from "../../platform/directory/listing.ts";
import type { DeviceRecord, EntryReference, TeamRecord, UserRecord } from "../../records/directory.ts";
import type {
  TrunkDeviceRecord,
  TrunkQueueRecord,
  TrunkRecord,
  TrunkUserRecord,
} from "../../records/trunk.ts";
import { integer, moment, named, nullableText, text, texts } from "./common.ts";

type Describes<T> = v.GenericSchema<unknown, T>;

export const userReferenceSchema = named(
  "UserReference",
  v.strictObject({ id: text, displayName: text, email: text }),
);

export const entryReferenceSchema = named(
  "EntryReference",
  v.strictObject({
    id: text,
    type: text,
    displayName: text,
    extension: text,
    email: nullableText,
    overriddenDisplayName: v.optional(text),
  }),
) satisfies Describes<EntryReference>;

export const locationSchema = named(
  "Location",
  v.strictObject({
    id: text,
    name: text,
    address: nullableText,
    countryIso: nullableText,
    timezone: nullableText,
  }),
);

const availability = named(
  "Availability",
  v.strictObject({
    status: v.picklist(["available", "busy", "offline"]),
    ...moment("status"),
    availabilitySummary: text,
    notAvailableRule: v.nullable(v.picklist(["busyOnACall", "doNotDisturb", "outOfHours", "loggedOut"])),
    notAvailableReason: nullableText,
    callId: nullableText,
    vendor: nullableText,
    vendorCallId: nullableText,
  }),
);

/** What every entry of the directory has. */
const entry = { id: text, type: text, displayName: text, extension: text, ivrKey: v.optional(text) };

export const userSchema = named(
  "User",
  v.strictObject({
    ...entry,
    email: text,
    firstName: nullableText,
    lastName: nullableText,
    status: v.picklist(["invited", "active", "suspended"]),
    timezone: text,
    jobTitle: nullableText,
    manager: v.nullable(userReferenceSchema),
    location: v.nullable(locationSchema),
    phoneNumbers: texts,
    mobile: v.optional(text),
    licenses: texts,
    loginStatus: v.picklist(["loggedIn", "loggedOut"]),
    isDirectorySynced: v.boolean(),
    desktopEnrolledReleaseChannel: text,
    hasVoicemail: v.boolean(),
    vendorRedirectUrl: text,
    endpoints: v.array(
      v.strictObject({ id: text, type: v.picklist(["mobile", "desktop", "sip"]), registered: v.boolean() }),
    ),
    availability,
    callId: nullableText,
    vendor: nullableText,
    vendorCallId: nullableText,
  }),
) satisfies Describes<UserRecord>;

export const teamSchema = named(
  "Team",
  v.strictObject({
    ...entry,
    isHidden: v.boolean(),
    phoneNumbers: texts,
    vendorRedirectUrl: text,
    teamMembers: v.array(
      v.strictObject({
        id: text,
        type: text,
        displayName: text,
        extension: text,
        priority: integer,
        isAvailable: v.boolean(),
      }),
    ),
    availability: v.strictObject({
      status: v.picklist(["available", "busy"]),
      totalMembers: integer,
      totalAvailable: integer,
      availabilitySummary: text,
    }),
  }),
) satisfies Describes<TeamRecord>;

const deviceSchema = named(
  "Device",
  v.strictObject({
    ...entry,
    sipAddress: nullableText,
    isOutboundAllowed: v.boolean(),
    phoneNumbers: texts,
    vendorRedirectUrl: text,
  }),
) satisfies Describes<DeviceRecord>;

export const trunkSchema = named(
  "Trunk",
  v.strictObject({ id: text, name: text }),
) satisfies Describes<TrunkRecord>;

const trunkEntry = {
  ...entry,
  trunkId: text,
  vendorRedirectUrl: text,
  description: nullableText,
  ...moment("created"),
  ...moment("lastModified"),
};

export const trunkEntrySchemas = {
  device: named(
    "TrunkDevice",
    v.strictObject({ ...trunkEntry, location: nullableText, model: nullableText, product: nullableText }),
  ) satisfies Describes<TrunkDeviceRecord>,
  queue: named("TrunkQueue", v.strictObject(trunkEntry)) satisfies Describes<TrunkQueueRecord>,
  user: named(
    "TrunkUser",
    v.strictObject({
      ...trunkEntry,
      department: nullableText,
      jobTitle: nullableText,
      location: nullableText,
      manager: nullableText,
      user: v.nullable(userReferenceSchema),
      phoneNumbers: texts,
    }),
  ) satisfies Describes<TrunkUserRecord>,
};

export const directoryEntrySchema = named(
  "DirectoryEntry",
  v.union([
    userSchema,
    teamSchema,
    deviceSchema,
    trunkEntrySchemas.device,
    trunkEntrySchemas.queue,
    trunkEntrySchemas.user,
  ]),
) satisfies Describes<DirectoryEntry>;
