import type { EventDeclaration } from "../base/define-events.ts";
import { type ResourceName, type Resources, resources } from "./resources.ts";

type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer All) => void
  ? All
  : never;
type DeclaredEvents = Merged<
  {
    [Name in ResourceName]: Resources[Name] extends { readonly events: infer Events } ? Events : never;
  }[ResourceName]
>;

/** The resources whose events come first in documents. Those of the others follow, in the order of their list. */
const first: readonly ResourceName[] = ["calls", "recordings", "contacts", "conversations", "analysis"];

const inOrder = [...new Set([...first, ...(Object.keys(resources) as ResourceName[])])];

/** Every type of event, as its resource declares it. */
export const events: DeclaredEvents = Object.assign(
  {},
  ...inOrder.map((name) => ("events" in resources[name] ? resources[name].events : {})),
);

/** The schema of each event type's `data`. */
export const eventData = Object.fromEntries(
  Object.entries<EventDeclaration>(events).map(([type, { data }]) => [type, data]),
) as { readonly [Type in keyof DeclaredEvents]: DeclaredEvents[Type]["data"] };
