import type { Services } from "../platform/catalogue/services.ts";
import type { EventType, PlatformEvent } from "../platform/declare/events.ts";
import { type CallRecord, isOnBridge, isRinging, type Party } from "../records/call.ts";
import { findPerson, type Person, type PersonState, personState } from "./person-state.ts";
import { type Names, rangText, stateClause, whyNames } from "./words.ts";

/** The run in which an event never came, at its present instant. */
export interface RunSoFar {
  readonly services: Services;
  readonly startTimestamp: number;
  readonly events: readonly PlatformEvent[];
  /** The run at an earlier instant, ms since the Unix epoch. */
  at(instant: number): Pick<RunSoFar, "services">;
}

/** How many calls, and how many people of one call, an answer names. */
const MOST_NAMED = 3;

/**
 * Why no event of a type came in a run: for `call.answered`, what became of those whom each call was for. As one line.
 * @returns undefined if nothing is known, as for most types
 */
export function whyNeverCame(run: RunSoFar, type: EventType): string | undefined {
  if (!type.startsWith("call.")) return undefined;
  const calls = [...run.services.tables.calls];
  if (calls.length === 0) return `${type} never came: no call began`;
  const reasonOf = reasons[type];
  if (reasonOf === undefined) return undefined;
  const names = whyNames(run.services, run.startTimestamp);
  const isAlone = calls.length === 1;
  const texts = calls.slice(-MOST_NAMED).flatMap((call) => {
    const text = reasonOf(run, call, names);
    return text === undefined ? [] : [isAlone ? text : `of ${names.call(call.id)}, ${text}`];
  });
  return texts.length === 0 ? undefined : `${type} never came: ${texts.join("; ")}`;
}

type ReasonOf = (run: RunSoFar, call: CallRecord, names: Names) => string | undefined;

const reasons: Readonly<Partial<Record<EventType, ReasonOf>>> = {
  "call.answered": whyNotAnswered,
  "call.ended": (run, call, names) => {
    if (call.answeredTimestamp === null)
      return `nobody answered (${whyNotAnswered(run, call, names) ?? "it was not offered"}), and only answered calls end with it`;
    const on = call.connections.filter(isOnBridge).map(({ partyId }) => nameParty(call, partyId, names));
    return on.length === 0
      ? undefined
      : `${on.join(" and ")} ${on.length === 1 ? "is" : "are"} still on the call`;
  },
  "call.not_answered": (_run, call, names) => {
    if (call.answeredTimestamp !== null) {
      const first = call.parties.find(({ dials }) => dials.some(({ outcome }) => outcome === "answered"));
      const by = first === undefined ? "it was answered" : `${nameParty(call, first.id, names)} answered`;
      return `${by} at ${names.time(call.answeredTimestamp)}`;
    }
    return ringing(call, names);
  },
};

function nameParty({ parties }: CallRecord, partyId: string, names: Names): string {
  const party = parties.find(({ id }) => id === partyId);
  return party?.entryId == null ? (party?.displayName ?? partyId) : names.person(party.entryId);
}

/** Who rings now, if anybody does. */
function ringing(call: CallRecord, names: Names): string | undefined {
  const who = call.parties.filter(({ dials }) => dials.some(isRinging)).slice(0, MOST_NAMED);
  const texts = who.map(({ id }) => nameParty(call, id, names));
  return who.length === 0 ? undefined : `${texts.join(" and ")} still ${who.length === 1 ? "rings" : "ring"}`;
}

/** What became of those whom a call was for: they rang, or what they did instead when it came. */
function whyNotAnswered(run: RunSoFar, call: CallRecord, names: Names): string | undefined {
  if (call.answeredTimestamp !== null) return undefined;
  const still = ringing(call, names);
  if (still !== undefined) return still;
  const rang = call.parties.flatMap((party) => tellRings(call, party, names));
  const away = tellAway(run, call, names);
  const texts = [...rang, ...away].slice(0, MOST_NAMED);
  return texts.length === 0 ? undefined : texts.join(", ");
}

function tellRings(call: CallRecord, party: Party, names: Names): string[] {
  const last = party.dials.at(-1);
  if (last === undefined || last.outcome === null || last.endedTimestamp === null) return [];
  const { startedTimestamp, endedTimestamp, outcome } = last;
  return [
    `${nameParty(call, party.id, names)} ${rangText(startedTimestamp, endedTimestamp, outcome, names)}`,
  ];
}

/** Those whom a call was for when it came, and who could not be rung then. */
function tellAway(run: RunSoFar, call: CallRecord, names: Names): string[] {
  const { services } = run.at(call.startedTimestamp);
  const rang = new Set(call.parties.map(({ entryId }) => entryId));
  return listTargets(run.services, call)
    .filter(({ record }) => !rang.has(record.id))
    .flatMap(({ record: { id } }) => {
      const then = findPerson(services, id);
      const state = then && personState(services, then);
      if (state === undefined || state.is === "free" || state.is === "rings") return [];
      const until = findEnd(run, id, state, call.startedTimestamp);
      return [
        `${names.person(id)} was ${stateClause(state, names)}${until === undefined ? "" : ` until ${names.time(until)}`}`,
      ];
    });
}

/** The users and devices whom a call was for: its own target, or the members of the teams. */
function listTargets(services: Services, call: CallRecord): Person[] {
  const { directory, live } = services;
  const offered = live.get(call.id)?.sentTo.map(({ destination }) => destination.id) ?? [];
  const owner = call.direction === "inbound" ? directory.findOwner(call.companyNumber ?? "") : undefined;
  const ids = [...new Set([...(owner === undefined ? [] : [owner.record.id]), ...offered])];
  return ids.flatMap((id) => {
    const entry = directory.find(id);
    const people = entry?.kind === "team" ? entry.record.teamMembers.map((member) => member.id) : [id];
    return people.flatMap((each) => findPerson(services, each) ?? []);
  });
}

/** When what somebody did was over, by the events about them; undefined if it never was. */
function findEnd(
  { events }: RunSoFar,
  userId: string,
  state: PersonState,
  fromMs: number,
): number | undefined {
  const over = events.find(
    (event) =>
      event.type === "user.availability.updated" &&
      event.data.user.id === userId &&
      event.createdTimestamp > fromMs &&
      (state.is === "on" ? event.data.user.availability.callId !== state.call : true),
  );
  return over?.createdTimestamp;
}
