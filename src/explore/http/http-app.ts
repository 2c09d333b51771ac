import { untilQuiet, untilStill } from "../../core/engine/quiet.ts";
import { InputError, type Keys, readErrorMessage } from "../../core/foundation/errors.ts";
import { type DurationInput, durationMs, iso } from "../../core/foundation/instants.ts";
import { show } from "../../core/foundation/show.ts";
import { omit } from "../../core/foundation/values.ts";
import type { NoAnswerInput } from "../../core/network/answer.ts";
import type { EndpointRequest } from "../../core/network/endpoint-request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { asyncDisposeSymbol } from "../sandbox/dispose-symbols.ts";
import { bindToContext, runAsProperty } from "../sandbox/world-context.ts";
import type { Turn } from "./dependency-proxies.ts";
import {
  ExploredServer,
  jsonHeaders,
  keyOfDependency,
  mustNamePort,
  RestartedMeanwhile,
  type ServerWorld,
} from "./explored-server.ts";
import type { HttpAnswer } from "./http-client.ts";
import { Quiescence } from "./quiescence.ts";
import { ServerQueue } from "./server-queue.ts";
import { ServerRequests } from "./server-requests.ts";
import { writePlatformState } from "./state-oracle.ts";

/** The address of a running server, and how to talk to it. */
export interface HttpAppOptions {
  /**
   * The server's base URL, such as `http://127.0.0.1:8000`. Several URLs are instances of the same server that share
   * nothing: each runs a world of its own, side by side. With `run`, only its port counts: it names one of several that the program opens.
   */
  readonly url?: string | readonly string[];
  /**
   * Instead of `url`: a command that starts a server in Node, such as `node server.js` or `npm start`. It runs anew in each world, with the
   * world's time as its clock and for its timers, and worlds wait for all that it does. The first port at which it takes HTTP is the
   * server's, unless `url` names another. `RINGBACK_API`, `RINGBACK_CLIENT_ID` and `RINGBACK_CLIENT_SECRET` in its environment are the address of the world's REST API and
   * the credentials for `/oauth/token` there; `RINGBACK_DEPENDENCY_CRM` is the address of the dependency `crm`. Names of variables have `_` for
   * what is no letter or digit: `RINGBACK_DEPENDENCY_MY_CRM` is that of `my-crm`.
   */
  readonly run?: string;
  /**
   * A path that makes the server forget everything. It gets a POST before each world, with the body
   * `{ "now": …, "api": …, "clientId": …, "clientSecret": … }`: the virtual time in ISO 8601, for a server that checks the
   * age of requests; the base URL of the world's REST API; and the credentials for `/oauth/token` there. With `run` it may be missing: a server
   * that begins anew needs it only for what it keeps elsewhere.
   */
  readonly reset?: string;
  /**
   * A path that answers GET with 2xx while the server only waits for answers of the platform, and with another status while
   * it is busy. A body `{ "waiting": 2 }` says how many answers it waits for. With this option, requests that the server has
   * open at the same time are answered in any order, and it may go on working after it has answered a request. Default:
   * such requests are answered one after the other.
   */
  readonly idle?: string;
  /**
   * Instead of `idle`: after this wall-clock time without a request, the server is taken to only wait for the platform. Each
   * of its requests then takes as long.
   */
  readonly silence?: DurationInput;
  /** Requests to URLs that start like one of these go to the server, with the same path and query. Default: all. */
  readonly on?: readonly string[];
  /** Headers of every request to the server. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The command that restarts the server, such as `docker restart -t 0 app`. With it, worlds also restart the server: once
   * it has answered a request, and so that its answer is lost. Then they go on as soon as it answers again, without `reset`: it
   * must keep what a restart must not lose, with what `reset` told it. With `run`, worlds end the program and start it again by this command,
   * mostly the same one. `RINGBACK_SERVER` in the command's environment is the
   * server's URL. Default: the server is not restarted.
   */
  readonly restart?: string;
  /**
   * What the server needs besides the platform, by name: `{ crm: "http://127.0.0.1:4001" }`. `reset` gets an address for each,
   * `{ "dependencies": { "crm": "http://127.0.0.1:…" } }`, at which the server must ask it in that world: there its calls may
   * be refused, lose their answers, come late, or be answered 503 or 429, as those of `sim.dependency`. Bodies are passed on as text.
   */
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The options after they were read. */
interface Wiring extends Pick<HttpAppOptions, "run" | "reset" | "idle" | "on" | "headers" | "restart"> {
  readonly silenceMs: number | undefined;
}

/** The server, as the app of one world. */
export class HttpApp {
  private isOver = false;
  /** How many requests the server is handling. */
  private handling = 0;
  /** Whether it is restarted once it has answered, so that what it does then is not waited for. */
  private isToRestart = false;
  private readonly quiescence: Quiescence | undefined;
  private readonly requests: ServerRequests;
  /** Starts the program again that this world started; undefined if it did not. */
  private startAgain: (() => Promise<void>) | undefined;

  constructor(
    private readonly wiring: Wiring,
    private readonly simulator: Simulator,
    /** @internal */
    readonly instance: ExploredServer,
    private readonly instances: ServerQueue,
  ) {
    const { idle, run, on = ["https://", "http://"] } = wiring;
    const quiescence = makeQuiescence(wiring, simulator, instance, async () =>
      run === undefined
        ? isIdleAnswer(await this.send(idle ?? "/", "GET"))
        : isProgramIdle(instance, () => this.isOver),
    );
    this.quiescence = quiescence;
    this.requests = new ServerRequests(quiescence);
    const settle = async () => quiescence?.settle();
    // the server runs in real time
    simulator.services.engine.probes.attach(
      quiescence === undefined
        ? { untilStill, untilQuiet, untilDone: untilQuiet }
        : { untilStill: () => quiescence.untilTaken(), untilQuiet: settle, untilDone: settle },
    );
    for (const prefix of on) simulator.network.route(prefix, (request) => this.receive(request));
    // requests of one world must not reach the next
    const end = async () => {
      this.isOver = true;
      quiescence?.end();
      instance.rest.end();
      instance.dependencies.end();
      instance.client.abort();
      await instance.endProgram();
      this.instances.giveBack(simulator, instance);
    };
    Object.defineProperty(this, asyncDisposeSymbol, { value: this.instances.note(simulator, end) });
  }

  /**
   * Sends a request to the server, for use in properties. Redirects are not followed.
   * @param path the path on the server
   * @param init the method, headers and body, as for the global `fetch`; the body as text
   * @example
   * const answer = await server.fetch("/wallboard");
   * answer.status; // => 200
   */
  async fetch(
    path: string,
    init: Pick<RequestInit, "method" | "headers"> & { body?: string } = {},
  ): Promise<Response> {
    const { method = "GET", headers, body } = init;
    const { body: text, ...answer } = await this.send(
      path,
      method,
      Object.fromEntries(new Headers(headers)),
      body,
    );
    const hasNoBody = answer.status === 204 || answer.status === 205 || answer.status === 304;
    return new Response(hasNoBody ? null : text, answer);
  }

  /**
   * Checks that a path answers 2xx to GET, for use in properties.
   * @param path the path on the server
   * @throws with the actual answer
   * @example
   * await server.mustAnswer("/health");
   */
  async mustAnswer(path: string): Promise<void> {
    mustBeGood(`GET ${path}`, await this.send(path, "GET"));
  }

  /**
   * Posts the platform's live calls, totals, users and conversations to a path, which must answer 2xx if the server's
   * state agrees. For use in properties.
   * @param path the path on the server; the body of the request is a `PlatformTruth` as JSON
   * @throws with the actual answer
   * @example
   * await server.mustConfirm("/compare"); // it answers 409 if it has other calls
   */
  async mustConfirm(path: string): Promise<void> {
    mustBeGood(`POST ${path}`, await this.postTruth(path));
  }

  /**
   * Posts the same to a path as `mustConfirm`, and reads what the server shows: the JSON of its answer, which must be a 200.
   * For ready-made properties, which say what they need.
   * @param path the path on the server
   * @throws with the actual answer
   * @example
   * const rows = await server.read<{ callId: string }[]>("/calls");
   */
  async read<Shown>(path: string): Promise<Shown> {
    const answer = await this.postTruth(path);
    mustBeGood(`POST ${path}`, answer, (status) => status === 200, "200");
    try {
      return JSON.parse(answer.body) as Shown;
    } catch {
      const text = textOf(answer);
      throw new Error(
        `POST ${path} answered 200, expected JSON${text === "" ? " in its body" : `: ${text}`}`,
      );
    }
  }

  /** @internal Asks for paths of `check`, in a world of its own. @throws {InputError} where the server has none; of other errors, worlds tell */
  async mustHave(paths: readonly string[]): Promise<void> {
    await this.begin(this.simulator.fork());
    for (const path of paths) {
      const answer = await this.postTruth(path).catch(() => undefined);
      if (answer?.status === 404) mustBeGoodFor("check", `POST ${path}`, answer);
    }
  }

  private postTruth(path: string): Promise<HttpAnswer> {
    return this.send(path, "POST", jsonHeaders, writePlatformState(this.simulator));
  }

  /**
   * Lets the server forget everything, as it does before each world.
   * @throws {InputError} if the server does not answer or refuses
   * @example
   * await server.reset();
   */
  reset(): Promise<void> {
    return this.begin(this.simulator);
  }

  private async begin(simulator: Simulator): Promise<void> {
    const { instance, wiring } = this;
    const { reset, idle } = wiring;
    const { clientId, clientSecret } = simulator.credentials;
    const { rest, dependencies: needed } = instance;
    const api = await rest.begin((request) =>
      this.serve(request, makeRestTurn(simulator, instance, request)),
    );
    const dependencies = await needed.begin(simulator, (request, turn) => this.serve(request, turn));
    const world = { now: iso(simulator.timestamp), api, clientId, clientSecret, dependencies };
    await this.startProgram(world);
    const body = JSON.stringify(world);
    if (reset !== undefined)
      await mustTake(this.instance.brokeAt, "reset", reset, () =>
        this.send(reset, "POST", jsonHeaders, body),
      );
    // the timers that it has set begin with the world
    if (this.instance.program !== undefined) await this.quiescence?.drain();
    if (idle !== undefined) await mustTake(this.instance.brokeAt, "idle", idle, () => this.send(idle, "GET"));
  }

  /** Starts the program that runs in this world, if it is to. */
  private async startProgram(world: ServerWorld): Promise<void> {
    const { wiring, instance, simulator, quiescence } = this;
    if (wiring.run === undefined) return;
    const begins = (work: Promise<unknown>) => quiescence?.begin(work);
    this.startAgain = () => instance.startProgram("restart", wiring.restart ?? "", simulator, world, begins);
    await instance.startProgram("run", wiring.run, simulator, world, begins);
  }

  /** Serves a request of the server. */
  private async serve(request: Request, turn: Turn): Promise<Response> {
    const response = await this.requests.serve(request, turn);
    // its clock goes on before it has the answer; that it has ended is told where the world waits for it
    await this.instance.program?.tell().catch(() => {});
    return response;
  }

  /** @internal Whether it was seen to ask the REST API after it had answered a request. */
  get worksLater(): boolean {
    return this.requests.worksLater;
  }

  /** @internal Whether it answers, and neither `idle` nor `silence` tells when it is done. */
  get isNotAwaited(): boolean {
    return this.quiescence === undefined && this.instance.brokeAt === undefined;
  }

  /** @internal The server is restarted once it has answered the request that it gets next. */
  willRestart(): void {
    this.isToRestart = true;
  }

  /**
   * @internal Restarts the server. Its requests to the REST API get no answer.
   * @param goesOn is called as long as this goes on
   * @throws {InputError} if that fails
   */
  async restart(goesOn: () => void): Promise<void> {
    const { instance, quiescence, wiring } = this;
    instance.restarts++;
    const isBack = this.startAgain?.() ?? instance.restart(wiring.restart ?? "", wiring.idle ?? "/", goesOn);
    quiescence?.restart(this.startAgain === undefined ? isBack : Promise.resolve());
    this.requests.restart();
    try {
      await isBack;
      // what it goes on with when it starts
      await quiescence?.drain();
    } finally {
      this.isToRestart = false;
    }
  }

  private send(
    path: string,
    method: string,
    headers: Readonly<Record<string, string>> = {},
    body = "",
  ): Promise<HttpAnswer> {
    return this.instance.send(path, { method, headers: { ...headers, ...this.wiring.headers }, body });
  }

  /** Passes a request of the platform on to the server. */
  private async receive({
    url,
    method,
    headers,
    body,
  }: EndpointRequest): Promise<HttpAnswer | NoAnswerInput> {
    // two requests sent at once could arrive in either order
    if (this.handling > 0) await this.quiescence?.settle();
    this.handling++;
    try {
      const { pathname, search } = new URL(url);
      // these headers are of the connection to the simulator
      const others = omit(headers, "host", "content-length");
      this.requests.noteReceived();
      const answering = this.send(`${pathname}${search}`, method, others, body).finally(() =>
        this.requests.noteAnswered(),
      );
      // what it waits for before it answers shows in its timers; what goes wrong does so in the request
      if (this.instance.program !== undefined) void this.quiescence?.drain().catch(() => {});
      const answer = await answering;
      if (!this.isOver && !this.isToRestart) await this.quiescence?.take();
      return answer;
    } catch (error) {
      if (error instanceof RestartedMeanwhile) return { failure: "refused", reason: "the server restarts" };
      throw error;
    } finally {
      this.handling--;
    }
  }
}

/**
 * Makes a running server, in any language, the app of an exploration. Before each world, `reset` gets a POST. A server
 * runs one world at a time; several instances run as many worlds side by side.
 * @param options where the server is, and how to reset it
 * @throws {InputError} for options that are wrong
 * @example
 * import { once } from "node:events";
 * import { createServer } from "node:http";
 * import { httpApp } from "ringback/explore";
 *
 * let calls = 0; // the state of your server
 * const server = createServer((request, response) => {
 *   calls = request.url === "/reset" ? 0 : calls + 1;
 *   response.writeHead(204).end();
 * }).listen(0, "127.0.0.1");
 * await once(server, "listening");
 * const { port } = server.address() as { port: number };
 * const { failures } = await exploreReport({
 *   app: httpApp({ url: `http://127.0.0.1:${port}`, reset: "/reset" }),
 *   scenario(sim) {
 *     sim.webhooks.create({ url: "https://crm.test/", events: ["call.started"] });
 *     sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
 *   },
 *   eventually: { "a call counts once": () => calls === 1 },
 *   forged: false, // this server checks no signature
 * });
 * failures.map(({ property }) => property); // => ["a call counts once"]
 * server.close();
 */
export function httpApp(options: HttpAppOptions): ServerApp {
  return makeServerApp(options);
}

/** The same. @param paths those of `check`: no world begins unless the server has them, else an `InputError` is thrown */
export function makeServerApp(options: HttpAppOptions, paths: readonly string[] = []): ServerApp {
  const { reset, idle, on, headers, silence, restart, run, dependencies = {} } = options;
  const wiring: Wiring = { run, reset, idle, on, headers, restart, silenceMs: readSilenceMs(silence) };
  if (idle !== undefined && silence !== undefined)
    throw new InputError(["silence"], "expected only one of `idle` and `silence`");
  mustFitRun(options);
  const urls = [options.url ?? NOWHERE].flat();
  if (urls.length === 0) throw new InputError(["url"], "expected the address of at least one server");
  for (const [index, url] of urls.entries()) {
    mustBeAddress(url);
    if (urls.indexOf(url) !== index)
      throw new InputError(["url"], `${url} is given twice: a server can run only one world at a time`);
  }
  for (const [name, url] of Object.entries(dependencies)) mustBeAddress(url, ["dependencies", name]);
  const outside = bindToContext((call) => (call as () => unknown)());
  const instances = new ServerQueue(urls.map((url) => new ExploredServer(url, dependencies, outside)));
  let areKnown = paths.length === 0;
  const app = async (simulator: Simulator) => {
    const server = new HttpApp(wiring, simulator, await instances.take(simulator), instances);
    try {
      if (!areKnown) {
        areKnown = true;
        await server.mustHave(paths);
        await isBack();
      }
      await server.reset();
    } catch (error) {
      await instances.end(simulator);
      throw error;
    }
    return server;
  };
  const isBack = async () => {
    for (const each of instances.all)
      if (each.brokeAt !== undefined && reset !== undefined && run === undefined) await each.isBack(reset);
  };
  const traits = { hasRestartCommand: restart !== undefined, hasWorldTime: run !== undefined };
  const abandon = (simulator: Simulator) => instances.end(simulator);
  return Object.assign(app, { instances: urls.length, isBack, abandon, ...traits });
}

/** A running server as an app. */
export interface ServerApp {
  (simulator: Simulator): Promise<HttpApp>;
  /** How many worlds can run side by side. */
  readonly instances: number;
  /** Whether it has a command that restarts it. */
  readonly hasRestartCommand: boolean;
  /** @internal Whether its clock and timers are the world's. */
  readonly hasWorldTime: boolean;
  /** @internal Resolves when each server that broke a connection answers again, or after 5 s. */
  isBack(): Promise<void>;
  /** @internal Ends the server's part in a world that is over, even if the server was never reset. */
  abandon(simulator: Simulator): Promise<void>;
}

function readSilenceMs(silence: DurationInput | undefined): number | undefined {
  const ms = silence === undefined ? undefined : durationMs(silence);
  if (silence !== undefined && ms === undefined)
    throw new InputError(["silence"], `expected a duration such as PT0.02S, got ${show(silence)}`);
  return ms;
}

/** In place of the address of a server that does not run yet. */
const NOWHERE = "http://127.0.0.1:0";

/** @throws {InputError} for options that say nothing of a server that is started in each world, or are missing for another one */
function mustFitRun({ run, url, reset, idle, silence, dependencies = {} }: HttpAppOptions): void {
  if (run === undefined) {
    if (url === undefined) throw new InputError(["url"], "expected the address of a server, or `run`");
    if (reset === undefined) throw new InputError(["reset"], "expected a path that resets the server");
    return;
  }
  if (run.trim() === "") throw new InputError(["run"], "expected a command that starts a server in Node");
  for (const [name, value] of Object.entries({ idle, silence }))
    if (value !== undefined)
      throw new InputError(
        [name],
        "not needed with `run`, which starts the server anew in each world and waits for all that it does",
      );
  const urls = [url ?? []].flat();
  if (urls.length > 1)
    throw new InputError(["url"], "expected one address, which names the port at which `run` is asked");
  for (const each of urls) mustNamePort(each);
  const taken = new Set<string>();
  for (const name of Object.keys(dependencies)) {
    const key = keyOfDependency(name);
    if (taken.has(key))
      throw new InputError(["dependencies", name], `${key} is the address of another one already`);
    taken.add(key);
  }
}

function mustBeAddress(url: string, keys: Keys = ["url"]): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new InputError(keys, `expected the address of a server such as http://127.0.0.1:8000, got ${url}`);
}

/** When a request to the REST API is served, and what may hold it back. */
function makeRestTurn(simulator: Simulator, server: ExploredServer, request: Request): Turn {
  const ask = () => simulator.fetch(request);
  return {
    // no time passes while a program starts, so what it asks before it listens must not fail
    serve: () => (server.isStarting ? runAsProperty(ask) : ask()),
    untilHeld: () => simulator.services.restTraffic.untilNextHeld(),
  };
}

/** Asks a server for what must succeed before a world. @throws {InputError} with the option if it does not */
async function mustTake(
  brokeAt: string | undefined,
  key: string,
  path: string,
  send: () => Promise<HttpAnswer>,
): Promise<void> {
  let answer: HttpAnswer;
  try {
    answer = await send();
  } catch (error) {
    const since =
      brokeAt === undefined ? "" : `. Its connection broke at ${brokeAt} of an earlier world: ${ADVICE}`;
    throw new InputError([key], `${readErrorMessage(error)}${since}`);
  }
  mustBeGoodFor(key, `${key === "idle" ? "GET" : "POST"} ${path}`, answer);
}

/** @throws {InputError} with the option and the answer, unless that is 2xx */
function mustBeGoodFor(key: string, request: string, answer: HttpAnswer): void {
  try {
    mustBeGood(request, answer);
  } catch (error) {
    throw new InputError([key], readErrorMessage(error));
  }
}

/** What to do about a server that ends in a world. */
const ADVICE = "restart the server whenever it ends, so that the other worlds can run";

/** How many characters of an answer a message shows. */
const LONGEST = 1_000;

/** @throws with the answer, unless its status is good: 2xx if nothing else is said */
function mustBeGood(
  request: string,
  answer: HttpAnswer,
  isGood = (status: number) => status >= 200 && status < 300,
  expected = "2xx",
): void {
  if (isGood(answer.status)) return;
  const text = textOf(answer);
  throw new Error(
    `${request} answered ${answer.status}, expected ${expected}${text === "" ? "" : `: ${text}`}`,
  );
}

/** The beginning of an answer's body. */
const textOf = ({ body }: HttpAnswer): string => body.trim().slice(0, LONGEST);

/** What tells when a server only waits; undefined if nothing does. @param isIdle asks it */
function makeQuiescence(
  { idle, silenceMs, run }: Wiring,
  simulator: Simulator,
  { dependencies }: ExploredServer,
  isIdle: () => Promise<{ readonly waiting: number } | undefined>,
): Quiescence | undefined {
  if (idle === undefined && silenceMs === undefined && run === undefined) return undefined;
  return new Quiescence(
    silenceMs === undefined ? { isIdle } : { silenceMs },
    () => simulator.services.restTraffic.heldCount + dependencies.heldCount,
  );
}

/** The number of answers that a program waits for; undefined if it is busy. */
async function isProgramIdle(
  server: ExploredServer,
  isOver: () => boolean,
): Promise<{ readonly waiting: number } | undefined> {
  const { program } = server;
  // as it starts it may ask before it listens
  if (program === undefined) return { waiting: 0 };
  try {
    return await program.isIdle(() => server.sending);
  } catch (error) {
    if (isOver()) return { waiting: 0 };
    throw error;
  }
}

/** The number of answers that a server waits for; undefined if it is busy. */
function isIdleAnswer({ status, body }: HttpAnswer): { readonly waiting: number } | undefined {
  if (status < 200 || status >= 300) return undefined;
  try {
    const { waiting } = JSON.parse(body) as { readonly waiting?: unknown };
    return { waiting: typeof waiting === "number" ? waiting : 0 };
  } catch {
    return { waiting: 0 }; // the body is optional and may be anything
  }
}

/**
 * The former name of `httpApp`.
 * @deprecated Now `httpApp`.
 * @param options as for `httpApp`
 * @throws {InputError} as `httpApp`
 * @example
 * import { httpSubject } from "ringback/explore";
 *
 * httpSubject({ url: "http://127.0.0.1:8000", reset: "/reset" }).instances; // => 1
 */
export function httpSubject(options: HttpAppOptions): ServerApp {
  return httpApp(options);
}

/**
 * The former name of `HttpApp`.
 * @deprecated Now `HttpApp`.
 */
export type HttpSubject = HttpApp;

/**
 * The former name of `HttpAppOptions`.
 * @deprecated Now `HttpAppOptions`.
 */
export type HttpSubjectOptions = HttpAppOptions;

/**
 * The former name of `ServerApp`.
 * @deprecated Now `ServerApp`.
 */
export type ServerSubject = ServerApp;
