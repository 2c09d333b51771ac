import { dateFields } from "../../records/date-fields.ts";
import type { UserReference } from "../../records/directory.ts";
import type { TrunkKind, TrunkRecords } from "../../records/trunk.ts";
import type { Dialect } from "../declare/settings.ts";
import { redirectUrl, type Urls } from "../declare/urls.ts";
import type { TrunkFields } from "./schemas.ts";

/** What a trunk entry's record needs besides its own fields. */
export interface TrunkEntryContext {
  readonly id: string;
  readonly trunkId: string;
  readonly organisationId: string;
  readonly dialect: Dialect;
  readonly urls: Urls;
  readonly nowMs: number;
  /** Finds a service user, by id or e-mail address. */
  userOf(who: string): UserReference;
}

/** The directory's names of the kinds. A queue is called a group there. */
const typeNames = { device: "trunkDevice", queue: "trunkGroup", user: "trunkUser" } as const;

const details: {
  readonly [K in TrunkKind]: (
    fields: TrunkFields[K],
    context: TrunkEntryContext,
  ) => Omit<TrunkRecords[K], keyof TrunkRecords["queue"]>;
} = {
  device: ({ location = null, model = null, product = null }) => ({ location, model, product }),
  queue: () => ({}),
  user: (
    { department = null, jobTitle = null, location = null, manager = null, user, phoneNumbers = [] },
    { userOf },
  ) => ({
    department,
    jobTitle,
    location,
    manager,
    user: user == null ? null : userOf(user),
    phoneNumbers,
  }),
};

/** Makes the record of a new trunk entry. */
export function newTrunkEntry<K extends TrunkKind>(
  kind: K,
  fields: TrunkFields[K],
  context: TrunkEntryContext,
): TrunkRecords[K] {
  const { displayName, extension, ivrKey, description = null } = fields;
  const { id, trunkId, organisationId, dialect, urls, nowMs } = context;
  const record: TrunkRecords["queue"] = {
    id,
    trunkId,
    type: dialect.directoryTypes[typeNames[kind]],
    displayName,
    extension,
    ...(ivrKey === undefined ? {} : { ivrKey }),
    vendorRedirectUrl: redirectUrl(urls, extension, organisationId),
    description,
    ...dateFields("created", nowMs),
    ...dateFields("lastModified", nowMs),
  };
  return { ...record, ...details[kind](fields, context) } as TrunkRecords[K];
}
