import type { PlatformEvent } from "../core/platform/declare/events.ts";
import type { CapturedEvent } from "./capture.ts";
import { append, countWhile } from "./lists.ts";
import type { PartialEventData } from "./partial-records.ts";

/** How well a run fits a capture. */
export interface Match {
  /** For each captured event, in order, the event of the run; undefined if the run has none. */
  readonly pairs: readonly (PlatformEvent | undefined)[];
  /** Captured events that the run lacks. */
  readonly missing: readonly CapturedEvent[];
  /** Events of the run that were not captured, of types that were. */
  readonly invented: readonly PlatformEvent[];
  /** How many fields of bodies have other values in the run. Counted on first use. */
  readonly differingFields: number;
}

/** The limits of a comparison. */
export interface MatchOptions {
  /** How far apart two instants may be, ms. */
  readonly toleranceMs: number;
  /** The types that the receiver gets. */
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
  for (const runEvent of all) append(index, keyOf(runEvent.event), runEvent);
  const missing: CapturedEvent[] = [];
  const pairs = captured.map((event) => {
    const found = nearest(index.get(keyOf(event)) ?? [], event.timestamp, toleranceMs);
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
  let differing: number | undefined;
  return {
    pairs,
    missing,
    invented,
    get differingFields() {
      differing ??= countDifferingFields(captured, pairs, toleranceMs);
      return differing;
    },
  };
}

function countDifferingFields(
  captured: readonly CapturedEvent[],
  pairs: readonly (PlatformEvent | undefined)[],
  toleranceMs: number,
): number {
  const ids = new Map<string, string>();
  return captured.reduce((sum, { data }, index) => {
    const event = pairs[index];
    return event === undefined ? sum : sum + differencesOf(data, event.data, ids, toleranceMs).size;
  }, 0);
}

function nearest(runEvents: readonly RunEvent[], atMs: number, toleranceMs: number): RunEvent | undefined {
  const from = countWhile(runEvents, ({ event }) => event.createdTimestamp < atMs - toleranceMs);
  let best: RunEvent | undefined;
  for (let index = from; index < runEvents.length; index++) {
    const runEvent = runEvents[index] as RunEvent;
    const ms = runEvent.event.createdTimestamp;
    if (ms > atMs + toleranceMs) break;
    if (runEvent.isPaired) continue;
    if (best === undefined || Math.abs(ms - atMs) < Math.abs(best.event.createdTimestamp - atMs))
      best = runEvent;
  }
  return best;
}

/** The type and subject of an event, by values that are the same in every run. */
function keyOf({ type, data }: { readonly type: string; readonly data: object }): string {
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

const idKeys = /(?:^i|I)ds?$/;
const timeKeys = /(?:At|Timestamp)$/;
/** Keys whose values differ in every run. */
const unstableKeys = /(?:[uU]rl|Expires(?:At|Timestamp))$/;

/** The paths at which two bodies differ. Fields that the captured one lacks are not compared. */
function differencesOf(
  captured: unknown,
  run: unknown,
  ids: Map<string, string>,
  toleranceMs: number,
): Set<string> {
  const found = new Set<string>();
  const compare = (a: unknown, b: unknown, path: string, key: string): void => {
    if (a === b || a === undefined) return;
    if (typeof a === "object" && a !== null && typeof b === "object" && b !== null) {
      if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) {
        found.add(path);
        return;
      }
      for (const [name, value] of Object.entries(a)) {
        const isItem = Array.isArray(a);
        const below = (b as Record<string, unknown>)[name];
        compare(value, below, isItem ? `${path}[]` : `${path}.${name}`, isItem ? key : name);
      }
      return;
    }
    if (unstableKeys.test(key)) return;
    if (idKeys.test(key) && typeof a === "string" && typeof b === "string") {
      const known = ids.get(a);
      if (known === undefined) ids.set(a, b);
      if (known === undefined || known === b) return;
    }
    if (timeKeys.test(key) && isTime(a) && isTime(b) && Math.abs(msOf(a) - msOf(b)) <= toleranceMs) return;
    found.add(path);
  };
  for (const [name, value] of Object.entries(captured as object))
    compare(value, (run as Record<string, unknown>)[name], name, name);
  return found;
}

const isTime = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";
const msOf = (value: string | number): number => (typeof value === "number" ? value : Date.parse(value));
