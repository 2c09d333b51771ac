import { type EventDeclaration, eventPages } from "../../../src/core/platform/base/define-events.ts";
import { events } from "../../../src/core/platform/catalogue/events.ts";
import { type EventType, eventTypes } from "../../../src/core/platform/declare/events.ts";

/** A page of events. */
export interface EventGroup {
  readonly file: string;
  readonly title: string;
  readonly types: readonly EventType[];
}

const declared: Readonly<Record<EventType, EventDeclaration>> = events;

/** The pages of events: the types of each in the order of all events. */
export const eventGroups: readonly EventGroup[] = Object.entries(eventPages).map(([page, title]) => ({
  file: `events-${page}`,
  title,
  types: eventTypes.filter((type) => declared[type].page === page),
}));

/** A link to an event, from another page of the reference. */
export function eventLink(type: string): string {
  return `[\`${type}\`](events-${declared[type as EventType].page}.md#${type.replaceAll(".", "")})`;
}
