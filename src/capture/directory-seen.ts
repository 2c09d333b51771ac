import type { OrganisationInput } from "../core/generated/inputs.ts";
import type { CapturedEvent } from "./capture.ts";
import type { RestSnapshots } from "./rest-answers.ts";
import {
  isThere,
  listOf,
  type SeenCall,
  type SeenContact,
  type SeenConversation,
  type SeenData,
  type SeenMember,
  type SeenParty,
  type SeenPerson,
  type SeenTeam,
  type SeenUser,
} from "./seen.ts";

type Mutable<T> = { -readonly [Key in keyof T]?: T[Key] | undefined };
type Of<Key extends keyof OrganisationInput> =
  NonNullable<OrganisationInput[Key]> extends readonly (infer Item)[] ? Item : never;

export interface EndpointSeen {
  readonly id: string;
  readonly type: "mobile" | "desktop" | "sip";
  registered?: boolean;
}

export interface UserSeen extends Omit<Mutable<Of<"users">>, "endpoints"> {
  id: string;
  endpoints?: EndpointSeen[];
  /** Whether a record of the user was seen, not only a reference. */
  isWhole?: boolean;
  /** Whether calls could not ring them before the first event about them. */
  startsUnavailable?: boolean;
}

export interface MemberSeen {
  readonly id: string;
  isDevice: boolean;
  priority?: number | undefined;
}

export interface TeamSeen extends Omit<Mutable<Of<"teams">>, "members"> {
  id: string;
  members?: MemberSeen[];
  isWhole?: boolean;
}

export interface DeviceSeen extends Mutable<Of<"devices">> {
  id: string;
}
interface LocationSeen extends Mutable<Of<"locations">> {
  id: string;
}
export interface NumberSeen {
  /** Whose it is, by their own record or a conversation. */
  owner?: string | undefined;
  /** Whose it may be, by a call. */
  guess?: string | undefined;
  sms?: boolean;
}

/**
 * Who and what a capture and saved REST answers show: people, teams, devices, numbers, locations and contacts. The
 * first that is said of a field counts, since a scenario begins with it.
 */
export class DirectorySeen {
  readonly users = new Map<string, UserSeen>();
  readonly teams = new Map<string, TeamSeen>();
  readonly devices = new Map<string, DeviceSeen>();
  readonly numbers = new Map<string, NumberSeen>();
  readonly locations = new Map<string, LocationSeen>();
  /** The numbers of each entry whose record was seen, in their order. */
  readonly numbersOf = new Map<string, readonly string[]>();
  /** Contacts, by each of their numbers. */
  readonly contacts = new Map<string, ContactSeen>();
  /** Records of users that have been read: events share those that say the same. */
  private readonly taken = new Set<SeenMember>();

  constructor(events: readonly CapturedEvent[], rest: RestSnapshots) {
    for (const user of rest.users) this.user(user);
    for (const team of rest.teams) this.team(team);
    for (const { data } of events) this.take(data as SeenData);
    for (const call of rest.calls) this.call(call);
  }

  private take({ call, user, team, conversation, contact, participants }: SeenData): void {
    if (isThere(user)) this.user(user);
    if (isThere(team)) this.team(team);
    if (isThere(call)) this.call(call);
    if (isThere(conversation)) this.conversation(conversation);
    for (const person of listOf(participants)) this.person(person);
    if (isThere(contact)) this.contact(contact);
  }

  private user(user: SeenMember): void {
    const { id } = user;
    if (!isThere(id) || this.taken.has(user)) return;
    this.taken.add(user);
    const seen = filled(this.users, id, {
      ...pick(user, [
        "displayName",
        "firstName",
        "lastName",
        "extension",
        "ivrKey",
        "email",
        "timezone",
        "jobTitle",
        "mobile",
        "status",
        "licenses",
        "desktopEnrolledReleaseChannel",
        "isDirectorySynced",
      ] as const),
      manager: this.manager(user.manager),
      location: this.location(user.location),
      voicemail: user.hasVoicemail ?? undefined,
    });
    if (isThere(user.endpoints) && seen.isWhole !== true) {
      seen.endpoints = user.endpoints.flatMap(({ id: name, type, registered }) =>
        isThere(name) ? [{ id: name, type: type ?? "sip", registered: registered ?? true }] : [],
      );
      seen.isWhole = true;
    }
    this.ownNumbers(id, user.phoneNumbers);
    for (const team of listOf(user.teams)) {
      this.person(team);
      if (isThere(team.id)) addMember(this.teamCalled(team.id), { id, isDevice: false });
    }
  }

  private manager(manager: SeenUser["manager"]): string | undefined {
    if (!isThere(manager?.id)) return undefined;
    filled(this.users, manager.id, pick(manager, ["displayName", "email"] as const));
    return manager.id;
  }

  private location(location: SeenUser["location"]): string | undefined {
    if (!isThere(location?.id)) return undefined;
    filled(
      this.locations,
      location.id,
      pick(location, ["name", "address", "countryIso", "timezone"] as const),
    );
    return location.id;
  }

  private team(team: SeenTeam): void {
    const { id } = team;
    if (!isThere(id)) return;
    const seen = filled(this.teams, id, {
      ...pick(team, ["displayName", "extension", "ivrKey"] as const),
      hidden: team.isHidden === true ? true : undefined,
    });
    this.ownNumbers(id, team.phoneNumbers);
    const members = listOf(team.teamMembers);
    if (seen.isWhole !== true && isThere(team.teamMembers)) {
      seen.isWhole = true;
      seen.members = members.flatMap((member) =>
        isThere(member.id)
          ? [{ id: member.id, isDevice: isDevice(member), priority: member.priority ?? undefined }]
          : [],
      );
    }
    for (const member of members)
      if (isDevice(member)) this.device(member);
      else this.user(member);
  }

  private device(device: SeenMember): void {
    if (!isThere(device.id)) return;
    filled(
      this.devices,
      device.id,
      pick(device, ["displayName", "extension", "ivrKey", "sipAddress"] as const),
    );
    this.ownNumbers(device.id, device.phoneNumbers);
  }

  /** A reference to someone, by its type. */
  private person(reference: SeenPerson | null | undefined): void {
    if (!isThere(reference)) return;
    const { id, type } = reference;
    if (type === "external" && isThere(reference.phoneNumber))
      this.namedNumber(reference.phoneNumber, reference.displayName);
    if (!isThere(id) || !isThere(type)) return;
    const known = pick(reference, ["displayName", "extension"] as const);
    if (type.startsWith("team")) filled(this.teams, id, known);
    else if (type.startsWith("user"))
      filled(this.users, id, {
        ...known,
        ...pick(reference, ["email"] as const),
        location: this.location(reference.location),
      });
    else if (type === "device") filled(this.devices, id, known);
  }

  private party(party: SeenParty): void {
    const { type, entryId, displayName, phoneNumber } = party;
    if (type === "external" && isThere(phoneNumber)) this.namedNumber(phoneNumber, displayName);
    if (!isThere(entryId)) return;
    if (type === "device") filled(this.devices, entryId, pick(party, ["displayName", "extension"] as const));
    if (type !== "user") return;
    const user = filled(this.users, entryId, {
      ...pick(party, ["displayName", "extension", "email", "timezone"] as const),
      manager: this.manager(party.manager),
      location: this.location(party.location),
    });
    if (user.isWhole === true) return;
    user.endpoints ??= [];
    for (const { endpoint } of listOf(party.dials))
      if (isThere(endpoint) && !user.endpoints.some(({ id }) => id === endpoint))
        user.endpoints.push({
          id: endpoint,
          type: endpoint === "mobile" || endpoint === "desktop" ? endpoint : "sip",
        });
  }

  private call(call: SeenCall): void {
    const { directoryTarget, assignedCallGroup, companyNumber, isInternal, direction } = call;
    for (const party of listOf(call.parties)) this.party(party);
    if (isThere(call.assignedUser)) this.person({ ...call.assignedUser, type: "user" });
    if (isInternal === true) return;
    this.person(directoryTarget);
    this.person(assignedCallGroup);
    if (!isThere(companyNumber)) return;
    const rung = listOf(call.parties).flatMap(({ entryId, dials }) =>
      listOf(dials).map(({ reason }) => ({ entryId, reason })),
    );
    if (direction === "inbound" && isThere(directoryTarget?.id)) {
      if (!rung.some(({ reason }) => reason === "redirect")) this.guessed(companyNumber, directoryTarget.id);
      return;
    }
    const first = direction === "outbound" ? call.parties?.[0]?.entryId : undefined;
    const owner = rung.find(({ reason }) => reason === "direct")?.entryId ?? first;
    if (isThere(owner)) this.guessed(companyNumber, owner);
  }

  private conversation(conversation: SeenConversation): void {
    const { companyNumber, companyNumberOwner, participants, messages, initiatedBy } = conversation;
    this.person(companyNumberOwner);
    if (isThere(companyNumber)) {
      if (isThere(companyNumberOwner?.id)) this.owned(companyNumber, companyNumberOwner.id);
      const number = this.numbers.get(companyNumber) ?? {};
      number.sms = true;
      this.numbers.set(companyNumber, number);
    }
    for (const person of listOf(participants)) this.person(person);
    for (const { author } of listOf(messages)) this.person(author);
    if (!isThere(companyNumberOwner?.id) || companyNumberOwner.type !== "team") return;
    const team = this.teamCalled(companyNumberOwner.id);
    if (team.isWhole === true || initiatedBy?.type !== "external") return;
    for (const { type, id } of listOf(participants))
      if (type === "user" && isThere(id)) addMember(team, { id, isDevice: false });
  }

  private namedNumber(number: string, name: string | null | undefined): void {
    if (!isThere(name) || name === number || this.contacts.has(number)) return;
    this.contacts.set(number, { id: `contact-of-${number.replace("+", "")}`, name, phoneNumbers: [number] });
  }

  private contact(contact: SeenContact): void {
    const seen = contactInput(contact);
    for (const number of listOf(contact.phoneNumbers)) this.contacts.set(number, seen);
  }

  private owned(number: string, owner: string): void {
    this.numbers.set(number, { ...this.numbers.get(number), owner });
  }

  /** The numbers of an entry, by its own record. */
  private ownNumbers(id: string, numbers: readonly string[] | null | undefined): void {
    if (!isThere(numbers) || this.numbersOf.has(id)) return;
    this.numbersOf.set(id, numbers);
    for (const number of numbers) this.owned(number, id);
  }

  private guessed(number: string, owner: string): void {
    const seen = this.numbers.get(number);
    this.numbers.set(number, { guess: owner, ...seen });
  }

  /** Whose a number is, as far as it can be told. */
  ownerOf(number: string): string | undefined {
    const { owner, guess } = this.numbers.get(number) ?? {};
    if (owner !== undefined || guess === undefined) return owner;
    const own = this.numbersOf.get(guess);
    return own === undefined || own.includes(number) ? guess : undefined;
  }

  /** Whom an extension belongs to. */
  withExtension(extension: string | null | undefined): string | undefined {
    if (!isThere(extension)) return undefined;
    for (const entries of [this.users, this.teams, this.devices])
      for (const entry of entries.values()) if (entry.extension === extension) return entry.id;
    return undefined;
  }

  /** Makes up whom an extension belongs to that was called, if nothing says it. */
  hasExtension(extension: string | null | undefined): void {
    if (!isThere(extension) || !/^\d+$/.test(extension)) return;
    if (this.withExtension(extension) === undefined)
      filled(this.users, `unknown-${extension}`, { displayName: "Unknown", extension });
  }

  /** Makes up a user with a voicemail whom calls cannot ring. */
  unavailableUser(): string {
    const { id } = filled(this.users, "unavailable", { displayName: "Unavailable", status: "suspended" });
    return id;
  }

  teamCalled(id: string): TeamSeen {
    return filled(this.teams, id, {});
  }

  /** Whether an id is somebody's. */
  knows(id: string | undefined): boolean {
    return id !== undefined && (this.users.has(id) || this.teams.has(id) || this.devices.has(id));
  }
}

export interface ContactSeen {
  readonly id?: string;
  readonly name?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly jobTitle?: string;
  readonly phoneNumbers?: readonly string[];
  readonly emailAddresses?: readonly string[];
}

/** A contact as commands and phonebooks take it. */
export function contactInput(contact: SeenContact): ContactSeen {
  const { name, ...rest } = pick(contact, [
    "id",
    "name",
    "firstName",
    "lastName",
    "jobTitle",
    "phoneNumbers",
    "emailAddresses",
  ] as const);
  const isNamed = rest.firstName === undefined && rest.lastName === undefined && name !== undefined;
  const all = { ...rest, ...(isNamed ? { name } : {}) };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );
}

function isDevice({ type, email, sipAddress }: SeenMember): boolean {
  return type === "device" || (type === undefined && email === undefined && sipAddress !== undefined);
}

function addMember(team: TeamSeen, member: MemberSeen): void {
  team.members ??= [];
  if (!team.members.some(({ id }) => id === member.id)) team.members.push(member);
}

/** The named fields that are there. */
function pick<T extends object, const Key extends keyof T>(
  from: T,
  keys: readonly Key[],
): { [K in Key]?: NonNullable<T[K]> } {
  return Object.fromEntries(keys.flatMap((key) => (isThere(from[key]) ? [[key, from[key]]] : []))) as {
    [K in Key]?: NonNullable<T[K]>;
  };
}

/** Adds what is not known yet to an entry, and returns it. */
function filled<T extends { id: string }>(entries: Map<string, T>, id: string, found: object): T {
  const entry = entries.get(id) ?? ({ id } as T);
  entries.set(id, entry);
  const fields = entry as Record<string, unknown>;
  for (const [key, value] of Object.entries(found)) if (isThere(value)) fields[key] ??= value;
  return entry;
}
