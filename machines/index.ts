/**
 * `ringback/machines`: the statecharts of calls, rings, offers to teams, voicemail, conversations, availability and
 * more. They are plain XState machines, independent of the engine: start them with `createActor`, step them with
 * `transition`, draw them, or test against them.
 */
import { analysisMachine } from "./analysis.ts";
import { availabilityMachine } from "./availability.ts";
import { callMachine } from "./call.ts";
import { conversationMachine } from "./conversation.ts";
import { deliveryMachine } from "./delivery.ts";
import { redirectReturnMachine } from "./redirect-return.ts";
import { ringMachine } from "./ring.ts";
import { teamOfferMachine } from "./team-offer.ts";
import { voicemailMachine } from "./voicemail.ts";
import { webhookMachine } from "./webhook.ts";

export type * from "./analysis.ts";
export type * from "./availability.ts";
export type * from "./call.ts";
export type * from "./conversation.ts";
export type * from "./delivery.ts";
export type * from "./redirect-return.ts";
export type * from "./ring.ts";
export type * from "./team-offer.ts";
export type * from "./voicemail.ts";
export type * from "./webhook.ts";
export {
  analysisMachine,
  availabilityMachine,
  callMachine,
  conversationMachine,
  deliveryMachine,
  redirectReturnMachine,
  ringMachine,
  teamOfferMachine,
  voicemailMachine,
  webhookMachine,
};

/**
 * All machines, by name.
 * @example
 * import { machines } from "ringback/machines";
 *
 * machines.callMachine.id; // => "call"
 */
export const machines = {
  analysisMachine,
  availabilityMachine,
  callMachine,
  conversationMachine,
  deliveryMachine,
  redirectReturnMachine,
  ringMachine,
  teamOfferMachine,
  voicemailMachine,
  webhookMachine,
} as const;
