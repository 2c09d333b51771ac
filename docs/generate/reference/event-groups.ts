import { type EventType, eventTypes } from "../../../src/core/platform/declare/events.ts";

/** A page of events. */
export interface EventGroup {
  readonly file: string;
  readonly title: string;
  readonly types: readonly EventType[];
}

const titles: Readonly<Record<string, string>> = {
  call: "Events of a call",
  after: "Events after a call",
  contacts: "Events of contacts",
  conversations: "Events of conversations",
  availability: "Events of availability",
};

function groupOf(type: EventType): string {
  if (type.includes("contact_assigned_with") || type.startsWith("contact.")) return "contacts";
  if (type.startsWith("conversation.")) return "conversations";
  if (type.includes("availability")) return "availability";
  return /^call\.(started|answered|not_answered|hungup|ended)$/.test(type) ? "call" : "after";
}

/** The pages of events: the types of each in the order of all events. */
export const eventGroups: readonly EventGroup[] = Object.entries(titles).map(([group, title]) => ({
  file: group === "call" ? "events-calls" : `events-${group === "after" ? "after-a-call" : group}`,
  title,
  types: eventTypes.filter((type) => groupOf(type) === group),
}));

/** A link to an event, from another page of the reference. */
export function eventLink(type: string): string {
  const group = eventGroups.find(({ types }) => (types as readonly string[]).includes(type));
  return `[\`${type}\`](${group?.file}.md#${type.replaceAll(".", "")})`;
}
