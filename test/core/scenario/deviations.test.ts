import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import type { Deviation } from "../../../src/core/engine/deviations.ts";
import { toTimeline } from "../../../src/core/narration/timeline.ts";
import { deviationItem } from "../../../src/core/scenario/deviations.ts";
import { runOn } from "../../../src/core/scenario/run.ts";
import { createSimulator, parseScenario, runScenario, type ScenarioError } from "../../../src/index.ts";
import { thrownBy } from "../../helpers.ts";

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
  test("are applied by runScenario", () => {
    const { simulator } = runScenario(
      parseScenario(
        missed("  - { attempt: PT30S call.not_answered, webhook: crm, number: 1, is: unanswered }"),
      ),
    );
    expect(simulator.network.requests.map(({ failure }) => failure)).toEqual([null, "answer lost", null]);
    expect(simulator.events.toTimeline()).toContain("the answer to call.not_answered is lost");
  });

  test("skip steps that the state does not allow, which the timeline shows", () => {
    const text = missed("  - { attempt: PT0S call.started, is: lost }").replace(
      "PT31S, hangup",
      "PT31S, answer",
    );
    const { simulator } = runScenario(parseScenario(text.replace("by: caller", "by: alice")));
    expect(simulator.events.toTimeline()).toContain("the step answer is left out: ");
  });

  const lastMoment = `
scenario: Bob answers at the last moment
steps:
  - { at: PT0S, behave: { user: bob, behaviour: { answer: { after: PT20S } } } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550200" } }
  - { at: PT30S, answer: { call: c1, by: lobby } }
  - { on: call.answered, of: c1, plus: PT30S, hangup: { call: c1, by: lobby } }
  - { at: PT90S, hangup: { call: c1, by: caller } }
  - { at: PT95S, hangup: { call: c1, by: caller } }
`;

  test("skip disallowed steps that wait for an event", () => {
    const scenario = parseScenario(
      `${lastMoment}deviations: [{ timer: "PT20S user: answers of call-1", is: first }]`,
    );
    const timeline = runScenario(scenario).simulator.events.toTimeline();
    expect(timeline.match(/\d:.*is left out/g)).toEqual([
      "0:30.000  the step answer is left out",
      "0:50.000  the step hangup is left out",
      "1:35.000  the step hangup is left out",
    ]);
    expect(timeline).not.toContain("Lobby");
    expect(timeline).toContain(
      "0:20.000  user: answers of call-1 goes before teamOffer: nextOffer of call-1",
    );
  });

  test.each([
    "{ dependency: PT65S crm POST /activities, nth: 2, is: unanswered }",
    "{ dependency: PT65S db INSERT INTO calls, is: outage, after: PT60S }",
    "{ dependency: PT65S crm POST /activities, is: 503 }",
  ])("of dependencies are read and written as they are: %s", (line) => {
    const [read] = parseScenario(missed(`  - ${line}`)).deviations;
    const written = deviationItem(read?.deviation as Deviation, (id) => id);
    expect(written).toEqual(parseYaml(line));
  });

  test("of dependencies need an app", () => {
    const scenario = parseScenario(missed("  - { dependency: PT0S crm POST /activities, is: refused }"));
    expect((thrownBy(() => runScenario(scenario)) as ScenarioError).problem).toContain(
      "the run never reaches this deviation: dependency: PT0S crm POST /activities",
    );
  });

  test("give the same story during the run and afterwards", () => {
    const scenario = parseScenario(
      `${lastMoment}deviations: [{ timer: "PT20S user: answers of call-1", is: first }]`,
    );
    const simulator = createSimulator(scenario.options);
    const telling = simulator.narrate();
    runOn(simulator, scenario);
    expect(toTimeline(telling.current())).toBe(simulator.events.toTimeline());
  });

  test("of timers are named in the error by the timer that runs first", () => {
    const scenario = parseScenario(`${lastMoment}deviations: [{ timer: PT20S answer, is: first }]`);
    expect((thrownBy(() => runScenario(scenario)) as ScenarioError).message).toContain(
      "there were: timer: PT20S user: answers of call-1",
    );
  });

  test("that the run does not reach cause an error that lists the deviation points", () => {
    const scenario = parseScenario(missed("  - { attempt: PT30S call.ended, webhook: crm, is: lost }"));
    const error = thrownBy(() => runScenario(scenario)) as ScenarioError;
    expect(error.line).toBe(8);
    expect(error.problem).toContain(
      "the run never reaches this deviation: attempt: PT30S call.ended, webhook: crm",
    );
    expect(error.problem).toContain("attempt: PT0S call.started, webhook: crm, number: 1; ");
  });

  test.each([
    ["  - { attempt: PT30S call.vanished, is: lost }", "expected an offset and one of the event types"],
    ["  - { attempt: call.ended, is: lost }", "expected an offset from the start"],
    ["  - { attempt: PT0S call.started, is: swallowed }", "expected one of lost, unanswered"],
    ["  - { is: lost }", "expected { attempt, is, ... }"],
    ["  - { timer: PT0S, is: first }", "expected an offset from the start"],
    ["  - { dependency: crm POST /activities, is: refused }", "expected an offset from the start"],
    [
      "  - { dependency: PT0S crm POST /activities, is: lost }",
      "expected one of refused, outage, unanswered",
    ],
    ["  - { dependency: PT0S crm POST /activities, is: 404 }", "expected one of refused, outage, unanswered"],
  ])("are rejected with the expected values: %s", (line, expected) => {
    const error = thrownBy(() => parseScenario(missed(line))) as ScenarioError;
    expect(error.line).toBe(8);
    expect(error.message).toContain(expected);
  });
});
