import { describe, expect, test } from "vitest";
import { parseScenario, type ScenarioError } from "../../../src/index.ts";
import { thrownBy } from "../../helpers.ts";
import { janeCalls, problemsIn, withSteps } from "./support.ts";

// parts without a name of their own
type ScenarioProblem = ScenarioError["problems"][number];

/** The text that a problem's range covers. */
function covered(text: string, { line, column, endLine, endColumn }: ScenarioProblem): string {
  const lines = text.split("\n");
  const offset = (at: number, col: number) => [...lines.slice(0, at - 1), ""].join("\n").length + col - 1;
  return text.slice(offset(line, column), offset(endLine, endColumn));
}

/** The place and the message of each problem. */
function saidOf(text: string): (readonly [covers: string, message: string])[] {
  return problemsIn(text).map((problem) => [covered(text, problem), problem.message] as const);
}

describe("the problems of a ScenarioError", () => {
  test("list every problem in text order with its range and path", () => {
    const text = `scenario: T
colour: red
until: later
timing: { ringTimeout: soon }
organisation:
  id: office
  users:
    - { id: zoe, email: nobody, displayName: Zoe, extension: "1" }
steps:
  - { at: soon, anser: {} }
  - { at: PT1S, inbound: { as: c1, to: "+6495550100", colour: red } }
  - { at: PT0S, hangup: { call: c2, by: caller } }
expect:
  - PT1S
  - { event: PT0S call.started, macth: {} }
`;
    const problems = problemsIn(text);
    expect(problems.map((each) => [each.path, covered(text, each)])).toEqual([
      ["colour", "colour"],
      ["until", "later"],
      ["timing.ringTimeout", "soon"],
      ["organisation.users[0].email", "nobody"],
      ["steps[0].at", "soon"],
      ["steps[0].anser", "anser"],
      ["steps[1].inbound.from", '{ as: c1, to: "+6495550100", colour: red }'],
      ["steps[1].inbound.colour", "colour"],
      ["steps[2].at", "PT0S"],
      ["steps[2].hangup.call", "c2"],
      ["expect[0]", "PT1S"],
      ["expect[1].macth", "macth"],
    ]);
    expect(problems[0]).toMatchObject({ line: 2, column: 1, endLine: 2, endColumn: 7 });
  });

  test("are all in the message, one per line, and the first one sets the error's position", () => {
    const error = thrownBy(() => parseScenario("scenario: 5\nseed: []\n")) as ScenarioError;
    expect(error.message.split("\n")).toEqual([
      "line 1, column 1: steps: missing",
      'line 1, column 11: scenario: expected text, got 5; put it in quotes: "5"',
      "line 2, column 7: seed: expected text or a number",
    ]);
    expect(error).toMatchObject({ line: 1, column: 1, problem: "steps: missing" });
  });

  test("point to the first line of the part that lacks a key", () => {
    expect(saidOf("scenario: T\nseed: 1\n")).toEqual([["scenario: T", "missing"]]);
  });

  test("omit problems that only follow from a wrong organisation or step", () => {
    const text = `scenario: T
organisation: { id: office, users: 5 }
steps:
  - { at: PT0S, inbound: { as: c1, from: "1", to: "+6495550100" } }
  - { at: PT1S, answer: { call: c1, by: zoe } }
`;
    expect(problemsIn(text).map(({ path }) => path)).toEqual(["organisation.users", "steps[0].inbound.from"]);
  });

  test("appear once for an alias, at its anchor", () => {
    const steps = [
      janeCalls,
      "{ at: PT1S, answer: &who { call: c1, by: zoe } }",
      "{ at: PT2S, decline: *who }",
    ];
    expect(saidOf(withSteps(steps)).map(([covers]) => covers)).toEqual(["zoe"]);
  });

  test("have correct positions with Windows line ends and a byte-order mark", () => {
    const text = "scenario: T\nsteps:\n  - { at: soon, note: {} }\n";
    const places = (given: string) =>
      problemsIn(given).map(({ line, column, endColumn }) => [line, column, endColumn]);
    expect(places(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual(places(text));
  });
});

describe("a correction", () => {
  test.each([
    ["a key", "scenario: T\nsetps: []\n", "setps", "steps"],
    [
      "a key of an option",
      "scenario: T\nsteps: []\ntiming: { ringTimout: PT5S }\n",
      "ringTimout",
      "ringTimeout",
    ],
    ["a word of a few", "scenario: T\nsteps: []\nids: conuter\n", "conuter", "counter"],
    ["a duration", "scenario: T\nsteps: []\nuntil: 6s\n", "6s", "PT6S"],
    ["an organisation", "scenario: T\nsteps: []\norganisation: amce\n", "amce", "acme"],
    ["a step", withSteps(["{ at: PT0S, inbuond: {} }"]), "inbuond", "inbound"],
    ["an argument", withSteps([janeCalls, "{ at: PT1S, answer: { cal: c1, by: alice } }"]), "cal", "call"],
    ["a user", withSteps([janeCalls, "{ at: PT1S, answer: { call: c1, by: alcie } }"]), "alcie", "alice"],
    [
      "a call",
      withSteps([janeCalls.replace("c1", "first"), "{ at: PT1S, hangup: { call: fisrt, by: caller } }"]),
      "fisrt",
      "first",
    ],
    [
      "a type of event",
      "scenario: T\nsteps: []\nexpect:\n  - PT5S call.strated\n",
      "PT5S call.strated",
      "PT5S call.started",
    ],
  ])("for %s", (_, text, covers, suggestion) => {
    const problems = problemsIn(text);
    expect(problems).toHaveLength(1);
    expect([covered(text, problems[0] as ScenarioProblem), problems[0]?.suggestion]).toEqual([
      covers,
      suggestion,
    ]);
    expect(problems[0]?.message).toMatch(/; did you mean ".*"\?( Expected one of .*)?$/);
    const mended = text.replace(covers, suggestion);
    // the corrected part has no problem any more, but an empty step still has one
    expect(saidOfNothing(mended)).not.toContain(covers);
  });

  test("suggests no quotes if the quoted text would be rejected too", () => {
    const text = withSteps(['{ at: PT0S, inbound: { as: c1, from: 021555001, to: "+6495550100" } }']);
    expect(problemsIn(text)[0]?.message).toMatch(/^expected a phone number in E.164.*, got 21555001$/);
  });

  test("suggests quotes if YAML reads a number where text is expected", () => {
    const text = withSteps([
      "{ at: PT0S, inbound: { as: c1, from: +6421555001, to: +6495550100 } }",
      "{ at: PT1S, transfer: { call: c1, target: 0102, by: alice } }",
    ]);
    expect(problemsIn(text).map((each) => [covered(text, each), each.suggestion])).toEqual([
      ["+6421555001", '"+6421555001"'],
      ["+6495550100", '"+6495550100"'],
      ["0102", '"0102"'],
    ]);
    expect(problemsIn(text)[0]?.message).toMatch(/got 6421555001; put it in quotes: "\+6421555001"$/);
  });

  test("lists the allowed words if none is close", () => {
    const [problem] = problemsIn("scenario: T\nsteps: []\nids: roman\n");
    expect(problem).toMatchObject({
      message: 'expected one of nanoid, counter, uuid, got "roman"',
      expected: ["nanoid", "counter", "uuid"],
    });
    expect(problem).not.toHaveProperty("suggestion");
  });

  test("never suggests a key that the object already has", () => {
    const text = withSteps([janeCalls.replace("{ as", '{ form: "+6421555009", as')]);
    expect(problemsIn(text)[0]).not.toHaveProperty("suggestion");
  });
});

/** The parts of a text that have a problem; none if the text is right. */
function saidOfNothing(text: string): string[] {
  try {
    parseScenario(text);
    return [];
  } catch (error) {
    return (error as ScenarioError).problems.map((problem) => covered(text, problem));
  }
}

describe("wrong indentation", () => {
  test.each([
    [
      "a list item further in than those above",
      "scenario: T\nsteps:\n  - at: PT0S\n    note: {}\n   - at: PT1S\n",
      "-",
      /^not well-formed YAML: wrong indentation: this line must begin in the same column/,
    ],
    [
      "a list item further out than those above",
      "scenario: T\nsteps:\n    - { at: PT0S }\n  - { at: PT1S }\n",
      "-",
      /wrong indentation: this line aligns with nothing above/,
    ],
    [
      "a key further in than those above",
      "scenario: T\n seed: 1\nsteps: []\n",
      "seed",
      /wrong indentation: this line is indented further than the keys above/,
    ],
    [
      "a key between its list and its item",
      "scenario: T\nsteps:\n  - at: PT0S\n   note: {}\n",
      "note",
      /wrong indentation: this line aligns neither with the item above nor with the list/,
    ],
    ["a tab", "scenario: T\nsteps:\n\t- at: PT0S\n", "\t", /wrong indentation: there is a tab/],
    [
      "an argument beside its command",
      "scenario: T\nsteps:\n  - at: PT0S\n    inbound:\n    as: c1\n",
      "as",
      /^wrong indentation: "as" is an argument of "inbound"/,
    ],
    [
      "a key of the scenario in a step",
      "scenario: T\nsteps:\n  - at: PT0S\n    inbound: { from: '+6421555001', to: '+6495550100' }\n    until: PT5S\n",
      "until",
      /^wrong indentation: "until" belongs to the scenario and not to a step/,
    ],
    [
      "a step's time below its command",
      "scenario: T\nsteps:\n  - inbound: { at: PT0S, from: '+6421555001', to: '+6495550100' }\n",
      "at",
      /^wrong indentation: "at" belongs to the step: put it beside "inbound", not below it/,
    ],
    [
      "a step that is not in the list",
      "scenario: T\nsteps:\nhangup: { call: c1, by: caller }\n",
      "hangup",
      /^wrong indentation: "hangup" is a step: put it in the list "steps"/,
    ],
    [
      "a part of the organisation beside it",
      "scenario: T\norganisation:\nid: office\nusers: []\nsteps: []\n",
      "users",
      /^wrong indentation: "users" is a part of an organisation: indent it below "organisation"/,
    ],
  ])("for %s", (_, text, covers, message) => {
    const said = saidOf(text).filter(([, each]) => /wrong indentation/.test(each));
    expect(said).toContainEqual([covers, expect.stringMatching(message)]);
  });
});

describe("a text that YAML cannot read", () => {
  test("reports the first mistake of each line, and earlier values that it changed", () => {
    const text = `scenario: T
colour: red
steps:
  - { at: PT0S, inbound { as: c1 } }
  - { at: PT0S, hangup: { call: c1 by: caller } }
  - { at: never }
`;
    expect(saidOf(text)).toEqual([
      ["colour", expect.stringMatching(/^unknown key/)],
      ["{", "not well-formed YAML: Missing , or : between flow map items"],
      [expect.any(String), "not well-formed YAML: expected a comma between the entries inside { } or [ ]"],
    ]);
  });

  test("suggests quotes for text with a colon", () => {
    const text = "scenario: The call: it rings\nsteps: []\n";
    expect(saidOf(text)).toEqual([
      [
        "The call: it rings",
        'not well-formed YAML: a text with a colon and a space needs quotes: "The call: it rings"',
      ],
    ]);
  });

  test("suggests quotes for an unquoted *", () => {
    const text = withSteps(['{ at: PT0S, createWebhook: { url: "https://crm.acme.test", events: [*] } }']);
    expect(saidOf(text)).toEqual([["*", expect.stringMatching(/put it in quotes, "\*"$/)]]);
  });

  test("reads on after a repeated key", () => {
    const text = "scenario: T\nscenario: U\nsteps: 5\n";
    expect(saidOf(text)).toEqual([
      ["scenario", "not well-formed YAML: Map keys must be unique"],
      ["5", "expected a list, got 5"],
    ]);
  });
});
