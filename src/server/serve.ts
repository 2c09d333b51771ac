import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { DurationInput } from "../core/foundation/instants.ts";
import { ConnectionLost } from "../core/network/connection-lost.ts";
import type { Urls } from "../core/platform/declare/urls.ts";
import type { JournalDocument, Retain } from "../core/simulator/options.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { Access, type AccessOptions, isLoopback, newToken, readAccess } from "./access.ts";
import { type Pace, stopwatch } from "./clock.ts";
import { answerForError, ControlError } from "./errors.ts";
import { JournalFile } from "./journal-file.ts";
import { Load } from "./load.ts";
import type { Page } from "./page.ts";
import { type RunListener, ServedRun } from "./served-run.ts";
import { readWorldLimits } from "./world-input.ts";
import { ServerWorlds } from "./worlds.ts";

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
   * A URL that is posted to before the page plays the run again for the apps behind the webhooks, upon which they forget
   * everything. The body is that of `reset` of `httpApp`. Default: none.
   */
  readonly reset?: string;
  /** How many worlds there may be at once, which `POST /_sim/worlds` makes. 0 for none. Default: 256. */
  readonly worlds?: number;
  /** After how much real time in which nobody asks it for anything a world ends. Default: ten minutes. */
  readonly worldIdle?: DurationInput;
  /**
   * Whether there is a desk at `/desk`: a page with a phone for each person, with buttons for what they can do now. Default:
   * false.
   */
  readonly desk?: boolean;
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

/** How long open requests may still take when the server closes, ms. */
const GRACE_MS = 300;

/**
 * Serves a simulator over HTTP: the REST API at `/`, the token endpoint at `/oauth/token`, the redirect handler at
 * `/telephony/redirect`, its document at `/openapi.json`, and the control plane at `/_sim/`. URLs in answers begin
 * with the server's own address. What a simulator sent before it is served has other URLs: a function makes one once the
 * address is known, so that URLs in all its events are right.
 * @param simulator the simulator to serve, or a function that makes it, given the base URLs of the server
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
 *
 * const other = await serve((urls) => createSimulator({ urls, seed: 7 }), { port: 0 });
 * other.simulator.urls.api === other.url; // => true
 * await other.close();
 */
export async function serve(
  simulator: Simulator | ((urls: Urls) => Simulator),
  options: ServeOptions = {},
): Promise<SimulatorServer> {
  const served = new HttpServer(options);
  await served.listen(typeof simulator === "function" ? simulator : () => simulator);
  return served;
}

/** As `serve`, for a command. @param notes hears of each run, the worlds among them, when it begins and when it ends */
export async function serveWithNotes(
  make: (urls: Urls) => Simulator,
  notes: RunListener | undefined,
  options: ServeOptions,
): Promise<SimulatorServer> {
  const served = new HttpServer(options, notes);
  await served.listen(make);
  return served;
}

/**
 * Serves a simulator that is made once the server's address is known.
 * @deprecated `serve` takes the same.
 * @param make makes the simulator, given the base URLs of the server
 * @param options as for `serve`
 * @example
 * import { serveNew } from "ringback/node";
 *
 * const server = await serveNew((urls) => createSimulator({ urls, seed: 7 }), { port: 0 });
 * server.simulator.urls.api === server.url; // => true
 * await server.close();
 */
export function serveNew(
  make: (urls: Urls) => Simulator,
  options: ServeOptions = {},
): Promise<SimulatorServer> {
  return serve(make, options);
}

/** The last answer of each connection: resolves when the client has taken it. */
const lastAnswers = new WeakMap<Socket, Promise<void>>();

/**
 * Waits until the client has taken the answers to its requests before. A client that sends many at once and reads nothing
 * then has one answer in memory, and not a thousand.
 */
async function awaitTurn({ socket }: { readonly socket?: Socket }, answer: ServerResponse): Promise<void> {
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

class HttpServer implements SimulatorServer {
  url = "";
  token: string | undefined;
  access!: Access;
  readonly load = new Load();
  readonly ended: Promise<Error | undefined>;
  /** The run at the server's own URL. */
  private readonly own: ServedRun;
  private readonly worlds: ServerWorlds;
  private readonly accessOptions: AccessOptions;
  private journalFile: JournalFile | undefined;
  private readonly server: Server;
  private closePromise: Promise<void> | undefined;
  /** The error that closes the server. */
  private fatalError: Error | undefined;
  private resolveEnded!: (error: Error | undefined) => void;

  constructor(
    readonly options: ServeOptions,
    readonly notes?: RunListener,
  ) {
    const { hosts = [], cors = [], token, publicUrl } = options;
    // checked before listening
    this.accessOptions = readAccess({ hosts, cors: [cors].flat(), token, publicUrl });
    this.own = new ServedRun(this, {
      onTime: () => this.journalFile?.mark(this.own.clock.factor === 0),
      onRestart: (simulator) => this.journalFile?.restart(simulator),
    });
    this.worlds = new ServerWorlds(this.own, this, readWorldLimits(options));
    this.own.worlds = this.worlds;
    const listener = getRequestListener(
      async (request, { incoming, outgoing }) => {
        await awaitTurn(incoming as { socket?: Socket }, outgoing as ServerResponse);
        this.load.measure(outgoing as ServerResponse);
        return this.answer(request, incoming as IncomingMessage);
      },
      {
        // the globals belong to the consumer
        overrideGlobalObjects: false,
        errorHandler: (error) =>
          answerForError(new ControlError(400, "bad_request", String((error as Error).message))),
      },
    );
    this.server = createServer((incoming, outgoing) => {
      takeWorldFrom(incoming);
      return listener(incoming, outgoing);
    });
    // clients close idle connections: after a pause of this process, one of them may have just been used again
    this.server.keepAliveTimeout = 0;
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve;
    });
  }

  get simulator(): Simulator {
    return this.own.simulator;
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
    const url = accessOptions.publicUrl ?? this.url;
    const named = [address, host, ...accessOptions.hosts, new URL(url).host];
    this.access = new Access({ ...accessOptions, hosts: named, token: this.token });
    try {
      await this.openJournal();
      await this.own.begin(url, (urls) => {
        const simulator = make(urls);
        this.journalFile?.begin(simulator);
        return simulator;
      });
    } catch (error) {
      this.journalFile?.close();
      this.server.close();
      throw error;
    }
    this.load.start();
  }

  private async openJournal(): Promise<void> {
    const { journal, resumed } = this.options;
    if (journal === undefined) return;
    this.journalFile = await JournalFile.open(journal, {
      resumed,
      compactAfter: ({ options }) => compactAfter(this.options.compact, options.retain),
      onFailure: (error) => this.closeWithError(error),
      onProblem: (error) => this.own.reportError(error),
    });
  }

  close(): Promise<void> {
    this.closePromise ??= this.shutDown();
    return this.closePromise;
  }

  private async shutDown(): Promise<void> {
    const portFreed = new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
    this.load.stop();
    await Promise.all([this.own.end(), this.worlds.endAll()]);
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
    this.own.reportError(error);
    void this.close();
  }

  private async answer(request: Request, incoming: IncomingMessage): Promise<Response> {
    const elapsedMs = stopwatch();
    const answered = await this.answerIfAllowed(request, incoming);
    const response = this.fatalError === undefined ? answered : answerForError(this.fatalError);
    for (const [name, value] of Object.entries(this.access.corsHeaders(request)))
      response.headers.set(name, value);
    // nobody reads a body that is too long to its end
    if (response.status === 413) response.headers.set("connection", "close");
    const url = new URL(request.url);
    url.searchParams.delete("token");
    const { method } = request;
    const { status } = response;
    const path = `${prefixOf(incoming)}${url.pathname}${url.search}`;
    this.options.onRequest?.({ method, path, status, durationMs: elapsedMs() });
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
      const world = worldOf.get(incoming);
      return await (world === undefined
        ? this.own.answer(request, incoming)
        : this.worlds.answer(world, request, incoming));
    } catch (error) {
      // a lost connection gets no answer
      if (error instanceof ConnectionLost) socket?.destroy();
      else if ((error as Error).name !== "ControlError" && !request.signal.aborted)
        this.own.reportError(error);
      return answerForError(error);
    }
  }

  onError(error: unknown): void {
    const { onError } = this.options;
    if (onError !== undefined) onError(error);
    else process.emitWarning(error instanceof Error ? error.message : String(error), "RingbackWarning");
  }
}

/** The id of the world that a request is for. Its path is then as it would be without. */
const worldOf = new WeakMap<IncomingMessage, string>();

/** Takes the world's part from the path of a request, as a router does that mounts another. */
function takeWorldFrom(incoming: IncomingMessage): void {
  const [, origin = "", id, rest = ""] =
    /^(https?:\/\/[^/]+)?\/w\/([^/?#]+)(.*)$/.exec(incoming.url ?? "") ?? [];
  if (id === undefined) return;
  worldOf.set(incoming, id);
  incoming.url = `${origin}${rest.startsWith("/") ? "" : "/"}${rest}`;
}

function prefixOf(incoming: IncomingMessage): string {
  const id = worldOf.get(incoming);
  return id === undefined ? "" : `/w/${id}`;
}

/** After how many lines a journal is compacted if the run keeps only the newest of something. */
const COMPACT_AFTER = 10_000;

/** After how many lines of its journal a server compacts it; infinity for never. */
export function compactAfter(given: number | undefined, retain: Retain): number {
  const isBounded = Object.values(retain).some((bound) => typeof bound === "number");
  const lines = given ?? (isBounded ? COMPACT_AFTER : 0);
  return lines === 0 ? Number.POSITIVE_INFINITY : lines;
}

/** An address as URLs write it. For all addresses of this machine, one that can be reached. */
function reachableHost(address: string, family: string): string {
  if (address === "0.0.0.0") return "127.0.0.1";
  if (address === "::") return "[::1]";
  return family === "IPv6" ? `[${address}]` : address;
}
