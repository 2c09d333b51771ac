import { expect } from "vitest";
import { type ParseOptions, parseScenario, ScenarioError } from "../../../src/index.ts";
import { thrownBy } from "../../helpers.ts";

// parts without a name of their own
type ScenarioProblem = ScenarioError["problems"][number];

/** The example that the public documentation prints. */
export const example = `scenario: The first endpoint to answer wins
organisation: acme               # scenarios/organisations/acme.yaml, or an inline organisation
seed: 1
start: 2026-07-01T09:00:00Z
steps:                           # \`at\` is an offset from start; one command a step, named like the method
  - { at: PT0S,  inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT6S,  answer:  { call: c1, by: alice@acme.test, endpoint: desktop } }
  - { at: PT66S, hangup:  { call: c1, by: caller } }
expect:                          # the exact stream, in order; a line may carry \`match\`, a subset of the event's data
  - PT0S call.started
  - PT6S call.answered
  - { event: PT6S user.availability.updated, match: { user: { availability: { status: busy } } } }
  - PT66S call.hungup
  - PT66S call.hungup
  - PT66S user.availability.updated
  - PT66S call.ended
`;

/** The example with some of its text replaced. */
export function altered(...replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the example has no ${from}`);
    return text.replace(from, to);
  }, example);
}

/** A scenario of these steps, and more at its end. */
export function withSteps(steps: readonly string[], more = ""): string {
  return `scenario: A rule\nsteps:\n${steps.map((step) => `  - ${step}\n`).join("")}${more}`;
}

/** Jane calls Alice at the start. */
export const janeCalls = '{ at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }';

/** A scenario whose expected stream is this one line. */
export function expecting(line: string): string {
  return `scenario: A rule\nsteps: []\nexpect:\n  - ${line}\n`;
}

/** The problems for which a scenario is refused. */
export function problemsIn(text: string): readonly ScenarioProblem[] {
  return (thrownBy(() => parseScenario(text)) as ScenarioError).problems;
}

/** Checks that a scenario is refused with this problem, at the place that is marked with ^ in the text. */
export function expectProblem(marked: string, problem: string | RegExp, options?: ParseOptions): void {
  const before = marked.slice(0, marked.indexOf("^")).split("\n");
  const error = thrownBy(() => parseScenario(marked.replace("^", ""), options)) as ScenarioError;
  expect(error).toBeInstanceOf(ScenarioError);
  const place = { line: before.length, column: (before.at(-1) ?? "").length + 1 };
  expect(error.problem).toMatch(problem);
  expect({ line: error.line, column: error.column }).toEqual(place);
}
