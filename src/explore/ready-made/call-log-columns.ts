import { iso } from "../../core/foundation/instants.ts";
import { show } from "../../core/foundation/show.ts";
import type { PublicCallRecord } from "../../core/generated/records.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";

/** A row as an app shows it: `callId` and more. */
export interface ShownRow {
  readonly callId: string;
  readonly [column: string]: unknown;
}

/** What comparing a value came to: undefined if it is right. */
export type ColumnVerdict = { readonly problem: string } | { readonly uncomparable: string } | undefined;

/** Compares what a row says in one column. The value is not undefined. */
export type CompareColumn = (value: unknown, call: PublicCallRecord, sim: Simulator) => ColumnVerdict;

/** How far a time in a log may be from the true one, ms: a database may keep whole seconds. */
const TOLERANCE_MS = 1_000;

/** A column of a call log. */
export interface CallLogColumn {
  readonly property: string;
  readonly compare: CompareColumn;
  /** What a row says that is made of a call's record; undefined if no record has it. */
  readonly inRecord: (call: PublicCallRecord) => unknown;
}

/** The columns of a call log besides `callId`, each with its property. */
export const callLogColumns = {
  answered: {
    property: "the call log says which calls were answered",
    compare: compareAnswered,
    inRecord: ({ answeredAt }) => answeredAt !== null,
  },
  seconds: {
    property: "the call log says how long each call took",
    compare: compareSeconds,
    inRecord: ({ duration }) => (duration ?? 0) / 1_000,
  },
  users: { property: "the call log names everybody who talked", compare: compareUsers, inRecord: talkersIn },
  startedAt: {
    property: "the call log says when each call started",
    compare: compareStart,
    inRecord: ({ startedAt }) => startedAt,
  },
  direction: {
    property: "the call log says which calls came in",
    compare: compareDirection,
    inRecord: ({ direction }) => direction,
  },
  number: {
    property: "the call log has the number of each call",
    compare: compareNumber,
    inRecord: ({ contactNumber }) => contactNumber ?? undefined,
  },
  contact: {
    property: "the call log has the contact of each call",
    compare: compareContact,
    inRecord: () => undefined,
  },
} as const satisfies Record<string, CallLogColumn>;

function compareAnswered(answered: unknown, { answeredAt }: PublicCallRecord): ColumnVerdict {
  if (answered === (answeredAt !== null)) return undefined;
  const said = answered === true ? "answered" : "not answered";
  return { problem: `the log says ${said}, and answeredAt is ${answeredAt}` };
}

function compareSeconds(seconds: unknown, { duration }: PublicCallRecord): ColumnVerdict {
  const tookMs = duration ?? 0;
  if (Math.abs(Number(seconds) * 1_000 - tookMs) <= TOLERANCE_MS) return undefined;
  return { problem: `the log says ${seconds} s, and it took ${tookMs / 1_000} s` };
}

/** The ids of everybody inside who talked, each once, sorted. */
function talkersIn({ parties, connections }: PublicCallRecord): readonly string[] {
  const joined = new Set(connections.map(({ partyId }) => partyId));
  const talkers = parties.filter(({ id, type }) => type === "user" && joined.has(id));
  return [...new Set(talkers.map(({ id, entryId = id }) => entryId))].sort();
}

function compareUsers(users: unknown, call: PublicCallRecord): ColumnVerdict {
  const nameOf = (given: string) =>
    call.parties.find(({ type, email }) => type === "user" && email === given)?.entryId ?? given;
  const expected = talkersIn(call);
  const shown = [...new Set((users as readonly string[]).map(nameOf))].sort();
  if (shown.join(" ") === expected.join(" ")) return undefined;
  return {
    problem: `the log names ${shown.join(", ") || "nobody"}, and ${expected.join(", ") || "nobody"} talked`,
  };
}

function compareStart(value: unknown, { startedAt, startedTimestamp }: PublicCallRecord): ColumnVerdict {
  const instant = readInstant(value);
  if (instant === undefined)
    return {
      uncomparable: `${show(value)} is no instant: expected a Date, ms since 1970, or ISO 8601 text with an offset`,
    };
  if (Math.abs(instant - startedTimestamp) <= TOLERANCE_MS) return undefined;
  const said = Math.abs(instant) <= LAST_MS ? iso(instant) : "an invalid date";
  return { problem: `the log says that it started at ${said}, and it started at ${startedAt}` };
}

/** The last instant that a Date can be, ms since 1970. */
const LAST_MS = 8_640_000_000_000_000;

/** `2026-07-01T00:00:00.000Z`, and as databases write it: `2026-07-01 00:00:00+00`. */
const instantText =
  /^(?<day>\d{4}-\d\d-\d\d)[T ](?<time>\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(?<offset>Z|[+-]\d\d)(?::?(?<minutes>\d\d))?$/i;

/** Ms since 1970, NaN for an invalid date; undefined for what is no instant. */
function readInstant(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  // a Date of another realm, such as Jest's, is no `instanceof Date`
  if (Object.prototype.toString.call(value) === "[object Date]") return Number(value);
  const found = typeof value === "string" ? instantText.exec(value.trim())?.groups : undefined;
  if (found === undefined) return undefined;
  const { day, time, offset = "Z", minutes = "00" } = found;
  const instant = Date.parse(`${day}T${time}${offset.toUpperCase() === "Z" ? "Z" : `${offset}:${minutes}`}`);
  return Number.isNaN(instant) ? undefined : instant;
}

function compareDirection(value: unknown, { direction }: PublicCallRecord): ColumnVerdict {
  if (value === direction) return undefined;
  if (value !== "inbound" && value !== "outbound")
    return { uncomparable: `${show(value)} is neither "inbound" nor "outbound"` };
  return { problem: `the log says ${value}, and it was ${direction}` };
}

function compareNumber(value: unknown, call: PublicCallRecord, sim: Simulator): ColumnVerdict {
  if (typeof value !== "string") return { uncomparable: `${show(value)} is no text` };
  const { contactNumber, companyNumber, isInternal } = call;
  // of two people inside, either may be the other one
  const numbers = isInternal ? [contactNumber ?? "", companyNumber] : [contactNumber ?? ""];
  if (numbers.some((number) => isSameNumber(value, number, companyNumber, sim))) return undefined;
  return { problem: `the log says the number ${show(value)}, and it is ${numbers.join(" or ")}` };
}

/**
 * Whether a number as people write it is a number of the platform: by its digits, with or without the plus, with the prefix of
 * international calls, or as it is dialled within the organisation's country.
 */
function isSameNumber(written: string, number: string, companyNumber: string, sim: Simulator): boolean {
  const { countryIso, phoneNumbers } = sim.services.settings;
  if (phoneNumbers?.(written, countryIso) === number) return true;
  const digits = digitsOf(written);
  const expected = digitsOf(number);
  if (digits === expected) return true;
  // without a plus, the number of an extension or a short code is dialled as it is
  if (!number.startsWith("+") || written.trim().startsWith("+")) return false;
  if (/^0(?:0|11)/.test(digits) && digits.replace(/^0(?:0|11)/, "") === expected) return true;
  // what a national number leaves out is the code of a country, with which the organisation's own number begins
  const isNational = (national: string) => {
    const code = expected.slice(0, -national.length);
    const isCode = code.length >= 1 && code.length <= 3 && digitsOf(companyNumber).startsWith(code);
    return national.length > 0 && isCode && expected === code + national;
  };
  return isNational(digits) || isNational(digits.replace(/^0/, ""));
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, "");

function compareContact(value: unknown, call: PublicCallRecord, sim: Simulator): ColumnVerdict {
  if (typeof value !== "string") return { uncomparable: `${show(value)} is no text` };
  if (assignedTo(call, sim).has(value)) return undefined;
  const found = sim.services.phonebooks.contactsById(value);
  if (found.length === 0) return { uncomparable: `${show(value)} is the id of no contact` };
  if (found.some(({ numbers }) => numbers.includes(call.contactNumber ?? ""))) return undefined;
  if (found.some(({ changedMs }) => changedMs > call.startedTimestamp))
    return { uncomparable: `the phonebook of ${value} has changed since the call started` };
  return {
    problem: `the log says the contact ${value}, which does not have the number ${call.contactNumber}`,
  };
}

/** The contacts who somebody said the outside party is, by id. */
function assignedTo(call: PublicCallRecord, sim: Simulator): Set<string> {
  const assigned = ["call.contact_assigned_with_add", "call.contact_assigned_with_update"] as const;
  return new Set(
    assigned
      .flatMap((type) => sim.events.ofType(type))
      .filter(({ data }) => data.call.id === call.id)
      .map(({ data }) => data.contact.id),
  );
}
