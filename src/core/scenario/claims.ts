import { isoDuration } from "../foundation/instants.ts";
import { isRecord } from "../foundation/values.ts";
import type { PlatformEvent } from "../platform/declare/events.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { attemptsOf, type SeenAttempt } from "./attempts.ts";
import type { Claim, Occurrence } from "./claim-schema.ts";
import { dataDifference } from "./compare.ts";
import type { Period, PlayedScenario } from "./played-scenario.ts";

/** Judges what questions claim of a run. */

/** Whether a claim holds, and what is so instead. */
export interface Judgement {
  readonly holds: boolean;
  /** What of this kind is in the run, in words. */
  readonly found: string;
}

/** Something that a claim is about, in a run. Times are ms from the start. */
interface Found {
  readonly fromMs: number;
  readonly toMs: number;
  readonly text: string;
  /** Whether the claim's own conditions hold of it. */
  readonly fits: boolean;
}

/** The most that a message lists. */
const MOST_FOUND = 8;

/** Judges one claim. */
export function judge(claim: Claim, run: PlayedScenario): Judgement {
  switch (claim.kind) {
    case "not": {
      const { holds, found } = judge(claim.claim, run);
      return { holds: !holds, found };
    }
    case "any": {
      const all = claim.claims.map((each) => judge(each, run));
      return { holds: all.some(({ holds }) => holds), found: all.map(({ found }) => found).join("; or ") };
    }
    case "free":
      return judgeFree(claim, run);
    case "outcome":
      return judgeOutcome(claim, run);
    case "delivery":
      return judgeDelivery(claim, run);
    case "webhook":
      return judgeWebhook(claim, run);
    case "order":
      return judgeOrder(claim, run);
    case "delay":
      return judgeDelay(claim, run);
    default: {
      const found = foundFor(claim, run);
      const count = found.filter(({ fits }) => fits).length;
      return { holds: claim.times === undefined ? count > 0 : count === claim.times, found: listOf(found) };
    }
  }
}

type Of<Kind extends Claim["kind"]> = Extract<Claim, { readonly kind: Kind }>;

/** Everything in the run that has a claim's subject. */
function foundFor(claim: Occurrence, run: PlayedScenario): Found[] {
  switch (claim.kind) {
    case "event":
      return foundEvents(claim, run);
    case "attempt":
      return foundAttempts(claim, run);
    case "gets":
      return foundArrivals(claim, run);
    default:
      return foundPeriods(claim, run);
  }
}

function listOf(found: readonly Found[]): string {
  const texts = found.slice(0, MOST_FOUND).map(({ text }) => text);
  const more = found.length > MOST_FOUND ? [`${found.length - MOST_FOUND} more`] : [];
  return [...texts, ...more].join(", ") || "nothing of the kind";
}

const isAt = (wanted: number | undefined, ms: number): boolean => wanted === undefined || wanted === ms;

const barKinds = { rings: "ring", talks: "talk", waits: "wait", voicemail: "voicemail" } as const;

function foundPeriods(claim: Of<"rings" | "talks" | "waits" | "voicemail">, run: PlayedScenario): Found[] {
  const { kind, call, at, from, to } = claim;
  const who = (claim as Readonly<Record<string, unknown>>)[kind] as string;
  const id = call === undefined ? undefined : run.named.get(call);
  const lane = who === "caller" ? findCaller(id, run) : who;
  const isOfCall = (period: Period) => call === undefined || period.call === id;
  const team = kind === "waits" ? claim.in : undefined;
  const periods = run.periods
    .filter((period) => period.who === lane && period.kind === barKinds[kind] && isOfCall(period))
    .filter((period) => kind !== "rings" || isSame(claim.endpoint, period.endpoint))
    .flatMap((period) => (team === undefined ? [period] : withinHolds(period, team, run)));
  return merged(periods).map(({ fromMs, toMs }) => ({
    ...{ fromMs, toMs, text: `from ${isoDuration(fromMs)} to ${endText(toMs)}` },
    fits: isAt(from, fromMs) && isAt(to, toMs) && (at === undefined || (at >= fromMs && at < toMs)),
  }));
}

const isSame = (wanted: string | undefined, value: string | undefined): boolean =>
  wanted === undefined || wanted === value;

const endText = (ms: number): string => (Number.isFinite(ms) ? isoDuration(ms) : "the end");

/** The parts of a period in which a team has the call. */
function withinHolds(period: Period, team: string, { holds }: PlayedScenario): Period[] {
  return holds
    .filter(({ who, call }) => who === team && call === period.call)
    .map(({ fromMs, toMs }) => ({
      ...period,
      fromMs: Math.max(fromMs, period.fromMs),
      toMs: Math.min(toMs, period.toMs),
    }))
    .filter(({ fromMs, toMs }) => fromMs < toMs);
}

/** Joins periods of one call that overlap or follow at once, as those of several phones do. */
function merged(periods: readonly Period[]): Period[] {
  const joined: Period[] = [];
  for (const period of [...periods].sort((one, other) => one.fromMs - other.fromMs)) {
    const index = joined.findLastIndex(({ call, toMs }) => call === period.call && toMs >= period.fromMs);
    const before = joined[index];
    if (before === undefined) joined.push(period);
    else joined[index] = { ...before, toMs: Math.max(before.toMs, period.toMs) };
  }
  return joined;
}

/** The lane of whoever began a call. */
function findCaller(id: string | undefined, { simulator }: PlayedScenario): string | undefined {
  const [caller] = id === undefined ? [] : simulator.calls.get(id).record.parties;
  return caller === undefined ? undefined : (caller.entryId ?? caller.phoneNumber ?? "anonymous");
}

function foundEvents({ event: type, of, nth, match, at }: Of<"event">, run: PlayedScenario): Found[] {
  return listEvents(of, run)
    .filter((event) => event.type === type)
    .map((event, index) => {
      const fromMs = event.createdTimestamp - run.simulator.startTimestamp;
      const difference = match === undefined ? undefined : dataDifference(match, event);
      return {
        ...{
          fromMs,
          toMs: fromMs,
          fits: isAt(at, fromMs) && isAt(nth, index + 1) && difference === undefined,
        },
        text: `${isoDuration(fromMs)} ${type}${difference === undefined ? "" : ` (${difference})`}`,
      };
    });
}

/** The events about a call, a conversation, a user or a team; all without one. */
function listEvents(of: string | undefined, { simulator, named }: PlayedScenario): readonly PlatformEvent[] {
  return simulator.events.filter((event) => isAbout(event, of, named));
}

function isAbout(
  event: { readonly data: unknown },
  of: string | undefined,
  named: PlayedScenario["named"],
): boolean {
  if (of === undefined) return true;
  const id = named.get(of) ?? of;
  return Object.values(event.data as object).some((record) => isRecord(record) && record.id === id);
}

function foundAttempts(claim: Of<"attempt">, run: PlayedScenario): Found[] {
  const { attempt: type, of, webhook, number, at, status, failure, ended, duplicate } = claim;
  const startMs = run.simulator.startTimestamp;
  return attemptsOf(run.simulator)
    .filter((seen) => seen.delivery.event.type === type && isAbout(seen.delivery.event, of, run.named))
    .filter((seen) => isOfWebhook(seen, webhook, run))
    .map(({ request, delivery }) => {
      const fromMs = request.startedTimestamp - startMs;
      const toMs =
        request.endedTimestamp === null ? Number.POSITIVE_INFINITY : request.endedTimestamp - startMs;
      const id = request.duplicateOf ?? request.id;
      const nth = delivery.attempts.find(({ requestId }) => requestId === id)?.number ?? 0;
      const result = request.answer?.status ?? request.failure ?? "under way";
      const fits =
        [
          isAt(at, fromMs),
          isAt(ended, toMs),
          isAt(number, nth),
          isAt(status, request.answer?.status ?? -1),
        ].every(Boolean) &&
        isSame(failure, request.failure ?? undefined) &&
        (duplicate === undefined || duplicate === (request.duplicateOf !== null));
      return { fromMs, toMs, fits, text: `attempt ${nth} at ${isoDuration(fromMs)}: ${result}` };
    });
}

function isOfWebhook(
  { delivery }: SeenAttempt,
  webhook: string | undefined,
  { named }: PlayedScenario,
): boolean {
  return webhook === undefined || delivery.webhookId === (named.get(webhook) ?? webhook);
}

/** What an endpoint gets, in the order of arrival. @param endpoint the name of a webhook, or the start of a URL or host */
function arrivalsAt(endpoint: string, { simulator, named }: PlayedScenario) {
  const id = named.get(endpoint);
  const host = endpoint.replace(/^https?:\/\//, "");
  const deliveries = new Map(attemptsOf(simulator).map((seen) => [seen.request.id, seen.delivery]));
  return simulator.network.requests
    .filter(({ arrival }) => arrival !== null)
    .sort((one, other) => (one.arrival ?? 0) - (other.arrival ?? 0))
    .map((request) => ({ request, delivery: deliveries.get(request.id) }))
    .filter(({ request, delivery }) =>
      id === undefined ? request.to.replace(/^https?:\/\//, "").startsWith(host) : delivery?.webhookId === id,
    );
}

function foundArrivals(claim: Of<"gets">, run: PlayedScenario): Found[] {
  const { gets, event: type, of, match, nth, at } = claim;
  return arrivalsAt(gets, run).map(({ request, delivery }, index) => {
    const fromMs = (request.arrivedTimestamp ?? 0) - run.simulator.startTimestamp;
    const event = delivery?.event as PlatformEvent | undefined;
    const isWanted =
      (type === undefined || event?.type === type) &&
      (of === undefined || (event !== undefined && isAbout(event, of, run.named))) &&
      (match === undefined || (event !== undefined && dataDifference(match, event) === undefined));
    return {
      ...{ fromMs, toMs: fromMs, fits: isWanted && isAt(nth, index + 1) && isAt(at, fromMs) },
      text: `${isoDuration(fromMs)} ${event?.type ?? request.why}`,
    };
  });
}

/** The run at an instant: as it ends, if that is later or none is named. */
function runAt(simulator: Simulator, atMs = Number.POSITIVE_INFINITY): Simulator {
  const instant = simulator.startTimestamp + atMs;
  return instant >= simulator.timestamp ? simulator : simulator.at(instant);
}

function judgeFree({ free, at }: Of<"free">, { simulator }: PlayedScenario): Judgement {
  const then = runAt(simulator, at);
  const user = then.users.list().find(({ id }) => id === free);
  if (user === undefined) return { holds: false, found: `${free} is no user` };
  const { availability, status } = user.record;
  const rule = availability.notAvailableRule ?? availability.notAvailableReason;
  const found = `${free} is ${status === "active" ? availability.status : status}${rule === null ? "" : ` (${rule})`}`;
  return { holds: status === "active" && availability.status === "available", found };
}

function judgeOutcome({ outcome: name, is, reason }: Of<"outcome">, run: PlayedScenario): Judgement {
  const id = run.named.get(name);
  const outcome = id === undefined ? null : run.simulator.calls.get(id).record.outcome;
  if (outcome === null)
    return { holds: false, found: id === undefined ? `no call ${name}` : "the call goes on" };
  const holds = outcome.status === is && isSame(reason, outcome.reason ?? undefined);
  return {
    holds,
    found: `${name} is ${outcome.status}${outcome.reason === null ? "" : `, ${outcome.reason}`}`,
  };
}

function judgeDelivery(claim: Of<"delivery">, run: PlayedScenario): Judgement {
  const { delivery: type, of, webhook, is, reason, times } = claim;
  const all = new Map(attemptsOf(run.simulator).map((seen) => [seen.delivery.id, seen]));
  const deliveries = [...all.values()]
    .filter((seen) => isOfWebhook(seen, webhook, run))
    .map(({ delivery }) => delivery)
    .filter(({ event }) => event.type === type && isAbout(event, of, run.named));
  const count = deliveries.filter(
    (each) => each.state === is && isSame(reason, each.reason ?? undefined),
  ).length;
  const found = deliveries.map((each) => `${each.state}${each.reason === null ? "" : `, ${each.reason}`}`);
  return {
    holds: times === undefined ? count > 0 : count === times,
    found: found.slice(0, MOST_FOUND).join("; ") || `no delivery of ${type}`,
  };
}

function judgeWebhook({ webhook, is, at }: Of<"webhook">, { simulator, named }: PlayedScenario): Judgement {
  const then = runAt(simulator, at);
  const found = then.webhooks.list().find(({ id }) => id === named.get(webhook));
  const state = found === undefined ? "deleted" : found.enabled ? "enabled" : "disabled";
  return { holds: state === is, found: `${webhook} is ${state}` };
}

/** Whether the nth of each type comes before what stands behind it in the list. */
function judgeOrder({ order, of, gets }: Of<"order">, run: PlayedScenario): Judgement {
  const arrived =
    gets === undefined ? [] : arrivalsAt(gets, run).flatMap(({ delivery }) => delivery?.event ?? []);
  const events =
    gets === undefined ? listEvents(of, run) : arrived.filter((event) => isAbout(event, of, run.named));
  const types: readonly string[] = events.map(({ type }) => type);
  const places = order.map((type, index) => {
    const nth = order.slice(0, index).filter((each) => each === type).length;
    return types.flatMap((each, place) => (each === type ? [place] : []))[nth] ?? -1;
  });
  const holds = places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
  const found = types.slice(0, MOST_FOUND * 2).join(", ") || "nothing";
  return { holds, found: types.length > MOST_FOUND * 2 ? `${found} and more` : found };
}

function judgeDelay({ from, to, is, atLeast, atMost }: Of<"delay">, run: PlayedScenario): Judgement {
  const [begin, end] = [from, to].map((each) => foundFor(each, run).find(({ fits }) => fits));
  if (begin === undefined || end === undefined) {
    const missing = begin === undefined ? from : to;
    const which = begin === undefined ? "from" : "to";
    return { holds: false, found: `nothing fits \`${which}\`; there is ${listOf(foundFor(missing, run))}` };
  }
  const ms = end.fromMs - begin.fromMs;
  const holds =
    isAt(is, ms) && ms >= (atLeast ?? Number.NEGATIVE_INFINITY) && ms <= (atMost ?? Number.POSITIVE_INFINITY);
  return { holds, found: `${isoDuration(ms)} (${begin.text}; ${end.text})` };
}
