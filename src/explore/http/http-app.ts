import { untilQuiet, untilStill } from "../../core/engine/quiet.ts";
import { InputError, type Keys, messageOf } from "../../core/foundation/errors.ts";
import { type DurationInput, durationMs, iso } from "../../core/foundation/instants.ts";
import { show } from "../../core/foundation/show.ts";
import { omit } from "../../core/foundation/values.ts";
import type { NoAnswerInput } from "../../core/network/answer.ts";
import type { EndpointRequest } from "../../core/network/endpoint-request.ts";
import { toWire } from "../../core/platform/declare/wire-names.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { realTimeMs, sleepRealTime } from "../../findings/real-time.ts";
import { DependencyProxies, type Turn } from "./dependency-proxies.ts";
import { type HttpAnswer, HttpClient } from "./http-client.ts";
import { NoAnswer } from "./no-answer.ts";
import { Quiescence } from "./quiescence.ts";
import { runCommand } from "./restart-command.ts";
import { ServerRequests } from "./server-requests.ts";
import { platformStateOf } from "./state-oracle.ts";
import { WorldAddress } from "./world-address.ts";

/** The address of a running server, and how to talk to it. */
export interface HttpAppOptions {
  /**
   * The server's base URL, such as `http://127.0.0.1:8000`. Several URLs are instances of the same server that share
   * nothing: each runs a world of its own, side by side.
   */
  readonly url: string | readonly string[];
  /**
   * A path that makes the server forget everything. It gets a POST before each world, with the body
   * `{ "now": …, "api": …, "clientId": …, "clientSecret": … }`: the virtual time in ISO 8601, for a server that checks the
   * age of requests; the base URL of the world's REST API; and the credentials for `/oauth/token` there.
   */
  readonly reset: string;
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
   * must keep what a restart must not lose, with what `reset` told it. `RINGBACK_SERVER` in the command's environment is the
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
interface Wiring extends Pick<HttpAppOptions, "reset" | "idle" | "on" | "headers" | "restart"> {
  readonly silenceMs: number | undefined;
}

const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");
const json = { "content-type": "application/json" };

/** How long to wait for a server that ended, ms, and how long between two attempts. */
const BACK_MS = 5_000;
/** How long a restart may take, ms. */
const RESTART_MS = 30_000;
const AGAIN_MS = 50;

/** One instance of the server. It runs one world at a time. */
class Instance {
  readonly client: HttpClient;
  readonly rest = new WorldAddress();
  readonly dependencies: DependencyProxies;
  /** The request at which its connection broke; undefined once it answers again. */
  brokeAt: string | undefined;

  constructor(
    readonly url: string,
    dependencies: Readonly<Record<string, string>>,
  ) {
    this.client = new HttpClient(url);
    this.dependencies = new DependencyProxies(dependencies);
  }

  /**
   * Runs the command that restarts the server, and waits until it answers again, whatever it answers.
   * @param path the path that is asked
   * @param goesOn is called as long as this goes on
   * @throws {InputError} if the command fails, or the server does not answer within 30 s
   */
  async restart(command: string, path: string, goesOn: () => void): Promise<void> {
    const endMs = realTimeMs() + RESTART_MS;
    const run = runCommand(command, { RINGBACK_SERVER: this.url });
    let ended: string | undefined;
    void run.ended.then((problem) => {
      ended = problem;
    });
    for (; ended === undefined; goesOn()) {
      if (realTimeMs() > endMs) {
        run.kill();
        throw new InputError(["restart"], `\`${command}\` did not end within ${RESTART_MS / 1_000} s`);
      }
      await sleepRealTime(AGAIN_MS);
    }
    if (ended !== "") throw new InputError(["restart"], `\`${command}\` ${ended}`);
    this.client.disconnect();
    for (; ; goesOn())
      try {
        await this.client.send(path, { method: "GET", headers: {}, body: "" });
        break;
      } catch (error) {
        if (realTimeMs() > endMs)
          throw new InputError(
            ["restart"],
            `the server at ${this.url} does not answer after \`${command}\`: ${messageOf(error)}`,
          );
        await sleepRealTime(AGAIN_MS);
      }
    this.brokeAt = undefined;
  }

  /** Waits up to 5 s until a server that ended answers again, in case something restarts it. */
  async isBack(reset: string): Promise<void> {
    // counted in attempts: if the machine pauses this process, the server may be up when it goes on
    for (let left = BACK_MS / AGAIN_MS; this.brokeAt !== undefined && left > 0; left--) {
      try {
        await this.client.send(reset, { method: "POST", headers: json, body: "{}" });
        this.brokeAt = undefined;
      } catch {
        await sleepRealTime(AGAIN_MS); // it is not up yet
      }
    }
  }
}

/** The server, as the app of one world. */
export class HttpApp {
  private isOver = false;
  /** How many requests the server is handling. */
  private handling = 0;
  /** How often it was restarted. */
  private restarts = 0;
  /** Whether it is restarted once it has answered, so that what it does then is not waited for. */
  private isToRestart = false;
  private readonly quiescence: Quiescence | undefined;
  private readonly requests: ServerRequests;

  constructor(
    private readonly wiring: Wiring,
    private readonly simulator: Simulator,
    private readonly instance: Instance,
    release: () => void,
  ) {
    const { idle, silenceMs, on = ["https://", "http://"] } = wiring;
    if (idle !== undefined || silenceMs !== undefined) {
      const isIdle = async () => isIdleAnswer(await this.send(idle ?? "/", "GET"));
      this.quiescence = new Quiescence(
        idle === undefined ? { silenceMs: silenceMs ?? 0 } : { isIdle },
        () => simulator.services.restTraffic.heldCount + instance.dependencies.heldCount,
      );
    }
    const { quiescence } = this;
    this.requests = new ServerRequests(quiescence);
    const settle = async () => quiescence?.settle();
    // the server runs in real time
    simulator.services.engine.probes.attach(
      quiescence === undefined
        ? { untilStill, untilQuiet, untilDone: untilQuiet }
        : { untilStill: settle, untilQuiet: settle, untilDone: settle },
    );
    for (const prefix of on) simulator.network.route(prefix, (request) => this.receive(request));
    // requests of one world must not reach the next
    const end = async () => {
      this.isOver = true;
      quiescence?.end();
      instance.rest.end();
      instance.dependencies.end();
      instance.client.abort();
      release();
    };
    Object.defineProperty(this, asyncDispose, { value: end });
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

  private postTruth(path: string): Promise<HttpAnswer> {
    const { fieldNames } = this.simulator.services.settings.dialect;
    const body = JSON.stringify(toWire(platformStateOf(this.simulator), fieldNames));
    return this.send(path, "POST", json, body);
  }

  /**
   * Lets the server forget everything, as it does before each world.
   * @throws {InputError} if the server does not answer or refuses
   * @example
   * await server.reset();
   */
  async reset(): Promise<void> {
    const { reset, idle } = this.wiring;
    const { clientId, clientSecret } = this.simulator.credentials;
    const { rest, dependencies: needed } = this.instance;
    const api = await rest.begin((request) => this.requests.serve(request, this.restTurnOf(request)));
    const dependencies = await needed.begin(this.simulator, (request, turn) =>
      this.requests.serve(request, turn),
    );
    const now = iso(this.simulator.timestamp);
    const body = JSON.stringify({ now, api, clientId, clientSecret, dependencies });
    await this.mustTake("reset", reset, () => this.send(reset, "POST", json, body));
    if (idle !== undefined) await this.mustTake("idle", idle, () => this.send(idle, "GET"));
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
    this.restarts++;
    const isBack = instance.restart(wiring.restart ?? "", wiring.idle ?? "/", goesOn);
    quiescence?.restart(isBack);
    this.requests.restart();
    try {
      await isBack;
      // what it goes on with when it starts
      await quiescence?.drain();
    } finally {
      this.isToRestart = false;
    }
  }

  private async mustTake(key: string, path: string, send: () => Promise<HttpAnswer>): Promise<void> {
    let answer: HttpAnswer;
    const { brokeAt } = this.instance;
    try {
      answer = await send();
    } catch (error) {
      const since =
        brokeAt === undefined ? "" : `. Its connection broke at ${brokeAt} of an earlier world: ${ADVICE}`;
      throw new InputError(["server"], `${messageOf(error)}${since}`);
    }
    try {
      mustBeGood(`${key === "idle" ? "GET" : "POST"} ${path}`, answer);
    } catch (error) {
      throw new InputError([key], (error as Error).message);
    }
  }

  private async send(
    path: string,
    method: string,
    headers: Readonly<Record<string, string>> = {},
    body = "",
  ): Promise<HttpAnswer> {
    const { client, url } = this.instance;
    const { restarts } = this;
    try {
      return await client.send(path, { method, headers: { ...headers, ...this.wiring.headers }, body });
    } catch (error) {
      const { message } = error as Error;
      if (restarts !== this.restarts) throw new RestartedMeanwhile(message);
      if (!this.isOver) this.instance.brokeAt ??= `${method} ${path}`;
      if (message === "socket hang up")
        throw new NoAnswer(
          `${method} ${path}: the server at ${url} closed the connection without an answer, as one does that fails at a request`,
        );
      throw new Error(`${method} ${path}: the server at ${url} cannot be reached: ${message}`);
    }
  }

  private restTurnOf(request: Request): Turn {
    return {
      serve: () => this.simulator.fetch(request),
      untilHeld: () => this.simulator.services.restTraffic.untilNextHeld(),
    };
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
      const answer = await this.send(`${pathname}${search}`, method, others, body).finally(() =>
        this.requests.noteAnswered(),
      );
      if (!this.isOver && !this.isToRestart) await this.quiescence?.drain();
      return answer;
    } catch (error) {
      if (error instanceof RestartedMeanwhile) return { failure: "refused", reason: "the server restarts" };
      throw error;
    } finally {
      this.handling--;
    }
  }
}

/** Thrown if the connection of a request broke because the server was restarted. */
class RestartedMeanwhile extends Error {
  override readonly name = "RestartedMeanwhile";
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
  const { reset, idle, on, headers, silence, restart, dependencies = {} } = options;
  const wiring: Wiring = { reset, idle, on, headers, restart, silenceMs: silenceMsOf(silence) };
  if (idle !== undefined && silence !== undefined)
    throw new InputError(["silence"], "expected only one of `idle` and `silence`");
  const urls = [options.url].flat();
  if (urls.length === 0) throw new InputError(["url"], "expected the address of at least one server");
  for (const [index, url] of urls.entries()) {
    mustBeAddress(url);
    if (urls.indexOf(url) !== index)
      throw new InputError(["url"], `${url} is given twice: a server can run only one world at a time`);
  }
  for (const [name, url] of Object.entries(dependencies)) mustBeAddress(url, ["dependencies", name]);
  const free = urls.map((url) => new Instance(url, dependencies));
  const waiting: (() => void)[] = [];
  const take = async (): Promise<Instance> => {
    const instance = free.shift();
    if (instance !== undefined) return instance;
    await new Promise<void>((resolve) => void waiting.push(resolve));
    return take();
  };
  const app = async (simulator: Simulator) => {
    const instance = await take();
    const release = () => {
      free.push(instance);
      waiting.shift()?.();
    };
    const server = new HttpApp(wiring, simulator, instance, release);
    try {
      await server.reset();
    } catch (error) {
      release();
      throw error;
    }
    return server;
  };
  const instances = [...free];
  const isBack = async () => {
    for (const each of instances) if (each.brokeAt !== undefined) await each.isBack(reset);
  };
  return Object.assign(app, { instances: urls.length, isBack, hasRestartCommand: restart !== undefined });
}

/** A running server as an app. */
export interface ServerApp {
  (simulator: Simulator): Promise<HttpApp>;
  /** How many worlds can run side by side. */
  readonly instances: number;
  /** Whether it has a command that restarts it. */
  readonly hasRestartCommand: boolean;
  /** @internal Resolves when each server that broke a connection answers again, or after 5 s. */
  isBack(): Promise<void>;
}

function silenceMsOf(silence: DurationInput | undefined): number | undefined {
  const ms = silence === undefined ? undefined : durationMs(silence);
  if (silence !== undefined && ms === undefined)
    throw new InputError(["silence"], `expected a duration such as PT0.02S, got ${show(silence)}`);
  return ms;
}

function mustBeAddress(url: string, keys: Keys = ["url"]): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new InputError(keys, `expected the address of a server such as http://127.0.0.1:8000, got ${url}`);
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
