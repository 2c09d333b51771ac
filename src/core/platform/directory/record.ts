import * as v from "valibot";
import {
  absentable,
  anyOf,
  dateField,
  flagField,
  many,
  nullable,
  nullableText,
  one,
  oneOfField,
  record,
  textField,
  texts,
  whole,
} from "../../records/fields.ts";

export const entryReference = record(
  { type: "EntryReference", component: "EntryReference" },
  "How a user, a team or a device is named inside another record.",
  {
    id: textField("The entry's id."),
    type: textField("The kind of entry: `user`, `team` or `device`."),
    displayName: textField("The entry's name, as people see it."),
    extension: textField("The entry's extension number."),
    email: nullableText("The user's e-mail address; null for teams and devices."),
    overriddenDisplayName: absentable(
      textField("The name that a Team Call data action gave the team for this call; absent without one."),
    ),
  },
);

export const location = record(
  { type: "LocationRecord", component: "Location" },
  "A location of the organisation.",
  {
    id: textField("The location's id."),
    name: textField("The location's name."),
    address: nullableText("The postal address; null if unknown."),
    countryIso: nullableText("The country, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown."),
    timezone: nullableText("The IANA time zone, such as `Pacific/Auckland`; null if unknown."),
  },
);

export const userReference = record(
  { type: "UserReference", component: "UserReference" },
  "How a user is named in the record of another entry, for example as its manager.",
  {
    id: textField("The user's id."),
    displayName: textField("The user's name, as people see it."),
    email: textField("The user's e-mail address."),
  },
);

export const availabilityStatus = oneOfField(
  { type: "AvailabilityStatus" },
  "Whether a user can be called.",
  ["available", "busy", "offline"],
);

export const notAvailableRule = oneOfField(
  { type: "NotAvailableRule" },
  "The rule by which a user is not available.",
  ["busyOnACall", "doNotDisturb", "outOfHours", "loggedOut", "ringing"],
);

const busyCall = {
  callId: nullableText("The call that keeps the user busy; null unless busy on a call."),
  vendor: nullableText("The vendor that carries that call; null unless busy on a call."),
  vendorCallId: nullableText("The vendor's id of that call's parent; null unless busy on a call."),
};

export const availabilitySchema = record(
  { type: "Availability", component: "Availability" },
  "Whether a user can be called, since when, and why not.",
  {
    status: one(availabilityStatus, "Whether the user can be called."),
    ...dateField("status", "When the status last changed"),
    availabilitySummary: textField("The same in words, for people to read."),
    notAvailableRule: nullable(
      notAvailableRule,
      "The rule by which the user is not available; null while available, or when no rule applies.",
    ),
    notAvailableReason: nullableText(
      "Why, as whoever set it wrote, or `wrapUp` after a call; null if nobody said.",
    ),
    ...busyCall,
  },
);

export const endpoint = record(
  { type: "EndpointRecord" },
  "An endpoint of a user or a device: an app or a phone that rings.",
  {
    id: textField("The endpoint's id, unique for its user."),
    type: v.pipe(
      v.picklist(["mobile", "desktop", "sip"]),
      v.description("Whether it is a mobile app, a desktop app or a SIP phone."),
    ),
    registered: flagField("Whether it is signed in. Only registered endpoints ring."),
  },
);

/** The fields of every directory entry. */
const entry = {
  id: textField("The entry's id."),
  type: textField("The directory type, as `dialect.directoryTypes` names it."),
  displayName: textField("The name, as people see it."),
  extension: textField("The extension number, unique in the directory."),
  ivrKey: absentable(textField("The key that callers press for this entry in a menu; absent without one.")),
  vendorRedirectUrl: textField("Where a call can be redirected to, to reach this entry."),
};
const phoneNumbers = texts("The entry's own phone numbers, E.164.");

const userFields = {
  ...entry,
  email: textField("The e-mail address, unique in the directory."),
  firstName: nullableText("The first name; null if unknown."),
  lastName: nullableText("The last name; null if unknown."),
  status: v.pipe(
    v.picklist(["invited", "active", "suspended"]),
    v.description("Whether the user takes part. Only active users are rung."),
  ),
  timezone: textField("The IANA time zone of the working hours, such as `Pacific/Auckland`."),
  jobTitle: nullableText("The job title; null if unknown."),
  manager: nullable(userReference, "Whom the user reports to; null if unknown."),
  location: nullable(location, "Where the user works; null if unknown."),
  phoneNumbers,
  mobile: absentable(
    textField(
      "The mobile number, E.164; absent without one, and with `features.excludeEmployeePhoneNumbers`.",
    ),
  ),
  licenses: texts("The names of the licenses that the user has."),
  loginStatus: v.pipe(
    v.picklist(["loggedIn", "loggedOut"]),
    v.description("Whether an endpoint of the user is registered."),
  ),
  isDirectorySynced: flagField("Whether the user comes from the customer's own directory."),
  desktopEnrolledReleaseChannel: textField("The release channel that the desktop app is enrolled in."),
  hasVoicemail: flagField("Whether unanswered calls go to a voicemail."),
  endpoints: many(endpoint, "The apps and phones that ring for the user."),
  teams: many(entryReference, "The teams that the user is in, in the order of the organisation's teams."),
  availability: one(availabilitySchema, "Whether the user can be called, since when, and why not."),
  ...busyCall,
};

export const user = record({ type: "UserRecord", component: "User" }, "A user of the directory.", userFields);

const deviceFields = {
  ...entry,
  sipAddress: nullableText("The SIP address; null if unknown."),
  isOutboundAllowed: flagField("Whether it may dial outside numbers."),
  phoneNumbers,
};

export const device = record(
  { type: "DeviceRecord", component: "Device" },
  "A device of the directory, such as the phone in the lobby.",
  deviceFields,
);

const priority = whole("The offer priority: 1 is rung first.");

export const teamUser = record(
  { type: "TeamUser", component: "TeamUser" },
  "A user in a team: the user, with the offer priority.",
  { ...userFields, priority },
);

export const teamDevice = record(
  { type: "TeamDevice", component: "TeamDevice" },
  "A device in a team: the device, with the offer priority.",
  { ...deviceFields, priority, isAvailable: flagField("Whether the device is free: not on a call.") },
);

export const teamMember = anyOf(
  { type: "TeamMember", component: "TeamMember" },
  "A user or a device in a team, with its offer priority.",
  [teamUser, teamDevice],
);

export const team = record({ type: "TeamRecord", component: "Team" }, "A team of the directory.", {
  ...entry,
  isHidden: flagField("Whether listings of the directory leave the team out unless asked for hidden teams."),
  phoneNumbers,
  teamMembers: many(teamMember, "The members, in the order in which they joined."),
  availability: v.pipe(
    v.strictObject({
      status: v.pipe(
        v.picklist(["available", "busy"]),
        v.description("`available` if a member is, else `busy`."),
      ),
      totalMembers: whole("How many members there are."),
      totalAvailable: whole("How many of them are available."),
      availabilitySummary: textField("The same in words, for people to read."),
    }),
    v.description("Whether anyone in the team can be called."),
  ),
});

export const trunk = record(
  { type: "TrunkRecord", component: "Trunk" },
  "A SIP trunk to another phone system. Trunks are made in the account portal only, so here in the organisation only.",
  { id: textField("The trunk's id."), name: textField("The trunk's name.") },
);

const trunkEntry = {
  ...entry,
  trunkId: textField("The trunk that the entry belongs to."),
  description: nullableText("A description; null without one."),
  ...dateField("created", "When the entry was added"),
  ...dateField("lastModified", "When the entry last changed"),
};

export const trunkDevice = record(
  { type: "TrunkDeviceRecord", component: "TrunkDevice" },
  "A device behind a trunk.",
  {
    ...trunkEntry,
    location: nullableText("Where it stands; null if unknown."),
    model: nullableText("Its model; null if unknown."),
    product: nullableText("Its product line; null if unknown."),
  },
);

export const trunkQueue = record(
  { type: "TrunkQueueRecord", component: "TrunkQueue" },
  "A queue behind a trunk.",
  trunkEntry,
);

export const trunkUser = record(
  { type: "TrunkUserRecord", component: "TrunkUser" },
  "A user behind a trunk.",
  {
    ...trunkEntry,
    department: nullableText("The department; null if unknown."),
    jobTitle: nullableText("The job title; null if unknown."),
    location: nullableText("Where they work; null if unknown."),
    manager: nullableText("Whom they report to; null if unknown."),
    user: nullable(userReference, "The user of the service that they are; null if none."),
    phoneNumbers,
  },
);

/** The schema of each kind of trunk entry. */
export const trunkEntries = { device: trunkDevice, queue: trunkQueue, user: trunkUser };

export const directoryEntry = anyOf(
  { type: "DirectoryEntry", component: "DirectoryEntry" },
  "Any entry of the directory: something that has an extension.",
  [user, team, device, trunkDevice, trunkQueue, trunkUser],
);
