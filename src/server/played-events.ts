import { Document } from "yaml";
import { signatureHeader, timestampHeader, webhookSignature } from "../core/network/webhook-signature.ts";
import type { ShortestScenario } from "../core/platform/base/shortest.ts";
import type { EventType, PlatformEvent } from "../core/platform/declare/events.ts";
import { type DialectInput, readDialect } from "../core/platform/declare/settings.ts";
import type { PhoneNumberReader } from "../core/platform/organisation/contact-numbers.ts";
import { layOut } from "../core/scenario/lay-out.ts";
import { parseScenario } from "../core/scenario/parse.ts";
import { runOn } from "../core/scenario/run.ts";
import { createSimulator } from "../core/simulator/simulator.ts";

/** An event of a run, and the body of its request. */
export interface PlayedEvent {
  readonly event: PlatformEvent;
  /** The offset from the run's start, ms. */
  readonly offsetMs: number;
  readonly body: string;
}

/** What a run is played with. */
export interface EventRunOptions {
  readonly dialect?: DialectInput | undefined;
  /** When the run starts, ms since the Unix epoch. Default: that of simulators. */
  readonly startMs?: number | undefined;
  /** Reads local numbers in the scenario. Without it, numbers are in E.164. */
  readonly phoneNumbers?: PhoneNumberReader;
  /** Draws other ids than those of any other seed. Default: the ids of a scenario, `call-1` and so on. */
  readonly seed?: string;
}

/** Where the simulator sends its requests. They go no further. */
const APP_URL = "https://receiver.test/";

/** Writes a scenario as a file that `ringback run` plays. */
export function scenarioText({ title, organisation, steps }: ShortestScenario): string {
  const document = new Document(
    {
      scenario: title,
      ...(organisation === undefined ? {} : { organisation }),
      steps: steps.map(({ command, at, args }) => ({ at, [command]: args })),
    },
    { aliasDuplicateObjects: false },
  );
  layOut(document);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/**
 * Plays a scenario to its end. @returns the first event of each type, in the order of the stream
 * @throws {ScenarioError} if it cannot be read, or the state does not allow a step
 * @throws {InputError} naming the function of the dialect that cannot write an event
 */
export function playEvents(text: string, options: EventRunOptions = {}): Map<EventType, PlayedEvent> {
  const { dialect, startMs, seed, phoneNumbers } = options;
  const scenario = parseScenario(text, phoneNumbers === undefined ? {} : { phoneNumbers });
  const simulator = createSimulator({
    ...scenario.options,
    ...(dialect === undefined ? {} : { dialect }),
    ...(startMs === undefined ? {} : { start: startMs }),
    ...(seed === undefined ? {} : { seed, ids: "nanoid" as const }),
  });
  simulator.network.route(APP_URL, () => 204);
  const { id } = simulator.webhooks.create({ url: APP_URL, events: ["*"] });
  runOn(simulator, scenario);
  const eventOf = new Map(simulator.webhooks.deliveries(id).map((each) => [each.id, each.event]));
  const played = new Map<EventType, PlayedEvent>();
  // a body is written when it is first read, and a dialect's function may throw then
  for (const { recordId, body } of simulator.network.requests) {
    const event = eventOf.get(recordId) as PlatformEvent | undefined;
    if (event === undefined || played.has(event.type)) continue;
    const offsetMs = event.createdTimestamp - simulator.startTimestamp;
    played.set(event.type, { event, offsetMs, body });
  }
  return played;
}

/** The headers of a delivery that is signed at an instant, ms since the Unix epoch. */
export function signedHeaders(
  body: string,
  secret: string,
  timestampMs: number,
  dialect: DialectInput | undefined,
): Record<string, string> {
  const { serviceName } = readDialect(dialect);
  const timestamp = String(timestampMs);
  return {
    "content-type": "application/json",
    [timestampHeader(serviceName)]: timestamp,
    [signatureHeader(serviceName)]: webhookSignature(secret, timestamp, body),
  };
}
