import type { PublicCallRecord } from "../../core/generated/records.ts";
import { publicRecord } from "../../core/platform/calls/call-handle.ts";
import type { PlatformEvent } from "../../core/platform/declare/events.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";

/** An event whose request reached an endpoint. */
export interface ToldEvent {
  readonly atMs: number;
  readonly createdMs: number;
  readonly event: PlatformEvent;
  /** What the endpoint answered; undefined if it did not. */
  readonly status: number | undefined;
}

/** The events that webhooks sent, in the order in which they arrived. */
export function toldEvents(sim: Simulator): ToldEvent[] {
  return sim.network.requests
    .flatMap(({ why, answer, arrivedTimestamp, recordId }) => {
      // not the body, which a dialect may write in another way
      const event = why === "webhook" ? sim.services.deliveries.find(recordId)?.event : undefined;
      if (event === undefined || arrivedTimestamp === null) return [];
      return {
        ...{ atMs: arrivedTimestamp, createdMs: event.createdTimestamp },
        ...{ event: event as PlatformEvent, status: answer?.status },
      };
    })
    .sort((a, b) => a.atMs - b.atMs);
}

/** What the platform told an app of its calls: their newest records. All calls, if the app asked the REST API for calls. */
export function toldCalls(sim: Simulator): PublicCallRecord[] {
  if (isAsked(sim, "/calls")) return sim.calls.list().map(({ record }) => record);
  const newest = findNewest(sim, ({ data }) => ("call" in data ? [data.call.id, data.call] : undefined));
  return [...newest.values()]
    .map(publicRecord)
    .sort((a, b) => a.startedTimestamp - b.startedTimestamp || (a.id < b.id ? -1 : 1));
}

/** What it told of people: the newest status of each. All people, if the app asked the REST API for users. */
export function toldStatuses(sim: Simulator): Record<string, string> {
  if (isAsked(sim, "/users"))
    return Object.fromEntries(sim.users.list().map(({ id, record }) => [id, record.availability.status]));
  const newest = findNewest(sim, ({ data }) =>
    "user" in data && data.user !== null ? [data.user.id, data.user.availability.status] : undefined,
  );
  return Object.fromEntries(newest);
}

/** What the newest event says of each. */
function findNewest<T>(
  sim: Simulator,
  said: (event: PlatformEvent) => readonly [id: string, said: T] | undefined,
): Map<string, T> {
  const newest = new Map<string, T>();
  for (const { event } of toldEvents(sim).sort((a, b) => a.createdMs - b.createdMs)) {
    const found = said(event);
    if (found !== undefined) newest.set(...found);
  }
  return newest;
}

/** Whether the REST API answered a request for such records. */
function isAsked(sim: Simulator, path: string): boolean {
  return sim.rest.requests.some(
    ({ method, status, path: asked }) => method === "GET" && status === 200 && asked.split("?")[0] === path,
  );
}
