import type { Deviation } from "../../core/engine/deviations.ts";
import type { RestRequest } from "../../core/platform/rest-traffic/rest-traffic.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { WebhookRecord } from "../../core/records/webhook.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";

/** What the platform did in a world, as far as a smaller world with the same cause must not differ. */
export interface PlatformActs {
  /** The types of events that happened, each once. */
  readonly types: readonly string[];
  /** Its permanent effects, such as `a webhook is disabled`. */
  readonly lasting: readonly string[];
  /** What went wrong between it and the app, each kind once, such as `the app answers 500`. */
  readonly troubles: readonly string[];
  /** Whether a request of its reached the app. */
  readonly reachesApp: boolean;
}

/**
 * Reads what the platform has done until now.
 * @param deviations what happened in the world
 * @param received how many requests the app received
 */
export function platformActs(
  simulator: Simulator,
  deviations: readonly Deviation[],
  received: number,
): PlatformActs {
  const types = new Set<string>();
  for (const { type } of simulator.events) types.add(type);
  const disabled = webhooksDisabledByPlatform(simulator);
  const lasting: string[] = [];
  if (disabled.length > 0) lasting.push("a webhook is disabled");
  // else a repair that enables it again would hear of nothing more in the smaller world
  if (disabled.some((webhook) => hasLaterNews(simulator, webhook, deviations)))
    lasting.push("a disabled webhook is not told of what happens later");
  const troubles = [...kindsOfTrouble(simulator)];
  return { types: [...types], lasting, troubles, reachesApp: received > 0 };
}

/** What went wrong between the platform and the app, without how often and where. */
function kindsOfTrouble({ services, rest }: Simulator): ReadonlySet<string> {
  const kinds = new Set<string>();
  for (const { answer, failure, isUnrouted } of services.network.requests()) {
    if (isUnrouted) kinds.add("no route");
    if (answer !== null && !isSuccess(answer.status)) kinds.add(`the app answers ${answer.status}`);
    if (failure === "timeout") kinds.add("the app takes too long");
  }
  for (const { status } of refusedByRest(rest.requests)) kinds.add(`the REST API answers ${status}`);
  return kinds;
}

/** Whether an answer is one that platforms and clients take as success. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Refusals of the REST API that no deviation and no fault brought about. */
export function refusedByRest(asked: readonly RestRequest[]): RestRequest[] {
  return asked.filter(({ status, isFault }) => status >= 400 && status < 500 && !isFault);
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
