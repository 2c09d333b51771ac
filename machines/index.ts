/**
 * `ringback/machines`: the statecharts of calls, rings, offers to teams, voicemail, conversations, availability and
 * more. They are plain XState machines, independent of the engine: start them with `createActor`, step them with
 * `transition`, draw them, or test against them. XState's helpers give their types: `InputFrom<typeof callMachine>`, and
 * likewise `ContextFrom`, `EventFrom` and `EmittedFrom`.
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
 * All machines, by name. XState's helpers give the types of each: `InputFrom`, `ContextFrom`, `EventFrom`, and `EmittedFrom` for
 * what it reports.
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
