import { stringify } from "yaml";
import { InputError, LimitError } from "../foundation/errors.ts";
import { withUnitsOfTime } from "../foundation/input-schemas.ts";
import { type Claim, readClaim } from "./claim-schema.ts";
import { judge } from "./claims.ts";
import { parseScenario, sourceOf } from "./parse.ts";
import { applyPatch } from "./patch.ts";
import { type PlayedScenario, playScenario } from "./played-scenario.ts";
import { type QuestionChoice, type Scenario, ScenarioError, type ScenarioProblem } from "./scenario.ts";

/**
 * Plays a scenario and judges what the choices of its questions claim: the right choice must hold, a wrong one must not, and
 * a wrong one with `instead` must hold in the changed run.
 * @returns a problem for each claim that is not so: its place, and what was found; none if all is true
 * @throws {ScenarioError} for a step that the state does not allow
 */
export function checkQuestions(scenario: Scenario): ScenarioProblem[] {
  if (scenario.questions.length === 0) return [];
  const run = playScenario(scenario);
  return scenario.questions.flatMap(({ choices, right }, index) =>
    choices.flatMap((choice, place) => {
      const path = `questions[${index}].choices[${place}]`;
      const message = findProblem(choice, place === right, run);
      const problem = (where: string, text: string) => ({ message: text, path: where, ...choice.position });
      if (message !== undefined) return [problem(`${path}.when`, message)];
      const changed = problemOfChange(choice, scenario);
      return changed === undefined ? [] : [problem(`${path}.instead`, changed)];
    }),
  );
}

/** What is untrue of a choice; undefined if nothing is. */
function findProblem({ when }: QuestionChoice, isRight: boolean, run: PlayedScenario): string | undefined {
  const judged = when.map((given) => ({ given, ...judge(claimOf(given), run) }));
  const wrong = judged.find(({ holds }) => !holds);
  if (isRight)
    return (
      wrong &&
      `this choice is said to be right, but ${claimText(wrong.given)} is not so; found: ${wrong.found}`
    );
  if (judged.length === 0 || wrong !== undefined) return undefined;
  const texts = judged.map(({ given }) => claimText(given)).join(", ");
  return `this choice is said to be wrong, but ${texts} is so; found: ${judged.map(({ found }) => found).join("; ")}`;
}

/** What is untrue of the change under which a choice would be right; undefined if nothing is. */
function problemOfChange({ when, instead }: QuestionChoice, scenario: Scenario): string | undefined {
  if (instead === undefined) return undefined;
  const source = sourceOf(scenario);
  if (source === undefined) throw new Error("a scenario with `instead` is read from text");
  try {
    const { text, ...options } = source;
    const phoneNumbers = scenario.options.phoneNumbers;
    const changed = parseScenario(applyPatch(text, instead.change), { ...options, phoneNumbers });
    const run = playScenario(changed);
    const wrong = when.map((given) => ({ given, ...judge(claimOf(given), run) })).find(({ holds }) => !holds);
    return wrong && `in the changed run ${claimText(wrong.given)} is not so; found: ${wrong.found}`;
  } catch (error) {
    const isOfChange =
      error instanceof ScenarioError || error instanceof InputError || error instanceof LimitError;
    if (!isOfChange) throw error;
    return `the change cannot be played: ${error.message}`;
  }
}

/** Reads a claim that the parser has accepted. */
export function claimOf(given: unknown): Claim {
  return withUnitsOfTime(() => readClaim(given, []));
}

/** A claim as the file has it, in one line: `{ rings: alice, at: PT20S }`. */
function claimText(given: unknown): string {
  return stringify(given, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true }).trim();
}
