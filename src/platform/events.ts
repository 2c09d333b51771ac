import { beginAtCaller } from "../engine/caller.ts";
import type { LoggedEvent } from "../engine/event-log.ts";
import { show } from "../engine/instants.ts";
import { nearest, withSuggestion } from "../engine/suggestions.ts";
import { type EventData, type EventType, eventTypes } from "../generated/records.ts";

export { type EventData, type EventType, eventTypes } from "../generated/records.ts";

/** Keeps a misspelt type from being waited for in vain. @throws {TypeError} with the types that there are */
export function mustBeEventType(type: string, asker: string): void {
  if (eventTypes.includes(type as EventType)) return;
  const message = `expected one of the event types ${eventTypes.join(", ")}, got ${show(type)}`;
  throw beginAtCaller(
    new TypeError(`${asker}: ${withSuggestion(message, nearest(String(type), eventTypes))}`),
  );
}

/** An event of one type, or of any. */
export type PlatformEvent<Type extends EventType = EventType> = {
  [T in Type]: LoggedEvent<T, EventData[T]>;
}[Type];
