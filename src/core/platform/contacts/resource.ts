import { defineResource } from "../base/define-resource.ts";
import { contactEvents } from "./events.ts";

/** Contacts of calls and conversations. */
export const contactsResource = defineResource({
  events: contactEvents,
});
