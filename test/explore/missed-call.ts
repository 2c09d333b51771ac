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

/** A call a second later, and a webhook that hears of its end only. */
export const missedLater = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
`);

/** Two calls whose ends are told at one instant. */
export const twoAtOnce = parseScenario(`
scenario: Two calls are missed at the same moment
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }
  - { at: PT0S, inbound: { from: "+6421555002", to: "+6495550102" } }
`);

/** A call whose caller hangs up after a minute, and a webhook that hears of its start and its end. */
export const givenUp = parseScenario(`
scenario: A call is given up
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT60S, hangup: { call: c1, by: caller } }
`);
