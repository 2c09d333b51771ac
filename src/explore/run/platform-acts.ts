import type { Deviation } from "../../core/engine/deviations.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { WebhookRecord } from "../../core/records/webhook.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";

/** What the platform did in a world, as far as a smaller world with the same cause must not differ. */
export interface PlatformActs {
  /** The types of events that happened, each once. */
  readonly types: readonly string[];
  /** What it did for good, such as `a webhook is disabled`. */
  readonly lasting: readonly string[];
  /** Whether it sent a request for which the subject has no route. */
  readonly hasUnrouted: boolean;
}

/** Reads what the platform has done until now. @param deviations what happened in the world */
export function platformActs(simulator: Simulator, deviations: readonly Deviation[]): PlatformActs {
  const types = new Set<string>();
  for (const { type } of simulator.events) types.add(type);
  const disabled = webhooksDisabledByPlatform(simulator);
  const lasting: string[] = [];
  if (disabled.length > 0) lasting.push("a webhook is disabled");
  // else a repair that enables it again would hear of nothing more in the smaller world
  if (disabled.some((webhook) => hasLaterNews(simulator, webhook, deviations)))
    lasting.push("a disabled webhook is not told of what happens later");
  const [unrouted] = unroutedIn(simulator.services.network.requests());
  return { types: [...types], lasting, hasUnrouted: unrouted !== undefined };
}

/** The URLs of requests without a route, each once. */
export function unroutedIn(requests: Iterable<RequestRecord>): string[] {
  const addresses: string[] = [];
  for (const { to, isUnrouted } of requests) if (isUnrouted) addresses.push(to.replace(/\?.*/, ""));
  return addresses.length === 0 ? addresses : [...new Set(addresses)];
}

/** The webhooks that the platform disabled because their deliveries failed, and that are still disabled. */
export function webhooksDisabledByPlatform(simulator: Simulator): readonly WebhookRecord[] {
  return simulator.webhooks.list().filter(({ url, disabledTimestamp }) => {
    if (disabledTimestamp === null) return false;
    for (const { to, endedTimestamp, failure } of simulator.services.network.requests())
      if (failure !== null && to === url && endedTimestamp === disabledTimestamp) return true;
    return false;
  });
}

/** Whether something happened after the deviations, and after a webhook was disabled, that it would have been told of. */
export function hasLaterNews(
  simulator: Simulator,
  { events, disabledTimestamp }: WebhookRecord,
  deviations: readonly Deviation[],
): boolean {
  const ends = deviations.map(({ at, is, after = 0 }) => at + (is === "outage" ? after : 0));
  const endMs = Math.max(disabledTimestamp ?? 0, ...ends.map((at) => simulator.startTimestamp + at));
  for (const { type, createdTimestamp } of simulator.events)
    if (createdTimestamp > endMs && events.some((each) => each === type || each === "*")) return true;
  return false;
}
