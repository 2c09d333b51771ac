import { deliveryMachine } from "../../../../machines/delivery.ts";
import { webhookMachine } from "../../../../machines/webhook.ts";
import { belongsTo, definePart, ownMachine } from "./define-part.ts";

/** Webhooks and their deliveries. */
export const webhooksPart = definePart({
  machines: {
    webhook: ownMachine({ machine: webhookMachine, about: belongsTo(), timers: {} }),
    delivery: ownMachine({
      machine: deliveryMachine,
      about: belongsTo(),
      timers: { backOff: { subject: "time for another attempt", verb: "" } },
    }),
  },
  tasks: { "event: created": { subject: "a delayed event", verb: "comes" } },
  timing: {
    /** How long an endpoint may take to answer. An answer exactly at the limit counts. */
    endpointTimeout: 5_000,
  },
});
