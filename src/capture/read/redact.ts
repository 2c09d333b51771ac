import { IANAZone } from "luxon";
import { call, callOutcomeReason } from "../../core/platform/calls/record.ts";
import { eventData } from "../../core/platform/catalogue/events.ts";
import { defaultDialect } from "../../core/platform/declare/settings.ts";
import { team, user } from "../../core/platform/directory/record.ts";
import type { CapturedEvent } from "./capture.ts";
import { isPlainName } from "./drift-counter.ts";
import type { RestSnapshots } from "./rest-answers.ts";
import { type ObjectShape, type Shape, schemaShape, variantFor } from "./shapes.ts";
import type { StandInKind, StandIns } from "./stand-ins.ts";

/**
 * Replaces what people may have written or may be known by in records, before anything is made of them. The schema and
 * the key of a value decide, not its look: texts stay only where the schema lists them, or where `kept` knows the key.
 */
export class Redaction {
  /** Equal records of several events are one object, and stay one. */
  private readonly copies = new Map<object, unknown>();

  /** @param directoryTypes the words of the dialect for users, teams and devices */
  constructor(
    private readonly standIns: StandIns,
    private readonly directoryTypes: ReadonlySet<string>,
  ) {}

  /** Saved answers with stand-ins. */
  redactAnswers({ users, teams, calls }: RestSnapshots): RestSnapshots {
    const all = <T>(records: readonly T[], shape: Shape, key: string) =>
      records.map((each) => this.redact(each, shape, key) as T);
    return {
      users: all(users, schemaShape(user), "user"),
      teams: all(teams, schemaShape(team), "team"),
      calls: all(calls, schemaShape(call), "call"),
    };
  }

  /** Events with stand-ins. */
  redactEvents(events: readonly CapturedEvent[]): CapturedEvent[] {
    return events.map((event) => {
      const { knownType, isDeclared, type, organisationId } = event;
      return {
        ...event,
        type:
          knownType !== undefined || isDeclared || isPlainName(type)
            ? type
            : this.standIns.for(type, { word: "event type" }),
        organisationId: organisationId === null ? null : this.standIns.for(organisationId, organisation),
        data: this.redactData(event),
      };
    });
  }

  private redactData({ knownType, data }: CapturedEvent): CapturedEvent["data"] {
    if (knownType !== undefined)
      return this.redact(data, schemaShape(eventData[knownType]), "") as typeof data;
    const shapes: Readonly<Record<string, Shape>> = {
      call: schemaShape(call),
      user: schemaShape(user),
      team: schemaShape(team),
    };
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, this.redact(value, shapes[key] ?? anyShape, key)]),
    );
  }

  private redact(value: unknown, shape: Shape, key: string, holder?: Holder): unknown {
    if (typeof value === "string") return this.redactText(value, shape, key, holder);
    if (typeof value !== "object" || value === null) return value;
    const known = this.copies.get(value);
    if (known !== undefined) return known;
    const copy = this.copy(value, shape, key, holder);
    // only records with ids are shared, and half a million others would fill the memory
    if (Object.hasOwn(value, "id")) this.copies.set(value, copy);
    return copy;
  }

  private copy(value: object, shape: Shape, key: string, holder?: Holder): unknown {
    if (Array.isArray(value)) {
      const item = shape.kind === "list" ? shape.item : anyShape;
      return value.map((each) => this.redact(each, item, key, holder));
    }
    if (shape.kind === "object" || shape.kind === "union")
      return this.copyRecord(value as Fields, variantFor(value as Fields, shape), key);
    const entries = Object.entries(value).map(([name, below]) => [
      this.standIns.for(name, "passthrough"),
      this.redactValue(below),
    ]);
    return Object.fromEntries(entries);
  }

  /** A value that somebody else's system sent along. */
  private redactValue(value: unknown): unknown {
    if (typeof value === "object" && value !== null) return this.copy(value, anyShape, "");
    if (typeof value !== "string" && typeof value !== "number") return value;
    const standIn = this.standIns.for(String(value), { word: "value" });
    return typeof value === "number" && /^\d+$/.test(standIn) ? Number(standIn) : standIn;
  }

  private copyRecord(record: Fields, shape: ObjectShape, key: string): Fields {
    const kind = entryKind(record, key);
    const id = record.entryId ?? record.userId ?? record.id;
    const isNamed = kind !== undefined && typeof id === "string";
    const holder: Holder = { key, id: isNamed ? this.standIns.for(id, { id: kind }) : undefined };
    let copy: Record<string, unknown> | undefined;
    for (const name of Object.keys(record)) {
      const before = record[name];
      const after = this.redact(before, shape.byName.get(name) ?? anyShape, name, holder);
      if (after === before) continue;
      // its copy has the same hidden class at once; half a million records take seconds less than from entries
      copy ??= { ...record };
      setOwn(copy, name, after);
    }
    return copy ?? record;
  }

  private redactText(text: string, shape: Shape, key: string, holder?: Holder): string {
    if (text === "") return text;
    if (shape.kind === "enum") return shape.values.includes(text) ? text : this.standIns.for(text, value);
    if (key === "type") return this.isType(text) ? text : this.standIns.for(text, value);
    if (isTimeKey(key)) return isInstant(text) ? text : this.standIns.for(text, value);
    const keeps = Object.hasOwn(kept, key) ? kept[key] : undefined;
    if (keeps?.(text) === true) return text;
    const { id, key: of } = holder ?? {};
    if (id !== undefined && key === "displayName") return this.standIns.use(text, nameOf(id));
    if (id !== undefined && key === "email") return this.standIns.use(text, `${id}@example.test`);
    if (key === "name" && of === "location") return this.standIns.for(text, { word: "Place" });
    return this.standIns.for(
      text,
      Object.hasOwn(kinds, key) ? (kinds[key] as StandInKind) : { word: "Text" },
    );
  }

  private isType(text: string): boolean {
    return plainTypes.has(text) || this.directoryTypes.has(text);
  }
}

type Fields = Readonly<Record<string, unknown>>;

type EntryKind = "user" | "team" | "device";

/** The record that has a text. */
interface Holder {
  /** The key under which it stands. */
  readonly key: string;
  /** The stand-in of its id, if it is of a user, a team or a device. */
  readonly id: string | undefined;
}

const anyShape: Shape = { kind: "any" };
const value: StandInKind = { word: "value" };
const organisation: StandInKind = { id: "organisation" };

const plainTypes: ReadonlySet<string> = new Set([
  ...["user", "team", "device", "external", "voicemail"],
  ...Object.values(defaultDialect.directoryTypes),
]);
const words = (...list: readonly string[]) => {
  const known = new Set(list);
  return (text: string) => known.has(text);
};

/** Texts that stay, by key. None of them says who somebody is. */
const kept: Readonly<Record<string, (text: string) => boolean>> = {
  closeTimer: (text) => /^P[\dYMWDTHS.]{2,20}$/.test(text),
  countryIso: (text) => /^[A-Z]{2}$/.test(text),
  currency: (text) => /^[A-Z]{3}$/.test(text),
  durationText: (text) => /^(?:\d+[dhms] ?)+$/.test(text),
  desktopEnrolledReleaseChannel: words("stable"),
  endpoint: words("mobile", "desktop", "sip", "phone"),
  // an endpoint that is named after its type, and a contact that the platform made
  id: (text) => /^(?:mobile|desktop|sip|phone|contact-\d{1,6})$/.test(text),
  mimeType: words(
    ...["audio/mpeg", "audio/wav", "audio/ogg", "video/mp4", "application/pdf", "text/plain", "text/vcard"],
    ...["image/jpeg", "image/png", "image/gif", "image/webp", "application/octet-stream"],
  ),
  notAvailableReason: words("wrapUp"),
  prefix: (text) => /^\+\d{0,3}$/.test(text),
  reason: words(...callOutcomeReason.options, "blocked", "withdrawn", "failed"),
  // unlike `isValidZone`, it asks once for each name, which takes 50 µs
  timezone: (text) => IANAZone.create(text).isValid,
  vendor: words("vendor"),
  waitTimeText: (text) => /^(?:\d+[dhms] ?)+$/.test(text),
};

/** What the texts of a key are. Those of other keys are somebody's words. */
const kinds: Readonly<Record<string, StandInKind>> = {
  ...all({ word: "Person" }, "displayName", "overriddenDisplayName", "name"),
  ...all({ word: "First" }, "firstName"),
  ...all({ word: "Last" }, "lastName"),
  ...all({ word: "Job" }, "jobTitle"),
  ...all({ word: "Address" }, "address"),
  ...all({ word: "Reason" }, "reason", "notAvailableReason"),
  ...all("number", "phoneNumber", "phoneNumbers", "mobile", "extension", "ivrKey", "contactNumber"),
  ...all("number", "companyNumber", "initiator", "recipient", "contactAddresses", "prefix"),
  ...all("email", "email", "emailAddresses", "sipAddress"),
  ...all("url", "url", "recordingUrl", "vendorResourceUrl", "vendorRedirectUrl"),
  ...all({ id: "id" }, "id", "entryId", "userId", "callId", "partyId", "recordingId", "endpoint"),
  ...all({ id: "vendor-id" }, "vendorCallId", "vendorCallIds"),
  ...all({ id: "vendor-id" }, "vendor", "vendorConversationId", "vendorMessageId"),
  ...all(organisation, "organisationId"),
  currency: { word: "currency" },
};

/** `User 3` for `user-3`. */
function nameOf(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1).replace("-", " ");
}

/** Sets a property of its own, also one that is called `__proto__`. */
function setOwn(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(record, name, { value });
  else record[name] = value;
}

function all(kind: StandInKind, ...keys: readonly string[]): Readonly<Record<string, StandInKind>> {
  return Object.fromEntries(keys.map((key) => [key, kind]));
}

const entryKeys: Readonly<Record<string, EntryKind | undefined>> = {
  user: "user",
  assignedUser: "user",
  manager: "user",
  team: "team",
  assignedCallGroup: "team",
};

/** Whether a record is of a user, a team or a device; undefined for others. */
function entryKind({ type, email, sipAddress, userId }: Fields, key: string): EntryKind | undefined {
  const byKey = Object.hasOwn(entryKeys, key) ? entryKeys[key] : undefined;
  if (byKey !== undefined) return byKey;
  if (key === "author" && typeof userId === "string") return "user";
  if (typeof type === "string") {
    const found = (["user", "team", "device"] as const).find((kind) => type.startsWith(kind));
    if (found !== undefined) return found;
  }
  if (key !== "teamMembers") return undefined;
  return email === undefined && sipAddress !== undefined ? "device" : "user";
}

function isTimeKey(key: string): boolean {
  return key.endsWith("At");
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]{5,18}(?:Z|[+-]\d\d:?\d\d)$/.test(text);
}
