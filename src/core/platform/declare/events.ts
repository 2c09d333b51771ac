import type { LoggedEvent } from "../../engine/event-log.ts";
import { beginAtCaller } from "../../foundation/caller.ts";
import { show } from "../../foundation/show.ts";
import { nearest, withSuggestion } from "../../foundation/suggestions.ts";
import { type EventData, type EventType, eventTypes } from "../../generated/records.ts";

export { type EventData, type EventType, eventTypes } from "../../generated/records.ts";

/** Refuses an unknown event type, for which a caller would wait in vain. @throws {TypeError} listing the known types */
export function mustBeEventType(type: string, asker: string): void {
  if (eventTypes.includes(type as EventType)) return;
  const message = `expected one of the event types ${eventTypes.join(", ")}, got ${show(type)}`;
  throw beginAtCaller(
    new TypeError(`${asker}: ${withSuggestion(message, nearest(String(type), eventTypes))}`),
  );
}

/** An event of one type, by default of any. */
export type PlatformEvent<Type extends EventType = EventType> = {
  [T in Type]: LoggedEvent<T, EventData[T]>;
}[Type];
