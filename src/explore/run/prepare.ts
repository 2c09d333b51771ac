import { InputError } from "../../core/foundation/errors.ts";
import type { PhoneNumberReader } from "../../core/platform/organisation/contact-numbers.ts";
import { parseScenario, sourceOf } from "../../core/scenario/parse.ts";
import type { Scenario } from "../../core/scenario/scenario.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { readFiles, type ScenarioText } from "./files.ts";
import { type Given, type RecordedRun, recordedFunction, recordedScenario } from "./recorded-run.ts";
import { EditableScenario, scenarioOfFunction, withProfile } from "./write-scenario.ts";

/** The scenario or function to explore, after it was read. */
export interface Prepared {
  readonly title: string;
  readonly seed: string | number;
  readonly recordedRun: RecordedRun;
  /** The scenario's text; undefined for a function, or a scenario that was built in code. */
  readonly source: ScenarioText | undefined;
  /** What the options give besides the scenario. Not part of `source`, which is passed to other threads as data. */
  readonly given: Given;
  /** The scenario as text, for shrinking; undefined for a function that no scenario can express. */
  text(): Promise<ScenarioText | undefined>;
}

/**
 * Reads what to explore.
 * @throws {ScenarioError} for a wrong scenario
 */
export async function prepare(
  scenario: string | Scenario | ((simulator: Simulator) => void | Promise<void>),
  allowLocal: boolean,
  given: Given,
): Promise<Prepared> {
  if (typeof scenario === "string")
    return preparedText(withProfile(readFiles(scenario, allowLocal), given.profile), given);
  if (typeof scenario !== "function") {
    const { phoneNumbers } = scenario.options;
    return preparedScenario(scenario, sourceOf(scenario), { ...given, phoneNumbers });
  }
  return {
    title: scenario.name === "" || scenario.name === "scenario" ? "the script" : scenario.name,
    seed: 1,
    recordedRun: recordedFunction(scenario, allowLocal, given),
    source: undefined,
    given,
    text: async () => {
      const text = await scenarioOfFunction(recordedFunction(scenario, allowLocal, given), given.profile);
      return text === undefined ? undefined : { text, organisations: {}, allowLocal };
    },
  };
}

/** Reads what to explore from a text. @throws {ScenarioError} for a wrong scenario */
export function preparedText(source: ScenarioText, given: Given): Prepared {
  return preparedScenario(parseScenarioText(source, given.phoneNumbers), source, given);
}

/** The same without deviations and expectations. @throws {InputError} for a scenario that has no text */
export function withoutDeviations({ source, given }: Prepared): Prepared {
  if (source === undefined) throw new InputError(["scenario"], "expected the file of a scenario");
  const { text } = EditableScenario.of(source.text).withoutExpectations();
  return preparedText({ ...source, text }, given);
}

/** Parses a scenario. @throws {ScenarioError} if it is wrong */
export function parseScenarioText(
  { text, ...options }: ScenarioText,
  phoneNumbers: PhoneNumberReader | undefined,
): Scenario {
  return parseScenario(text, { ...options, phoneNumbers });
}

function preparedScenario(scenario: Scenario, source: ScenarioText | undefined, given: Given): Prepared {
  const { dialect } = given;
  const { options } = scenario;
  const played = dialect === undefined ? scenario : { ...scenario, options: { ...options, dialect } };
  return {
    title: scenario.title,
    seed: scenario.options.seed ?? 1,
    recordedRun: recordedScenario(played),
    source,
    given,
    text: async () => source,
  };
}
