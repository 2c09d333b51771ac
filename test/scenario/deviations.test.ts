import { describe, expect, test } from "vitest";
import { parseScenario, runScenario, type ScenarioError } from "../../src/index.ts";
import { thrownBy } from "../helpers.ts";

const missed = (deviations: string) => `
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT31S, hangup: { call: c1, by: caller } }
deviations:
${deviations}
`;

describe("The deviations of a scenario", () => {
  test("are honoured by runScenario", () => {
    const { simulator } = runScenario(
      parseScenario(
        missed("  - { attempt: PT30S call.not_answered, webhook: crm, number: 1, is: unanswered }"),
      ),
    );
    expect(simulator.network.requests.map(({ failure }) => failure)).toEqual([null, "answer lost", null]);
    expect(simulator.events.toTimeline()).toContain("call.not_answered is handled, and the answer lost");
  });

  test("leave out steps that the state does not allow, which the timeline tells", () => {
    const text = missed("  - { attempt: PT0S call.started, is: lost }").replace(
      "PT31S, hangup",
      "PT31S, answer",
    );
    const { simulator } = runScenario(parseScenario(text.replace("by: caller", "by: alice")));
    expect(simulator.events.toTimeline()).toContain("the step answer is left out: ");
  });

  test("that the run does not come to are an error, with the choice points that there were", () => {
    const scenario = parseScenario(missed("  - { attempt: PT30S call.ended, webhook: crm, is: lost }"));
    const error = thrownBy(() => runScenario(scenario)) as ScenarioError;
    expect(error.line).toBe(8);
    expect(error.problem).toContain("the run does not come to this: attempt: PT30S call.ended, webhook: crm");
    expect(error.problem).toContain("attempt: PT0S call.started, webhook: crm, number: 1; ");
  });

  test.each([
    ["  - { attempt: PT30S call.vanished, is: lost }", "expected an offset and one of the event types"],
    ["  - { attempt: call.ended, is: lost }", "expected an offset from the start"],
    ["  - { attempt: PT0S call.started, is: eaten }", "expected one of lost, unanswered"],
    ["  - { is: lost }", "expected { attempt, is, ... }"],
    ["  - { timer: PT0S, is: first }", "expected an offset from the start"],
  ])("are refused with what was expected: %s", (line, expected) => {
    const error = thrownBy(() => parseScenario(missed(line))) as ScenarioError;
    expect(error.line).toBe(8);
    expect(error.message).toContain(expected);
  });
});
