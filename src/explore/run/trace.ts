import type { ReachedPoint } from "../../core/engine/deviations.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { Received } from "../../findings/explain.ts";
import { typeOf } from "./mutants.ts";
import type { ExecutionRequest } from "./world-run.ts";

/** Keeps what happens to the subject of a world, as far as it is wanted. */
export class SubjectTrace {
  /** The deviation points, in the order of the run. */
  readonly points: ReachedPoint[] = [];
  /** What the subject received, with the app's state after it. */
  readonly received: Received[] = [];
  /** How many requests it received. */
  requests = 0;
  /** The app's state once it was built. */
  firstState: string | undefined;
  /** What the subject has received since the app's state was last recorded. */
  private untraced: Omit<Received, "state">[] = [];
  private readonly types = new Set<string>();
  private stateNow: () => string | undefined = () => undefined;

  constructor(
    private readonly simulator: Simulator,
    private readonly wanted: ExecutionRequest,
  ) {
    if (wanted.points !== true) return;
    const { deviations } = simulator.services.engine;
    deviations.watch((point, options) => this.points.push({ point, options }));
  }

  /** The event types that webhooks delivered to the subject. */
  get deliveredTypes(): readonly string[] {
    return [...this.types];
  }

  /** The subject's own requests to the REST API, without ids and parameters. */
  get asked(): readonly string[] {
    return this.wanted.trace === true ? askedIn(this.simulator) : [];
  }

  /** The URLs of requests without a route, each once. */
  get unrouted(): readonly string[] {
    return unroutedIn(this.simulator.services.network.requests());
  }

  /** Begins to keep the app's states, once it is built. @param stateNow returns the state */
  begin(stateNow: () => string | undefined): void {
    this.stateNow = stateNow;
    if (this.wanted.trace === true) this.firstState = stateNow();
  }

  /** Keeps a request that the subject receives. */
  receive(request: RequestRecord): void {
    const { engine } = this.simulator.services;
    this.requests++;
    const type = this.wanted.deliveredTypes === true ? typeOf(request) : undefined;
    if (type !== undefined) this.types.add(type);
    if (this.wanted.trace === true)
      this.untraced.push(receivedOf(request, engine.now - engine.options.startMs));
  }

  /** Keeps the app's state after what it received last. */
  noteState(): void {
    if (this.untraced.length === 0) return;
    const state = this.stateNow();
    for (const each of this.untraced) this.received.push({ state, ...each });
    this.untraced = [];
  }
}

/** The trace's entry for a request: `call.started` and its attempt, or the name of a data action. */
function receivedOf(request: RequestRecord, at: number): Omit<Received, "state"> {
  const [of = "", attempt] = request.subject.split(", attempt ");
  return { at, of, attempt: attempt === undefined ? undefined : Number(attempt) };
}

/** The requests that were made to the REST API, without ids and parameters. */
function askedIn({ rest }: Simulator): string[] {
  return rest.requests.map(
    ({ method, path }) => `${method} ${path.replace(/\?.*/, "").replaceAll(/\/[^/]*\d[^/]*/g, "/…")}`,
  );
}

/** The URLs of requests without a route, each once. */
function unroutedIn(requests: Iterable<RequestRecord>): string[] {
  const addresses: string[] = [];
  for (const { to, isUnrouted } of requests) if (isUnrouted) addresses.push(to.replace(/\?.*/, ""));
  return addresses.length === 0 ? addresses : [...new Set(addresses)];
}
