import { runOn } from "../../src/core/scenario/run.ts";
import { createSimulator, type Scenario, type Simulator } from "../../src/index.ts";
import { Recorder } from "../../src/inspector/model/recorder.ts";
import type { Bar, Lane, PageRow, RunRecord } from "../../src/inspector/model/types.ts";

/** A played scenario, as the inspector draws it. */
export interface RecordedRun {
  readonly simulator: Simulator;
  readonly rows: readonly PageRow[];
  readonly lanes: readonly Lane[];
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  readonly bars: readonly Bar[];
  readonly records: readonly RunRecord[];
  /** The places of the steps that the state did not allow. */
  readonly refused: readonly number[];
}

/** Plays a scenario, and draws what happened. Steps that the state does not allow are left out. */
export function recordScenario(scenario: Scenario): RecordedRun {
  const simulator = createSimulator(scenario.options);
  const recorder = new Recorder(simulator, simulator.narrate(), false);
  simulator.watch(recorder);
  const { refused } = runOn(simulator, scenario, { refused: "collect" });
  recorder.finish();
  const { rows, bars, records, lanes } = recorder;
  return {
    simulator,
    rows,
    bars,
    records,
    lanes: lanes.list(),
    teams: lanes.teamNames(),
    refused: refused.map(({ index }) => index),
  };
}
