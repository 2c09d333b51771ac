import { CommandError, InputError } from "../engine/errors.ts";
import { type DurationInput, iso, readDurationMs } from "../engine/instants.ts";
import type { RingingEndpoint } from "../platform/calls/parties.ts";
import type { PlatformEvent } from "../platform/events.ts";
import { createSimulator, type Simulator } from "../simulator.ts";
import { compare, type Mismatch } from "./compare.ts";
import { mismatchReport } from "./report.ts";
import { type Scenario, ScenarioError, type Step } from "./scenario.ts";

export interface RunOptions {
  /** How far to play, from the scenario's start; default: the scenario's own `until`, else until nothing is scheduled. */
  readonly until?: DurationInput;
}

export interface ScenarioRun {
  /** Where the run ended, to look at or to go on with. */
  readonly simulator: Simulator;
  /** The whole stream. */
  readonly events: readonly PlatformEvent[];
  /** Where it is not what the scenario expects, up to where it was played; empty when the scenario expects nothing. */
  readonly mismatches: readonly Mismatch[];
  /** The streams side by side around the first difference; empty without one. */
  readonly report: string;
}

/**
 * Plays a scenario and compares its stream with the expected one.
 * @throws {ScenarioError} for a step that the state does not allow: which, when, and what was ringing
 */
export function runScenario(scenario: Scenario, { until }: RunOptions = {}): ScenarioRun {
  const simulator = createSimulator(scenario.options);
  const startMs = simulator.timestamp;
  const untilMs = until === undefined ? scenario.untilMs : readDurationMs(until, ["until"]);
  const named = new Map<string, string>();
  for (const [index, step] of scenario.steps.entries()) {
    if (untilMs !== undefined && step.atMs > untilMs) break;
    simulator.advanceTo(startMs + step.atMs);
    playStep(simulator, step, index, named);
  }
  if (untilMs === undefined) simulator.runUntilIdle();
  else simulator.advanceTo(startMs + untilMs);
  const { title, expect: lines = [] } = scenario;
  // a scenario that ends itself before what it expects is wrong; one that is looked at half-way is not
  const expect = lines.filter((line) => until === undefined || line.atMs <= Number(untilMs));
  const { events } = simulator;
  const mismatches = scenario.expect === undefined ? [] : compare(expect, events, startMs);
  const report = mismatchReport({
    title,
    seed: scenario.options.seed ?? 1,
    startMs,
    expect,
    events,
    mismatches,
  });
  return { simulator, events, mismatches, report };
}

/** @param named the ids of the calls and the conversations that steps have named */
function playStep(simulator: Simulator, step: Step, index: number, named: Map<string, string>): void {
  const { args, command, as, position } = step;
  const ids = (["call", "conversation"] as const).flatMap((key) =>
    typeof args[key] === "string" ? [[key, named.get(args[key])]] : [],
  );
  try {
    const made = simulator.command(command, { ...args, ...Object.fromEntries(ids) } as never);
    const id = madeId(made);
    if (as !== undefined && id !== undefined) named.set(as, id);
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof InputError)) throw error;
    const when = `at PT${step.atMs / 1000}S (${iso(simulator.timestamp)})`;
    throw new ScenarioError(
      position,
      `step ${index + 1} (${command}) ${when}: ${error.message}. Ringing then: ${ringingText(simulator)}`,
    );
  }
}

/** The id of the call or the conversation that a command made, or wrote to. */
function madeId(made: ReturnType<Simulator["command"]>): string | undefined {
  if (typeof made !== "object") return made as string | undefined;
  if ("callId" in made) return made.callId;
  if ("conversationId" in made) return made.conversationId;
  return "vendorConversationId" in made ? made.vendorConversationId : undefined;
}

/** `alice on mobile (call-1), alice on desktop (call-1)`. */
function ringingText(simulator: Simulator): string {
  const ringing = simulator.calls
    .live()
    .flatMap((call) => call.ringing().map((each) => `${whoIsRung(each)} on ${each.endpoint} (${call.id})`));
  return ringing.join(", ") || "nothing";
}

function whoIsRung(ringing: RingingEndpoint): string {
  if ("user" in ringing) return ringing.user;
  return "device" in ringing ? ringing.device : ringing.number;
}
