import type {
  DeviceRecord,
  LocationRecord,
  TeamMember,
  TeamRecord,
  UserRecord,
} from "../../records/directory.ts";
import { availabilityOf } from "../availability/availability-record.ts";
import type { WorkingHours } from "../availability/working-hours.ts";
import { type Dialect, urls } from "../settings.ts";
import { teamAvailability } from "../teams/teams.ts";
import {
  type DeviceInput,
  defaultEndpoints,
  type Organisation,
  type TeamInput,
  type UserInput,
} from "./schema.ts";

/** The records that an organisation starts with. */
export interface InitialRecords {
  readonly users: readonly UserRecord[];
  readonly devices: readonly DeviceRecord[];
  readonly teams: readonly TeamRecord[];
}

/** Makes the directory's records from what the consumer wrote. */
export function initialRecords(
  organisation: Organisation,
  hours: ReadonlyMap<string, WorkingHours>,
  dialect: Dialect,
  nowMs: number,
): InitialRecords {
  const { users: userInputs = [], devices: deviceInputs = [], teams: teamInputs = [] } = organisation;
  const making = { organisation, hours, dialect, nowMs };
  const users = userInputs.map((input) => newUser(input, making));
  const devices = deviceInputs.map((input) => newDevice(input, making));
  const teams = teamInputs.map((input) => newTeam(input, users, devices, making));
  return { users, devices, teams };
}

interface Making {
  readonly organisation: Organisation;
  readonly hours: ReadonlyMap<string, WorkingHours>;
  readonly dialect: Dialect;
  readonly nowMs: number;
}

function newUser(input: UserInput, { organisation, hours, dialect, nowMs }: Making): UserRecord {
  const endpoints = (input.endpoints ?? defaultEndpoints).map((endpoint) =>
    typeof endpoint === "string"
      ? { id: endpoint, type: endpoint, registered: true }
      : { id: endpoint.id, type: endpoint.type, registered: endpoint.registered ?? true },
  );
  const isLoggedIn = endpoints.some((endpoint) => endpoint.registered);
  const isOutOfHours = hours.get(input.id)?.at(nowMs).isOut ?? false;
  const manager = organisation.users?.find((each) => each.id === input.manager);
  return {
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
    manager:
      manager === undefined
        ? null
        : { id: manager.id, displayName: manager.displayName, email: manager.email },
    location: locationOf(input.location, organisation),
    phoneNumbers: numbersOf(input.id, organisation),
    ...(input.mobile === undefined ? {} : { mobile: input.mobile }),
    licenses: input.licenses ?? [],
    loginStatus: isLoggedIn ? "loggedIn" : "loggedOut",
    isDirectorySynced: false,
    desktopEnrolledReleaseChannel: "stable",
    hasVoicemail: input.voicemail ?? false,
    vendorRedirectUrl: redirectUrl(input.extension, organisation.id),
    endpoints,
    availability: availabilityOf(
      isLoggedIn && !isOutOfHours
        ? { status: "available", rule: null, reason: null }
        : { status: "offline", rule: isLoggedIn ? "outOfHours" : "loggedOut", reason: null },
      undefined,
      nowMs,
    ),
    callId: null,
    vendor: null,
    vendorCallId: null,
  };
}

function newDevice(input: DeviceInput, { organisation, dialect }: Making): DeviceRecord {
  return {
    id: input.id,
    type: dialect.directoryTypes.device,
    displayName: input.displayName,
    extension: input.extension,
    sipAddress: input.sipAddress ?? null,
    isOutboundAllowed: input.outboundAllowed ?? true,
    phoneNumbers: numbersOf(input.id, organisation),
    vendorRedirectUrl: redirectUrl(input.extension, organisation.id),
  };
}

function newTeam(
  input: TeamInput,
  users: readonly UserRecord[],
  devices: readonly DeviceRecord[],
  { organisation, dialect }: Making,
): TeamRecord {
  const teamMembers = (input.members ?? []).map((member): TeamMember => {
    const user = "user" in member ? users.find((each) => each.id === member.user) : undefined;
    const record = "user" in member ? user : devices.find((each) => each.id === member.device);
    if (record === undefined) throw new Error(`team ${input.id} has a member that was not checked`);
    return {
      id: record.id,
      type: user === undefined ? "device" : "user",
      displayName: record.displayName,
      extension: record.extension,
      priority: member.priority ?? 1,
      isAvailable:
        user === undefined || (user.status === "active" && user.availability.status === "available"),
    };
  });
  return {
    id: input.id,
    type: dialect.directoryTypes.team,
    displayName: input.displayName,
    extension: input.extension,
    isHidden: input.hidden ?? false,
    phoneNumbers: numbersOf(input.id, organisation),
    vendorRedirectUrl: redirectUrl(input.extension, organisation.id),
    teamMembers,
    availability: teamAvailability(
      teamMembers.length,
      teamMembers.filter((member) => member.isAvailable).length,
    ),
  };
}

function numbersOf(ownerId: string, organisation: Organisation): string[] {
  return (organisation.numbers ?? []).filter(({ owner }) => owner === ownerId).map(({ number }) => number);
}

function locationOf(id: string | undefined, organisation: Organisation): LocationRecord | null {
  const location = organisation.locations?.find((each) => each.id === id);
  if (location === undefined) return null;
  const { name, address = null, countryIso = null, timezone = null } = location;
  return { id: location.id, name, address, countryIso, timezone };
}

/** Connects a call to the entry. Parameters in alphabetical order, as the handler wants them. */
function redirectUrl(extension: string, organisationId: string): string {
  return `${urls.redirect}/telephony/redirect?${new URLSearchParams({ extension, organisationId })}`;
}
