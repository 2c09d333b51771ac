import { firstEventLine } from "../read/capture.ts";
import { append, countWhile } from "../read/lists.ts";
import { isThere } from "../read/partial-records.ts";
import type { CapturedCall, CapturedRing } from "./captured-call.ts";
import { type Evidence, EvidenceCounter } from "./evidence.ts";
import type { InferredDirectory } from "./inferred-directory.ts";

/** A call that waits in the queue of a team. */
interface WaitingCall {
  readonly call: CapturedCall;
  readonly team: string;
  /** When it joined this queue. */
  readonly joinedMs: number;
}

/**
 * Counts who rang first: a call that another team passed on, or a call that had joined the team's queue before, but began
 * after it. Calls count as equally urgent, since no record shows a priority.
 */
export function queueOrderEvidence(
  calls: readonly CapturedCall[],
  directory: InferredDirectory,
): readonly Evidence[] {
  const counter = new EvidenceCounter();
  const queues = new Map<string, WaitingCall[]>();
  for (const call of calls) {
    const team = teamsOf(call);
    if (team !== undefined && team.first === team.last)
      append(queues, team.last, { call, team: team.last, joinedMs: call.startMs });
  }
  const rings = new RingStarts(calls);
  for (const passedOn of calls.flatMap((call) => passedOnCall(call, directory, rings) ?? [])) {
    const queue = queues.get(passedOn.team) ?? [];
    const from = countWhile(queue, ({ joinedMs }) => joinedMs <= passedOn.call.startMs);
    const to = countWhile(queue, ({ joinedMs }) => joinedMs < passedOn.joinedMs);
    for (const direct of queue.slice(from, to)) {
      const first = firstToRing(passedOn, direct);
      if (first === undefined) continue;
      const line = firstEventLine(first.call.events[0]);
      counter.addValue("queueOrder", first === passedOn ? "call" : "queue", line);
    }
  }
  return counter.result();
}

/** The team that an inbound call was for, and the last one that it was offered to. */
function teamsOf({ record }: CapturedCall): { first: string; last: string } | undefined {
  const [first, last] = [record.directoryTarget?.id, record.assignedCallGroup?.id];
  return record.direction === "inbound" && isThere(first) && isThere(last) ? { first, last } : undefined;
}

/** When people start to ring. */
class RingStarts {
  private readonly starts: ReadonlySet<string>;

  constructor(calls: readonly CapturedCall[]) {
    this.starts = new Set(
      calls.flatMap(({ rings }) => rings.map(({ party, fromMs }) => `${party.entryId} ${fromMs}`)),
    );
  }

  /** Whether someone starts to ring at an instant, for any call. */
  has({ party }: CapturedRing, atMs: number): boolean {
    return this.starts.has(`${party.entryId} ${atMs}`);
  }
}

/**
 * A call in the queue of its second team. Undefined if its rings do not show since when: a team rings its members again and
 * again, so its time is over when a ring times out and nobody who rang then starts to ring at that instant.
 */
function passedOnCall(
  call: CapturedCall,
  directory: InferredDirectory,
  rings: RingStarts,
): WaitingCall | undefined {
  const teams = teamsOf(call);
  const members = directory.teams.get(teams?.last ?? "")?.members ?? [];
  if (teams === undefined || teams.first === teams.last || members.length === 0) return undefined;
  const isOfSecond = ({ party }: CapturedRing) => members.some(({ id }) => id === party.entryId);
  const offers = call.rings.filter(isTeamOffer);
  const before = offers.filter((ring) => !isOfSecond(ring));
  const joinedMs = Math.max(...before.map(({ toMs }) => toMs ?? Number.POSITIVE_INFINITY));
  const last = before.filter(({ toMs }) => toMs === joinedMs);
  const isShown =
    last.length > 0 &&
    last.every((ring) => ring.outcome === "timeout" && !rings.has(ring, joinedMs)) &&
    offers.filter(isOfSecond).every(({ fromMs }) => fromMs >= joinedMs);
  return isShown ? { call, team: teams.last, joinedMs } : undefined;
}

/** Whether a member of a team rings. The outside number to which a team sends its unanswered calls is none. */
const isTeamOffer = ({ reason, party }: CapturedRing): boolean =>
  reason === "teamOffer" && isThere(party.entryId);

/** Which of two calls rang first after both had waited for the team; undefined if the capture does not show it. */
function firstToRing(one: WaitingCall, other: WaitingCall): WaitingCall | undefined {
  const [oneMs, otherMs] = [firstRingMs(one), firstRingMs(other)];
  const atMs = Math.min(oneMs, otherMs);
  if (oneMs === otherMs || atMs <= Math.max(one.joinedMs, other.joinedMs)) return undefined;
  if (!isWaiting(one, atMs) || !isWaiting(other, atMs)) return undefined;
  return oneMs < otherMs ? one : other;
}

function firstRingMs({ call, joinedMs }: WaitingCall): number {
  const first = call.rings.find((ring) => isTeamOffer(ring) && ring.fromMs >= joinedMs);
  return first?.fromMs ?? Number.POSITIVE_INFINITY;
}

/** Whether a call is not over yet, and has gone neither to a voicemail nor to an outside number. */
function isWaiting({ call }: WaitingCall, atMs: number): boolean {
  const outside = call.rings.find(({ party }) => party.type === "external");
  return [call.endedOrMissedMs, call.voicemail?.fromMs, outside?.fromMs].every(
    (ms) => ms === undefined || atMs < ms,
  );
}
