import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseScenario, runScenario, type Scenario, ScenarioError } from "../../../src/index.ts";
import { sixthOf } from "../../counts.ts";
import { thrownBy } from "../../helpers.ts";
import { altered, example, janeCalls, withSteps } from "./support.ts";

const folder = new URL("../../../scenarios/", import.meta.url);
const lessons = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(new URL(name, folder), "utf8"));

function mismatchesOf(text: string) {
  return runScenario(parseScenario(text)).mismatches;
}

function problemsOf(text: string): string[] {
  return mismatchesOf(text).map(({ problem }) => problem);
}

/** The example whose event of Alice becoming busy is matched with this. */
function matching(match: string): string {
  return altered(["{ user: { availability: { status: busy } } }", match]);
}

describe("runScenario", () => {
  test("returns the simulator at the end of the run, and the whole stream", () => {
    const { simulator, events } = runScenario(parseScenario(example));
    expect(simulator.now.toISO()).toBe("2026-07-01T09:01:06.000Z");
    expect(simulator.pending()).toEqual([]);
    expect(events).toEqual([...simulator.events]);
    expect(events).toHaveLength(7);
  });

  test("is byte-identical when run twice", () => {
    const scenario = parseScenario(example);
    const bytes = () => runScenario(scenario).simulator.events.toJSONL();
    expect(bytes()).toBe(bytes());
  });

  test("draws other ids for another seed", () => {
    const firstId = (seed: number) =>
      runScenario(parseScenario(altered(["seed: 1", `ids: uuid\nseed: ${seed}`]))).events[0]?.id;
    expect(firstId(1)).toBe(firstId(1));
    expect(firstId(1)).not.toBe(firstId(2));
  });

  test("rejects a step built in code with wrong arguments", () => {
    const scenario = parseScenario(withSteps([janeCalls]));
    const [first] = scenario.steps;
    if (first === undefined) throw new Error("there is no step");
    const step = { ...first, args: { ...first.args, from: "nobody" } };
    const error = thrownBy(() => runScenario({ ...scenario, steps: [step] })) as ScenarioError;
    expect(error.problem).toMatch(/^step 1 \(inbound\) at PT0S .*from: expected a phone number/);
  });

  test("gives the same journal for parsed steps and for copies of them", () => {
    for (const lesson of sixthOf(lessons, 4)) {
      const scenario = parseScenario(lesson);
      const copies = scenario.steps.map((step) => ({ ...step, args: { ...step.args } }));
      const journal = (steps: Scenario["steps"]) => runScenario({ ...scenario, steps }).simulator.journal();
      expect(journal(copies)).toEqual(journal(scenario.steps));
    }
  });

  test("can be continued from its end", () => {
    const { simulator } = runScenario(parseScenario(example));
    simulator.calls.inbound({ from: "+6421555002", to: "+6495550100" });
    expect(simulator.events).toHaveLength(8);
  });

  test("plays steps of the same instant in order", () => {
    const steps = [
      janeCalls,
      "{ at: PT0S, decline: { call: c1, by: alice, endpoint: mobile } }",
      "{ at: PT0S, answer: { call: c1, by: alice } }",
    ];
    const { simulator } = runScenario(parseScenario(withSteps(steps, "until: PT1S\n")));
    expect(simulator.calls.list()[0]?.record.connections[1]).toMatchObject({ endpoint: "desktop" });
  });
});

describe("until", () => {
  const ringing = withSteps([janeCalls, "{ at: PT20S, answer: { call: c1, by: alice } }"]);

  test("in the scenario ends the run", () => {
    const { simulator } = runScenario(parseScenario(`${ringing}until: PT25S\n`));
    expect(simulator.now.toISO()).toBe("2026-07-01T00:00:25.000Z");
    expect(simulator.calls.live()).toHaveLength(1);
  });

  test("as an option overrides the scenario's, earlier or later", () => {
    const scenario = parseScenario(`${ringing}until: PT25S\n`);
    expect(runScenario(scenario, { until: "PT10S" }).events).toHaveLength(1);
    expect(runScenario(scenario, { until: { minutes: 2 } }).simulator.now.toISO()).toContain("00:02:00");
  });

  test("plays the steps due at that instant, and keeps later ones", () => {
    const scenario = parseScenario(ringing);
    expect(runScenario(scenario, { until: 19_999 }).events).toHaveLength(1);
    expect(runScenario(scenario, { until: 20_000 }).events).toHaveLength(3);
  });

  test.each([
    ["as a key", `${example}until: PT5S\n`, {}],
    ["as an option", example, { until: "PT5S" }],
    ["at the first step", example, { until: 0 }],
  ])("%s lets later steps be played when time goes on", (_, text, options) => {
    const whole = runScenario(parseScenario(example));
    const { simulator, events } = runScenario(parseScenario(text), options);
    expect(events).toHaveLength(1);
    simulator.advanceTo(simulator.startTimestamp + 6_000);
    expect(events).toHaveLength(3);
    simulator.runUntilIdle();
    expect(simulator.events.toJSONL()).toBe(whole.simulator.events.toJSONL());
  });

  test("gives the same journal, whenever a run was stopped", () => {
    for (const lesson of sixthOf(lessons, 1)) {
      const scenario = parseScenario(lesson);
      const whole = runScenario(scenario).simulator;
      for (const until of [0, 1, 30_000]) {
        if (until > whole.timestamp - whole.startTimestamp) continue;
        const { simulator } = runScenario(scenario, { until });
        simulator.advanceTo(whole.timestamp);
        expect(simulator.journal(), scenario.title).toEqual(whole.journal());
      }
    }
  });

  test("lets steps be played later that wait for an event", () => {
    const tied = "{ on: call.answered, of: c1, plus: PT60S, hangup: { call: c1, by: caller } }";
    const note = "{ on: call.ended, of: c1, note: { call: c1, by: alice, text: Late } }";
    const answer = "{ at: PT6S, answer: { call: c1, by: alice } }";
    for (const until of [0, 6_000, 30_000]) {
      const { simulator } = runScenario(parseScenario(withSteps([janeCalls, answer, tied, note])), { until });
      simulator.runUntilIdle();
      expect(simulator.events.ofType("call.ended")[0]?.createdTimestamp).toBe(
        simulator.startTimestamp + 66_000,
      );
      expect(simulator.calls.list()[0]?.record.notes).toHaveLength(1);
    }
  });

  test("lets a later step that is not allowed end the time method that reaches it", () => {
    const { simulator } = runScenario(
      parseScenario(withSteps([janeCalls, "{ at: PT6S, answer: { call: c1, by: bob } }"])),
      { until: 0 },
    );
    expect(() => simulator.advance("PT10S")).toThrow(ScenarioError);
  });

  test("as an option limits the compared expectations", () => {
    const { mismatches, events } = runScenario(parseScenario(example), { until: "PT6S" });
    expect(events).toHaveLength(3);
    expect(mismatches).toEqual([]);
  });

  test("in the scenario does not hide later expectations", () => {
    expect(problemsOf(`${example}until: PT6S\n`)).toEqual(Array(4).fill("did not happen"));
  });

  test("must be a duration", () => {
    expect(() => runScenario(parseScenario(example), { until: "later" })).toThrow(
      /^until: expected a duration/,
    );
  });
});

describe("mismatches", () => {
  test("are absent if nothing is expected", () => {
    const { mismatches, report } = runScenario(parseScenario(withSteps([janeCalls])));
    expect({ mismatches, report }).toEqual({ mismatches: [], report: "" });
  });

  test("are all events if an empty stream is expected", () => {
    expect(problemsOf(`${withSteps([janeCalls])}expect: []\nuntil: PT1S\n`)).toEqual(["not expected"]);
  });

  test("name a missing event", () => {
    expect(mismatchesOf(`${example}  - PT71S call.recording.available\n`)).toEqual([
      {
        of: "events",
        index: 7,
        line: 17,
        expected: "PT71S call.recording.available",
        actual: undefined,
        problem: "did not happen",
      },
    ]);
  });

  test("name an unexpected event", () => {
    expect(mismatchesOf(altered(["  - PT66S call.ended\n", ""]))).toEqual([
      {
        of: "events",
        index: 6,
        line: undefined,
        expected: undefined,
        actual: "PT66S call.ended",
        problem: "not expected",
      },
    ]);
  });

  test("name an event of another type", () => {
    expect(mismatchesOf(altered(["- PT66S call.ended", "- PT66S call.not_answered"]))).toEqual([
      {
        of: "events",
        index: 6,
        line: 16,
        expected: "PT66S call.not_answered",
        actual: "PT66S call.ended",
        problem: "expected call.not_answered",
      },
    ]);
  });

  test("name a missing event once, whatever follows it", () => {
    expect(mismatchesOf(altered(["  - PT6S call.answered\n", ""]))).toEqual([
      {
        of: "events",
        index: 1,
        line: undefined,
        expected: undefined,
        actual: "PT6S call.answered",
        problem: "not expected",
      },
    ]);
  });

  test("name both positions of an event that is out of order, and nothing else", () => {
    const swapped = altered([
      "- PT66S call.hungup\n  - PT66S user.availability.updated",
      "- PT66S user.availability.updated\n  - PT66S call.hungup",
    ]);
    expect(mismatchesOf(swapped).map(({ index, problem }) => [index, problem])).toEqual([
      [4, "out of order"],
      [5, "out of order"],
    ]);
  });

  test("say how late an event is, to the millisecond", () => {
    expect(problemsOf(altered(["- PT6S call.answered", "- PT5.999S call.answered"]))).toEqual(["1 ms late"]);
  });

  test("say how early an event is, to the millisecond", () => {
    expect(problemsOf(altered(["- PT66S call.ended", "- PT1M7.5S call.ended"]))).toEqual(["1500 ms early"]);
  });
});

describe("the match of an expected event", () => {
  test.each([
    ["a subset of the data", "{ user: { id: alice, extension: '101' } }"],
    ["null, where the data is null", "{ user: { manager: null } }"],
    ["an empty object, whatever the data", "{}"],
    ["a list with a subset of each item", "{ user: { endpoints: [{ id: mobile }, { type: desktop }] } }"],
  ])("accepts %s", (_, match) => {
    expect(problemsOf(matching(match))).toEqual([]);
  });

  test.each([
    [
      "a value that differs, with its path",
      "{ user: { availability: { status: available } } }",
      'data.user.availability.status is "busy", expected "available"',
    ],
    ["a value of another type", "{ user: { extension: 101 } }", 'data.user.extension is "101", expected 101'],
    ["a key that is missing", "{ user: { shoes: 46 } }", "data.user.shoes is nothing, expected 46"],
    [
      "null where something is",
      "{ user: { location: null } }",
      /^data\.user\.location is \{.*, expected null$/,
    ],
    [
      "an object where none is",
      "{ user: { id: { of: alice } } }",
      'data.user.id is "alice", expected {"of":"alice"}',
    ],
    ["a list where an object is", "{ user: [alice] }", /^data\.user is \{.*, expected \["alice"\]$/],
    [
      "an object where a list is",
      "{ user: { endpoints: {} } }",
      /^data\.user\.endpoints is \[.*, expected \{\}$/,
    ],
    [
      "a shorter list",
      "{ user: { endpoints: [{ id: mobile }] } }",
      "data.user.endpoints has 2 items, expected 1",
    ],
    [
      "an item of a list that differs, with its place",
      "{ user: { endpoints: [{ id: mobile }, { id: sip }] } }",
      'data.user.endpoints[1].id is "desktop", expected "sip"',
    ],
  ])("names %s", (_, match, problem) => {
    const problems = problemsOf(matching(match));
    expect(problems).toEqual([typeof problem === "string" ? problem : expect.stringMatching(problem)]);
  });

  test("shows only the start of long values", () => {
    const [problem = ""] = problemsOf(matching("{ user: 5 }"));
    expect(problem).toMatch(/^data\.user is \{"id":"alice".*\.\.\., expected 5$/);
    expect(problem.length).toBeLessThan(130);
  });
});

describe("a step that the state does not allow", () => {
  const refused = (...steps: string[]) =>
    thrownBy(() => runScenario(parseScenario(withSteps(steps)))) as ScenarioError;

  test("throws a ScenarioError at its position with the step, its time, the reason, and who was ringing", () => {
    const error = refused(janeCalls, "{ at: PT6.5S, answer: { call: c1, by: bob } }");
    expect(error).toBeInstanceOf(ScenarioError);
    expect(error).toMatchObject({ line: 4, column: 5 });
    expect(error.message).toMatchInlineSnapshot(
      `"line 4, column 5: step 2 (answer) at PT6.5S (2026-07-01T00:00:06.500Z): bob cannot answer: call c1 is offered; ringing: alice on mobile, desktop; allowed: answer and decline by alice; hangup by caller"`,
    );
  });

  test("says that nothing rang", () => {
    const error = refused(
      janeCalls,
      "{ at: PT1S, answer: { call: c1, by: alice } }",
      "{ at: PT2S, decline: { call: c1, by: alice } }",
    );
    expect(error.problem).toMatch(/^step 3 \(decline\) at PT2S .*Ringing then: nothing$/);
  });

  test("names ringing devices", () => {
    const toLobby = janeCalls.replace("+6495550100", "+6495550110");
    const error = refused(toLobby, "{ at: PT1S, decline: { call: c1, by: alice } }");
    expect(error.problem).toMatch(/Ringing then: lobby on sip \(c1\)$/);
  });

  test("may be a call to an unknown number", () => {
    const error = refused(janeCalls.replace("+6495550100", "+6495559999"));
    expect(error).toMatchObject({ line: 3, column: 5 });
    expect(error.problem).toMatch(/^step 1 \(inbound\) .*nobody has the number \+6495559999[^.]*$/);
  });

  test("may be on a closed call", () => {
    const error = refused(
      janeCalls,
      "{ at: PT1S, hangup: { call: c1, by: caller } }",
      "{ at: PT2S, hangup: { call: c1, by: caller } }",
    );
    expect(error.problem).toMatch(/^step 3 \(hangup\) .*allowed: none, the call is closed/);
  });
});

describe("the option refused", () => {
  const answersTwice = [
    janeCalls,
    "{ at: PT6S, answer: { call: c1, by: bob } }",
    "{ at: PT6S, inbound: { as: c2, from: '+6421555002', to: '+6495559999' } }",
    "{ at: PT7S, answer: { call: c2, by: bob } }",
    "{ at: PT8S, answer: { call: c1, by: alice } }",
    "{ on: call.answered, of: c1, plus: PT5S, decline: { call: c1, by: alice } }",
    "{ at: PT66S, hangup: { call: c1, by: caller } }",
  ];
  const scenario = parseScenario(withSteps(answersTwice));

  test("collect skips steps that the state does not allow, and lists them", () => {
    const { refused, events, mismatches, simulator } = runScenario(scenario, { refused: "collect" });
    expect(
      refused.map(({ index, step, timestamp, error }) => [
        index,
        step.position.line,
        timestamp - simulator.startTimestamp,
        error.name,
        error.message,
      ]),
    ).toEqual([
      [1, 4, 6_000, "CommandError", expect.stringMatching(/^bob cannot answer: call call-1 is offered/)],
      [2, 5, 6_000, "CommandError", expect.stringMatching(/nobody has the number \+6495559999/)],
      [3, 6, 7_000, "InputError", 'call: no step has given the name "c2" yet'],
      [5, 8, 13_000, "CommandError", expect.stringMatching(/^alice cannot decline/)],
    ]);
    expect(mismatches).toEqual([]);
    expect(events.map(({ type }) => type)).toContain("call.ended");
  });

  test("collect shows skipped steps in the journal and the timeline", () => {
    const { simulator } = runScenario(scenario, { refused: "collect" });
    expect(simulator.journal().entries.filter(({ command }) => command === "scenario.skipped")).toHaveLength(
      4,
    );
    expect(simulator.events.toTimeline()).toContain("bob cannot answer");
  });

  test("collect also lists steps that are played later", () => {
    const { simulator, refused } = runScenario(scenario, { refused: "collect", until: "PT6S" });
    expect(refused).toHaveLength(2);
    simulator.runUntilIdle();
    expect(refused).toHaveLength(4);
  });

  test("lists the skipped steps of a scenario with deviations", () => {
    const lost = withSteps(
      [
        "{ at: PT0S, createWebhook: { as: w1, url: 'https://crm.test/', events: [call.started] } }",
        janeCalls,
        "{ at: PT6S, answer: { call: c1, by: bob } }",
      ],
      "deviations:\n  - { attempt: PT0S call.started, webhook: w1, is: lost }\n",
    );
    expect(runScenario(parseScenario(lost)).refused.map(({ index }) => index)).toEqual([2]);
  });

  test("throw, the default, ends the run", () => {
    expect(() => runScenario(scenario)).toThrow(ScenarioError);
    expect(() => runScenario(scenario, { refused: "throw" })).toThrow(ScenarioError);
  });

  test("rejects any other value", () => {
    expect(() => runScenario(scenario, { refused: "ignore" as "throw" })).toThrow(/^refused: expected/);
  });
});
