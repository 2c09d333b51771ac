import { readdirSync, readFileSync } from "node:fs";
import { runOn, type ScenarioRun } from "../../src/core/scenario/run.ts";
import { createSimulator, parseScenario, type Scenario } from "../../src/index.ts";
import { type Coverage, CoverageCount, CoverageRecorder } from "../../src/stories/coverage.ts";
import { inScenario } from "./failures.ts";

/** Scenarios that several pages are about: each is read and played once. */

export const lessonsFolder = new URL("../../scenarios/", import.meta.url);

/** The texts of the organisations that lessons name. */
export const organisations = Object.fromEntries(
  readdirSync(new URL("organisations/", lessonsFolder)).map((name) => [
    name.replace(/\.yaml$/, ""),
    readFileSync(new URL(`organisations/${name}`, lessonsFolder), "utf8"),
  ]),
);

/** The names of the scenario files in a folder, in order. */
export function scenariosIn(folder: URL): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .sort();
}

const read = new Map<string, Scenario>();
const played = new Map<string, PlayedScenario>();

/** A run of a scenario, and what it reached of the machines. */
export interface PlayedScenario {
  readonly run: ScenarioRun;
  readonly coverage: Coverage;
}

/** @throws {MendFirst} if the scenario cannot be read */
export function scenarioAt(file: URL): Scenario {
  const text = readFileSync(file, "utf8");
  const scenario =
    read.get(file.href) ?? inScenario(file, text, () => parseScenario(text, { organisations }));
  read.set(file.href, scenario);
  return scenario;
}

/** @throws {MendFirst} if the scenario cannot be read, or one of its steps is refused */
export function playedAt(file: URL): PlayedScenario {
  const known = played.get(file.href);
  if (known !== undefined) return known;
  const scenario = scenarioAt(file);
  const made = inScenario(file, readFileSync(file, "utf8"), () => play(scenario));
  played.set(file.href, made);
  return made;
}

function play(scenario: Scenario): PlayedScenario {
  const simulator = createSimulator(scenario.options);
  const watch = new CoverageRecorder(simulator);
  const run = runOn(simulator, scenario);
  const count = new CoverageCount();
  count.add(watch.places);
  return { run, coverage: count.coverage };
}
