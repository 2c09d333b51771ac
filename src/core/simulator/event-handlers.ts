import type { EventType, PlatformEvent } from "../platform/declare/events.ts";

/** A handler of events of a type. Only the `Async` time methods await its result. */
export type EventHandler<Type extends EventType = EventType> = (event: PlatformEvent<Type>) => unknown;
/** A handler of events of any type, for `sim.on("*", …)`. */
export type AnyEventHandler = (type: EventType, event: PlatformEvent) => unknown;
