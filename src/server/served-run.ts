import type { IncomingMessage } from "node:http";
import { InputError } from "../core/foundation/errors.ts";
import { equalsInConstantTime } from "../core/network/hmac.ts";
import { isThisMachine, type Urls } from "../core/platform/declare/urls.ts";
import type { EndpointHandler } from "../core/platform/network/network-api.ts";
import { bearerTokenOf } from "../core/rest/bearer.ts";
import { readJson } from "../core/rest/body.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import type { AppRun } from "../inspector/data.ts";
import { readDesk } from "../inspector/template.ts";
import type { Access } from "./access.ts";
import { epochMs, type Pace, ServerClock } from "./clock.ts";
import {
  answerControl,
  CONTROL_DOCUMENT,
  CONTROL_PREFIX,
  type ControlledServer,
  type ControlledWorlds,
} from "./control-plane.ts";
import { ControlError } from "./errors.ts";
import { livePage } from "./live-page.ts";
import type { Load } from "./load.ts";
import { outboundSender } from "./outbound.ts";
import { type Page, TRIAL_PATH } from "./page.ts";
import { readableRequest } from "./readable-request.ts";
import { mustNotRaiseLimits } from "./reset-limits.ts";
import { ServerSentStreams } from "./server-sent.ts";
import type { Trial } from "./trial.ts";

/** Hears of the simulators that a server serves. */
export interface RunListener {
  follow(simulator: Simulator): void;
  end(simulator: Simulator): void;
}

/** What a run takes from the server that serves it. */
export interface RunHost {
  readonly options: {
    readonly pace?: Pace;
    readonly startsNow?: boolean;
    readonly outbound?: boolean;
    readonly reset?: string;
    readonly page?: Page;
    readonly desk?: boolean;
  };
  /** Hears of each run; undefined if nobody notes what they send. */
  readonly notes?: RunListener | undefined;
  /** The token of the control plane; undefined if it needs none. */
  readonly token: string | undefined;
  readonly access: Access;
  readonly load: Load;
  /** Gets an error for which no request waits. */
  onError(error: unknown): void;
}

/** What is particular to one run of a server. */
export interface ServedRunOptions {
  /** The token of a world, good for its REST API and for its control plane; undefined for the server's own run. */
  readonly worldToken?: string;
  /** Called after each run of time. */
  readonly onTime?: () => void;
  /** Called when a reset has begun a new run. */
  readonly onRestart?: (simulator: Simulator) => void;
}

/** The prefix of every URL. Any other route is longer, and wins. */
const EVERYWHERE = "";
/** The runs of each simulator that would send its requests, in the order in which they started. The first does. */
const sendersOf = new WeakMap<Simulator, Set<ServedRun>>();

/**
 * One simulator that a server serves, with its time, its streams and its requests to real endpoints: the server's own, or
 * a world.
 */
export class ServedRun implements ControlledServer {
  simulator!: Simulator;
  /** The base of the run's URLs, as answers write it. */
  url = "";
  readonly clock: ServerClock;
  readonly streams = new ServerSentStreams();
  readonly load: Load;
  /** The worlds that its control plane makes; undefined if it makes none. */
  worlds: ControlledWorlds | undefined;
  problem: string | null = null;
  /** Ends the pauses between the steps of the simulator's runs. */
  private stopBreathing: (() => void) | undefined;
  private readonly closing = new AbortController();
  private isSending = false;
  /** The run that is played again for the page. */
  private trial: Trial | undefined;

  /** @throws {RangeError} for an invalid pace */
  constructor(
    private readonly host: RunHost,
    private readonly run: ServedRunOptions,
  ) {
    this.load = host.load;
    this.clock = new ServerClock(
      host.options.pace ?? "virtual",
      () => this.simulator,
      (error) => this.reportError(error),
      () => run.onTime?.(),
    );
  }

  /**
   * Begins to serve.
   * @param url the base of its URLs
   * @param make makes its simulator
   */
  async begin(url: string, make: (urls: Urls) => Simulator | Promise<Simulator>): Promise<void> {
    this.url = url;
    const simulator = await make(this.urls);
    if (simulator.urls.api !== url) simulator.serverPort.moveTo(this.urls);
    this.simulator = simulator;
    this.host.notes?.follow(simulator);
    this.attach();
    this.clock.start();
  }

  private get urls(): Urls {
    return { api: this.url, auth: this.url, redirect: this.url };
  }

  /** Serves a new simulator with the same options except the given ones, once the current run is over. */
  async restart(changes: Readonly<Record<string, unknown>>): Promise<Simulator> {
    this.clock.interrupt();
    const restarted = await this.clock.run((before) => {
      const fresh = this.fresh(changes, this.urls, before);
      this.host.notes?.end(before);
      this.host.notes?.follow(fresh);
      this.detach();
      this.simulator = fresh;
      this.problem = null;
      this.run.onRestart?.(fresh);
      this.attach();
      this.streams.reset(fresh);
      return fresh;
    });
    await this.clock.settle();
    return restarted;
  }

  /** A simulator at the beginning of a run, with the options of this one's and the given changes. */
  fresh(changes: Readonly<Record<string, unknown>>, urls: Urls, like = this.simulator): Simulator {
    const start = this.host.options.startsNow === true ? { start: epochMs() } : {};
    return like.restart({ ...start, ...changes, urls });
  }

  mustNotRaiseLimits(options: Readonly<Record<string, unknown>>): void {
    mustNotRaiseLimits(this.simulator.options, options);
  }

  /** Ends streams, requests to endpoints and time. The simulator stays usable. */
  async end(): Promise<void> {
    this.streams.close();
    this.closing.abort();
    await this.clock.stop();
    if (this.isStarting) return;
    this.stopBreathing?.();
    await this.simulator.serverPort.lateSettled();
    this.stopSending();
    this.host.notes?.end(this.simulator);
  }

  /** Answers a request that came from where it may. @throws what `errorAnswer` takes */
  async answer(request: Request, incoming: IncomingMessage): Promise<Response> {
    // it may be waiting for the lock of its journal
    if (this.isStarting)
      throw new ControlError(503, "starting", "the server is starting: try again in a moment");
    const { pathname } = new URL(request.url);
    if (isRead(request) && pathname === CONTROL_DOCUMENT) return this.controlDocument();
    if (pathname.startsWith(CONTROL_PREFIX)) {
      this.host.access.mustBeAllowedToControl(request, this.run.worldToken);
      const asked = await readableRequest(request, incoming);
      if (pathname === TRIAL_PATH && request.method === "POST")
        return Response.json(await this.runTrial(asked));
      return answerControl(this, asked);
    }
    if (isRead(request) && pathname === "/") return this.page();
    if (isRead(request) && this.host.options.desk === true && /^\/desk(\/[^/]*)?$/.test(pathname))
      return htmlAnswer(readDesk());
    if (isRead(request) && pathname === "/openapi.json") return this.document();
    return this.answerApi(await readableRequest(request, incoming));
  }

  reportError(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.problem) return; // the same at every tick
    this.problem = message;
    this.host.onError(error);
  }

  private get isStarting(): boolean {
    return (this.simulator as Simulator | undefined) === undefined;
  }

  private attach(): void {
    this.stopBreathing = this.simulator.serverPort.attach({ beforeStep: this.clock.betweenSteps });
    this.startSending();
  }

  private detach(): void {
    this.stopSending();
    this.stopBreathing?.();
  }

  private startSending(): void {
    if (this.host.options.outbound === false) return;
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
    return outboundSender({
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

  private async answerApi(request: Request): Promise<Response> {
    if (this.trial !== undefined)
      return this.trial.answer(new Request(...readdressed(request, this.simulator)));
    const [url, init] = readdressed(request, this.simulator);
    const answer = await this.simulator.fetch(url, { ...init, headers: this.headersFor(request) });
    // not awaited: the platform answers, then notifies others
    if (answer.ok && !isRead(request)) void this.clock.settle();
    return answer;
  }

  /** The headers of a request to the REST API, with an access token in place of the world's token. */
  private headersFor(request: Request): Headers {
    const { headers } = request;
    const { worldToken } = this.run;
    const given = bearerTokenOf(request);
    if (worldToken === undefined || given === undefined || !equalsInConstantTime(given, worldToken))
      return headers;
    const exchanged = new Headers([...headers]);
    exchanged.set("authorization", `Bearer ${this.simulator.token()}`);
    return exchanged;
  }

  /** Whether requests can be sent to the apps behind the webhooks again: no route answers in their place. */
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
        await resetApp(this.host.options.reset, recorded, this.url, send);
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
    const { simulator, clock, url, host, hasReceivers } = this;
    const make = host.options.page ?? livePage;
    const isGuarded = host.token !== undefined;
    const hasDesk = host.options.desk === true;
    const html = await make({ url, simulator, pace: clock.pace, isGuarded, hasReceivers, hasDesk });
    return htmlAnswer(html);
  }

  /**
   * The document, with examples from this simulator. Anyone may read it, so it shows no secret if a token is needed.
   */
  private async document(): Promise<Response> {
    return Response.json(
      await this.simulator.openapi({ examples: "here", secrets: this.host.token === undefined }),
    );
  }

  /** The document of the control plane. Anyone may read it: its examples are of another run. */
  private async controlDocument(): Promise<Response> {
    const { controlDocument } = await import("./control-document.ts");
    return Response.json(await controlDocument(this.simulator, this.url));
  }
}

function htmlAnswer(html: string): Response {
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    },
  });
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * The same request in the runtime's own class, at a host of this machine, where the simulator serves everything
 * whatever name the client used. The path of a world, which was taken off, is put back.
 */
function readdressed(request: Request, { urls }: Simulator): [url: string, init: RequestInit] {
  const { method, headers } = request;
  const body = isRead(request) ? null : request.body;
  const url = new URL(request.url);
  if (!isThisMachine(url)) url.hostname = "localhost";
  const own = new URL(urls.api);
  if (own.host === url.host && own.pathname !== "/") url.pathname = own.pathname + url.pathname;
  return [url.href, { method, headers, ...(body === null ? {} : { body, duplex: "half" }) } as RequestInit];
}
