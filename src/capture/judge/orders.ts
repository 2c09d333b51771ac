import { type Evidence, EvidenceCounter } from "../infer/evidence.ts";
import { type CapturedEvent, firstEventLine } from "../read/capture.ts";
import { append, countWhile } from "../read/lists.ts";
import { isThere, listOrEmpty, type PartialEventData } from "../read/partial-records.ts";

/** Events this close together count as events of one instant, ms. */
const SAME_INSTANT_MS = 1_000;

/** Events by their subject, oldest first. */
class EventIndex {
  private readonly lists = new Map<string, CapturedEvent[]>();

  add(key: string, event: CapturedEvent): void {
    append(this.lists, key, event);
  }

  /** The events about a record at the instant of another event, whose first attempts arrived at about the same time. */
  atSameInstant(key: string, event: CapturedEvent): CapturedEvent[] {
    const list = this.lists.get(key) ?? [];
    const from = countWhile(list, ({ timestamp }) => timestamp <= event.timestamp - SAME_INSTANT_MS);
    const to = countWhile(list, ({ timestamp }) => timestamp < event.timestamp + SAME_INSTANT_MS);
    return list.slice(from, to).filter((other) => arrivedTogether(other, event));
  }
}

const arrivalOf = ({ requests: [first] }: CapturedEvent) => first?.receivedTimestamp ?? null;

function arrivedTogether(one: CapturedEvent, other: CapturedEvent): boolean {
  const [a, b] = [arrivalOf(one), arrivalOf(other)];
  return a !== null && b !== null && Math.abs(a - b) < SAME_INSTANT_MS;
}

function arrivedBefore(one: CapturedEvent, other: CapturedEvent): boolean {
  const [a, b] = [arrivalOf(one) ?? 0, arrivalOf(other) ?? 0];
  return a < b || (a === b && firstEventLine(one) < firstEventLine(other));
}

/** A pair of events of one instant whose order is a rule. */
export type OrderedPair = "answer" | "availability" | "contact" | "transcript";

/** The order of such a pair in a capture. */
export interface ObservedOrder {
  readonly pair: OrderedPair;
  /** Whether it is the order of a run with default assumptions. */
  readonly isUsual: boolean;
  readonly line: number;
}

/** What a capture shows about the order of events of one instant. */
export interface ObservedOrders {
  readonly orders: readonly ObservedOrder[];
  /** Evidence on assumptions. */
  readonly evidence: readonly Evidence[];
}

/**
 * Compares events of one instant by when they arrived. The network may have changed their order, so this tests rules and
 * does not choose assumptions for a run.
 */
export function observeOrders(events: readonly CapturedEvent[]): ObservedOrders {
  const index = new EventIndex();
  for (const event of events) for (const key of listKeys(event)) index.add(key, event);
  const counter = new EvidenceCounter();
  const orders: ObservedOrder[] = [];
  const teams = new Map<string, string>();
  for (const event of events) {
    const { call, user, team } = event.data as PartialEventData;
    const line = firstEventLine(event);
    const observe = (of: OrderedPair, key: string) => {
      for (const other of index.atSameInstant(key, event))
        orders.push({ pair: of, isUsual: arrivedBefore(event, other), line });
    };
    if (event.type === "call.answered") observe("answer", `busy ${call?.id}`);
    if (event.type === "call.ended")
      for (const party of listOrEmpty(call?.parties))
        for (const other of index.atSameInstant(`free ${party?.entryId}`, event))
          counter.addValue("freedAfter", arrivedBefore(event, other) ? "ended" : "hangup", line);
    if (event.type === "user.availability.updated") observe("availability", `team of ${user?.id}`);
    if (event.type === "contact.shared") observe("contact", `contact ${contactOf(event)}`);
    if (event.type === "call.transcript.created") observe("transcript", `transcript ${transcriptOf(event)}`);
    if (event.type === "team.availability.updated" && isThere(team?.id)) {
      const totals = JSON.stringify(team.availability);
      if (teams.has(team.id))
        counter.addValue("teamNews", totals === teams.get(team.id) ? "members" : "totals", line);
      teams.set(team.id, totals);
    }
  }
  return { orders, evidence: counter.result() };
}

/** The records of an event whose order is compared. */
function listKeys(event: CapturedEvent): string[] {
  const { user, team } = event.data as PartialEventData;
  if (event.type === "user.availability.updated") {
    const callId = user?.availability?.callId;
    if (isThere(callId)) return [`busy ${callId}`];
    return user?.availability?.status === "available" ? [`free ${user.id}`] : [];
  }
  if (event.type === "team.availability.updated")
    return listOrEmpty(team?.teamMembers).map((member) => `team of ${member?.id}`);
  if (/^call\.contact_assigned/.test(event.type)) return [`contact ${contactOf(event)}`];
  return event.type === "transcript.created" ? [`transcript ${transcriptOf(event)}`] : [];
}

const contactOf = ({ data }: CapturedEvent) => (data as PartialEventData).contact?.id;
const transcriptOf = ({ data }: CapturedEvent) => (data.transcript as { id?: string } | undefined)?.id;
