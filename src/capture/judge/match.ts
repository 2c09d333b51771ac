import type { PlatformEvent } from "../../core/platform/declare/events.ts";
import type { CapturedEvent } from "../read/capture.ts";
import { append, countWhile } from "../read/lists.ts";
import { isThere, type PartialEventData } from "../read/partial-records.ts";
import { type BodyDifference, BodyMatcher } from "./compare.ts";

/** How well a run fits a capture. */
export interface Match {
  /** For each captured event, in order, the event of the run; undefined if the run has none. */
  readonly pairs: readonly (PlatformEvent | undefined)[];
  /** Captured events that the run lacks. */
  readonly missing: readonly CapturedEvent[];
  /** Events of the run that were not captured, of types that were. */
  readonly invented: readonly PlatformEvent[];
  /** Where bodies differ from those of the run. Compared on first use. */
  readonly differences: readonly EventDifference[];
}

/** A field in which a captured event differs from the run's. */
export interface EventDifference extends BodyDifference {
  readonly event: CapturedEvent;
}

/** The limits of a comparison. */
export interface MatchOptions {
  /** How far apart two instants may be, ms. */
  readonly toleranceMs: number;
  /** The types that the app gets. */
  readonly types: ReadonlySet<string>;
  readonly fromMs: number;
  readonly toMs: number;
}

interface RunEvent {
  readonly event: PlatformEvent;
  isPaired: boolean;
}

/** Pairs each captured event with one of the run: of the same type and subject, at about the same time. */
export function match(
  captured: readonly CapturedEvent[],
  runEvents: readonly PlatformEvent[],
  { toleranceMs, types, fromMs, toMs }: MatchOptions,
): Match {
  const index = new Map<string, RunEvent[]>();
  const all = runEvents.map((event): RunEvent => ({ event, isPaired: false }));
  for (const runEvent of all) append(index, makeKey(runEvent.event), runEvent);
  const missing: CapturedEvent[] = [];
  const pairs = captured.map((event) => {
    const found = nearest(index.get(makeKey(event)) ?? [], event, toleranceMs);
    if (found === undefined) {
      if (event.knownType !== undefined || !event.isDeclared) missing.push(event);
      return undefined;
    }
    found.isPaired = true;
    return found.event;
  });
  const invented = all.flatMap(({ event, isPaired }) =>
    !isPaired && types.has(event.type) && event.createdTimestamp >= fromMs && event.createdTimestamp <= toMs
      ? [event]
      : [],
  );
  let differences: readonly EventDifference[] | undefined;
  return {
    pairs,
    missing,
    invented,
    get differences() {
      differences ??= findDifferences(captured, pairs, toleranceMs);
      return differences;
    },
  };
}

function findDifferences(
  captured: readonly CapturedEvent[],
  pairs: readonly (PlatformEvent | undefined)[],
  toleranceMs: number,
): readonly EventDifference[] {
  const matcher = new BodyMatcher(toleranceMs);
  return captured.flatMap((event, index) => {
    const sent = pairs[index];
    return sent === undefined
      ? []
      : matcher.compare(event.data, sent.data as Data).map((each) => ({ ...each, event }));
  });
}

type Data = Readonly<Record<string, unknown>>;

/** The nearest event that is not paired yet. Of those of one instant, such as of a user who is busy for none, the one in the same state. */
function nearest(
  runEvents: readonly RunEvent[],
  { timestamp: atMs, data }: CapturedEvent,
  toleranceMs: number,
): RunEvent | undefined {
  const from = countWhile(runEvents, ({ event }) => event.createdTimestamp < atMs - toleranceMs);
  let best: RunEvent | undefined;
  for (let index = from; index < runEvents.length; index++) {
    const runEvent = runEvents[index] as RunEvent;
    const ms = runEvent.event.createdTimestamp;
    if (ms > atMs + toleranceMs) break;
    if (runEvent.isPaired) continue;
    const isNearer = best === undefined || Math.abs(ms - atMs) < Math.abs(best.event.createdTimestamp - atMs);
    if (isNearer || (best?.event.createdTimestamp === ms && isSurer(runEvent, best, data))) best = runEvent;
  }
  return best;
}

/** Whether an event of a run has a captured one's state, and another has not. */
function isSurer({ event }: RunEvent, other: RunEvent, captured: object): boolean {
  const state = writeState(captured);
  return state !== writeState(other.event.data) && state === writeState(event.data);
}

/** What tells apart events about one record at one instant: who is available, and how far a call has come. */
function writeState(data: object): string {
  const { call, user, team } = data as PartialEventData;
  const members = team?.teamMembers?.map(({ id, availability }) => `${id} ${availability?.status}`);
  const left = call?.connections?.filter(({ leftAt }) => isThere(leftAt)).length;
  return `${user?.availability?.status} ${members} ${call?.status} ${call?.parties?.length} ${left}`;
}

/** The type and subject of an event, by values that are the same in every run. */
function makeKey({ type, data }: { readonly type: string; readonly data: object }): string {
  const { call, user, team, conversation, party } = data as PartialEventData;
  const subject =
    user?.id ??
    team?.id ??
    (call === undefined || call === null
      ? conversation?.companyNumber
      : `${call.contactNumber ?? call.initiator ?? ""} ${call.companyNumber ?? ""}`);
  const person = party?.entryId ?? party?.phoneNumber ?? party?.type ?? "";
  return `${type} ${subject ?? ""} ${person}`;
}
