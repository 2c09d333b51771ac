import type { OrganisationInput } from "../../core/generated/inputs.ts";
import type { CapturedEvent } from "../read/capture.ts";
import {
  isThere,
  listOrEmpty,
  type PartialCall,
  type PartialContact,
  type PartialConversation,
  type PartialEventData,
  type PartialMember,
  type PartialParty,
  type PartialPerson,
  type PartialTeam,
  type PartialUser,
} from "../read/partial-records.ts";
import type { RestSnapshots } from "../read/rest-answers.ts";

type Mutable<T> = { -readonly [Key in keyof T]?: T[Key] | undefined };
type Of<Key extends keyof OrganisationInput> =
  NonNullable<OrganisationInput[Key]> extends readonly (infer Item)[] ? Item : never;

export interface InferredEndpoint {
  readonly id: string;
  readonly type: "mobile" | "desktop" | "sip";
  registered?: boolean;
}

export interface InferredUser extends Omit<Mutable<Of<"users">>, "endpoints"> {
  id: string;
  endpoints?: InferredEndpoint[];
  /** Whether the capture has a record of the user, not only references. */
  hasRecord?: boolean;
  /** Whether the user was unavailable before the first event about them. */
  startsUnavailable?: boolean;
}

export interface InferredMember {
  readonly id: string;
  isDevice: boolean;
  priority?: number | undefined;
}

export interface InferredTeam extends Omit<Mutable<Of<"teams">>, "members"> {
  id: string;
  members?: InferredMember[];
  hasRecord?: boolean;
}

export interface InferredDevice extends Mutable<Of<"devices">> {
  id: string;
}
interface InferredLocation extends Mutable<Of<"locations">> {
  id: string;
}
export interface InferredNumber {
  /** The owner, from their record or a conversation. */
  owner?: string | undefined;
  /** The likely owner, from a call. */
  possibleOwner?: string | undefined;
  /** Whether that call rang the owner by the number itself, as no call does that an application hands over. */
  isDialled?: boolean;
  sms?: boolean;
}

/**
 * The people, teams, devices, numbers, locations and contacts in a capture and saved REST answers. The first value of a
 * field counts, since the scenario starts with it.
 */
export class InferredDirectory {
  readonly users = new Map<string, InferredUser>();
  readonly teams = new Map<string, InferredTeam>();
  readonly devices = new Map<string, InferredDevice>();
  readonly numbers = new Map<string, InferredNumber>();
  readonly locations = new Map<string, InferredLocation>();
  /** The numbers in the record of each entry, in their order. */
  readonly numbersOf = new Map<string, readonly string[]>();
  /** Contacts by number. */
  readonly contacts = new Map<string, InferredContact>();
  /** The users of whom a record has shown whether they are available, or a call that they can be rung. */
  private readonly seen = new Set<string>();
  /** The records that were read. Equal ones of several events are one object. */
  private readonly readRecords = new Set<object>();

  constructor(events: readonly CapturedEvent[], rest: RestSnapshots) {
    for (const user of rest.users) this.readUser(user);
    for (const team of rest.teams) this.readTeam(team);
    for (const { data } of events) this.readData(data as PartialEventData);
    for (const call of rest.calls) this.readCall(call);
  }

  private readData({ call, user, team, conversation, contact, participants }: PartialEventData): void {
    if (isThere(user)) {
      // an event says what has changed
      this.noteHours(user, true);
      this.readUser(user);
    }
    if (isThere(team)) this.readTeam(team);
    if (isThere(call)) this.readCall(call);
    if (isThere(conversation)) this.readConversation(conversation);
    for (const person of listOrEmpty(participants)) this.readPerson(person);
    if (isThere(contact)) this.readContact(contact);
  }

  /** Whether a record is read for the first time. */
  private isNew(record: object): boolean {
    const { size } = this.readRecords;
    return this.readRecords.add(record).size > size;
  }

  /** Notes a user who is out of hours when a record shows them first: then that is how the scenario starts. */
  private noteHours({ id, availability }: PartialMember, isChange: boolean): void {
    const rule = availability?.notAvailableRule;
    if (!isThere(id) || !isThere(availability?.status) || this.seen.has(id)) return;
    this.seen.add(id);
    // a table without a day
    if (rule === "outOfHours" && !isChange) fillIn(this.users, id, { workingHours: {} });
  }

  private readUser(user: PartialMember): void {
    const { id } = user;
    if (!isThere(id) || !this.isNew(user)) return;
    const entry = fillIn(this.users, id, {
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
      manager: this.readManager(user.manager),
      location: this.readLocation(user.location),
      voicemail: user.hasVoicemail ?? undefined,
    });
    if (isThere(user.endpoints) && entry.hasRecord !== true) {
      entry.endpoints = user.endpoints.flatMap(({ id: name, type, registered }) =>
        isThere(name) ? [{ id: name, type: type ?? "sip", registered: registered ?? true }] : [],
      );
      entry.hasRecord = true;
    }
    this.readNumbers(id, user.phoneNumbers);
    for (const team of listOrEmpty(user.teams)) {
      this.readPerson(team);
      if (isThere(team.id)) addMember(this.teamWithId(team.id), { id, isDevice: false });
    }
  }

  private readManager(manager: PartialUser["manager"]): string | undefined {
    if (!isThere(manager?.id)) return undefined;
    fillIn(this.users, manager.id, pick(manager, ["displayName", "email"] as const));
    return manager.id;
  }

  private readLocation(location: PartialUser["location"]): string | undefined {
    if (!isThere(location?.id)) return undefined;
    fillIn(
      this.locations,
      location.id,
      pick(location, ["name", "address", "countryIso", "timezone"] as const),
    );
    return location.id;
  }

  private readTeam(team: PartialTeam): void {
    const { id } = team;
    if (!isThere(id)) return;
    const entry = fillIn(this.teams, id, {
      ...pick(team, ["displayName", "extension", "ivrKey"] as const),
      hidden: team.isHidden === true ? true : undefined,
    });
    this.readNumbers(id, team.phoneNumbers);
    const members = listOrEmpty(team.teamMembers);
    if (entry.hasRecord !== true && isThere(team.teamMembers)) {
      entry.hasRecord = true;
      entry.members = members.flatMap((member) =>
        isThere(member.id)
          ? [{ id: member.id, isDevice: isDevice(member), priority: member.priority ?? undefined }]
          : [],
      );
    }
    for (const member of members) if (!isDevice(member)) this.noteHours(member, false);
    for (const member of members)
      if (isDevice(member)) this.readDevice(member);
      else this.readUser(member);
  }

  private readDevice(device: PartialMember): void {
    if (!isThere(device.id)) return;
    fillIn(
      this.devices,
      device.id,
      pick(device, ["displayName", "extension", "ivrKey", "sipAddress"] as const),
    );
    this.readNumbers(device.id, device.phoneNumbers);
  }

  private readPerson(reference: PartialPerson | null | undefined): void {
    if (!isThere(reference) || !this.isNew(reference)) return;
    const { id, type } = reference;
    if (type === "external" && isThere(reference.phoneNumber))
      this.addNamedNumber(reference.phoneNumber, reference.displayName);
    if (!isThere(id) || !isThere(type)) return;
    const known = pick(reference, ["displayName", "extension"] as const);
    if (type.startsWith("team")) fillIn(this.teams, id, known);
    else if (type.startsWith("user"))
      fillIn(this.users, id, {
        ...known,
        ...pick(reference, ["email"] as const),
        location: this.readLocation(reference.location),
      });
    else if (type === "device") fillIn(this.devices, id, known);
  }

  private readParty(party: PartialParty): void {
    if (!this.isNew(party)) return;
    const { type, entryId, displayName, phoneNumber } = party;
    if (type === "external" && isThere(phoneNumber)) this.addNamedNumber(phoneNumber, displayName);
    if (!isThere(entryId)) return;
    if (type === "device") fillIn(this.devices, entryId, pick(party, ["displayName", "extension"] as const));
    if (type !== "user") return;
    if (listOrEmpty(party.dials).length > 0) this.seen.add(entryId);
    const user = fillIn(this.users, entryId, {
      ...pick(party, ["displayName", "extension", "email", "timezone"] as const),
      manager: this.readManager(party.manager),
      location: this.readLocation(party.location),
    });
    if (user.hasRecord === true) return;
    user.endpoints ??= [];
    for (const { endpoint } of listOrEmpty(party.dials))
      if (isThere(endpoint) && !user.endpoints.some(({ id }) => id === endpoint))
        user.endpoints.push({
          id: endpoint,
          type: endpoint === "mobile" || endpoint === "desktop" ? endpoint : "sip",
        });
  }

  private readCall(call: PartialCall): void {
    const { assignedUser, directoryTarget, assignedCallGroup, companyNumber, isInternal, direction } = call;
    for (const party of listOrEmpty(call.parties)) this.readParty(party);
    if (isThere(assignedUser) && this.isNew(assignedUser)) this.readPerson({ ...assignedUser, type: "user" });
    if (isInternal === true) return;
    this.readPerson(directoryTarget);
    this.readPerson(assignedCallGroup);
    if (!isThere(companyNumber)) return;
    const dialled = listOrEmpty(call.parties).flatMap(({ entryId, dials }) =>
      listOrEmpty(dials).map(({ reason }) => ({ entryId, reason })),
    );
    if (direction === "inbound" && isThere(directoryTarget?.id)) {
      const owner = directoryTarget.id;
      const isDialled = dialled.some(({ entryId, reason }) => reason === "direct" && entryId === owner);
      if (!dialled.some(({ reason }) => reason === "redirect"))
        this.guessOwner(companyNumber, owner, isDialled);
      return;
    }
    const first = direction === "outbound" ? call.parties?.[0]?.entryId : undefined;
    const owner = dialled.find(({ reason }) => reason === "direct")?.entryId ?? first;
    if (isThere(owner)) this.guessOwner(companyNumber, owner);
  }

  private readConversation(conversation: PartialConversation): void {
    const { companyNumber, companyNumberOwner, participants, messages, initiatedBy } = conversation;
    this.readPerson(companyNumberOwner);
    if (isThere(companyNumber)) {
      if (isThere(companyNumberOwner?.id)) this.setOwner(companyNumber, companyNumberOwner.id);
      const number = this.numbers.get(companyNumber) ?? {};
      number.sms = true;
      this.numbers.set(companyNumber, number);
    }
    for (const person of listOrEmpty(participants)) this.readPerson(person);
    for (const { author } of listOrEmpty(messages)) this.readPerson(author);
    if (!isThere(companyNumberOwner?.id) || companyNumberOwner.type !== "team") return;
    const team = this.teamWithId(companyNumberOwner.id);
    if (team.hasRecord === true || initiatedBy?.type !== "external") return;
    for (const { type, id } of listOrEmpty(participants))
      if (type === "user" && isThere(id)) addMember(team, { id, isDevice: false });
  }

  private addNamedNumber(number: string, name: string | null | undefined): void {
    if (!isThere(name) || name === number || this.contacts.has(number)) return;
    this.contacts.set(number, { id: `contact-of-${number.replace("+", "")}`, name, phoneNumbers: [number] });
  }

  private readContact(contact: PartialContact): void {
    const entry = contactInput(contact);
    for (const number of listOrEmpty(contact.phoneNumbers)) this.contacts.set(number, entry);
  }

  private setOwner(number: string, owner: string): void {
    this.numbers.set(number, { ...this.numbers.get(number), owner });
  }

  /** Reads the numbers in the record of an entry. */
  private readNumbers(id: string, numbers: readonly string[] | null | undefined): void {
    if (!isThere(numbers) || this.numbersOf.has(id)) return;
    this.numbersOf.set(id, numbers);
    for (const number of numbers) this.setOwner(number, id);
  }

  /** The first guess counts, but for an owner who was dialled by the number. */
  private guessOwner(number: string, owner: string, isDialled = false): void {
    const entry = this.numbers.get(number);
    const isSurer = isDialled && entry?.isDialled !== true;
    const guess = { possibleOwner: owner, ...(isDialled ? { isDialled } : {}) };
    this.numbers.set(number, isSurer ? { ...entry, ...guess } : { ...guess, ...entry });
  }

  /** The owner of a number, or the likely one if their record does not contradict it. */
  ownerOf(number: string): string | undefined {
    const { owner, possibleOwner } = this.numbers.get(number) ?? {};
    if (owner !== undefined || possibleOwner === undefined) return owner;
    return this.isWithout(possibleOwner, number) ? undefined : possibleOwner;
  }

  /** Whether the record of an entry has other numbers, and not this one. */
  isWithout(id: string, number: string | null | undefined): boolean {
    return isThere(number) && this.numbersOf.get(id)?.includes(number) === false;
  }

  /** The id of the entry with an extension. */
  entryWithExtension(extension: string | null | undefined): string | undefined {
    if (!isThere(extension)) return undefined;
    for (const entries of [this.users, this.teams, this.devices])
      for (const entry of entries.values()) if (entry.extension === extension) return entry.id;
    return undefined;
  }

  /** Adds a user for an extension that was called and that no entry has. */
  ensureExtension(extension: string | null | undefined): void {
    if (!isThere(extension) || !/^\d+$/.test(extension)) return;
    if (this.entryWithExtension(extension) === undefined)
      fillIn(this.users, `unknown-${extension}`, { displayName: "Unknown", extension });
  }

  /** Adds a team for an extension that was called and that no entry has. Its members are those who rang. */
  ensureTeam(extension: string | null | undefined, id: string | undefined, members: readonly string[]): void {
    if (!isThere(extension) || this.entryWithExtension(extension) !== undefined) return;
    const team = fillIn(this.teams, id ?? `unknown-${extension}`, { displayName: "Unknown", extension });
    for (const member of members) addMember(team, { id: member, isDevice: this.devices.has(member) });
  }

  /** The team that rang: the one that a record names, else one with all of these members. */
  teamThatRang(named: string | null | undefined, rang: readonly string[]): string | undefined {
    if (isThere(named)) return named;
    for (const { id, members } of this.teams.values())
      if (rang.every((each) => members?.some((member) => member.id === each) === true)) return id;
    return undefined;
  }

  /** Adds a suspended user with a voicemail. */
  ensureUnavailableUser(): string {
    const { id } = fillIn(this.users, "unavailable", { displayName: "Unavailable", status: "suspended" });
    return id;
  }

  teamWithId(id: string): InferredTeam {
    return fillIn(this.teams, id, {});
  }

  /** Whether an id is that of a user, team or device. */
  hasEntry(id: string | undefined): boolean {
    return id !== undefined && (this.users.has(id) || this.teams.has(id) || this.devices.has(id));
  }
}

export interface InferredContact {
  readonly id?: string;
  readonly name?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly jobTitle?: string;
  readonly phoneNumbers?: readonly string[];
  readonly emailAddresses?: readonly string[];
}

/** A contact as commands and phonebooks take it. */
export function contactInput(contact: PartialContact): InferredContact {
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

function isDevice({ type, email, sipAddress }: PartialMember): boolean {
  return type === "device" || (type === undefined && email === undefined && sipAddress !== undefined);
}

function addMember(team: InferredTeam, member: InferredMember): void {
  team.members ??= [];
  if (!team.members.some(({ id }) => id === member.id)) team.members.push(member);
}

/** The named fields that are present. */
function pick<T extends object, const Key extends keyof T>(
  from: T,
  keys: readonly Key[],
): { [K in Key]?: NonNullable<T[K]> } {
  return Object.fromEntries(keys.flatMap((key) => (isThere(from[key]) ? [[key, from[key]]] : []))) as {
    [K in Key]?: NonNullable<T[K]>;
  };
}

/** Sets the fields of an entry that have no value yet, and returns it. */
function fillIn<T extends { id: string }>(entries: Map<string, T>, id: string, values: object): T {
  const entry = entries.get(id) ?? ({ id } as T);
  entries.set(id, entry);
  const fields = entry as Record<string, unknown>;
  for (const [key, value] of Object.entries(values)) if (isThere(value)) fields[key] ??= value;
  return entry;
}
