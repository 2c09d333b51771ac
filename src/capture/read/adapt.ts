import { isRecord } from "../../core/foundation/values.ts";
import { ANONYMOUS } from "../../core/records/withheld.ts";

/**
 * Brings bodies that differ from the documentation, as real ones do, into the documented shape: connections inside parties,
 * a dial's `dialAt`, a date with only one of its two fields, an extension that is a number, users named by `userId`. What a
 * body does not say stays absent.
 */

type Body = Readonly<Record<string, unknown>>;

/** Brings the data of an event into the documented shape. */
export function adaptData(given: Body): Body {
  const data = adaptScalars(given) as Body;
  const { call, party } = data;
  return completeDates({
    ...data,
    ...(isRecord(call) ? { call: adaptCall(call) } : {}),
    ...(isRecord(party) ? { party: adaptParty(party) } : {}),
  });
}

/** Keys of texts that some write as numbers. */
const digitKeys: ReadonlySet<string> = new Set(["extension", "ivrKey"]);
/** Keys of numbers and addresses that some write as objects. */
const addressKeys: ReadonlySet<string> = new Set(["phoneNumber", "phoneNumbers", "mobile", "emailAddresses"]);

/** A value whose extensions and numbers are texts, as documented: `101` and `{ label, value }` become texts. */
function adaptScalars(value: unknown, key = ""): unknown {
  if (typeof value === "number" && digitKeys.has(key)) return String(value);
  if (Array.isArray(value)) return value.map((each) => adaptScalars(each, key));
  if (!isRecord(value)) return value;
  if (addressKeys.has(key)) {
    const text = [value.numberE164, value.value, value.numberRaw, value.address].find(isText);
    if (text !== undefined) return text;
  }
  const entries = Object.entries(value).map(([name, below]): [string, unknown] => {
    const own = ownNames.get(name) ?? name;
    return [own, adaptScalars(below, own)];
  });
  return Object.fromEntries(entries);
}

/** Our names of fields that real bodies name otherwise. */
const ownNames: ReadonlyMap<string, string> = new Map([
  ["ivrKeyCode", "ivrKey"],
  ["emails", "emailAddresses"],
]);

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function adaptCall(given: Body): Body {
  const call = adaptCallFields(given);
  const parties = Array.isArray(call.parties) ? call.parties.filter(isRecord) : undefined;
  if (parties === undefined) return completeDates(call);
  return completeDates({
    ...call,
    parties: parties.map(adaptParty),
    connections: Array.isArray(call.connections) ? call.connections : parties.flatMap(connectionsOf),
  });
}

/** Fields that say the same in another way: a withheld number as a word, a user by `userId`, a caller by their user's id. */
function adaptCallFields(given: Body): Body {
  const call = { ...given };
  for (const key of ["contactNumber", "initiator"]) if (isWithheld(call[key])) call[key] = null;
  const { assignedUser, initiator, direction } = call;
  if (isRecord(assignedUser) && assignedUser.id === undefined && assignedUser.userId !== undefined)
    call.assignedUser = { ...assignedUser, id: assignedUser.userId };
  // of an outbound call we show the number
  if (direction === "outbound" && isText(initiator) && !/^\+?\d+$/.test(initiator)) delete call.initiator;
  return call;
}

function isWithheld(value: unknown): boolean {
  return typeof value === "string" && value.toLowerCase() === ANONYMOUS;
}

function connectionsOf({ id, connections }: Body): Body[] {
  if (!Array.isArray(connections)) return [];
  return connections.filter(isRecord).map((each) => completeDates({ partyId: id, ...each }));
}

const partyTypes: ReadonlyMap<unknown, string> = new Map([
  ["phone", "external"],
  ["contact", "external"],
]);

function adaptParty(party: Body): Body {
  const { id, type, displayValue, dials } = party;
  const ownType = partyTypes.get(type) ?? type;
  const isOutside = ownType === "external";
  return completeDates({
    ...(isOutside ? { phoneNumber: id } : { entryId: id }),
    displayName: displayValue,
    ...party,
    ...(isWithheld(party.phoneNumber ?? id) ? { phoneNumber: null } : {}),
    type: ownType,
    ...(Array.isArray(dials) ? { dials: dials.filter(isRecord).map(adaptDial) } : {}),
  });
}

const dialReasons: ReadonlyMap<unknown, string> = new Map([["directDial", "direct"]]);

function adaptDial(dial: Body): Body {
  const { dialAt, dialTimestamp, reason } = dial;
  return completeDates({
    ...(dialAt === undefined ? {} : { startedAt: dialAt }),
    ...(dialTimestamp === undefined ? {} : { startedTimestamp: dialTimestamp }),
    ...dial,
    reason: dialReasons.get(reason) ?? reason,
  });
}

/** Completes dates with only one of two fields: `startedAt` without `startedTimestamp`, or the reverse. */
function completeDates(body: Body): Body {
  const added: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) {
    const name = /^(.+)(?:At|Timestamp)$/.exec(key)?.[1];
    if (name === undefined) continue;
    const [at, timestamp] = [`${name}At`, `${name}Timestamp`];
    if (key === at && !(timestamp in body) && typeof value === "string" && !Number.isNaN(Date.parse(value)))
      added[timestamp] = Date.parse(value);
    if (key === timestamp && !(at in body) && typeof value === "number" && Math.abs(value) <= 8.64e15)
      added[at] = new Date(value).toISOString();
  }
  return { ...body, ...added };
}
