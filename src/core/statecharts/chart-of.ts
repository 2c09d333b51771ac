import type { AnyStateMachine } from "xstate";
import { XStateChart } from "./by-xstate.ts";
import type { Chart } from "./chart.ts";
import { CompiledChart } from "./compiled.ts";
import { Unsupported } from "./xstate-private.ts";

/** One chart for each machine, shared by all simulators. */
const charts = new WeakMap<AnyStateMachine, Chart>();

/** Returns a machine's chart: compiled if the compiler supports all its parts, otherwise run by XState. */
export function chartOf(machine: AnyStateMachine): Chart {
  let chart = charts.get(machine);
  if (chart === undefined) {
    chart = createChart(machine);
    charts.set(machine, chart);
  }
  return chart;
}

function createChart(machine: AnyStateMachine): Chart {
  try {
    return new CompiledChart(machine);
  } catch (error) {
    if (error instanceof Unsupported) return new XStateChart(machine);
    throw error;
  }
}
