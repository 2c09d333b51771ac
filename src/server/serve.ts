import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { InputError } from "../core/foundation/errors.ts";
import { ConnectionLost } from "../core/network/connection-lost.ts";
import type { Urls } from "../core/platform/declare/urls.ts";
import type { EndpointHandler } from "../core/platform/network/network-api.ts";
import { readJson } from "../core/rest/body.ts";
import type { JournalDocument, Retain } from "../core/simulator/options.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import type { AppRun } from "../inspector/data.ts";
import { Access, type AccessOptions, isLoopback, newToken, readAccess } from "./access.ts";
import { Clock, type Pace, stopwatch, wallClockMs } from "./clock.ts";
import { answerControl, CONTROL_DOCUMENT, CONTROL_PREFIX, type ControlledServer } from "./control-plane.ts";
import { ControlError, errorAnswer } from "./errors.ts";
import { JournalFile } from "./journal-file.ts";
import { livePage } from "./live-page.ts";
import { Load } from "./load.ts";
import { outbound } from "./outbound.ts";
import { type Page, TRIAL_PATH } from "./page.ts";
import { readableRequest } from "./readable-request.ts";
import { mustNotRaiseLimits } from "./reset-limits.ts";
import { ServerSentStreams } from "./server-sent.ts";
import type { Trial } from "./trial.ts";

/** The options of a server. */
export interface ServeOptions {
  /** The port. Default 0: any free one, which `url` names. */
  readonly port?: number;
  /**
   * The address to listen on. Default `127.0.0.1`, which only this machine can reach. With any other, the control
   * plane needs a token.
   */
  readonly host?: string;
  /** How time passes. Default `virtual`: only by the control plane. */
  readonly pace?: Pace;
  /**
   * Whether the run began in the present. Then a reset also begins in the present, unless it says otherwise. Default
   * false: a reset begins where the run began.
   */
  readonly startsNow?: boolean;
  /** Whether webhooks, data actions and returns without a route are sent as real requests. Default true. */
  readonly outbound?: boolean;
  /** The base URL in answers, if it is not the server's own, as behind a proxy. */
  readonly publicUrl?: string;
  /** Further host names of the server. Default: none. */
  readonly hosts?: readonly string[];
  /** Origins of web pages that may send requests. `*` allows any, but not for the control plane. Default: none. */
  readonly cors?: string | readonly string[];
  /**
   * The token of the control plane. Default: none if only this machine can reach the server, otherwise a random one.
   */
  readonly token?: string;
  /**
   * A file to which the journal is written during the run. It must not exist, unless it is the one that is resumed.
   */
  readonly journal?: string;
  /**
   * After how many lines the journal file is compacted: a snapshot of the state takes the place of what led to it, and
   * earlier instants are gone. 0 for never. Default: 10,000 if `retain` limits what the simulator keeps, otherwise never.
   */
  readonly compact?: number;
  /** The journal from which the simulator goes on, and its file. */
  readonly resumed?: { readonly path: string; readonly journal: JournalDocument };
  /**
   * A URL that is posted to before the page plays the run again for the webhooks' receivers, upon which they forget
   * everything. The body is that of `reset` of `httpSubject`. Default: none.
   */
  readonly reset?: string;
  /** Makes the page at `/`. Default: the inspector, which follows the run. */
  readonly page?: Page;
  /** Called after each answered request. */
  readonly onRequest?: (served: ServedRequest) => void;
  /** Gets errors for which no request waits. Default: a warning of the process. */
  readonly onError?: (error: unknown) => void;
}

/** A request that a server answered. */
export interface ServedRequest {
  /** The method, such as `GET`. */
  readonly method: string;
  /** The path with its query, but without a token in it. */
  readonly path: string;
  /** The status of the answer. */
  readonly status: number;
  /** How long the answer took, in real ms. */
  readonly durationMs: number;
}

/** A running server. */
export interface SimulatorServer {
  /**
   * The server's URL, such as `http://127.0.0.1:51234`: the base of the REST API, the token endpoint and the control
   * plane.
   */
  readonly url: string;
  /** The token of the control plane; undefined if it needs none. */
  readonly token: string | undefined;
  /** The simulator that is served. A reset replaces it. */
  readonly simulator: Simulator;
  /**
   * Resolves once the server is closed: with undefined after `close()`, otherwise with the error that closed it, such
   * as a journal that cannot be written.
   */
  readonly ended: Promise<Error | undefined>;
  /**
   * Ends streams, runs and requests under way, stops time and frees the port. The simulator stays usable.
   * @example
   * import { serve } from "ringback/node";
   *
   * const server = await serve(sim, { port: 0 });
   * await server.close();
   * await server.ended; // => undefined
   * sim.calls.list().length; // => 0
   */
  close(): Promise<void>;
}

/** The prefix of every URL. Any other route is longer, and wins. */
const EVERYWHERE = "";
/** The servers of each simulator that would send its requests, in the order in which they started. The first does. */
const sendersOf = new WeakMap<Simulator, Set<HttpServer>>();
/** How long open requests may still take when the server closes, ms. */
const GRACE_MS = 300;

/**
 * Serves a simulator over HTTP: the REST API at `/`, the token endpoint at `/oauth/token`, the redirect handler at
 * `/telephony/redirect`, its document at `/openapi.json`, and the control plane at `/_sim/`. URLs in answers begin
 * with the server's own address.
 * @param simulator the simulator to serve
 * @param options where to listen, how time passes, and who may send requests
 * @throws {RangeError} for an invalid pace
 * @throws {InputError} for an invalid `publicUrl`, `hosts`, `cors` or `token`
 * @throws any error of listening on the port, such as `EADDRINUSE`
 * @example
 * import { serve } from "ringback/node";
 *
 * const server = await serve(sim, { port: 0 });
 * const answer = await fetch(`${server.url}/users`, { headers: { authorization: `Bearer ${sim.token()}` } });
 * answer.status; // => 200
 * await server.close();
 */
export function serve(simulator: Simulator, options: ServeOptions = {}): Promise<SimulatorServer> {
  return serveNew(() => simulator, options);
}

/**
 * Like `serve`, but makes the simulator once the server's address is known, so that URLs in all its events are right.
 * @param make makes the simulator, given the base URLs of the server
 * @param options as for `serve`
 * @example
 * import { serveNew } from "ringback/node";
 *
 * const server = await serveNew((urls) => createSimulator({ urls, seed: 7 }), { port: 0 });
 * server.simulator.urls.api === server.url; // => true
 * await server.close();
 */
export async function serveNew(
  make: (urls: Urls) => Simulator,
  options: ServeOptions = {},
): Promise<SimulatorServer> {
  const served = new HttpServer(options);
  await served.listen(make);
  return served;
}

/** The last answer of each connection: resolves when the client has taken it. */
const lastAnswers = new WeakMap<Socket, Promise<void>>();

/**
 * Waits until the client has taken the answers to its requests before. A client that sends many at once and reads nothing
 * then has one answer in memory, and not a thousand.
 */
async function turnOf({ socket }: { readonly socket?: Socket }, answer: ServerResponse): Promise<void> {
  if (socket === undefined) return;
  const before = lastAnswers.get(socket);
  lastAnswers.set(
    socket,
    new Promise((resolve) => {
      answer.once("close", () => resolve());
    }),
  );
  await before;
}

class HttpServer implements SimulatorServer, ControlledServer {
  simulator!: Simulator;
  url = "";
  token: string | undefined;
  readonly clock: Clock;
  readonly streams = new ServerSentStreams();
  readonly load = new Load();
  problem: string | null = null;
  private access!: Access;
  private readonly accessOptions: AccessOptions;
  private journalFile: JournalFile | undefined;
  /** Ends the pauses between the steps of the simulator's runs. */
  private stopBreathing: (() => void) | undefined;
  private readonly server: Server;
  private readonly closing = new AbortController();
  private closePromise: Promise<void> | undefined;
  private isSending = false;
  /** The run that is played again for the page. */
  private trial: Trial | undefined;
  /** The error that closes the server. */
  private fatalError: Error | undefined;
  readonly ended: Promise<Error | undefined>;
  private resolveEnded!: (error: Error | undefined) => void;

  constructor(private readonly options: ServeOptions) {
    const { hosts = [], cors = [], token, publicUrl } = options;
    // checked before listening
    this.accessOptions = readAccess({ hosts, cors: [cors].flat(), token, publicUrl });
    this.clock = new Clock(
      options.pace ?? "virtual",
      () => this.simulator,
      (error) => this.reportError(error),
      () => this.journalFile?.mark(this.clock.factor === 0),
    );
    const listener = getRequestListener(
      async (request, { incoming, outgoing }) => {
        await turnOf(incoming as { socket?: Socket }, outgoing as ServerResponse);
        this.load.measure(outgoing as ServerResponse);
        return this.answer(request, incoming as IncomingMessage);
      },
      {
        // the globals belong to the consumer
        overrideGlobalObjects: false,
        errorHandler: (error) =>
          errorAnswer(new ControlError(400, "bad_request", String((error as Error).message))),
      },
    );
    this.server = createServer(listener);
    // clients close idle connections: after a pause of this process, one of them may have just been used again
    this.server.keepAliveTimeout = 0;
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve;
    });
  }

  async listen(make: (urls: Urls) => Simulator): Promise<void> {
    const { port = 0, host = "127.0.0.1" } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(port, host, () => {
        this.server.off("error", reject);
        resolve();
      });
    });
    const { address, family, port: actual } = this.server.address() as AddressInfo;
    this.url = `http://${reachableHost(address, family)}:${actual}`;
    const { accessOptions } = this;
    this.token = accessOptions.token ?? (isLoopback(address) ? undefined : newToken());
    const named = [address, host, ...accessOptions.hosts, new URL(this.urls.api).host];
    this.access = new Access({ ...accessOptions, hosts: named, token: this.token });
    try {
      await this.openJournal();
      this.simulator = make(this.urls);
      this.journalFile?.begin(this.simulator);
    } catch (error) {
      this.journalFile?.close();
      this.server.close();
      throw error;
    }
    if (this.simulator.urls.api !== this.urls.api) this.simulator.serverPort.moveTo(this.urls);
    this.attach();
    this.load.start();
    this.clock.start();
  }

  private async openJournal(): Promise<void> {
    const { journal, resumed } = this.options;
    if (journal === undefined) return;
    this.journalFile = await JournalFile.open(journal, {
      resumed,
      compactAfter: ({ options }) => compactAfter(this.options.compact, options.retain),
      onFailure: (error) => this.closeWithError(error),
      onProblem: (error) => this.reportError(error),
    });
  }

  /** Serves a new simulator with the same options except the given ones, once the current run is over. */
  async restart(changes: Readonly<Record<string, unknown>>): Promise<Simulator> {
    this.clock.interrupt();
    const restarted = await this.clock.run((before) => {
      const start = this.options.startsNow === true ? { start: wallClockMs() } : {};
      const fresh = before.restart({ ...start, ...changes, urls: this.urls });
      this.stopSending();
      this.stopBreathing?.();
      this.simulator = fresh;
      this.problem = null;
      this.journalFile?.restart(fresh);
      this.attach();
      this.streams.reset(fresh);
      return fresh;
    });
    await this.clock.settle();
    return restarted;
  }

  mustNotRaiseLimits(options: Readonly<Record<string, unknown>>): void {
    mustNotRaiseLimits(this.simulator.options, options);
  }

  close(): Promise<void> {
    this.closePromise ??= this.shutDown();
    return this.closePromise;
  }

  private async shutDown(): Promise<void> {
    const portFreed = new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
    this.streams.close();
    this.load.stop();
    this.closing.abort();
    await this.clock.stop();
    this.stopBreathing?.();
    await this.simulator.serverPort.lateSettled();
    this.stopSending();
    this.journalFile?.close();
    this.server.closeIdleConnections();
    const grace = setTimeout(() => this.server.closeAllConnections(), GRACE_MS);
    await portFreed;
    clearTimeout(grace);
    this.resolveEnded(this.fatalError);
  }

  /** Closes the server, rather than going on without the journal that was asked for. */
  private closeWithError(error: Error): void {
    this.fatalError = error;
    this.reportError(error);
    void this.close();
  }

  private get urls(): Urls {
    const base = this.accessOptions.publicUrl ?? this.url;
    return { api: base, auth: base, redirect: base };
  }

  private attach(): void {
    this.stopBreathing = this.simulator.serverPort.attach({ beforeStep: this.clock.betweenSteps });
    this.startSending();
  }

  private startSending(): void {
    if (this.options.outbound === false) return;
    const { network } = this.simulator;
    sendersOf.set(this.simulator, (sendersOf.get(this.simulator) ?? new Set()).add(this));
    // another server has it, or the consumer has a route for everything
    if (network.routes.includes(EVERYWHERE)) return;
    network.route(EVERYWHERE, this.endpointSender());
    this.isSending = true;
  }

  /** Sends requests to real endpoints. */
  private endpointSender(): EndpointHandler {
    const { options } = this.simulator;
    return outbound({
      limitMs: options.timing.endpointTimeout,
      allowsLocal: options.allowLocal,
      closing: this.closing.signal,
      interrupted: () => this.clock.interrupted,
    });
  }

  private stopSending(): void {
    const senders = sendersOf.get(this.simulator);
    senders?.delete(this);
    if (!this.isSending) return;
    this.simulator.network.unroute(EVERYWHERE);
    this.isSending = false;
    senders?.values().next().value?.startSending();
  }

  private async answer(request: Request, incoming: IncomingMessage): Promise<Response> {
    const elapsedMs = stopwatch();
    const answered = await this.answerIfAllowed(request, incoming);
    const response = this.fatalError === undefined ? answered : errorAnswer(this.fatalError);
    for (const [name, value] of Object.entries(this.access.corsHeaders(request)))
      response.headers.set(name, value);
    // nobody reads a body that is too long to its end
    if (response.status === 413) response.headers.set("connection", "close");
    const url = new URL(request.url);
    url.searchParams.delete("token");
    const { method } = request;
    const { status } = response;
    this.options.onRequest?.({ method, path: url.pathname + url.search, status, durationMs: elapsedMs() });
    return response;
  }

  private async answerIfAllowed(request: Request, incoming: IncomingMessage): Promise<Response> {
    const socket = incoming.socket as Socket | undefined;
    try {
      this.access.mustNameThisServer(request, socket?.localAddress);
      const preflight = this.access.preflight(request);
      if (preflight !== undefined) return preflight;
      if (request.method === "TRACE")
        throw new ControlError(405, "method_not_allowed", "TRACE is not served");
      this.access.mustComeFromAllowedPage(request);
      // it may be waiting for the lock of its journal
      if ((this.simulator as Simulator | undefined) === undefined)
        throw new ControlError(503, "starting", "the server is starting: try again in a moment");
      const { pathname } = new URL(request.url);
      if (isRead(request) && pathname === CONTROL_DOCUMENT) return await this.controlDocument();
      if (pathname.startsWith(CONTROL_PREFIX)) {
        this.access.mustBeAllowedToControl(request);
        const asked = await readableRequest(request, incoming);
        if (pathname === TRIAL_PATH && request.method === "POST")
          return Response.json(await this.runTrial(asked));
        return await answerControl(this, asked);
      }
      if (isRead(request) && pathname === "/") return await this.page();
      if (isRead(request) && pathname === "/openapi.json") return await this.document();
      return await this.answerApi(await readableRequest(request, incoming));
    } catch (error) {
      // a lost connection gets no answer
      if (error instanceof ConnectionLost) socket?.destroy();
      else if ((error as Error).name !== "ControlError" && !request.signal.aborted) this.reportError(error);
      return errorAnswer(error);
    }
  }

  private async answerApi(request: Request): Promise<Response> {
    if (this.trial !== undefined) return this.trial.answer(new Request(...readdressed(request)));
    const answer = await this.simulator.fetch(...readdressed(request));
    // not awaited: the platform answers, then notifies others
    if (answer.ok && !isRead(request)) void this.clock.settle();
    return answer;
  }

  /** Whether requests can be sent to the webhooks' receivers again: no route answers in their place. */
  private get hasReceivers(): boolean {
    return this.isSending && this.simulator.network.routes.length === 1;
  }

  /** Plays the run again for the page, with other deviations. */
  private async runTrial(request: Request): Promise<AppRun> {
    // loaded here, because few servers need it
    const { resetApp, readTrial, Trial } = await import("./trial.ts");
    const deviations = readTrial(await readJson(request));
    if (!this.hasReceivers)
      throw new ControlError(
        409,
        "conflict",
        "this server sends no requests, so there is no app to play for",
      );
    let played: AppRun | undefined;
    await this.clock.runLong(
      () => null,
      request.signal,
      async (recorded) => {
        const send = this.endpointSender();
        await resetApp(this.options.reset, recorded, this.urls.api, send);
        const trial = new Trial(recorded, recorded.journal(), deviations, send, this.clock.factor === 0);
        trial.simulator.serverPort.attach({ beforeStep: this.clock.betweenSteps });
        this.trial = trial;
        try {
          played = await trial.play().catch((error: unknown) => {
            throw error instanceof InputError ? new ControlError(409, "conflict", error.message) : error;
          });
        } finally {
          this.trial = undefined;
          trial.simulator.dispose();
        }
      },
    );
    if (played === undefined) throw new ControlError(409, "conflict", "the trial was interrupted");
    return played;
  }

  private async page(): Promise<Response> {
    const { simulator, clock, token } = this;
    const make = this.options.page ?? livePage;
    const isGuarded = token !== undefined;
    const html = await make({
      url: this.urls.api,
      simulator,
      pace: clock.pace,
      isGuarded,
      hasReceivers: this.hasReceivers,
    });
    return new Response(html, {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      },
    });
  }

  /**
   * The document, with examples from this simulator. Anyone may read it, so it shows no secret if a token is needed.
   */
  private async document(): Promise<Response> {
    return Response.json(
      await this.simulator.openapi({ examples: "here", secrets: this.token === undefined }),
    );
  }

  /** The document of the control plane. Anyone may read it: its examples are of another run. */
  private async controlDocument(): Promise<Response> {
    const { controlDocument } = await import("./control-document.ts");
    return Response.json(await controlDocument(this.simulator, this.urls.api));
  }

  private reportError(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.problem) return; // the same at every tick
    this.problem = message;
    if (this.options.onError === undefined) process.emitWarning(message, "RingbackWarning");
    else this.options.onError(error);
  }
}

/** After how many lines a journal is compacted if the run keeps only the newest of something. */
const COMPACT_AFTER = 10_000;

/** After how many lines of its journal a server compacts it; infinity for never. */
export function compactAfter(given: number | undefined, retain: Retain): number {
  const isBounded = Object.values(retain).some((bound) => typeof bound === "number");
  const lines = given ?? (isBounded ? COMPACT_AFTER : 0);
  return lines === 0 ? Number.POSITIVE_INFINITY : lines;
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/** An address as URLs write it. For all addresses of this machine, one that can be reached. */
function reachableHost(address: string, family: string): string {
  if (address === "0.0.0.0") return "127.0.0.1";
  if (address === "::") return "[::1]";
  return family === "IPv6" ? `[${address}]` : address;
}

/**
 * The same request in the runtime's own class, at a host of this machine, where the simulator serves everything
 * whatever name the client used.
 */
function readdressed(request: Request): [url: string, init: RequestInit] {
  const { method, headers } = request;
  const body = isRead(request) ? null : request.body;
  const url = new URL(request.url);
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) url.hostname = "localhost";
  return [url.href, { method, headers, ...(body === null ? {} : { body, duplex: "half" }) } as RequestInit];
}
