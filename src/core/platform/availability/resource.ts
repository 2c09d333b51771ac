import { defineResource } from "../base/define-resource.ts";
import { availabilityEvents } from "./events.ts";

/** Who can be called. */
export const availabilityResource = defineResource({
  events: availabilityEvents,
});
