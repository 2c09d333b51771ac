import type { Bar, NarrationRow, TeamHold } from "../narration/rows.ts";
import { createSimulator, type Simulator } from "../simulator/simulator.ts";
import { runOn } from "./run.ts";
import type { Scenario } from "./scenario.ts";

/** Somebody rings, talks, waits or is with voicemail, from one instant to another. Times are ms from the start. */
export interface Period {
  readonly who: string;
  readonly kind: Bar["kind"];
  /** The id of the call. */
  readonly call: string;
  readonly endpoint: string | undefined;
  readonly fromMs: number;
  /** Infinity if it lasts at the end of the run. */
  readonly toMs: number;
}

/** A played scenario, of which claims can be judged. */
export interface PlayedScenario {
  readonly scenario: Scenario;
  readonly simulator: Simulator;
  readonly periods: readonly Period[];
  /** When teams have calls. */
  readonly holds: readonly Period[];
  /** The ids by the names that steps give. */
  readonly named: ReadonlyMap<string, string>;
}

/**
 * Plays a scenario to its end.
 * @throws {ScenarioError} for a step that the state does not allow
 * @throws {LimitError} if the run has no end
 */
export function playScenario(scenario: Scenario): PlayedScenario {
  const simulator = createSimulator(scenario.options);
  const { rows, spans } = simulator.narrate();
  const named = new Map<string, string>();
  runOn(simulator, scenario, {}, undefined, named);
  spans.finish(simulator.timestamp);
  const atMs = (row: number) => (rows[row] as NarrationRow).atMs - simulator.startTimestamp;
  const callOf = ({ record }: Bar | TeamHold) => spans.records[record]?.id ?? "";
  const isLive = (call: string) => simulator.calls.live().some(({ id }) => id === call);
  const periods = spans.bars.map((bar): Period => {
    const call = callOf(bar);
    const lasts = bar.end === "open" && isLive(call);
    return {
      ...{ who: bar.lane, kind: bar.kind, call, endpoint: bar.endpoint },
      ...{ fromMs: atMs(bar.fromRow), toMs: lasts ? Number.POSITIVE_INFINITY : atMs(bar.toRow) },
    };
  });
  const holds = spans.holds.map((hold): Period => {
    const [fromMs, toMs] = [atMs(hold.fromRow), atMs(hold.toRow)];
    return { who: hold.team, kind: "wait", call: callOf(hold), endpoint: undefined, fromMs, toMs };
  });
  return { scenario, simulator, periods, holds, named };
}
