import type { PhoneNumberReader } from "../../core/platform/organisation/contact-numbers.ts";
import { parseScenario, sourceOf } from "../../core/scenario/parse.ts";
import type { Scenario } from "../../core/scenario/scenario.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { readFiles, type ScenarioText } from "./files.ts";
import { type RecordedRun, recordedFunction, recordedScenario } from "./recorded-run.ts";
import { scenarioOfFunction } from "./write-scenario.ts";

/** The scenario or function to explore, after it was read. */
export interface Prepared {
  readonly title: string;
  readonly seed: string | number;
  readonly recordedRun: RecordedRun;
  /** The scenario's text; undefined for a function, or a scenario that was built in code. */
  readonly source: ScenarioText | undefined;
  /** Reads contacts' numbers that are not E.164. Not part of `source`, which is passed to other threads as data. */
  readonly phoneNumbers: PhoneNumberReader | undefined;
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
  phoneNumbers: PhoneNumberReader | undefined,
): Promise<Prepared> {
  if (typeof scenario === "string") return preparedText(readFiles(scenario, allowLocal), phoneNumbers);
  if (typeof scenario !== "function") return preparedScenario(scenario, sourceOf(scenario));
  return {
    title: scenario.name === "" || scenario.name === "scenario" ? "the script" : scenario.name,
    seed: 1,
    recordedRun: recordedFunction(scenario, allowLocal, phoneNumbers),
    source: undefined,
    phoneNumbers,
    text: async () => {
      const text = await scenarioOfFunction(recordedFunction(scenario, allowLocal, phoneNumbers));
      return text === undefined ? undefined : { text, organisations: {}, allowLocal };
    },
  };
}

/** Reads what to explore from a text. @throws {ScenarioError} for a wrong scenario */
export function preparedText(source: ScenarioText, phoneNumbers: PhoneNumberReader | undefined): Prepared {
  return preparedScenario(readText(source, phoneNumbers), source);
}

/** Parses a scenario. @throws {ScenarioError} if it is wrong */
export function readText(
  { text, ...options }: ScenarioText,
  phoneNumbers: PhoneNumberReader | undefined,
): Scenario {
  return parseScenario(text, { ...options, phoneNumbers });
}

function preparedScenario(scenario: Scenario, source: ScenarioText | undefined): Prepared {
  return {
    title: scenario.title,
    seed: scenario.options.seed ?? 1,
    recordedRun: recordedScenario(scenario),
    source,
    phoneNumbers: scenario.options.phoneNumbers,
    text: async () => source,
  };
}
