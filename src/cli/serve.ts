import { once } from "node:events";
import { InputError } from "../engine/errors.ts";
import type { Pace } from "../node/index.ts";
import type { SimulatorOptions } from "../options.ts";
import { runScenario } from "../scenario/run.ts";
import { type Scenario, ScenarioError } from "../scenario/scenario.ts";
import { Source } from "../scenario/source.ts";
import { createSimulator, type Simulator } from "../simulator.ts";
import { readText, UsageError } from "./disk.ts";
import { findScenarios, inFile, readScenario } from "./files.ts";
import type { Output } from "./output.ts";

export interface ServeFlags {
  readonly port?: number;
  readonly host?: string;
  readonly pace?: Pace;
  readonly seed?: string;
  readonly play?: boolean;
  readonly allowLocalWebhooks?: boolean;
  readonly outbound: boolean;
}

/**
 * `ringback serve`: serves a simulator until the process is interrupted or terminated.
 * @returns the exit code: 0
 * @throws {UsageError} for a file that is neither an organisation nor a scenario; what listening fails with
 */
export async function serveUntilStopped(
  file: string | undefined,
  flags: ServeFlags,
  output: Output,
): Promise<number> {
  const stopping = new AbortController();
  const stopped = Promise.race(
    ["SIGINT", "SIGTERM"].map((name) => once(process, name, { signal: stopping.signal })),
  );
  stopped.catch(() => {}); // when it does not come to serving
  try {
    const simulator = simulatorOf(file, flags);
    // loaded only here: no other command needs a server
    const { serve } = await import("../node/index.ts");
    const { port, host, pace = "virtual", outbound } = flags;
    const server = await serve(simulator, {
      pace,
      outbound,
      ...(port === undefined ? {} : { port }),
      ...(host === undefined ? {} : { host }),
      onError: (error) => output.err(`ringback: ${(error as Error).message}\n`),
    });
    output.out(about(server.url, simulator, pace));
    await stopped;
    await server.close();
    return 0;
  } finally {
    stopping.abort();
  }
}

function about(url: string, { credentials }: Simulator, pace: Pace): string {
  const { clientId, clientSecret } = credentials;
  const advance = `curl --json '{"duration":"PT30S"}' ${url}/_sim/advance`;
  return [
    `REST API        ${url}`,
    `token endpoint  ${url}/oauth/token`,
    `redirect        ${url}/telephony/redirect`,
    `client id       ${clientId}`,
    `client secret   ${clientSecret}`,
    `control plane   ${url}/_sim/state`,
    pace === "virtual"
      ? `Time is virtual: it passes by ${advance}`
      : `Time passes ${pace === "realtime" ? "as real time does" : `${pace} times as fast as real time`}.`,
    "",
  ].join("\n");
}

function simulatorOf(file: string | undefined, flags: ServeFlags): Simulator {
  const { seed, allowLocalWebhooks } = flags;
  const given: SimulatorOptions = {
    ...(seed === undefined ? {} : { seed: /^\d{1,15}$/.test(seed) ? Number(seed) : seed }),
    ...(allowLocalWebhooks === undefined ? {} : { allowLocalWebhooks }),
  };
  if (file === undefined) {
    if (flags.play === true) throw new UsageError("--play: there is no scenario to play");
    return createSimulator(given);
  }
  const [path = file, ...more] = findScenarios([file]);
  if (more.length > 0) throw new UsageError(`${file}: expected one file, got a folder`);
  const organisation = organisationIn(path);
  if (organisation === undefined) return ofScenario(path, given, flags.play === true);
  if (flags.play === true) throw new UsageError(`--play: ${path} is an organisation, not a scenario`);
  try {
    return createSimulator({ ...given, organisation });
  } catch (error) {
    throw error instanceof InputError ? new UsageError(`${path}: ${error.message}`) : error;
  }
}

/** What a file holds, unless that is a scenario. @throws {UsageError} for what is not even YAML */
function organisationIn(path: string): SimulatorOptions["organisation"] {
  try {
    const source = new Source(readText(path));
    source.mustBeWellFormed();
    const { value } = source;
    const isScenario = typeof value === "object" && value !== null && "scenario" in value;
    return isScenario ? undefined : (value as SimulatorOptions["organisation"]);
  } catch (error) {
    throw error instanceof ScenarioError ? inFile(path, error) : error;
  }
}

function ofScenario(path: string, given: SimulatorOptions, play: boolean): Simulator {
  const { scenario: read } = readScenario(path);
  const scenario: Scenario = { ...read, options: { ...read.options, ...given } };
  if (!play) return createSimulator(scenario.options);
  try {
    return runScenario(scenario).simulator;
  } catch (error) {
    throw error instanceof ScenarioError ? inFile(path, error) : error;
  }
}
