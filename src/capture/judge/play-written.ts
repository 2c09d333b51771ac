import type { PlatformEvent } from "../../core/platform/declare/events.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import { parseScenario } from "../../core/scenario/parse.ts";
import { runOn } from "../../core/scenario/run.ts";
import { ScenarioError } from "../../core/scenario/scenario.ts";
import { createSimulator } from "../../core/simulator/simulator.ts";
import type { CapturedEvent, CapturedRequest } from "../read/capture.ts";
import { isRepeated } from "./delivery-deviations.ts";
import type { Match } from "./match.ts";
import type { Finding } from "./unexplained.ts";

/** What a run sends. */
interface WrittenRun {
  /** How many requests arrived, by type and instant of their event. */
  readonly arrivals: ReadonlyMap<string, number>;
  /** The types that are sent. */
  readonly types: ReadonlySet<string>;
  /** Its events, each at the instant at which it happened: what the scenario delays is not late here. */
  readonly events: readonly PlatformEvent[];
}

/**
 * Plays a scenario as it was written, as `ringback run` does, and counts the requests that arrive.
 * @param delayMs by how much the scenario delays its events
 * @returns a text that says why it cannot be played
 */
export function playWritten(yaml: string, delayMs: number): WrittenRun | string {
  const arrivals = new Map<string, number>();
  try {
    const scenario = parseScenario(yaml);
    const simulator = createSimulator(scenario.options);
    for (const { url } of simulator.webhooks.list()) simulator.network.route(url, () => 204);
    const { engine, deliveries } = simulator.services;
    engine.probes.attach({
      endpointAsked(request) {
        const event = deliveries.find((request as RequestRecord).recordId)?.event;
        if (event === undefined) return;
        const key = `${event.type} ${event.createdTimestamp}`;
        arrivals.set(key, (arrivals.get(key) ?? 0) + 1);
      },
    });
    const types = new Set<string>(simulator.webhooks.list().flatMap(({ events }) => events));
    runOn(simulator, scenario);
    const events = simulator.events.map((event) =>
      delayMs === 0 ? event : { ...event, createdTimestamp: event.createdTimestamp - delayMs },
    );
    return { arrivals, types, events };
  } catch (error) {
    if (error instanceof ScenarioError) return error.problem;
    throw error;
  }
}

/** Compares how often each event came with how often a run sends it. Lines that repeat a request are one. */
export function otherCounts(
  events: readonly CapturedEvent[],
  { pairs }: Match,
  { arrivals, types }: WrittenRun,
  delayMs: number,
): Finding[] {
  const captured = new Map<string, { readonly event: CapturedEvent; count: number }>();
  for (const [index, event] of events.entries()) {
    const sent = pairs[index];
    if (sent === undefined || !types.has(sent.type)) continue;
    const key = `${sent.type} ${sent.createdTimestamp + delayMs}`;
    const known = captured.get(key) ?? { event, count: 0 };
    captured.set(key, known);
    known.count += distinct(event.requests);
  }
  return [...captured].flatMap(([key, { event, count }]) => {
    const sent = arrivals.get(key) ?? 0;
    if (sent === count) return [];
    return [{ event, because: `${requests(count)} of it came, and the scenario's run sends ${sent}` }];
  });
}

const requests = (count: number) => (count === 1 ? "1 request" : `${count} requests`);

function distinct(all: readonly CapturedRequest[]): number {
  return all.filter((each, index) => !all.slice(0, index).some((other) => isRepeated(other, each))).length;
}
