import { parseScenario } from "../../src/index.ts";

/** Where the webhook of `scenario` sends its events. */
export const url = "https://crm.acme.test/hooks";

/** A call that nobody answers, and a webhook that hears of its start and its end. */
export const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`);
