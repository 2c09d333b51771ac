import { parseScenario } from "../../src/index.ts";
import { url } from "./missed-call.ts";

/** A call that is answered, and a webhook that hears of everything: seven requests. */
export const answeredCall = parseScenario(`
scenario: A plain answered call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: ["*"] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT6S, answer: { call: c1, by: alice } }
  - { at: PT66S, hangup: { call: c1, by: caller } }
`);
