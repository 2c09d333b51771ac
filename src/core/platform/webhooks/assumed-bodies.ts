import type { Assumptions } from "../declare/assumptions.ts";

type Shape = (value: unknown) => unknown;

/** How the bodies of webhooks write an event, by what is assumed of the platform. The event itself stays as it is. */
export function bodyShape({ unspecified, partyIds }: Pick<Assumptions, "unspecified" | "partyIds">): Shape {
  const named = partyIds === "entry" ? withEntryIds : asItIs;
  const shape = unspecifiedShapes[unspecified];
  return (event) => shape(named(event));
}

const asItIs: Shape = (value) => value;

/** What a consumer put in, which comes back as it was. */
const FREE = "passthroughParameters";

/** Rewrites each object from the inside out. */
function rewritten(value: unknown, of: (entries: [string, unknown][]) => [string, unknown][]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => rewritten(each, of));
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [
    key,
    key === FREE ? each : rewritten(each, of),
  ]);
  return Object.fromEntries(of(entries));
}

const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.\d{3}Z$/;
const inSeconds = (key: string, value: unknown) =>
  key.endsWith("At") && typeof value === "string" ? value.replace(INSTANT, "$1Z") : value;

/** A name and a value that no documentation has. */
const UNKNOWN = "unspecified";

/** Fields that some records lack, by a field that all of their kind have. */
const lacking = { parties: ["directoryTarget", "assignedCallGroup"], endpoints: ["ivrKey", "mobile"] };

function withNulls(entries: [string, unknown][]): [string, unknown][] {
  const keys = new Set(entries.map(([key]) => key));
  const absent = Object.entries(lacking).flatMap(([known, fields]) =>
    keys.has(known) ? fields.filter((field) => !keys.has(field)) : [],
  );
  return [...entries, ...absent.map((field): [string, unknown] => [field, null])];
}

const changing =
  (of: (key: string, value: unknown) => unknown): Shape =>
  (value) =>
    rewritten(value, (entries) => entries.map(([key, each]) => [key, of(key, each)]));

/** What the bodies have that the documentation does not promise to leave out. */
const unspecifiedShapes: Readonly<Record<Assumptions["unspecified"], Shape>> = {
  nothing: asItIs,
  unknownField: (value) => rewritten(value, (entries) => [...entries, [UNKNOWN, { is: UNKNOWN }]]),
  unknownEvent: asItIs,
  unknownValue: changing((key, value) => (key === "reason" && typeof value === "string" ? UNKNOWN : value)),
  null: (value) => rewritten(value, withNulls),
  absent: (value) => rewritten(value, (entries) => entries.filter(([, each]) => each !== null)),
  keyOrder: (value) => rewritten(value, (entries) => entries.reverse()),
  ids: asItIs,
  seconds: changing(inSeconds),
};

interface KnownParty {
  readonly id: string;
  readonly entryId?: string;
  readonly phoneNumber: string | null;
}

/** Parties are named by the id of their user or device, or by their number, wherever a call or a party stands. */
const withEntryIds: Shape = (event) => {
  const { data } = event as {
    readonly data: { readonly call?: { readonly parties: readonly KnownParty[] } };
  };
  const parties = data.call?.parties ?? [];
  const idOf = new Map(parties.map(({ id, entryId, phoneNumber }) => [id, entryId ?? phoneNumber ?? id]));
  return rewritten(event, (entries) =>
    entries.map(([key, each]) => [
      key,
      (key === "id" || key === "partyId") && typeof each === "string" ? (idOf.get(each) ?? each) : each,
    ]),
  );
};
