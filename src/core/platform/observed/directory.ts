import { iso } from "../../foundation/instants.ts";
import type {
  DirectoryEntry,
  EntryReference,
  LocationRecord,
  TeamDevice,
  TeamRecord,
  TeamUser,
  UserRecord,
} from "../../generated/records.ts";
import type { Availability } from "../availability/availability.ts";
import { asNumber, writtenNumber } from "./texts.ts";

/** Entries of the directory in the shape that public bodies have: docs/observed.md. */

/** The working hours of users, which never change during a run. */
export interface ShapeSources {
  readonly availability: Pick<Availability, "hours">;
}

/** How an entry is named inside another record. The extension of a user is a number, that of others is text. */
export function writeReference(reference: EntryReference) {
  return reference.type === "user"
    ? { ...reference, extension: asNumber(reference.extension) }
    : { ...reference };
}

/** Where somebody works, as text. */
export function writeLocation(location: LocationRecord | null | undefined): string | null {
  return location?.name ?? null;
}

/** The fields that users, teams and devices have. */
function writeIvrKey({ ivrKey }: { readonly ivrKey?: string }) {
  return ivrKey === undefined ? {} : { ivrKeyCode: asNumber(ivrKey) };
}

/** @param atMs the instant of the snapshot that the user is a part of; undefined for a user alone */
export function writeUser(user: UserRecord, sources: ShapeSources, atMs?: number) {
  const { ivrKey: _, mobile = null, extension, location, teams, phoneNumbers, availability, ...rest } = user;
  return {
    ...rest,
    ...writeIvrKey(user),
    extension: asNumber(extension),
    mobile,
    location: writeLocation(location),
    teams: teams.map(({ displayName }) => displayName),
    phoneNumbers: phoneNumbers.map(writtenNumber),
    // who never signed in has none
    ...(user.status === "invited" ? {} : { availability: writeAvailability(user, sources, atMs) }),
  };
}

function writeAvailability(user: UserRecord, sources: ShapeSources, atMs: number | undefined) {
  const { availability, timezone, displayName, id } = user;
  const { status, statusTimestamp, notAvailableRule, availabilitySummary } = availability;
  const endMs =
    notAvailableRule === "outOfHours"
      ? sources.availability.hours.get(id)?.at(statusTimestamp).nextMs
      : undefined;
  const shownMs = atMs ?? statusTimestamp;
  return {
    ...availability,
    statusAt: iso(shownMs),
    statusTimestamp: shownMs,
    availabilitySummary:
      notAvailableRule === "busyOnACall"
        ? `${displayName} is on another call`
        : status === "offline"
          ? "Offline"
          : availabilitySummary,
    timezone,
    endAt: endMs === undefined ? null : iso(endMs),
    endTimestamp: endMs ?? null,
  };
}

/** A device, or an entry of a trunk. */
function writeDevice<D extends { readonly ivrKey?: string }>(device: D) {
  const { ivrKey: _, ...rest } = device;
  return { ...rest, ...writeIvrKey(device) };
}

function writeMember(member: TeamUser | TeamDevice, sources: ShapeSources, atMs: number | undefined) {
  const { priority: _, ...entry } = member;
  if (!("endpoints" in entry)) return writeDevice(entry);
  const { endpoints: _endpoints, hasVoicemail: _hasVoicemail, ...user } = writeUser(entry, sources, atMs);
  return user;
}

/** @param atMs the instant that each member's availability shows, in the event of a team; undefined for their own */
export function writeTeam(team: TeamRecord, sources: ShapeSources, atMs?: number) {
  const { ivrKey: _, phoneNumbers, teamMembers, availability, ...rest } = team;
  const { totalAvailable, totalMembers } = availability;
  return {
    ...rest,
    ...writeIvrKey(team),
    phoneNumbers: phoneNumbers.map(writtenNumber),
    teamMembers: teamMembers.map((member) => writeMember(member, sources, atMs)),
    availability: {
      ...availability,
      availabilitySummary: `${totalAvailable} of ${totalMembers} people available`,
    },
  };
}

/** Any entry of the directory. */
export function writeEntry(entry: DirectoryEntry, sources: ShapeSources) {
  if ("teamMembers" in entry) return writeTeam(entry, sources);
  if ("endpoints" in entry) return writeUser(entry, sources);
  return writeDevice(entry);
}
