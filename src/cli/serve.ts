import { statSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { InputError } from "../core/foundation/errors.ts";
import { withUnitsOfTime } from "../core/foundation/input-schemas.ts";
import { readInstantMs } from "../core/foundation/instants.ts";
import { type AssumptionsInput, readAssumptions } from "../core/platform/declare/assumptions.ts";
import { type ProfileName, profileOf } from "../core/platform/declare/profile.ts";
import { type DialectInput, dialectOfModule, readDialect } from "../core/platform/declare/settings.ts";
import type { Urls } from "../core/platform/declare/urls.ts";
import { readOrganisation } from "../core/platform/organisation/organisation.ts";
import type { OrganisationInput } from "../core/platform/organisation/schema.ts";
import { runScenario } from "../core/scenario/run.ts";
import { type Scenario, ScenarioError } from "../core/scenario/scenario.ts";
import { Source } from "../core/scenario/source.ts";
import { isJournalText } from "../core/simulator/journal-codec.ts";
import {
  type JournalDocument,
  type Retain,
  readJournal,
  type SimulatorOptions,
} from "../core/simulator/options.ts";
import { createSimulator, replay, type Simulator } from "../core/simulator/simulator.ts";
import { readPhoneNumber } from "../phone-numbers/index.ts";
import { epochMs } from "../server/clock.ts";
import type { Pace, ServedRequest, SimulatorServer } from "../server/index.ts";
import { NoteTaker } from "../testing/received-notes.ts";
import {
  dialectOption,
  durationArgument,
  jsonOption,
  optionText,
  profileOption,
  wholeNumberFrom,
} from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { readTextFile } from "./disk.ts";
import { UsageError } from "./failures.ts";
import { loadExports } from "./modules.ts";
import type { CommandOutput } from "./output.ts";
import { findScenarios, inFile, readScenario } from "./scenario-files.ts";
import { stopSignal } from "./stop-signal.ts";

export interface ServeFlags {
  readonly port?: number;
  readonly host?: string;
  readonly pace?: Pace;
  readonly start?: string | number;
  readonly seed?: string;
  readonly play?: boolean;
  readonly desk?: boolean;
  readonly note?: boolean;
  readonly dialect?: string;
  readonly profile?: ProfileName;
  readonly assume?: AssumptionsInput;
  readonly publicUrl?: string;
  readonly reset?: string;
  readonly worlds?: number;
  readonly worldIdle?: string;
  readonly allowHost?: readonly string[];
  readonly cors?: readonly string[];
  readonly token?: string;
  readonly allowLocal?: boolean;
  readonly retain?: Retain;
  readonly journal?: string;
  readonly compact?: number;
  readonly quiet?: boolean;
  readonly stopOnEof?: boolean;
  readonly outbound: boolean;
}

/** `ringback serve`. */
export const serveCommand: CommandRow = {
  name: "serve",
  group: "server",
  summary: "serve a simulator over HTTP, with a control plane, until it is interrupted",
  mayChange: [
    "--assume",
    "--compact",
    "--profile",
    "--reset",
    "--worlds",
    "--world-idle",
    "--desk",
    "--note",
  ],
  declare: (command, output, exit) => {
    const several = (value: string, before: readonly string[] = []) => [...before, value];
    command
      .argument("[file]", "an organisation, a scenario, or a journal to continue from; default: the demo")
      .option("--port <port>", "the port to listen at; default: any free one", readPort)
      .option(
        "--host <host>",
        "the address to listen at; default: 127.0.0.1, which only this machine reaches",
      );
    declareRun(command)
      .option("--public-url <url>", "what URLs in answers begin with, if there is a proxy in front")
      .option("--allow-host <name>", "another name by which the server may be reached", several)
      .option("--cors <origin>", "an origin whose web pages may send requests; * for any", several)
      .option(
        "--token <token>",
        "the token of the control plane; default: random if other machines reach the server, else none",
      )
      .option(
        "--allow-local",
        "webhooks, data actions and returns may be at local and private hosts, also by http",
      )
      .option(
        "--retain <n|name=n,...>",
        "keep only the newest n of each kind, or of events, calls, requests ...",
        readRetain,
      )
      .option(
        "--journal <file>",
        "write the journal during the run; `ringback serve <file>` continues from it",
      )
      .option(
        "--compact <lines>",
        "after so many lines, put a snapshot in place of the journal so far; 0 for never; default: 10000 with --retain, else never",
        readLineCount,
      )
      .option(
        "--reset <url>",
        "a URL to POST to, so that your app forgets everything before the page plays the run again",
      )
      .option(
        "--worlds <n>",
        "how many worlds POST /_sim/worlds may make at once; default: 256",
        wholeNumberFrom(0),
      )
      .option(
        "--world-idle <duration>",
        "after how much real time in which nobody asks it for anything a world ends; default: PT10M",
        durationArgument,
      )
      .option("--quiet", "do not print requests")
      .option("--stop-on-eof", "stop when standard input ends, as it does when the parent process dies")
      .option("--no-outbound", "send no real requests")
      .addOption(jsonOption())
      .action((file: string | undefined, flags: ServeFlags) => {
        exit(serveUntilStopped(file, flags, output));
      });
  },
};

/** Declares the options of what is served, and of how time passes. */
function declareRun(command: Command): Command {
  return command
    .option("--pace <pace>", "how time passes: virtual (default), realtime, or a factor such as 10", readPace)
    .option(
      "--start <instant>",
      "when virtual time begins: now (default with --pace realtime), or an instant",
      readInstant,
    )
    .option("--seed <seed>", "text or a number that seeds all randomness")
    .option(
      "--desk",
      "a page with a phone for each person, at /desk; time then passes as real time does, unless --pace says otherwise",
    )
    .option("--note", "note how often each endpoint gets each kind of event, for `ringback unseen`")
    .option("--play", "play the scenario's steps first, then serve the result")
    .addOption(dialectOption())
    .addOption(profileOption())
    .option(
      "--assume <name=value>",
      "what the platform does where its documentation is silent, such as notAnswered=perTeam; may be given again",
      readAssumption,
    );
}

/** Adds an assumption to those before it. @throws {InvalidArgumentError} saying what was expected */
function readAssumption(text: string, before: AssumptionsInput = {}): AssumptionsInput {
  const [name = "", ...value] = text.split("=");
  const assume = { ...before, [name]: value.join("=") };
  try {
    readAssumptions(assume);
    return assume;
  } catch (error) {
    throw error instanceof InputError ? new InvalidArgumentError(error.message) : error;
  }
}

/** @throws {InvalidArgumentError} for what is no port */
export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("Expected a port from 0 to 65535.");
}

function readPace(text: string): Pace {
  if (text === "virtual" || text === "realtime") return text;
  const factor = text === "" ? 0 : Number(text);
  if (Number.isFinite(factor) && factor > 0) return factor;
  throw new InvalidArgumentError("Expected virtual, realtime or a factor above 0.");
}

function readInstant(text: string): string | number {
  if (text === "now") return text;
  try {
    return readInstantMs(text, []);
  } catch {
    throw new InvalidArgumentError("Expected now or an instant such as 2026-07-01T09:00:00Z.");
  }
}

function readLineCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a number of lines, or 0 for never.");
}

const retainedKinds = ["events", "calls", "conversations", "analyses", "notifications", "requests"] as const;

function readRetain(text: string): Retain {
  const bounds = /^\d+$/.test(text)
    ? retainedKinds.map((name) => [name, text])
    : text.split(",").map((each) => each.split("="));
  const isBound = ([name = "", count = ""]: string[]) =>
    (retainedKinds as readonly string[]).includes(name) && /^\d{1,15}$/.test(count);
  if (!bounds.every(isBound))
    throw new InvalidArgumentError(
      `Expected a number, or a list such as events=1000,calls=100 of ${retainedKinds.join(", ")}.`,
    );
  return Object.fromEntries(bounds.map(([name, count]) => [name, Number(count)]));
}

/**
 * `ringback serve`: serves a simulator until the process is interrupted or terminated.
 * @returns the exit code: 0, or 2 when its journal cannot be written any more
 * @throws {UsageError} for a file that is neither an organisation, a scenario nor a journal; what listening fails with
 */
async function serveUntilStopped(
  file: string | undefined,
  flags: ServeFlags,
  output: CommandOutput,
): Promise<number> {
  // loaded here, because no other command needs a server
  const { serveWithNotes } = await import("../server/serve.ts");
  const dialect = await dialectIn(flags.dialect);
  const served = readServedFile(file, flags, dialect);
  const stopping = new AbortController();
  const { port, host, desk = false, outbound, publicUrl, allowHost, cors, token } = flags;
  const { journal, compact, reset, worlds, worldIdle } = flags;
  const log = output.isJson ? output.err : output.out;
  if (compact !== undefined && journal === undefined)
    throw new UsageError("there is no journal to compact; add --journal <file>", "--compact");
  const pace = paceFor(flags);
  const notes = flags.note === true ? new NoteTaker(undefined) : undefined;
  const server = await serveWithNotes(served.make, notes, {
    pace,
    desk,
    outbound,
    startsNow: startOf(flags) === "now",
    ...withoutUndefined({ port, host, publicUrl, hosts: allowHost, cors, token, journal, compact, reset }),
    ...withoutUndefined({ worlds, worldIdle }),
    ...withoutUndefined({ resumed: served.resumed }),
    ...(flags.quiet === true ? {} : { onRequest: (request) => log(logLine(request)) }),
    onError: (error) => output.err(`ringback: ${(error as Error).message}\n`),
  }).catch((error: unknown) => {
    throw error instanceof InputError ? new UsageError(error.message) : error;
  });
  // only from here on: before, a signal ends the process at once
  const stopped = stopSignal(flags.stopOnEof === true, stopping.signal);
  try {
    if (server.token !== undefined) output.err(warning(server, host, publicUrl));
    output.out(output.isJson ? output.result([], serverFacts(server)) : startText(server, pace, desk));
    const over = Promise.race([stopped, server.ended]);
    if (served.catchesUp) await catchUp(server, epochMs(), over);
    await over;
  } finally {
    stopping.abort();
    await server.close();
    notes?.write();
  }
  const ended = await server.ended;
  if (ended === undefined) return 0;
  // otherwise `onError` has printed why
  if (output.isJson) output.out(output.result([{ cause: ended.message, place: journal ?? null }]));
  return 2;
}

/** When virtual time starts, if no option says so: in real time, now. */
function startOf(flags: ServeFlags): string | number | undefined {
  return flags.start ?? (paceFor(flags) === "realtime" ? "now" : undefined);
}

/** How time passes: at a desk, people press the buttons. */
function paceFor({ pace, desk }: ServeFlags): Pace {
  return pace ?? (desk === true ? "realtime" : "virtual");
}

function warning({ url }: SimulatorServer, host: string | undefined, publicUrl: string | undefined): string {
  const who =
    "other machines can reach this server: its control plane needs the token below, the rest needs the client's secret";
  const isEveryAddress = publicUrl === undefined && (host === "0.0.0.0" || host === "::");
  const where = `URLs in answers begin with ${url}, which works only on this machine; name another with --public-url`;
  return [who, ...(isEveryAddress ? [where] : [])].map((each) => `ringback: warning: ${each}\n`).join("");
}

/** Leaves out undefined options. */
function withoutUndefined<T extends object>(options: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** Advances a run that is resumed in real time to the present. */
async function catchUp(server: SimulatorServer, nowMs: number, stopped: Promise<unknown>): Promise<void> {
  const { simulator, url, token } = server;
  if (simulator.timestamp >= nowMs) return;
  const headers = {
    "content-type": "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const body = JSON.stringify({ to: nowMs });
  await Promise.race([fetch(`${url}/_sim/advance`, { method: "POST", headers, body }), stopped]);
}

function logLine({ method, path, status, durationMs }: ServedRequest): string {
  return `${method} ${path} ${status} ${Math.round(durationMs)} ms\n`;
}

/** What a program that starts a server needs. */
function serverFacts({ url, token, simulator }: SimulatorServer): object {
  const { clientId, clientSecret, vendorSecret } = simulator.credentials;
  return {
    ...{ url, urls: simulator.urls, controlPlane: `${url}/_sim`, controlToken: token ?? null },
    ...{ clientId, clientSecret, vendorSecret, virtualTime: simulator.now.toISO() },
  };
}

function startText({ url, token, simulator }: SimulatorServer, pace: Pace, hasDesk: boolean): string {
  const { clientId, clientSecret, vendorSecret } = simulator.credentials;
  const { api } = simulator.urls;
  const header = token === undefined ? "" : `-H 'Authorization: Bearer ${token}' `;
  const advance = `curl --json '{"duration":"PT30S"}' ${header}${url}/_sim/advance`;
  return [
    `REST API        ${api}`,
    `token endpoint  ${api}/oauth/token`,
    `redirect        ${api}/telephony/redirect`,
    `OpenAPI         ${api}/openapi.json`,
    `client id       ${clientId}`,
    `client secret   ${clientSecret}`,
    `vendor secret   ${vendorSecret}  (signs returns)`,
    ...(simulator.options.dialect.vendorSecret === null
      ? [
          "                Redirects are taken unsigned, or with any signature, until dialect.vendorSecret is set.",
        ]
      : []),
    ...(hasDesk ? [`desk            ${url}/desk${token === undefined ? "" : `?token=${token}`}`] : []),
    `control plane   ${url}/_sim/state`,
    ...(token === undefined ? [] : [`control token   ${token}`]),
    ...(api === url ? [] : [`listens at      ${url}`]),
    `virtual time    ${simulator.now.toISO()}`,
    pace === "virtual"
      ? `Time is virtual: it passes by ${advance}`
      : `Time passes ${pace === "realtime" ? "as real time does" : `${pace} times as fast as real time`}.`,
    "",
  ].join("\n");
}

/** What is served. */
interface ServedFile {
  make(urls: Urls): Simulator;
  readonly resumed?: { readonly path: string; readonly journal: JournalDocument };
  /** Whether it first goes on to the present. */
  readonly catchesUp: boolean;
}

function readServedFile(
  file: string | undefined,
  flags: ServeFlags,
  dialect: DialectInput | undefined,
): ServedFile {
  const { seed, allowLocal, retain, assume, play = false } = flags;
  const start = startOf(flags);
  if (file !== undefined) {
    const journal = journalIn(file, flags);
    if (journal !== undefined) return resumeFrom(file, journal, start === "now");
  }
  const options: SimulatorOptions = withoutUndefined({
    phoneNumbers: readPhoneNumber,
    seed: seed !== undefined && /^\d{1,15}$/.test(seed) ? Number(seed) : seed,
    start: start === "now" ? epochMs() : start,
    allowLocal,
    retain,
    assume,
    dialect,
    profile: flags.profile,
  });
  if (file === undefined) {
    if (play) throw new UsageError("there is no scenario to play", "--play");
    return { make: (urls) => createSimulator({ ...options, urls }), catchesUp: false };
  }
  const [path = file, ...more] = findScenarios([file]);
  if (more.length > 0) throw new UsageError("expected one file, got a folder", file);
  const organisation = organisationIn(path);
  if (organisation !== undefined && play)
    throw new UsageError(`${path} is an organisation, not a scenario`, "--play");
  const make = (urls: Urls) => {
    if (organisation === undefined) return simulatorOfScenario(path, { ...options, urls }, play);
    const read = withUnitsOfTime(() =>
      readOrganisation(organisation, [], {
        allowLocal,
        declaredTypes: readDialect(dialect, [], profileOf(flags.profile).dialect).events,
      }),
    );
    return createSimulator({ ...options, organisation: read as OrganisationInput, urls });
  };
  // reports what is wrong with the file before the port is taken
  withFileInErrors(path, () =>
    make({ api: "http://localhost", auth: "http://localhost", redirect: "http://localhost" }),
  );
  return { make, catchesUp: false };
}

function withFileInErrors<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InputError ? new UsageError(error.message, path) : error;
  }
}

/** Options that a journal already has. */
const optionsOfJournal = ["seed", "play", "dialect", "profile", "assume", "allowLocal", "retain"] as const;

/** The journal in a file, if it is one. */
function journalIn(path: string, flags: ServeFlags): JournalDocument | undefined {
  // a folder, or a lesson by its number
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return undefined;
  const text = readTextFile(path);
  if (!isJournalText(text)) return undefined;
  const wrong = optionsOfJournal.find((name) => flags[name] !== undefined);
  if (wrong !== undefined || (flags.start !== undefined && flags.start !== "now"))
    throw new UsageError(
      `${path} is a journal, which has its own options: leave out ${optionText(wrong ?? "start")}`,
    );
  return withFileInErrors(path, () => readJournal(text));
}

function resumeFrom(path: string, journal: JournalDocument, catchesUp: boolean): ServedFile {
  const simulator = withFileInErrors(path, () => replay(journal, { phoneNumbers: readPhoneNumber }));
  return { make: () => simulator, resumed: { path, journal }, catchesUp };
}

/**
 * Reads a dialect, alone or under `dialect`: a file of names in YAML or JSON, or a module whose exports are its fields,
 * `write` and `read` among them.
 * @param path as `--dialect` gives it, if it is given
 * @throws {UsageError} if there is none
 */
export async function dialectIn(path: string | undefined): Promise<DialectInput | undefined> {
  if (path === undefined) return undefined;
  const exported = /\.[cm]?js$/.test(path) ? await loadExports(path) : undefined;
  const value = exported === undefined ? readSource(path).value : undefined;
  return withFileInErrors(path, () => {
    const whole = exported === undefined ? value : wholeOf(exported);
    const isNested = typeof whole === "object" && whole !== null && "dialect" in whole;
    const given = isNested ? (whole as { readonly dialect: DialectInput }).dialect : whole;
    const isExported = exported !== undefined && !isNested && typeof given === "object" && given !== null;
    const dialect = isExported ? dialectOfModule(given) : given;
    readDialect(dialect);
    return dialect as DialectInput;
  });
}

/** What a module says: its default export, or, if that is no dialect, all else that it exports. */
function wholeOf({ default: whole, ...named }: Readonly<Record<string, unknown>>): unknown {
  const isDialect =
    typeof whole === "object" &&
    whole !== null &&
    ("dialect" in whole || Object.keys(dialectOfModule(whole)).length > 0);
  return isDialect || Object.keys(named).length === 0 ? whole : named;
}

function readSource(path: string): Source {
  try {
    const source = new Source(readTextFile(path));
    source.mustBeWellFormed();
    return source;
  } catch (error) {
    throw error instanceof ScenarioError ? inFile(path, error) : error;
  }
}

/** The organisation in a file; undefined if it is a scenario. @throws {UsageError} if it is not YAML */
function organisationIn(path: string): SimulatorOptions["organisation"] {
  const { value } = readSource(path);
  const isScenario = typeof value === "object" && value !== null && "scenario" in value;
  return isScenario ? undefined : (value as SimulatorOptions["organisation"]);
}

function simulatorOfScenario(path: string, options: SimulatorOptions, play: boolean): Simulator {
  const { scenario: read } = readScenario(path, options);
  const assume = { ...read.options.assume, ...options.assume };
  const scenario: Scenario = { ...read, options: { ...read.options, ...options, assume } };
  if (!play) return createSimulator(scenario.options);
  try {
    return runScenario(scenario).simulator;
  } catch (error) {
    throw error instanceof ScenarioError ? inFile(path, error) : error;
  }
}
