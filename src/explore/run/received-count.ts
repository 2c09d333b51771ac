import type { RequestRecord } from "../../core/records/request.ts";
import type { PropertyFailure } from "../../findings/property-failure.ts";
import { refusalIn } from "./refuses.ts";
import type { RestInterceptor } from "./rest-interceptor.ts";
import type { AppTrace } from "./trace.ts";
import { isPlain, type World } from "./world.ts";

/** What the app has received in a world. */
export class ReceivedCount {
  /** How many requests and callbacks. */
  private count = 0;
  /** The ids of those requests; undefined in worlds that are not judged by how the app answers. */
  private readonly requests: Set<string> | undefined;
  /** How many of those callbacks are timers of the app. */
  private timerRuns = 0;

  constructor(
    private readonly world: World,
    private readonly trace: AppTrace,
    private readonly restInterceptor: RestInterceptor,
  ) {
    this.requests = world.wanted.unjudged !== true && isPlain(world) ? new Set() : undefined;
  }

  addRequest({ id }: RequestRecord): void {
    this.count++;
    this.requests?.add(id);
  }

  addCallback(isTimer: boolean): void {
    this.count++;
    if (isTimer) this.timerRuns++;
  }

  /** How much it has received: requests, answers, callbacks, and events if it listens to any. */
  get total(): number {
    return this.count - this.trace.requests + this.fromOutside;
  }

  /** … and how much of that without callbacks. */
  get fromOutside(): number {
    const { log } = this.world.simulator.services.engine;
    return this.trace.requests + this.restInterceptor.passedAnswers + (log.hasListeners ? log.total : 0);
  }

  /** Whether it has received anything but its own timers. */
  get isAny(): boolean {
    return this.total > this.timerRuns;
  }

  /** That the app refuses true events; none in worlds that are not judged by how it answers. */
  get refusal(): PropertyFailure[] {
    const { requests, world } = this;
    if (requests === undefined) return [];
    const refusal = refusalIn(world.simulator, requests, world.setup.recordedRun.hasUntil);
    return refusal === undefined ? [] : [refusal];
  }
}
