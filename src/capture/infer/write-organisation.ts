import { isoDuration } from "../../core/foundation/instants.ts";
import { omit } from "../../core/foundation/values.ts";
import type { OrganisationInput } from "../../core/generated/inputs.ts";
import type { EventType } from "../../core/platform/declare/events.ts";
import type { CapturedEvent } from "../read/capture.ts";
import { isThere, listOrEmpty } from "../read/partial-records.ts";
import { type CallSteps, findTarget } from "./call-steps.ts";
import type { CapturedCall } from "./captured-call.ts";
import type { InferredDirectory, InferredTeam, InferredUser } from "./inferred-directory.ts";
import { repairOrganisation } from "./repair-organisation.ts";
import type { ScenarioDraft } from "./scenario-draft.ts";
import { type TeamSettings, teamTimes } from "./team-settings.ts";

type Entries<Key extends keyof OrganisationInput> = NonNullable<OrganisationInput[Key]>;

/** The app in imported scenarios. */
const WEBHOOK_URL = "https://imported.test/hooks";

/** The id of the user who owns numbers without a known owner. */
const UNKNOWN = "unknown";

/** Writes an organisation from what a capture shows. What it does not show is made up, and listed as assumed. */
export class OrganisationWriter {
  private extension = 900;
  private readonly usedExtensions: Set<string>;

  constructor(
    private readonly draft: ScenarioDraft,
    private readonly directory: InferredDirectory,
    private readonly calls: readonly CapturedCall[],
    private readonly teams: TeamSettings,
    private readonly callSteps: CallSteps,
  ) {
    const { users, devices, teams: groups } = directory;
    const extensions = [...users.values(), ...devices.values(), ...groups.values()].map(
      (each) => each.extension,
    );
    this.usedExtensions = new Set(extensions.filter(isThere));
  }

  /** @param types the event types that the app gets */
  write(
    events: readonly CapturedEvent[],
    dataActions: Record<string, string>,
    types: readonly EventType[],
  ): OrganisationInput {
    const { locations, devices } = this.directory;
    const id = events.find(({ organisationId }) => organisationId !== null)?.organisationId ?? "imported";
    const teams = this.writeTeams();
    const numbers = this.writeNumbers();
    const users = this.writeUsers();
    const contacts = this.writeContacts();
    const organisation = withoutEmpty({
      id,
      timezone: this.mainTimezone(),
      features: this.usedFeatures(events),
      numbers,
      webhooks: [{ url: WEBHOOK_URL, events: types }],
      users,
      teams,
      devices: [...devices.values()].map((device) => ({
        ...withoutEmpty(device),
        id: device.id,
        displayName: device.displayName ?? device.id,
        extension: device.extension ?? this.nextExtension(),
      })),
      locations: [...locations.values()].map((each) => ({
        ...withoutEmpty(each),
        id: each.id,
        name: each.name ?? each.id,
      })),
      phonebooks: [{ id: "customers", contacts }],
      dataActions: Object.keys(dataActions).length > 0 ? dataActions : undefined,
      tariff: this.writeTariff(),
    }) as OrganisationInput;
    return repairOrganisation(organisation, (key, holder) => this.makeUp(key, holder), this.draft.assumed);
  }

  /** A value for a required field whose captured value is invalid. */
  private makeUp(key: string, { id }: Readonly<Record<string, unknown>>): unknown {
    if (key === "extension") return this.nextExtension();
    if (key === "email") return `${slug(String(id))}-${this.nextExtension()}@imported.test`;
    if (key === "id") return `unnamed-${this.nextExtension()}`;
    return key === "displayName" || key === "name" ? String(id) : undefined;
  }

  /** The numbers, with an unknown user as the owner of those without one. */
  private writeNumbers(): Entries<"numbers"> {
    const { numbers } = this.directory;
    for (const { record, name } of this.calls) {
      const { direction, companyNumber } = record;
      const isCalled = direction === "inbound" && this.draft.startStep(name)?.command === "inbound";
      if (isCalled && isThere(companyNumber) && !numbers.has(companyNumber)) numbers.set(companyNumber, {});
    }
    // the numbers in an entry's record have the order of the organisation
    const inOrder = [...numbers.keys()].flatMap((number) => [
      ...(this.directory.numbersOf.get(this.directory.ownerOf(number) ?? "") ?? []),
      number,
    ]);
    return [...new Set(inOrder)].flatMap((number) => {
      if (number === "") return [];
      const owner = this.directory.ownerOf(number);
      const sms = numbers.get(number)?.sms === true ? { sms: true } : {};
      if (owner !== undefined && this.directory.hasEntry(owner)) return [{ number, owner, ...sms }];
      // a voicemail would have answered the calls to it
      this.directory.users.set(UNKNOWN, { id: UNKNOWN, displayName: "Unknown", voicemail: false });
      this.draft.assumed.push(`${number} belongs to a user "${UNKNOWN}"; nothing names its owner`);
      return [{ number, owner: UNKNOWN, ...sms }];
    });
  }

  private writeUsers(): Entries<"users"> {
    const withVoicemail = new Set<string>();
    const unansweredTargets = new Set<string>();
    for (const { record, voicemail, events } of this.calls) {
      // a call that a voicemail answers has more events than call.started
      const isSilent = record.direction === "inbound" && events.every(({ type }) => type === "call.started");
      if (isSilent) unansweredTargets.add(this.directory.ownerOf(record.companyNumber ?? "") ?? "");
      const target = findTarget(record, this.directory);
      if (target === undefined) continue;
      if (voicemail !== undefined) withVoicemail.add(target);
      if (record.outcome?.status === "missed" || record.outcome?.status === "unanswered")
        unansweredTargets.add(target);
    }
    const zone = this.mainTimezone();
    return [...this.directory.users.values()].map((inferred: InferredUser) => {
      const user = omit(inferred, "hasRecord", "startsUnavailable");
      const voicemail =
        user.voicemail ?? (unansweredTargets.has(user.id) ? withVoicemail.has(user.id) : undefined);
      const { status, desktopEnrolledReleaseChannel: channel, isDirectorySynced, timezone } = user;
      const manager = this.directory.users.has(user.manager ?? "") ? user.manager : undefined;
      return {
        ...withoutEmpty({
          ...user,
          status: status === "active" ? undefined : status,
          desktopEnrolledReleaseChannel: channel === "stable" ? undefined : channel,
          isDirectorySynced: isDirectorySynced === true ? true : undefined,
          timezone: timezone === zone ? undefined : timezone,
          voicemail: voicemail === true ? undefined : voicemail,
          manager,
        }),
        id: user.id,
        email: user.email ?? `${slug(user.id)}@imported.test`,
        displayName: user.displayName ?? user.id,
        extension: user.extension ?? this.nextExtension(),
        ...(user.endpoints === undefined || user.endpoints.length === 0
          ? {}
          : { endpoints: user.endpoints.map(endpointOf) }),
      };
    }) as Entries<"users">;
  }

  private writeTeams(): Entries<"teams"> {
    return [...this.directory.teams.values()].map(({ hasRecord, members, ...team }: InferredTeam) => {
      const evidence = this.teams.openEvidence(team.id);
      const priorities = evidence.priorities();
      const all = [...(members ?? [])];
      if (hasRecord !== true)
        for (const id of priorities.keys())
          if (!all.some((member) => member.id === id))
            all.push({ id, isDevice: this.directory.devices.has(id) });
      const last = Math.max(0, ...priorities.values()) + 1;
      const { timeoutMs, nextOfferMs } = teamTimes(evidence);
      const showsNextOffer =
        nextOfferMs !== undefined && (timeoutMs === undefined || nextOfferMs < timeoutMs);
      return withoutEmpty({
        ...team,
        displayName: team.displayName ?? team.id,
        extension: team.extension ?? this.nextExtension(),
        members: all.map(({ id, isDevice, priority }) => {
          const known = priority ?? priorities.get(id) ?? (priorities.size > 0 ? last : undefined);
          const subject = isDevice || this.directory.devices.has(id) ? { device: id } : { user: id };
          return { ...subject, ...(known === undefined || known === 1 ? {} : { priority: known }) };
        }),
        timeout: timeoutMs === undefined ? undefined : isoDuration(timeoutMs),
        nextOfferTimeout: showsNextOffer ? isoDuration(nextOfferMs) : undefined,
        unanswered: evidence.unanswered,
      });
    }) as Entries<"teams">;
  }

  /** The contacts that were in the phonebook from the start. */
  private writeContacts(): Entries<"phonebooks">[number]["contacts"] {
    const contacts = [...this.directory.contacts].flatMap(([number, contact]) =>
      this.callSteps.isKnownFromStart(number) && !/^contact-\d+$/.test(contact.id ?? "") ? [contact] : [],
    );
    return [
      ...new Map(contacts.map((contact) => [contact.id ?? "", contact])).values(),
    ] as Entries<"phonebooks">[number]["contacts"];
  }

  private mainTimezone(): string | undefined {
    const counts = new Map<string, number>();
    for (const { timezone } of this.directory.users.values())
      if (timezone !== undefined) counts.set(timezone, (counts.get(timezone) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
  }

  private usedFeatures(events: readonly CapturedEvent[]): OrganisationInput["features"] | undefined {
    const types = new Set(events.map(({ type }) => type));
    const isRecorded = events.some(
      ({ type, data }) =>
        type === "call.recording.available" &&
        !isThere((data as { call?: { voicemail?: unknown } }).call?.voicemail),
    );
    const features = {
      ...(isRecorded ? { recording: true } : {}),
      ...(types.has("call.transcript.created") || types.has("transcript.created")
        ? { transcription: true }
        : {}),
      ...(types.has("content_analysis.completed") ? { analysis: true } : {}),
      ...(types.has("call.tariffed") ? { tariff: true } : {}),
    };
    return Object.keys(features).length > 0 ? features : undefined;
  }

  private writeTariff(): OrganisationInput["tariff"] | undefined {
    const tariffs = this.calls
      .flatMap(({ parties }) => listOrEmpty(parties).map(({ tariff }) => tariff))
      .filter(isThere);
    const [first] = tariffs;
    if (first === undefined) return undefined;
    const routes = new Map(tariffs.map(({ prefix, perMinute }) => [prefix ?? "+", perMinute ?? 0]));
    return {
      currency: first.currency ?? "NZD",
      routes: [...routes].map(([prefix, perMinute]) => ({ prefix, perMinute })),
    };
  }

  private nextExtension(): string {
    while (this.usedExtensions.has(String(this.extension))) this.extension++;
    const extension = String(this.extension);
    this.usedExtensions.add(extension);
    return extension;
  }
}

function endpointOf({ id, type, registered }: NonNullable<InferredUser["endpoints"]>[number]): unknown {
  if (registered === false) return { id, type, registered };
  return id === type ? id : { id, type };
}

/** Removes undefined, null and empty lists. */
function withoutEmpty<T extends object>(entries: T): T {
  return Object.fromEntries(
    Object.entries(entries).filter(
      ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  ) as T;
}

function slug(id: string): string {
  return (
    id
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "") || "someone"
  );
}
