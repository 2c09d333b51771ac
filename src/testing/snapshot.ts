import type { PlatformEvent } from "../core/platform/declare/events.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { isSimulator } from "./explain.ts";

/** The keys of an event's wrapper, in the order of a snapshot. Deeper keys are in alphabetical order. */
const wrapper = ["id", "type", "createdAt", "createdTimestamp", "organisationId", "data"] as const;

/**
 * Writes simulators as their timelines, and streams and single events as JSON with keys in a fixed order.
 * @example
 * import { snapshotSerializer } from "ringback/jest";
 *
 * expect.addSnapshotSerializer(snapshotSerializer); // if your `expect` is imported
 * sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
 * snapshotSerializer.serialize(sim) === sim.events.toTimeline().trimEnd(); // => true
 */
export const snapshotSerializer = {
  test: (value: unknown) => isSimulator(value) || isStream(value) || isEvent(value),
  serialize(value: Simulator | readonly PlatformEvent[] | PlatformEvent): string {
    if (isSimulator(value)) return value.events.toTimeline().trimEnd();
    return isEvent(value) ? eventJson(value) : (value as readonly PlatformEvent[]).map(eventJson).join("\n");
  },
};

function isStream(value: unknown): boolean {
  return Array.isArray(value) && typeof (value as { toJSONL?: unknown }).toJSONL === "function";
}

function isEvent(value: unknown): value is PlatformEvent {
  if (typeof value !== "object" || value === null) return false;
  return Object.keys(value).length === wrapper.length && wrapper.every((key) => Object.hasOwn(value, key));
}

function eventJson(event: PlatformEvent): string {
  const ordered = Object.fromEntries(wrapper.map((key) => [key, sorted(event[key])]));
  return JSON.stringify(ordered, null, 2);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
