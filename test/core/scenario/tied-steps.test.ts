import { describe, expect, test } from "vitest";
import { parseScenario, replay, runScenario, type ScenarioError } from "../../../src/index.ts";
import { stream, thrownBy } from "../../helpers.ts";
import { expectProblem, janeCalls, withSteps } from "./support.ts";

const run = (steps: readonly string[], more = "") => runScenario(parseScenario(withSteps(steps, more)));

const answers = "{ on: call.started, of: c1, plus: PT6S, answer: { call: c1, by: alice } }";
const hangsUp = "{ on: call.answered, of: c1, plus: PT60S, hangup: { call: c1, by: caller } }";

describe("a step that is tied to an event", () => {
  test("is played the given time after the event", () => {
    const { simulator, mismatches } = run([janeCalls, answers, hangsUp]);
    expect(mismatches).toEqual([]);
    expect(stream(simulator).filter((line) => /answered|ended/.test(line))).toEqual([
      "6000 call.answered",
      "66000 call.ended",
    ]);
  });

  test("without plus is played at the event's instant, after everything else due then", () => {
    const late =
      "{ on: call.not_answered, of: c1, receiveMessage: { from: '+6421555009', to: '+6495550100', text: Hi } }";
    const { events } = run([janeCalls.replace("0100", "0104"), late], "until: PT1M\n");
    expect(events.map(({ type }) => type).slice(0, 3)).toEqual([
      "call.started",
      "call.not_answered",
      "conversation.message.created",
    ]);
    expect(events[2]?.createdAt).toBe(events[1]?.createdAt);
  });

  test("is played once, at the first event", () => {
    const joins = '{ on: user.availability.updated, of: alice, note: { call: c1, by: alice, text: "one" } }';
    const { simulator } = run([janeCalls, answers, hangsUp, joins]);
    expect(simulator.journal().entries.filter(({ command }) => command === "note")).toHaveLength(1);
  });

  test("may wait for the second such event", () => {
    const note =
      "{ on: user.availability.updated, of: alice, nth: 2, plus: PT1S, note: { call: c1, by: alice, text: Hi } }";
    const { simulator, mismatches } = run([janeCalls, answers, hangsUp, note]);
    const [noted] = simulator.journal().entries.filter(({ command }) => command === "note");
    expect(mismatches).toEqual([]);
    expect(noted?.atMs).toBe(simulator.startTimestamp + 67_000);
  });

  test("listens together with its neighbours, whichever event comes first", () => {
    const second = janeCalls.replace("c1", "c2").replace("PT0S", "PT1S").replace("0100", "0102");
    const { simulator, mismatches } = run([
      janeCalls,
      second,
      answers,
      "{ on: call.answered, of: c1, plus: PT60S, hangup: { call: c1, by: caller } }",
      "{ on: call.answered, of: c2, plus: PT5S, hangup: { call: c2, by: caller } }",
      "{ on: call.ended, of: c1, note: { call: c1, by: alice, text: Late } }",
      "{ on: call.started, of: c2, plus: PT2S, answer: { call: c2, by: bob } }",
    ]);
    expect(mismatches).toEqual([]);
    expect(stream(simulator).filter((line) => /ended/.test(line))).toEqual([
      "8000 call.ended",
      "66000 call.ended",
    ]);
  });

  test("listens from the timed step above it, including that step's events, unless it is of a call", () => {
    const steps = [
      janeCalls,
      "{ at: PT6S, answer: { call: c1, by: alice } }",
      "{ at: PT10S, setAvailability: { user: bob, status: busy } }",
      "{ on: user.availability.updated, plus: PT1S, hangup: { call: c1, by: caller } }",
    ];
    expect(stream(run(steps).simulator)).toContain("11000 call.ended");
  });

  test("may name its result for steps that wait for it", () => {
    const steps = [
      janeCalls,
      answers,
      hangsUp,
      '{ on: call.ended, of: c1, plus: PT10S, inbound: { as: c2, from: "+6421555001", to: "+6495550100" } }',
      "{ on: call.started, of: c2, plus: PT3S, answer: { call: c2, by: alice } }",
      "{ on: call.answered, of: c2, plus: PT7S, hangup: { call: c2, by: caller } }",
    ];
    const { simulator, mismatches } = run(steps);
    expect(mismatches).toEqual([]);
    expect(stream(simulator)).toContain("86000 call.ended");
  });

  test("may wait for a user by e-mail, for a team, and for a conversation", () => {
    const steps = [
      '{ at: PT0S, receiveMessage: { as: m1, from: "+6421555001", to: "+6495550100", text: Hi } }',
      "{ on: conversation.message.created, of: m1, plus: PT1S, setAvailability: { user: bob, status: busy } }",
      "{ on: user.availability.updated, of: Bob@ACME.test, plus: PT1S, setAvailability: { user: carol, status: busy } }",
      "{ on: team.availability.updated, of: sales, plus: PT1S, setAvailability: { user: dave, status: busy } }",
    ];
    const { simulator, mismatches } = run(steps);
    expect(mismatches).toEqual([]);
    expect(stream(simulator)).toContain("2000 user.availability.updated");
  });

  test("is shown in the timeline and replayed from the journal like any command", () => {
    const { simulator } = run([janeCalls, answers, hangsUp]);
    const again = replay(JSON.stringify(simulator.journal()));
    expect(again.events.toJSONL()).toBe(simulator.events.toJSONL());
    expect(simulator.events.toTimeline()).toContain("Alice Ng answers on mobile");
    expect(again.events.toTimeline()).toBe(simulator.events.toTimeline());
  });

  test("that is due after the end is played when the run is continued", () => {
    const { simulator, mismatches } = run([janeCalls, answers, hangsUp], "until: PT30S\n");
    expect(mismatches).toEqual([]);
    expect(simulator.calls.live()).toHaveLength(1);
    simulator.advance("PT1M");
    expect(stream(simulator)).toContain("66000 call.ended");
  });

  test("is dropped when a run without `until` has ended", () => {
    const { simulator } = run([janeCalls, "{ on: call.answered, of: c1, hangup: { call: c1, by: caller } }"]);
    expect(simulator.pending()).toEqual([]);
    simulator.calls.inbound({ from: "+6421555002", to: "+6495550100" }).answer("alice");
    expect(simulator.calls.live()).toHaveLength(1);
  });
});

describe("an event that does not happen", () => {
  test("is a mismatch that names the step and the actual events", () => {
    const { mismatches, report } = run([janeCalls, hangsUp], "until: PT40S\n");
    expect(mismatches).toEqual([
      {
        of: "steps",
        index: 1,
        line: 4,
        expected: "hangup on call.answered of c1",
        actual: undefined,
        problem: "never came; of c1 there were: PT0S call.started, PT30S call.not_answered",
      },
    ]);
    expect(report).toMatch(/^A rule: a step waits in vain at step 2 \(line 4\), seed 1\n/);
  });

  test("may be the second of an event that happened once", () => {
    const waits = hangsUp.replace("of: c1", "of: c1, nth: 2");
    expect(run([janeCalls, answers, waits], "until: PT40S\n").mismatches[0]?.problem).toMatch(
      /^came once; of c1 there were: /,
    );
  });

  test("may be of a call that no step starts", () => {
    const steps = [
      janeCalls,
      '{ on: call.ended, of: c1, plus: PT1H, inbound: { as: c2, from: "+6421555001", to: "+6495550100" } }',
      "{ on: call.answered, of: c2, hangup: { call: c2, by: caller } }",
    ];
    expect(run(steps, "until: PT10S\n").mismatches.map(({ problem }) => problem)).toEqual([
      "never came; of c1 there were: PT0S call.started",
      "never came: no step has made c2",
    ]);
  });

  test("may be of anything", () => {
    const note = '{ on: conversation.closed, note: { call: c1, by: alice, text: "one" } }';
    const [missing] = run([janeCalls, note], "until: PT40S\n").mismatches;
    expect([missing?.expected, missing?.problem]).toEqual(["note on conversation.closed", "never came"]);
  });

  test("is not a mismatch of a run that is stopped early", () => {
    const scenario = parseScenario(withSteps([janeCalls, hangsUp]));
    expect(runScenario(scenario, { until: "PT10S" }).mismatches).toEqual([]);
  });
});

describe("a tied step that the state does not allow", () => {
  test("throws a ScenarioError at its position, with its time", () => {
    const steps = [janeCalls, "{ on: call.started, of: c1, plus: PT6S, answer: { call: c1, by: bob } }"];
    const error = thrownBy(() => run(steps)) as ScenarioError;
    expect(error).toMatchObject({ name: "ScenarioError", line: 4, column: 5 });
    expect(error.problem).toMatch(
      /^step 2 \(answer\) at PT6S \(2026-07-01T00:00:06\.000Z\): bob cannot answer/,
    );
  });

  test("may use a call that does not exist yet", () => {
    const steps = [
      janeCalls,
      '{ on: call.ended, of: c1, inbound: { as: c2, from: "+6421555001", to: "+6495550100" } }',
      "{ on: call.started, of: c1, hangup: { call: c2, by: caller } }",
    ];
    expect((thrownBy(() => run(steps)) as ScenarioError).problem).toMatch(
      /^step 3 \(hangup\) at PT0S .*: call: no step has given the name "c2" yet/,
    );
  });
});

describe("parseScenario rejects a tied step", () => {
  const tied = (when: string) => withSteps([janeCalls, `{ ${when}, hangup: { call: c1, by: caller } }`]);
  test.each([
    ["with an unknown event", tied("on: ^call.lost"), "steps[1].on: expected one of call.started, "],
    [
      "with a misspelt event",
      tied("on: ^call.anwsered"),
      'steps[1].on: got "call.anwsered"; did you mean "call.answered"? Expected one of call.started, ',
    ],
    [
      "with a time besides",
      tied("at: ^PT5S, on: call.answered"),
      "steps[1].at: expected either `at`, a time, or `on`",
    ],
    ["with no event to add to", tied("at: PT5S, plus: ^PT5S"), 'steps[1].plus: expected `on` beside "plus"'],
    ["with nothing that it waits for", tied("of: ^c1"), 'steps[1].of: expected `on` beside "of"'],
    [
      "of a name that nothing has",
      tied("on: call.answered, of: ^c9"),
      'steps[1].of: unknown name "c9"; known: c1, alice',
    ],
    [
      "with a plus that is no duration",
      tied("on: call.answered, plus: ^soon"),
      "steps[1].plus: expected a duration",
    ],
    [
      "with a place before the first",
      tied("on: call.answered, nth: ^0"),
      "steps[1].nth: expected a whole number from 1",
    ],
    ["without any time", withSteps(["^{ note: { call: c1, by: alice, text: Hi } }"]), "steps[0].at: missing"],
  ])("%s", (_, marked, problem) => {
    const message = problem.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    expectProblem(marked, new RegExp(`^${message}`));
  });

  test("that waits for a webhook, which no event carries", () => {
    const hook = '{ at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test", events: ["*"] } }';
    expectProblem(
      withSteps([hook, "{ on: call.started, of: ^crm, removeWebhook: { webhook: crm } }"]),
      'steps[1].of: "crm" is a webhook: events are about calls and conversations',
    );
  });

  test("with a misspelt time, and suggests the correct one", () => {
    expectProblem(withSteps([janeCalls.replace("at:", "^att:")]), 'unknown step "att"; did you mean "at"?');
  });
});

describe("a name on a step that waits", () => {
  const rings = '{ at: PT0S, traffic: { from: "+6421555001", to: "+6495550104", every: PT30S, for: PT50S } }';

  test("is the name of a call that no step began, for that step and for later ones", () => {
    const { simulator, mismatches } = run([
      rings,
      "{ on: call.started, as: c1, plus: PT6S, answer: { call: c1, by: dave } }",
      "{ on: call.answered, of: c1, plus: PT10S, hangup: { call: c1, by: caller } }",
    ]);
    expect(mismatches).toEqual([]);
    expect(stream(simulator).filter((line) => /answered|ended/.test(line))).toEqual([
      "36000 call.answered",
      "46000 call.ended",
    ]);
  });

  test("is the name of a conversation", () => {
    const { simulator } = run([
      '{ at: PT0S, sendConversationMessage: { contactAddresses: ["+6421555009"], companyAddress: "+6495550100", messageContent: { text: Hi }, routingAction: assign_owner } }',
      "{ on: conversation.message.created, as: m1, plus: PT1M, closeConversation: { conversation: m1 } }",
    ]);
    expect(stream(simulator).filter((line) => /closed/.test(line))).toEqual(["60000 conversation.closed"]);
  });

  test.each([
    [
      '{ on: user.availability.updated, as: c2, receiveMessage: { from: "+6421555009", to: "+6495550100", text: Hi } }',
      "steps[1].as: user.availability.updated is about no call and no conversation, which a name could be given to",
    ],
    [
      "{ on: call.started, as: c1, hangup: { call: c1, by: caller } }",
      'steps[1].as: another call is named "c1" already',
    ],
    ["{ at: PT1S, as: c2, hangup: { call: c1, by: caller } }", 'steps[1].as: unknown step "as"'],
    [
      "{ on: call.ended, as: c2, closeConversation: { conversation: c2 } }",
      'steps[1].closeConversation.conversation: unknown conversation "c2"; named by `as` before: none',
    ],
  ])("is refused where it names nothing: %s", (step, message) => {
    expect(() => parseScenario(withSteps([janeCalls, step]))).toThrow(message);
  });

  test("is not given while the event has not come", () => {
    const steps = [
      rings,
      "{ on: call.answered, as: c1, hangup: { call: c1, by: caller } }",
      "{ at: PT40S, hangup: { call: c1, by: caller } }",
    ];
    expect(() => run(steps)).toThrow('no step has given the name "c1" yet');
  });
});
