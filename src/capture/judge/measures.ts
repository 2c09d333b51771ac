import { readInput } from "../../core/foundation/input-schemas.ts";
import { durationText, isoDuration } from "../../core/foundation/instants.ts";
import { eventTypes } from "../../core/platform/declare/events.ts";
import { webhookSettingsSchema } from "../../core/platform/declare/webhook-settings.ts";
import { defaultTiming } from "../../core/platform/parts/parts.ts";
import type { CapturedCall, CapturedRing } from "../infer/captured-call.ts";
import { mode } from "../infer/scenario-draft.ts";
import { type Capture, type CapturedEvent, type DriftItem, firstEventLine } from "../read/capture.ts";
import { isThere, listOrEmpty, type PartialEventData } from "../read/partial-records.ts";
import type { ObservedOrder, OrderedPair } from "./orders.ts";

/** How often a capture confirms and contradicts a rule. */
export interface RuleCounts {
  /** How often it shows the rule. */
  readonly confirmed: number;
  /** How often it shows something else. */
  readonly contradicted: number;
  /** What it shows instead. */
  readonly instead?: string;
  /** The first line that contradicts the rule. */
  readonly line?: number;
}

/** What rules are judged by. */
export interface RuleInputs {
  readonly capture: Capture;
  readonly calls: readonly CapturedCall[];
  readonly orders: readonly ObservedOrder[];
  readonly toleranceMs: number;
}

interface MeasuredRule {
  /** The rule in words, as docs/fidelity.md has it. */
  readonly text: string;
  /** Undefined if the capture shows nothing about it. */
  judge(inputs: RuleInputs): RuleCounts | undefined;
}

/** One observation: whether it keeps the rule, and what it shows instead. */
interface Observation {
  readonly isKept: boolean;
  readonly instead?: string | undefined;
  readonly line: number;
}

function countKept(observations: readonly Observation[]): RuleCounts | undefined {
  if (observations.length === 0) return undefined;
  const others = observations.filter(({ isKept }) => !isKept);
  const instead = [...new Set(others.flatMap((each) => each.instead ?? []))].sort().slice(0, 3).join(", ");
  return {
    confirmed: observations.length - others.length,
    contradicted: others.length,
    ...(instead === "" ? {} : { instead }),
    ...(others.length === 0 ? {} : { line: Math.min(...others.map(({ line }) => line)) }),
  };
}

/** A time in a capture, and its line. */
interface ObservedTime {
  readonly ms: number;
  readonly line: number;
}

/** Judges times by the most frequent whole second, since some are cut short. */
function byMode(
  times: readonly ObservedTime[],
  expectedMs: number,
  toleranceMs: number,
): RuleCounts | undefined {
  const usual = mode(times.map(({ ms }) => Math.round(ms / 1_000)));
  if (usual === undefined) return undefined;
  const equalTimes = times.filter(({ ms }) => Math.round(ms / 1_000) === usual);
  const isKept = Math.abs(usual * 1_000 - expectedMs) <= toleranceMs;
  return countKept(equalTimes.map(({ line }) => ({ isKept, instead: isoDuration(usual * 1_000), line })));
}

/** How long unanswered endpoints rang. */
function ringTimes(
  calls: readonly CapturedCall[],
  isCounted: (ring: CapturedRing) => boolean,
): ObservedTime[] {
  return calls.flatMap(({ rings, events: [first] }) =>
    rings
      .filter((ring) => ring.outcome === "timeout" && isCounted(ring))
      .flatMap(({ fromMs, toMs }) =>
        toMs === undefined || first === undefined ? [] : [{ ms: toMs - fromMs, line: firstEventLine(first) }],
      ),
  );
}

/** The times from the end of a call to an event of a type. */
function afterCalls({ events }: Capture, type: string): ObservedTime[] {
  return events.flatMap((event) => {
    const endedMs = (event.data as PartialEventData).call?.endedTimestamp;
    return event.type === type && isThere(endedMs)
      ? [{ ms: event.timestamp - endedMs, line: firstEventLine(event) }]
      : [];
  });
}

const timeAfterCall = (type: string, timing: keyof typeof defaultTiming) => ({
  judge: ({ capture, toleranceMs }: RuleInputs) =>
    byMode(afterCalls(capture, type), defaultTiming[timing], toleranceMs),
});

const usualOrder = (thing: OrderedPair) => ({
  judge: ({ orders }: RuleInputs) =>
    countKept(
      orders
        .filter(({ pair }) => pair === thing)
        .map(({ isUsual, line }) => ({ isKept: isUsual, instead: "reversed", line })),
    ),
});

/** A name of a field or event type. Excludes data in keys, such as phone numbers and names of people. */
const plainName = /^(?!.*\d{4})[a-z][\w.[\]]{0,59}$/;

/** Counts the bodies with some drift: at least as many as have the most frequent item. */
function countDrift({ requests }: Capture, items: readonly DriftItem[]): RuleCounts {
  const most = Math.max(0, ...items.map(({ count }) => count));
  const names = items.map(({ path }) => path).filter((path) => plainName.test(path));
  const shown = names.slice(0, 3);
  const more = items.length - shown.length;
  return {
    confirmed: requests - most,
    contradicted: most,
    ...(items.length === 0
      ? {}
      : {
          instead: [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", "),
          line: Math.min(...items.map(({ line }) => line)),
        }),
  };
}

const { schedule } = readInput(webhookSettingsSchema, {}, []);

/** How far an attempt may be from its time in the schedule, as a share of the time since the first. */
const SCHEDULE_SLACK = 0.05;

const isAccepted = (status: number) => status >= 200 && status < 300;
/** Whether a status leads to another attempt. */
const isRetried = (status: number) => status >= 500 || status === 429 || status === 408;

/** The rules that a capture can test besides laws and assumptions, by name. */
export const measuredRules = {
  "types of events": {
    text: `There are ${eventTypes.length} types of events`,
    judge: ({ capture }) => countDrift(capture, capture.drift.events),
  },
  wrapper: {
    text: "The wrapper is `{ id, type, createdAt, createdTimestamp, organisationId, data }`",
    judge: ({ capture }) => {
      const { fields, lacking, types } = capture.drift;
      const items = [...fields, ...lacking, ...types].filter(({ path }) => !/^data\b/.test(path));
      return countDrift(capture, items);
    },
  },
  "organisation of calls": {
    text: "`call` inside an event carries `organisationId`; the record that `sim.calls` hands out does not",
    judge: ({ capture: { events } }) =>
      countKept(
        events.flatMap((event) => {
          const { call } = event.data as { call?: { organisationId?: unknown } | null };
          if (!isThere(call)) return [];
          return [{ isKept: isThere(call.organisationId), line: firstEventLine(event) }];
        }),
      ),
  },
  "answer order": { text: "`call.answered` comes before the user is busy", ...usualOrder("answer") },
  "availability order": {
    text: "A user's own event comes before those of their teams",
    ...usualOrder("availability"),
  },
  "contact order": { text: "`contact.shared` comes before the deprecated event", ...usualOrder("contact") },
  "transcript order": {
    text: "`call.transcript.created` comes before `transcript.created`",
    ...usualOrder("transcript"),
  },
  "ring time": {
    text: "Endpoints ring for 30 s (`timing.ringTimeout`)",
    judge: ({ calls, toleranceMs }) => {
      const times = ringTimes(calls, ({ reason, party }) => reason === "direct" && party.type === "user");
      return byMode(times, defaultTiming.ringTimeout, toleranceMs);
    },
  },
  "tier time": {
    text: "A tier of a team rings for 20 s (`timing.nextOfferTimeout`)",
    judge: ({ calls, toleranceMs }) => {
      const times = ringTimes(calls, ({ reason }) => reason === "teamOffer");
      return byMode(times, defaultTiming.nextOfferTimeout, toleranceMs);
    },
  },
  "recording time": {
    text: "`call.recording.available` comes 5 s after the end of the call (`timing.recordingAvailable`)",
    ...timeAfterCall("call.recording.available", "recordingAvailable"),
  },
  "transcript time": {
    text: "`call.transcript.created` comes 30 s after the end of the call (`timing.transcriptCreated`)",
    ...timeAfterCall("call.transcript.created", "transcriptCreated"),
  },
  "tariff time": {
    text: "`call.tariffed` comes 90 s after the end of the call (`timing.callTariffed`)",
    ...timeAfterCall("call.tariffed", "callTariffed"),
  },
  "repeated statuses": {
    text: "5xx, 429 and 408 are attempted again, other statuses are not",
    judge: ({ capture: { events } }) =>
      countKept(
        events.flatMap(({ requests }) =>
          requests.slice(0, -1).flatMap(({ status }, index) =>
            // a request that arrives twice is one attempt; after an accepted one, the answer may have been lost
            status === null || isAccepted(status) || isDuplicate(requests, index)
              ? []
              : [{ isKept: isRetried(status), instead: `${status}`, line: requests[index + 1]?.line ?? 0 }],
          ),
        ),
      ),
  },
  schedule: {
    text: "Attempt k comes 24 h x (2^(k-1) - 1) / 511 after the first (`webhooks.schedule`)",
    judge: ({ capture: { events }, toleranceMs }) =>
      countKept(
        events.flatMap(({ requests }) => {
          const [first, ...others] = requests;
          const firstMs = first?.receivedTimestamp;
          if (!isThere(firstMs)) return [];
          return others.flatMap(({ receivedTimestamp, line }, index) => {
            if (receivedTimestamp === null || isDuplicate(requests, index)) return [];
            const ms = receivedTimestamp - firstMs;
            // earlier attempts may be lost, so any time in the schedule fits
            const isKept = schedule.some(
              (offsetMs) => Math.abs(ms - offsetMs) <= Math.max(toleranceMs, ms * SCHEDULE_SLACK),
            );
            return [{ isKept, instead: isoDuration(Math.round(ms / 1_000) * 1_000), line }];
          });
        }),
      ),
  },
  "texts of times": {
    text: "Texts round down to seconds and leave out what is zero: `45s`, `2m 5s`, `1h 3s`, `0s`",
    judge: ({ capture: { events } }) =>
      countKept(
        events.flatMap((event) => {
          const { duration, durationText: text } = (event.data as PartialEventData).call ?? {};
          if (!isThere(duration) || !isThere(text)) return [];
          return [
            { isKept: text === durationText(duration), instead: `another form`, line: firstEventLine(event) },
          ];
        }),
      ),
  },
  "user of a device": {
    text: "`assignedUser` is null when a device answered",
    judge: ({ capture: { events } }) =>
      countKept(
        events.flatMap((event) => {
          const { call } = event.data as PartialEventData;
          const parties = new Map(listOrEmpty(call?.parties).map((party) => [party?.id, party]));
          const insiders = listOrEmpty(call?.connections)
            .map((each) => parties.get(each?.partyId))
            .filter((party) => party?.type === "user" || party?.type === "device");
          if (event.type !== "call.answered" || insiders[0]?.type !== "device") return [];
          return [{ isKept: !isThere(call?.assignedUser), instead: "a user", line: firstEventLine(event) }];
        }),
      ),
  },
  "call of a busy user": {
    text: "The ids of the call and of the vendor are both in `availability` and on the user itself",
    judge: ({ capture: { events } }) =>
      countKept(
        events.flatMap((event) => {
          const { user } = event.data as PartialEventData;
          const callId = user?.availability?.callId ?? user?.callId;
          if (event.type !== "user.availability.updated" || !isThere(callId)) return [];
          const isKept = user?.availability?.callId === callId && user?.callId === callId;
          const instead = isThere(user?.callId) ? "the user alone" : "`availability` alone";
          return [{ isKept, instead, line: firstEventLine(event) }];
        }),
      ),
  },
} as const satisfies Readonly<Record<string, MeasuredRule>>;

/** The name of a measured rule. */
export type MeasuredRuleName = keyof typeof measuredRules;

/** Two arrivals this close are one request that came twice, ms. */
const DUPLICATE_MS = 10_000;

/** Whether the next request is the same one, which came twice. */
function isDuplicate(requests: CapturedEvent["requests"], index: number): boolean {
  const [one, next] = [requests[index], requests[index + 1]];
  const isSigned = isThere(one?.signedTimestamp) && isThere(next?.signedTimestamp);
  if (isSigned && one.signedTimestamp !== next.signedTimestamp) return false;
  return Math.abs((next?.receivedTimestamp ?? 0) - (one?.receivedTimestamp ?? 0)) < DUPLICATE_MS;
}
