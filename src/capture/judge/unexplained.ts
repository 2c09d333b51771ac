import { iso } from "../../core/foundation/instants.ts";
import { LawHistory, type LawName, laws } from "../../core/platform/base/laws.ts";
import type { EventType } from "../../core/platform/declare/events.ts";
import { eventCauses } from "../../core/platform/reactions/event-causes.ts";
import type { Inference } from "../infer/infer.ts";
import { type CapturedEvent, firstEventLine } from "../read/capture.ts";
import { append } from "../read/lists.ts";
import { isThere, type PartialEventData } from "../read/partial-records.ts";
import type { Match } from "./match.ts";
import type { InferenceRun } from "./play.ts";
import type { LawCount } from "./rules.ts";

/** An event that no run explains, or whose record contradicts itself or earlier events. */
export interface Unexplained {
  /** The line of its first request. */
  readonly line: number;
  /** When it happened, ms since the Unix epoch. */
  readonly timestamp: number;
  /** The step that starts its call, from 1. Undefined if it has no call, or no step starts that. */
  readonly step?: number;
  /** The event's type. */
  readonly event: string;
  /** Why, as a sentence. */
  readonly because: string;
  /** The nearest event of its type in the run; undefined if there is none. */
  readonly nearest?: string;
  /** The law that its record breaks; undefined if it breaks none. */
  readonly law?: LawName;
  /** Other unexplained events of the same call, conversation or user, which may follow from it. */
  readonly follows: readonly { readonly line: number; readonly event: string; readonly because: string }[];
}

export interface Finding {
  readonly event: CapturedEvent;
  readonly because: string;
  readonly nearest?: string;
  readonly law?: LawName;
}

const clock = (ms: number) => iso(ms).slice(11, 23);

/** Finds events that break a law, alone or with earlier events, and counts how often each law is kept. */
export function findBrokenLaws(
  events: readonly CapturedEvent[],
  { calls, assume }: Inference,
  toleranceMs: number,
): { findings: Finding[]; counts: ReadonlyMap<LawName, LawCount> } {
  const counts = new Map<LawName, LawCount>();
  const history = new LawHistory(toleranceMs);
  // only later events of a call say until when its parties were on it
  const hindsight = new LawHistory(toleranceMs);
  for (const { id: callId, connections } of calls)
    for (const { party, fromMs, toMs = null } of connections)
      if (isThere(party.entryId)) append(hindsight.onCalls, party.entryId, { callId, fromMs, toMs });
  const findings = events.flatMap((event) => {
    if (event.knownType === undefined) return [];
    let firstBroken: Finding | undefined;
    for (const law of eventCauses[event.knownType].laws) {
      // with `perTeam`, call.not_answered comes once for each team
      if (law === "missed once" && assume.notAnswered === "perTeam") continue;
      const because = laws[law].judge(event, law === "available is not busy" ? hindsight : history);
      const count = counts.get(law) ?? { kept: 0, broken: [] };
      counts.set(law, count);
      if (because === undefined) count.kept++;
      else {
        count.broken.push(firstEventLine(event));
        firstBroken ??= { event, because, law };
      }
    }
    return firstBroken === undefined ? [] : [firstBroken];
  });
  return { findings, counts };
}

/** Gives the reason for each missing event: a refused step, or no cause. */
export function explainMissing(
  { missing }: Match,
  { refused, events }: InferenceRun,
  { calls }: Inference,
): Finding[] {
  const byType = new Map<string, (typeof events)[number][]>();
  for (const event of events) append(byType, event.type, event);
  const names = new Map(calls.map(({ id, name }) => [id, name]));
  return missing.map((event) => {
    const { call } = event.data as PartialEventData;
    const name = names.get(call?.id ?? "");
    const refusal =
      name === undefined
        ? undefined
        : refused.find(({ step: { args } }) => args.call === name || args.as === name);
    const nearest = findNearest(byType.get(event.type) ?? [], event.timestamp);
    return {
      event,
      because:
        refusal === undefined
          ? event.knownType === undefined
            ? `${event.type} is not documented; a dialect can declare it`
            : `no cause for it was found, such as ${examplesOf(event.knownType)}`
          : `${refusal.step.command} at ${clock(refusal.step.atMs)} is not possible: ${refusal.because}`,
      ...(nearest === undefined ? {} : { nearest: `${nearest.type} at ${clock(nearest.createdTimestamp)}` }),
    };
  });
}

/** The first few commands or timers that cause an event. */
function examplesOf(type: EventType): string {
  const { commands, timers } = eventCauses[type];
  const names = [...commands, ...timers.map((purpose) => purpose.replace(/^.*: /, ""))];
  return names.slice(0, 3).join(" or ");
}

/** Moves findings about people to a call of theirs that breaks a law, since its wrong events may have caused them. */
function mergeIntoBrokenCalls(groups: Map<string, Finding[]>, calls: Inference["calls"]): void {
  const peopleOf = new Map(
    calls.map(({ id, parties }) => [`call ${id}`, new Set(parties.flatMap(({ entryId }) => entryId ?? []))]),
  );
  const broken = [...groups].filter(([, group]) => group.some(({ law }) => law !== undefined));
  for (const [subject, group] of groups) {
    if (group.some(({ law }) => law !== undefined)) continue;
    const people = peopleOf.get(subject) ?? new Set([subject]);
    const cause = broken.find(([other]) =>
      [...(peopleOf.get(other) ?? [])].some((person) => people.has(person)),
    );
    if (cause === undefined) continue;
    cause[1].push(...group);
    groups.delete(subject);
  }
}

function findNearest<T extends { readonly createdTimestamp: number }>(
  events: readonly T[],
  atMs: number,
): T | undefined {
  let best: T | undefined;
  for (const event of events)
    if (
      best === undefined ||
      Math.abs(event.createdTimestamp - atMs) < Math.abs(best.createdTimestamp - atMs)
    )
      best = event;
  return best;
}

/** Lists the first finding of each call, conversation and person, with the others below it. Broken laws come first. */
export function groupFindings(findings: readonly Finding[], { calls, steps }: Inference): Unexplained[] {
  const inCalls = new Map<
    string,
    { readonly id: string; readonly fromMs: number; readonly toMs: number }[]
  >();
  for (const { id, startMs, endedMs, parties, events } of calls) {
    const fromMs = Math.min(startMs, events[0]?.timestamp ?? startMs);
    const toMs = Math.max(endedMs ?? Number.POSITIVE_INFINITY, events.at(-1)?.timestamp ?? 0);
    for (const { entryId } of parties) if (isThere(entryId)) append(inCalls, entryId, { id, fromMs, toMs });
  }
  const nameSubject = ({ data, timestamp, id }: CapturedEvent): string => {
    const { call, conversation, user, team } = data as PartialEventData;
    if (isThere(call?.id)) return `call ${call.id}`;
    if (isThere(conversation?.id)) return `conversation ${conversation.id}`;
    if (isThere(user?.availability?.callId)) return `call ${user.availability.callId}`;
    const people = isThere(user?.id) ? [user.id] : (team?.teamMembers ?? []).map((member) => member.id ?? "");
    for (const person of people) {
      const busyOn = inCalls
        .get(person)
        ?.find(({ fromMs, toMs }) => fromMs <= timestamp && timestamp <= toMs + 1);
      if (busyOn !== undefined) return `call ${busyOn.id}`;
    }
    return user?.id ?? team?.id ?? id;
  };
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) append(groups, nameSubject(finding.event), finding);
  mergeIntoBrokenCalls(groups, calls);
  return [...groups.values()]
    .map((group) => {
      const sorted = [...group].sort(
        (a, b) =>
          Number(a.law === undefined) - Number(b.law === undefined) ||
          a.event.timestamp - b.event.timestamp ||
          firstEventLine(a.event) - firstEventLine(b.event),
      );
      const [first, ...rest] = sorted as [Finding, ...Finding[]];
      const { event, ...reason } = first;
      const listed = new Set([event]);
      const others = rest.filter((each) => !listed.has(each.event) && listed.add(each.event));
      const { call } = event.data as PartialEventData;
      const name = calls.find(({ id }) => id === call?.id)?.name;
      const step = name === undefined ? -1 : steps.findIndex(({ args }) => args.as === name);
      return {
        line: firstEventLine(event),
        timestamp: event.timestamp,
        ...(step < 0 ? {} : { step: step + 1 }),
        event: event.type,
        ...reason,
        follows: others.map((each) => ({
          line: firstEventLine(each.event),
          event: each.event.type,
          because: each.because,
        })),
      };
    })
    .sort((a, b) => a.line - b.line);
}
