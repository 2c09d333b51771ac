import { counted } from "../../core/platform/declare/words.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { type PropertyFailure, REFUSES } from "../../findings/property-failure.ts";
import { typeOf } from "./webhook-requests.ts";

/** The most types of event that are named. */
const MOST_TYPES = 3;

/** What became of one event at one webhook. */
interface Delivery {
  readonly type: string;
  isTaken: boolean;
  /** The status with which the app refused it last; undefined if it never did. */
  refusedWith?: number;
}

/**
 * That the app refuses true events for good: it answers 4xx or 5xx, and takes no other attempt. 410 is no refusal, since it asks the
 * platform to stop.
 * @param received the ids of the requests that reached the app
 * @param isCutOff whether the run ended while attempts were still to come
 */
export function refusalIn(
  { services }: Simulator,
  received: ReadonlySet<string>,
  isCutOff: boolean,
): PropertyFailure | undefined {
  const deliveries = new Map<string, Delivery>();
  for (const request of services.network.requests()) {
    const type = typeOf(request);
    if (type === undefined || !received.has(request.id)) continue;
    const { recordId, answer } = request;
    const delivery = deliveries.get(recordId) ?? { type, isTaken: false };
    deliveries.set(recordId, delivery);
    const { status = 0 } = answer ?? {};
    // the platform may ask again, and gets another answer then
    const mayBeTaken = isCutOff && (status >= 500 || status === 408 || status === 429);
    if (status < 400 || status === 410) delivery.isTaken = true;
    else if (!mayBeTaken) delivery.refusedWith = status;
  }
  const refused = new Map<string, number>();
  for (const { type, isTaken, refusedWith } of deliveries.values())
    if (!isTaken && refusedWith !== undefined && !refused.has(type)) refused.set(type, refusedWith);
  if (refused.size === 0) return undefined;
  return { property: REFUSES, message: `the app refuses what the platform sends: ${refusedText(refused)}` };
}

function refusedText(refused: ReadonlyMap<string, number>): string {
  const [first = "", ...others] = [...refused]
    .slice(0, MOST_TYPES)
    .map(([type, status], index) => (index === 0 ? `${type} is answered ${status}` : `${type} ${status}`));
  const more = refused.size - others.length - 1;
  const rest = more === 0 ? [] : [counted(more, "more type of event", "more types of event")];
  return [first, ...others, ...rest].join(", ");
}
