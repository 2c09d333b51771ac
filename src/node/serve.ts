import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Simulator } from "../simulator.ts";
import { Clock, type Pace } from "./clock.ts";
import { answerControl, CONTROL_PREFIX, type Controlled } from "./control-plane.ts";
import { ControlError, errorAnswer } from "./errors.ts";
import { outbound } from "./outbound.ts";
import { ServerSentStreams } from "./server-sent.ts";

/** How a simulator is served. */
export interface ServeOptions {
  /** Default 0: any that is free; `url` has it. */
  readonly port?: number;
  /** Default `127.0.0.1`: reachable from this machine alone. */
  readonly host?: string;
  /** How time passes. Default `virtual`: only by the control plane. */
  readonly pace?: Pace;
  /** Webhooks and data actions for which the simulator has no route go out as real requests. Default true. */
  readonly outbound?: boolean;
  /** Hears of what goes wrong where no request waits for it. Default: a warning of the process. */
  readonly onError?: (error: unknown) => void;
}

/** A simulator that is served. */
export interface SimulatorServer {
  /** Where it is, such as `http://127.0.0.1:51234`: base of the REST API, the token endpoint and the control plane. */
  readonly url: string;
  /** The simulator that is served: another one after a reset. */
  readonly simulator: Simulator;
  /** Ends streams and requests on their way, lets time stand still, and frees the port. The simulator stays. */
  close(): Promise<void>;
}

/** The prefix of every URL: any other route is longer, and counts. */
const EVERYWHERE = "";
/** The servers of each simulator that would send its requests out, in the order in which they began: the first does. */
const sendersOf = new WeakMap<Simulator, Set<Served>>();
/** How long requests that are still being answered may take when the server closes, ms. */
const GRACE_MS = 500;

/**
 * Serves a simulator over HTTP: the REST API at `/`, the token endpoint at `/oauth/token`, the redirect handler at
 * `/telephony/redirect`, and the control plane at `/_sim/`.
 * @throws {RangeError} for a pace that is none; whatever listening on the port fails with, such as `EADDRINUSE`
 */
export async function serve(simulator: Simulator, options: ServeOptions = {}): Promise<SimulatorServer> {
  const served = new Served(simulator, options);
  await served.listen();
  return served;
}

class Served implements SimulatorServer, Controlled {
  simulator: Simulator;
  url = "";
  readonly clock: Clock;
  readonly streams = new ServerSentStreams();
  problem: string | null = null;
  private readonly server: Server;
  private readonly closing = new AbortController();
  private closed: Promise<void> | undefined;
  private sendsOut = false;

  constructor(
    simulator: Simulator,
    private readonly options: ServeOptions,
  ) {
    this.simulator = simulator;
    this.clock = new Clock(
      options.pace ?? "virtual",
      () => this.simulator,
      (error) => this.failed(error),
    );
    const listener = getRequestListener((request) => this.answer(request), {
      // the globals are the consumer's
      overrideGlobalObjects: false,
      errorHandler: (error) =>
        errorAnswer(new ControlError(400, "bad_request", String((error as Error).message))),
    });
    this.server = createServer(listener);
  }

  async listen(): Promise<void> {
    const { port = 0, host = "127.0.0.1" } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(port, host, () => {
        this.server.off("error", reject);
        resolve();
      });
    });
    const { address, family, port: actual } = this.server.address() as AddressInfo;
    this.url = `http://${family === "IPv6" ? `[${address}]` : address}:${actual}`;
    this.sendOut();
    this.clock.start();
  }

  /** Serves another simulator with the same options but these, once what runs is over. */
  async restart(changes: Readonly<Record<string, unknown>>): Promise<void> {
    await this.clock.run((before) => {
      const fresh = before.restart(changes);
      this.keepIn();
      this.simulator = fresh;
      this.problem = null;
      this.sendOut();
      this.streams.reset(fresh);
    });
    await this.clock.settle();
  }

  close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  private async end(): Promise<void> {
    const freed = new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
    this.streams.close();
    this.closing.abort();
    await this.clock.stop();
    this.keepIn();
    this.server.closeIdleConnections();
    const grace = setTimeout(() => this.server.closeAllConnections(), GRACE_MS);
    await freed;
    clearTimeout(grace);
  }

  private sendOut(): void {
    if (this.options.outbound === false) return;
    const { network, options } = this.simulator;
    sendersOf.set(this.simulator, (sendersOf.get(this.simulator) ?? new Set()).add(this));
    // another server's; and one of the consumer's for everything is a route as well
    if (network.routes.includes(EVERYWHERE)) return;
    const handler = outbound(options.timing.endpointTimeout, this.clock.factor > 0, this.closing.signal);
    network.route(EVERYWHERE, handler);
    this.sendsOut = true;
  }

  private keepIn(): void {
    const senders = sendersOf.get(this.simulator);
    senders?.delete(this);
    if (!this.sendsOut) return;
    this.simulator.network.unroute(EVERYWHERE);
    this.sendsOut = false;
    senders?.values().next().value?.sendOut();
  }

  private async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(CONTROL_PREFIX)) return answerControl(this, request);
    if (request.method === "TRACE")
      return errorAnswer(new ControlError(405, "method_not_allowed", "TRACE is not served"));
    try {
      const answer = await this.simulator.fetch(...addressedHere(request));
      // not waited for: the platform answers, then tells others
      if (answer.ok && !isRead(request)) void this.clock.settle();
      return answer;
    } catch (error) {
      // who went away in the middle of a request hears of nothing
      if (!request.signal.aborted) this.failed(error);
      return errorAnswer(error);
    }
  }

  private failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.problem) return; // at every tick the same
    this.problem = message;
    if (this.options.onError === undefined) process.emitWarning(message, "RingbackWarning");
    else this.options.onError(error);
  }
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * The same request in the runtime's own class, at a host of this machine: by whatever name the server was reached, the
 * simulator serves everything at such a host.
 */
function addressedHere(request: Request): [url: string, init: RequestInit] {
  const { method, headers, body } = request;
  const url = new URL(request.url);
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) url.hostname = "localhost";
  const hasBody = !isRead(request) && body !== null;
  return [url.href, { method, headers, ...(hasBody ? { body, duplex: "half" } : {}) } as RequestInit];
}
