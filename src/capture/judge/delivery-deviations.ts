import { readInput } from "../../core/foundation/input-schemas.ts";
import { isoDuration } from "../../core/foundation/instants.ts";
import type { PlatformEvent } from "../../core/platform/declare/events.ts";
import { webhookSettingsSchema } from "../../core/platform/declare/webhook-settings.ts";
import type { CapturedEvent, CapturedRequest } from "../read/capture.ts";
import { Clocks, lowerMedian } from "../read/clocks.ts";
import { append } from "../read/lists.ts";
import type { Match } from "./match.ts";

/** What the network did to requests, as a scenario describes it. */
export interface DeliveryDeviations {
  readonly deviations: readonly Readonly<Record<string, unknown>>[];
  /** The schedule of attempts; undefined for the default. */
  readonly webhooks: { readonly schedule: readonly string[] } | undefined;
  readonly assumed: readonly string[];
  /** When the last attempt was sent or repeated, ms since the Unix epoch. */
  readonly lastMs: number;
}

const defaultSchedule = readInput(webhookSettingsSchema, {}, []).schedule;

const sentMs = ({ signedTimestamp, receivedTimestamp }: CapturedRequest): number =>
  signedTimestamp ?? receivedTimestamp ?? 0;

/**
 * Finds what the network did to the attempts of each event: lost, unanswered, duplicated or late. An app cannot tell
 * lost, refused and rejected attempts apart, so all of them are `lost`.
 */
export function findDeliveryDeviations(
  events: readonly CapturedEvent[],
  { pairs }: Match,
  played: readonly PlatformEvent[],
  startMs: number,
  toleranceMs: number,
): DeliveryDeviations {
  const delayMs = medianDelay(events, toleranceMs);
  const { schedule, isDefault } = inferSchedule(events, delayMs, toleranceMs);
  const items: Record<string, unknown>[] = [];
  const clocks = new Clocks(events);
  const attemptsOf = new Map<PlatformEvent, Map<number, CapturedRequest[]>>();
  for (const [index, { requests }] of events.entries()) {
    const event = pairs[index];
    if (event === undefined) continue;
    attemptsOf.set(
      event,
      requestsByAttempt(requests, event.createdTimestamp + delayMs, schedule, toleranceMs),
    );
  }
  const ordinals = ordinalsWithinInstant(played, attemptsOf);
  let lostCount = 0;
  let lastMs = 0;
  for (const [index, { requests, type }] of events.entries()) {
    for (const request of requests) lastMs = Math.max(lastMs, sentMs(request));
    const event = pairs[index];
    if (event === undefined) continue;
    const attemptAt = (number: number) =>
      `${isoDuration(event.createdTimestamp - startMs + (schedule[number - 1] ?? 0))} ${type}`;
    const deviationPoint = (number: number) => {
      const nth = ordinals.get(event)?.get(number) ?? 1;
      return { attempt: attemptAt(number), number, ...(nth > 1 ? { nth } : {}) };
    };
    const byAttempt = attemptsOf.get(event) ?? new Map<number, CapturedRequest[]>();
    const last = Math.max(0, ...byAttempt.keys());
    for (let number = 1; number <= last; number++) {
      const attempts = byAttempt.get(number);
      if (attempts === undefined) {
        lostCount++;
        items.push({ ...deviationPoint(number), is: "lost" });
        continue;
      }
      const [first, ...others] = attempts;
      if (first === undefined) continue;
      const second = findSecond(first, others);
      if (second !== undefined) {
        const afterMs = Math.max(0, (second.receivedTimestamp ?? 0) - (first.receivedTimestamp ?? 0));
        lastMs = Math.max(lastMs, sentMs(first) + afterMs);
        const after = afterMs > 0 ? { after: isoDuration(afterMs) } : {};
        items.push({ ...deviationPoint(number), is: "duplicated", ...after });
      } else if (number < last) items.push({ ...deviationPoint(number), is: "unanswered" });
      else {
        const late = clocks.lateness(first, toleranceMs);
        if (late === undefined) continue;
        lastMs = Math.max(lastMs, sentMs(first) + late.ms);
        items.push({ ...deviationPoint(number), is: "late", by: late.lateMs });
      }
    }
  }
  return {
    deviations: items,
    webhooks: isDefault ? undefined : { schedule: schedule.map(isoDuration) },
    assumed:
      lostCount > 0
        ? [`${lostCount} attempts are lost; an app cannot tell them from refused or rejected ones`]
        : [],
    lastMs,
  };
}

/** Groups the requests of an event by the number of their attempt. */
function requestsByAttempt(
  requests: readonly CapturedRequest[],
  firstMs: number,
  schedule: readonly number[],
  toleranceMs: number,
): Map<number, CapturedRequest[]> {
  const found = new Map<number, CapturedRequest[]>();
  for (const request of requests) {
    const offsetMs = sentMs(request) - firstMs;
    const index = schedule.findIndex((ms) => Math.abs(ms - offsetMs) <= toleranceMs);
    append(found, Math.max(0, index) + 1, request);
  }
  return found;
}

/**
 * The second of the requests of one attempt. A line that occurs twice is none; with another signature it is that of another webhook
 * on the same URL, or was signed anew.
 */
function findSecond(first: CapturedRequest, others: readonly CapturedRequest[]): CapturedRequest | undefined {
  return others.find((each) => !isRepeated(first, each));
}

/** Whether two lines of a capture have the same request. */
export function isRepeated(one: CapturedRequest, other: CapturedRequest): boolean {
  return one.receivedTimestamp === other.receivedTimestamp && one.signature === other.signature;
}

/**
 * For each event and attempt, its number among those that look alike, as a run counts them: of the same type, instant and attempt,
 * with the copy of each doubled one.
 */
function ordinalsWithinInstant(
  events: readonly PlatformEvent[],
  attemptsOf: ReadonlyMap<PlatformEvent, ReadonlyMap<number, readonly CapturedRequest[]>>,
): ReadonlyMap<PlatformEvent, ReadonlyMap<number, number>> {
  const counts = new Map<string, number>();
  return new Map(
    events.map((event) => {
      const attempts = attemptsOf.get(event);
      const ordinals = new Map<number, number>();
      for (let number = 1; number <= Math.max(1, ...(attempts?.keys() ?? [])); number++) {
        const key = `${event.createdTimestamp} ${event.type} ${number}`;
        const ordinal = (counts.get(key) ?? 0) + 1;
        const [first, ...others] = attempts?.get(number) ?? [];
        const isDoubled = first !== undefined && findSecond(first, others) !== undefined;
        counts.set(key, ordinal + (isDoubled ? 1 : 0));
        ordinals.set(number, ordinal);
      }
      return [event, ordinals];
    }),
  );
}

/** The median time from an event to its first attempt, ms. */
function medianDelay(events: readonly CapturedEvent[], toleranceMs: number): number {
  const firsts = events.flatMap(({ requests: [first], timestamp }) =>
    first === undefined ? [] : [{ first, ms: sentMs(first) - timestamp }],
  );
  const ms = Math.max(0, lowerMedian(firsts.map((each) => each.ms)));
  // after an outage most requests may be later attempts; an app's clock may be off by any time
  const isPlatformClock = firsts.every(({ first }) => first.signedTimestamp !== null);
  const offset = defaultSchedule.findLast((each) => Math.abs(each - ms) <= toleranceMs) ?? 0;
  return isPlatformClock ? Math.max(0, ms - offset) : ms;
}

/** When attempts are made after the first: the default schedule if it fits the requests, else theirs. */
function inferSchedule(
  events: readonly CapturedEvent[],
  delayMs: number,
  toleranceMs: number,
): { schedule: readonly number[]; isDefault: boolean } {
  const offsets = events
    .flatMap(({ requests, timestamp }) => requests.map((request) => sentMs(request) - timestamp - delayMs))
    .filter((ms) => ms > toleranceMs)
    .sort((a, b) => a - b);
  const isDefault = offsets.every((ms) =>
    defaultSchedule.some((usual) => Math.abs(usual - ms) <= toleranceMs),
  );
  if (isDefault) return { schedule: defaultSchedule, isDefault };
  const schedule = [0];
  for (const ms of offsets) if (ms - (schedule.at(-1) ?? 0) > toleranceMs) schedule.push(ms);
  return { schedule, isDefault };
}
