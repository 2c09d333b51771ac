import {
  copyUser,
  type DeviceRecord,
  type EntryReference,
  type LocationRecord,
  type TeamMember,
  type TeamRecord,
  type UserRecord,
  type UserReference,
} from "../records/directory.ts";
import type { AllFields, Table } from "../records/table.ts";
import type { TrunkKind, TrunkRecords } from "../records/trunk.ts";
import { makeAvailability } from "./availability/availability-record.ts";
import { readWorkingHours, type WorkingHours } from "./availability/working-hours.ts";
import type { Settings, Tables } from "./base/core-services.ts";
import type { Dialect } from "./declare/settings.ts";
import { redirectUrl, type Urls } from "./declare/urls.ts";
import { newLocation } from "./locations/locations.ts";
import {
  type DeviceInput,
  defaultEndpoints,
  type Organisation,
  type TeamInput,
  type TrunkInput,
  type UserInput,
} from "./organisation/schema.ts";
import { isAvailable, teamAvailability } from "./teams/teams.ts";
import type { TrunkFields } from "./trunks/schemas.ts";
import { newTrunkEntry } from "./trunks/trunk-records.ts";

/** Inserts the records that an organisation starts with. */
export function insertInitialRecords(
  tables: Tables,
  organisation: Organisation,
  { dialect, urls }: Settings,
  nowMs: number,
): void {
  const { users: userInputs = [], devices: deviceInputs = [], teams: teamInputs = [] } = organisation;
  const locations = (organisation.locations ?? []).map(newLocation);
  const context = {
    ...{ organisation, locations, hours: readWorkingHours(organisation), dialect, urls, nowMs },
    teamsOf: teamsByUser(organisation),
    userInputs: byId(userInputs),
    numbersOf: numbersByOwner(organisation),
  };
  const users = userInputs.map((input) => newUser(input, context));
  const devices = deviceInputs.map((input) => newDevice(input, context));
  const members = { users: byId(users), devices: byId(devices) };
  insertAll(tables.users, users);
  insertAll(tables.devices, devices);
  insertAll(
    tables.teams,
    teamInputs.map((input) => newTeam(input, members, context)),
  );
  insertAll(tables.locations, locations);
  insertAll(
    tables.trunks,
    (organisation.trunks ?? []).map(({ id, name }) => ({ id, name })),
  );
  const { trunkEntries } = tables;
  const trunks = organisation.features?.pbx === true ? (organisation.trunks ?? []) : [];
  insertAll(
    trunkEntries.device,
    newTrunkEntries("device", trunks, (trunk) => trunk.devices, context),
  );
  insertAll(
    trunkEntries.queue,
    newTrunkEntries("queue", trunks, (trunk) => trunk.queues, context),
  );
  insertAll(
    trunkEntries.user,
    newTrunkEntries("user", trunks, (trunk) => trunk.users, context),
  );
}

function insertAll<T extends { readonly id: string }>(table: Table<T>, records: readonly T[]): void {
  for (const record of records) table.insert(record);
}

function newTrunkEntries<K extends TrunkKind>(
  kind: K,
  trunks: readonly TrunkInput[],
  inputsOf: (trunk: TrunkInput) => readonly (TrunkFields[K] & { readonly id: string })[] | undefined,
  { organisation, userInputs, dialect, urls, nowMs }: RecordContext,
): TrunkRecords[K][] {
  const mustFindUser = (who: string) => {
    const reference = referenceToUser(userInputs.get(who));
    if (reference === null) throw new Error(`a trunk user is ${who}, who was not checked`);
    return reference;
  };
  return trunks.flatMap((trunk) =>
    (inputsOf(trunk) ?? []).map((input) => {
      const context = {
        id: input.id,
        trunkId: trunk.id,
        organisationId: organisation.id,
        dialect,
        urls,
        nowMs,
        userOf: mustFindUser,
      };
      return newTrunkEntry(kind, input, context);
    }),
  );
}

interface RecordContext {
  readonly organisation: Organisation;
  readonly locations: readonly LocationRecord[];
  readonly hours: ReadonlyMap<string, WorkingHours>;
  /** The teams of each user. */
  readonly teamsOf: ReadonlyMap<string, readonly EntryReference[]>;
  readonly userInputs: ReadonlyMap<string, UserInput>;
  /** The numbers of each entry. */
  readonly numbersOf: ReadonlyMap<string, readonly string[]>;
  readonly dialect: Dialect;
  readonly urls: Urls;
  readonly nowMs: number;
}

function newUser(
  input: UserInput,
  { organisation, locations, hours, teamsOf, userInputs, numbersOf, dialect, urls, nowMs }: RecordContext,
): UserRecord {
  const endpoints = (input.endpoints ?? defaultEndpoints).map((endpoint) =>
    typeof endpoint === "string"
      ? { id: endpoint, type: endpoint, registered: true }
      : { id: endpoint.id, type: endpoint.type, registered: endpoint.registered ?? true },
  );
  const isLoggedIn = endpoints.some((endpoint) => endpoint.registered);
  const isOutOfHours = hours.get(input.id)?.at(nowMs).isOut ?? false;
  const isActive = (input.status ?? "active") === "active";
  const usual: AllFields<Omit<UserRecord, "ivrKey" | "mobile">> = {
    id: input.id,
    type: dialect.directoryTypes.user,
    email: input.email,
    displayName: input.displayName,
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    extension: input.extension,
    status: input.status ?? "active",
    timezone: input.timezone ?? organisation.timezone ?? "UTC",
    jobTitle: input.jobTitle ?? null,
    manager: input.manager === undefined ? null : referenceToUser(userInputs.get(input.manager)),
    location: locations.find(({ id }) => id === input.location) ?? null,
    phoneNumbers: numbersOf.get(input.id) ?? [],
    licenses: input.licenses ?? [],
    loginStatus: isLoggedIn ? "loggedIn" : "loggedOut",
    isDirectorySynced: input.isDirectorySynced ?? false,
    desktopEnrolledReleaseChannel: input.desktopEnrolledReleaseChannel ?? "stable",
    hasVoicemail: input.voicemail ?? true,
    vendorRedirectUrl: redirectUrl(urls, input.extension, organisation.id),
    endpoints,
    teams: teamsOf.get(input.id) ?? [],
    availability: makeAvailability(settledAtStart({ isActive, isLoggedIn, isOutOfHours }), undefined, nowMs),
    callId: null,
    vendor: null,
    vendorCallId: null,
  };
  const isNumberShown =
    input.mobile !== undefined && organisation.features?.excludeEmployeePhoneNumbers !== true;
  if (input.ivrKey === undefined && !isNumberShown) return usual;
  return withOptional(usual, ivrKeyOf(input), isNumberShown ? { mobile: input.mobile } : {});
}

/** Puts the fields that few users have in their places. Among the fields of all users, each would cost a spread. */
function withOptional(
  user: Omit<UserRecord, "ivrKey" | "mobile">,
  ivrKey: Pick<UserRecord, "ivrKey">,
  mobile: Pick<UserRecord, "mobile">,
): UserRecord {
  const { id, type, email, displayName, firstName, lastName, extension, ...others } = user;
  const { status, timezone, jobTitle, manager, location, phoneNumbers, ...last } = others;
  return {
    ...{ id, type, email, displayName, firstName, lastName, extension, ...ivrKey },
    ...{ status, timezone, jobTitle, manager, location, phoneNumbers, ...mobile },
    ...last,
  };
}

/** The availability with which a user's machine begins. */
function settledAtStart(user: {
  readonly isActive: boolean;
  readonly isLoggedIn: boolean;
  readonly isOutOfHours: boolean;
}): Parameters<typeof makeAvailability>[0] {
  if (!user.isActive) return { status: "offline", rule: null, reason: null };
  if (!user.isLoggedIn) return { status: "offline", rule: "loggedOut", reason: null };
  if (user.isOutOfHours) return { status: "offline", rule: "outOfHours", reason: null };
  return { status: "available", rule: null, reason: null };
}

function newDevice(
  input: DeviceInput,
  { organisation, numbersOf, dialect, urls }: RecordContext,
): DeviceRecord {
  return {
    id: input.id,
    type: dialect.directoryTypes.device,
    displayName: input.displayName,
    extension: input.extension,
    ...ivrKeyOf(input),
    sipAddress: input.sipAddress ?? null,
    isOutboundAllowed: input.outboundAllowed ?? true,
    phoneNumbers: numbersOf.get(input.id) ?? [],
    vendorRedirectUrl: redirectUrl(urls, input.extension, organisation.id),
  };
}

function newTeam(
  input: TeamInput,
  {
    users,
    devices,
  }: {
    readonly users: ReadonlyMap<string, UserRecord>;
    readonly devices: ReadonlyMap<string, DeviceRecord>;
  },
  { organisation, numbersOf, dialect, urls }: RecordContext,
): TeamRecord {
  const teamMembers = (input.members ?? []).map((member): TeamMember => {
    const { priority = 1 } = member;
    const user = "user" in member ? users.get(member.user) : undefined;
    if (user !== undefined) return Object.assign(copyUser(user), { priority });
    const device = "device" in member ? devices.get(member.device) : undefined;
    if (device === undefined) throw new Error(`team ${input.id} has a member that was not checked`);
    return { ...device, priority, isAvailable: true };
  });
  return {
    id: input.id,
    type: dialect.directoryTypes.team,
    displayName: input.displayName,
    extension: input.extension,
    ...ivrKeyOf(input),
    isHidden: input.hidden ?? false,
    phoneNumbers: numbersOf.get(input.id) ?? [],
    vendorRedirectUrl: redirectUrl(urls, input.extension, organisation.id),
    teamMembers,
    availability: teamAvailability(teamMembers.length, teamMembers.filter(isAvailable).length),
  };
}

/** The teams of each user, in the order of the organisation. */
function teamsByUser({ teams = [] }: Organisation): ReadonlyMap<string, readonly EntryReference[]> {
  const byUser = new Map<string, EntryReference[]>();
  for (const { id, displayName, extension, members = [] } of teams)
    for (const member of members) {
      if (!("user" in member)) continue;
      const reference: EntryReference = { id, type: "team", displayName, extension, email: null };
      const others = byUser.get(member.user);
      if (others === undefined) byUser.set(member.user, [reference]);
      else others.push(reference);
    }
  return byUser;
}

/** The numbers of each entry, in the order of the organisation. */
function numbersByOwner({ numbers = [] }: Organisation): ReadonlyMap<string, readonly string[]> {
  const byOwner = new Map<string, string[]>();
  for (const { number, owner } of numbers) {
    const others = byOwner.get(owner);
    if (others === undefined) byOwner.set(owner, [number]);
    else others.push(number);
  }
  return byOwner;
}

function byId<T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function ivrKeyOf({ ivrKey }: { readonly ivrKey?: string | undefined }) {
  return ivrKey === undefined ? {} : { ivrKey };
}

/** Refers to a user from other records. */
function referenceToUser(user: UserInput | undefined): UserReference | null {
  return user === undefined ? null : { id: user.id, displayName: user.displayName, email: user.email };
}
