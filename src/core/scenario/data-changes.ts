import { isObject } from "../foundation/values.ts";
import type { PlatformEvent } from "../platform/declare/events.ts";

/**
 * The fields that differ between the events of two runs, such as `call.passthroughParameters.x-ticket: "4711", was
 * absent`, each once.
 * @returns an empty list if the streams differ in types or instants
 */
export function dataChanges(before: readonly PlatformEvent[], after: readonly PlatformEvent[]): string[] {
  const isSameStream =
    before.length === after.length &&
    before.every(({ type, createdTimestamp }, index) => {
      const other = after[index];
      return other?.type === type && other.createdTimestamp === createdTimestamp;
    });
  if (!isSameStream) return [];
  const lines = before.flatMap(({ data }, index) => [...changesIn(data, after[index]?.data, [])]);
  return [...new Set(lines)];
}

function* changesIn(before: unknown, after: unknown, path: readonly string[]): Generator<string> {
  const isOtherRecord = isObject(before) && isObject(after) && before.id !== after.id;
  if (isObject(before) && isObject(after) && !isOtherRecord) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* changesIn(before[key], after[key], [...path, key]);
    return;
  }
  if (before !== after) yield `${path.join(".")}: ${valueText(after)}, was ${valueText(before)}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return "absent";
  return JSON.stringify(isObject(value) ? (value.displayName ?? value) : value);
}
