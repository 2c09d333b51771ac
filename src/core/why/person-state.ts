import type { Services } from "../platform/catalogue/services.ts";
import { type Entry, endpointsOf } from "../platform/directory/directory.ts";
import type { CallRecord } from "../records/call.ts";
import type { UserRecord } from "../records/directory.ts";

/** Why a user is not available. */
export type Unavailable =
  | ("busy" | "doNotDisturb" | "wrapUp")
  | ("offline" | "outOfHours" | "loggedOut" | "invited" | "suspended");

/** What a user or a device is doing. `sinceMs` are instants, ms. */
export type PersonState =
  /** Calls can ring them, and none does. */
  | { readonly is: "free" }
  /** On the bridge of a call, or in its place as the caller. */
  | { readonly is: "on"; readonly call: string; readonly sinceMs: number }
  /** Rung, for these calls, in the order in which they began. */
  | { readonly is: "rings"; readonly calls: readonly string[]; readonly sinceMs: number }
  /** `reason`: in their own words, if they gave one. */
  | { readonly is: Unavailable; readonly reason: string | null; readonly sinceMs: number | null }
  /** Available, without a phone that is registered. */
  | { readonly is: "noPhone" };

/** A user or a device: they can be rung, unlike a team. */
export type Person = Extract<Entry, { readonly kind: "user" | "device" }>;

/**
 * Finds a user or a device by id, or a user by e-mail address.
 * @returns undefined if there is none
 */
export function findPerson({ directory }: Services, who: string): Person | undefined {
  const entry = directory.find(who);
  return entry?.kind === "user" || entry?.kind === "device" ? entry : undefined;
}

/** What somebody is doing at the run's present instant, after all that has happened there. */
export function personState(services: Services, person: Person): PersonState {
  const { live, tables } = services;
  const { id } = person.record;
  const callId = live.callOf(id);
  if (callId !== undefined)
    return { is: "on", call: callId, sinceMs: joinedMs(tables.calls.mustGet(callId), id) };
  const rings = live.ringsOf(id);
  const [first] = rings;
  if (first !== undefined) {
    const calls = [...new Set(rings.map((ring) => ring.callId))];
    return { is: "rings", calls, sinceMs: rangSinceMs(tables.calls.mustGet(first.callId), id) };
  }
  const away = person.kind === "user" ? unavailable(person.record) : undefined;
  if (away !== undefined) return away;
  return { is: endpointsOf(person).length > 0 ? "free" : "noPhone" };
}

/** Why calls do not ring a user who is on no call; undefined if they may. */
function unavailable({ status, availability }: UserRecord): PersonState | undefined {
  const { status: shown, notAvailableRule: rule, notAvailableReason, statusTimestamp } = availability;
  if (status !== "active") return { is: status, reason: null, sinceMs: null };
  if (shown === "available") return undefined;
  const isWrapUp = rule === null && notAvailableReason === "wrapUp";
  const is = isWrapUp ? "wrapUp" : rule === null || !isOwnState(rule) ? shown : rule;
  return { is, reason: isWrapUp ? null : notAvailableReason, sinceMs: statusTimestamp };
}

const isOwnState = (rule: string): rule is "doNotDisturb" | "outOfHours" | "loggedOut" =>
  rule === "doNotDisturb" || rule === "outOfHours" || rule === "loggedOut";

function findParty(call: CallRecord, id: string) {
  return call.parties.find(({ entryId }) => entryId === id);
}

/** When somebody who is on a call joined it; when it began, for a caller who waits for permission. */
function joinedMs(call: CallRecord, id: string): number {
  const party = findParty(call, id);
  const joined = call.connections.findLast(({ partyId }) => partyId === party?.id);
  return joined?.joinedTimestamp ?? call.startedTimestamp;
}

/** When the phones that ring for a call began to ring. */
export function rangSinceMs(call: CallRecord, id: string): number {
  const dials = findParty(call, id)?.dials.filter(({ outcome }) => outcome === null) ?? [];
  return Math.min(...dials.map(({ startedTimestamp }) => startedTimestamp));
}
