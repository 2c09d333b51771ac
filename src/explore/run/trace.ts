import type { Deviation, ReachedPoint } from "../../core/engine/deviations.ts";
import { afterwards } from "../../core/foundation/values.ts";
import { treeText, type ValueTree } from "../../core/narration/app-state.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { FailureState, TracedRequest } from "../../findings/explain.ts";
import { unroutedIn } from "./platform-acts.ts";
import { asksDatabaseTime } from "./real-clock.ts";
import { RepeatedRequests } from "./repeated-requests.ts";
import type { RestartPlaces } from "./restart-places.ts";
import { horizonTrouble, type Trouble, troublesIn } from "./troubles.ts";
import { typeOf } from "./webhook-requests.ts";
import type { ExecutionRequest } from "./world-run.ts";

/** Keeps what happens to the app of a world, as far as it is wanted. */
export class AppTrace {
  /** The deviation points, in the order of the run. */
  points: readonly ReachedPoint[] = [];
  /** What the app received, with the app's state after it. */
  readonly received: TracedRequest[] = [];
  /** When the first failure of each property was found, and the app's state then. */
  readonly judged = new Map<string, FailureState>();
  /** How many requests it received. */
  requests = 0;
  /** The app's state once it was built. */
  firstState: ValueTree | undefined;
  /** What the app has received since the app's state was last recorded. */
  private untraced: Omit<TracedRequest, "state" | "tree">[] = [];
  /** The ids of the requests that it received. */
  private readonly ids = new Set<string>();
  private readonly types = new Set<string>();
  private readonly repeated: RepeatedRequests;
  private stateNow: () => ValueTree | undefined | Promise<ValueTree | undefined> = () => undefined;

  /**
   * @param outside what the app asks files and other services
   * @param onNews called when the app asks something new of the REST API, or is answered otherwise than before
   */
  constructor(
    private readonly simulator: Simulator,
    private readonly wanted: ExecutionRequest,
    private readonly outside: RestartPlaces,
    onNews: () => void,
  ) {
    this.repeated = new RepeatedRequests(simulator, onNews);
    if (wanted.points !== true) return;
    const { deviations } = simulator.services.engine;
    const points: ReachedPoint[] = [];
    this.points = points;
    deviations.watch((point, options) => points.push({ point, options }));
  }

  /** Forgets the requests to the REST API of this instant: there are too many for a world with each. */
  forgetRequestsOfNow(): void {
    const { engine } = this.simulator.services;
    const at = engine.now - engine.options.startMs;
    this.points = this.points.filter(({ point }) => point.what !== "rest" || point.at !== at);
  }

  /** The event types that webhooks delivered to the app. */
  private get deliveredTypes(): readonly string[] {
    return [...this.types];
  }

  /** The app's own requests to the REST API, without ids and parameters. */
  private get asked(): readonly string[] {
    return this.wanted.trace === true ? askedIn(this.simulator) : [];
  }

  /** The URLs of requests without a route, each once. */
  private get unrouted(): readonly string[] {
    return unroutedIn(this.simulator.services.network.requests());
  }

  /** Begins to keep the app's states, once it is built. @param stateNow returns the state */
  begin(stateNow: typeof this.stateNow): void | Promise<void> {
    this.stateNow = stateNow;
    if (this.wanted.trace !== true) return undefined;
    return afterwards(stateNow(), (state) => {
      this.firstState = state;
    });
  }

  /** Keeps a request that the app receives. */
  receive(request: RequestRecord): void {
    const { engine } = this.simulator.services;
    this.requests++;
    const type = this.wanted.deliveredTypes === true ? typeOf(request) : undefined;
    if (type !== undefined) this.types.add(type);
    if (this.wanted.trace !== true) return;
    this.ids.add(request.id);
    this.untraced.push(traceReceived(request, engine.now - engine.options.startMs));
  }

  /** Keeps the app's state after what it received last. */
  noteState(): void | Promise<void> {
    if (this.untraced.length === 0) return undefined;
    const received = this.untraced;
    this.untraced = [];
    return afterwards(this.stateNow(), (tree) => {
      const state = tree && treeText(tree);
      for (const each of received) this.received.push({ state, tree, ...each });
    });
  }

  /** Keeps the app's state when a property was found broken. @param isOver whether that was at the end */
  noteJudged(property: string, isOver: boolean): void | Promise<void> {
    if (this.wanted.trace !== true) return undefined;
    const { engine } = this.simulator.services;
    const at = engine.now - engine.options.startMs;
    return afterwards(this.stateNow(), (tree) => void this.judged.set(property, { at, isOver, tree }));
  }

  /**
   * What it adds to the world's result.
   * @param isTouched whether the app received anything
   * @param timersBeyondHorizon the delays of its timers that come after the horizon, in ms
   */
  result(isTouched: boolean, deviations: readonly Deviation[], timersBeyondHorizon: readonly number[]) {
    const points = this.outside.offered(this.repeated.offered(this.points));
    const { received: trace, judged, firstState, asked, unrouted, deliveredTypes } = this;
    const troubles = this.troubles(isTouched, deviations, timersBeyondHorizon);
    return { points, trace, judged, troubles, firstState, asked, unrouted, deliveredTypes };
  }

  /**
   * What went wrong between the platform and the app.
   * @param isTouched whether the app received anything
   * @param timersBeyondHorizon the delays of its timers that come after the horizon, in ms
   */
  private troubles(
    isTouched: boolean,
    deviations: readonly Deviation[],
    timersBeyondHorizon: readonly number[],
  ): readonly Trouble[] {
    if (this.wanted.trace !== true) return [];
    return [
      ...troublesIn(this.simulator, this.ids, isTouched, deviations),
      ...timersBeyondHorizon.map((ms) => horizonTrouble(ms)),
      ...asksDatabaseTime(this.simulator),
    ];
  }
}

/** The trace's entry for a request: `call.started` and its attempt, or the name of a data action. */
function traceReceived(request: RequestRecord, at: number): Omit<TracedRequest, "state" | "tree"> {
  const [of = "", attempt] = request.subject.split(", attempt ");
  return { at, of, attempt: attempt === undefined ? undefined : Number(attempt) };
}

/** The requests that were made to the REST API, without ids and parameters. */
function askedIn({ rest }: Simulator): string[] {
  return rest.requests.map(
    ({ method, path }) => `${method} ${path.replace(/\?.*/, "").replaceAll(/\/[^/]*\d[^/]*/g, "/…")}`,
  );
}
