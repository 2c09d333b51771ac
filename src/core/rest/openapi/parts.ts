/**
 * Parts for the document of the control plane. A server gets them from the simulator: importing them would load a
 * second copy of the platform with `ringback/node`.
 */
export { commands } from "../../platform/catalogue/commands.ts";
export { eventData } from "../../platform/catalogue/events.ts";
export { components, eventSchema, types } from "../../records/fields.ts";
export { describe } from "./describe.ts";
export { makeJsonSchemas } from "./json-schema.ts";
