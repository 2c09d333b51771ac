import type { AgendaItem } from "../../engine/agenda.ts";
import { ForkableList } from "../../engine/collections.ts";
import { iso } from "../../engine/instants.ts";
import type { Base } from "../base.ts";
import { capability, command } from "../capability.ts";
import {
  type RestFaultArguments,
  type RestServedArguments,
  restFaultSchema,
  restServedSchema,
} from "./commands.ts";

/** A request to the REST API and its answer. */
export interface RestRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: string;
  readonly status: number;
  /** The body of the answer. */
  readonly answer: string;
  /** When it was answered: ISO 8601, UTC. */
  readonly at: string;
  /** The same in milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** The client whose access token it had, or which asked for one; null for a token that nobody was given. */
  readonly by: string | null;
  /** A fault answered instead of the platform, or held the answer back. */
  readonly isFault: boolean;
}

/** What a fault does to one request. */
export interface MetFault {
  /** Undefined: the platform answers, late. */
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly afterMs: number;
}

interface RestFault extends MetFault {
  readonly path: string | undefined;
  readonly method: string | undefined;
  readonly untilMs: number;
  readonly timesLeft: number;
}

export interface State {
  readonly requests: ForkableList<RestRequest>;
  /** The newest last, which counts first. */
  readonly faults: RestFault[];
  /** How many answers were ever held back: each has its number. */
  readonly held: { count: number };
}

const HELD = "rest.held";

/** What was asked of the REST API, and what troubles it. */
export class RestTraffic {
  readonly tasks = { [HELD]: ({ data }: AgendaItem) => this.release(data as number) };
  /** Who waits for an answer that is held back: outside the state, since nobody does in a fork or a replay. */
  private readonly waiting = new Map<number, () => void>();

  constructor(
    private readonly world: Base,
    private readonly state: State,
  ) {}

  fault(args: RestFaultArguments): void {
    const { path, method, status, retryAfter, times, for: forMs, after = 0 } = args;
    const { faults } = this.state;
    if (times === 0) {
      const others = faults.filter((each) => each.path !== path || each.method !== method);
      faults.splice(0, faults.length, ...others);
      return;
    }
    const isLateOnly = status === undefined && after > 0;
    faults.push({
      path,
      method,
      status: isLateOnly ? undefined : (status ?? 503),
      retryAfterMs: retryAfter,
      afterMs: after,
      untilMs: forMs === undefined ? Number.POSITIVE_INFINITY : this.world.engine.now + forMs,
      timesLeft: times ?? Number.POSITIVE_INFINITY,
    });
  }

  /** The fault that a request meets now. @param isApi it is for the API itself, and not for a token or a redirect */
  faultOf(method: string, path: string, isApi: boolean): MetFault | undefined {
    return this.state.faults.findLast((fault) => this.hits(fault, method, path, isApi));
  }

  /** Keeps a request and its answer. @returns a number to wait for with `held`, where the answer comes later */
  keep(args: RestServedArguments): number | undefined {
    const { engine, settings } = this.world;
    const { method, path, body, status, answer, by, isFault = false, after = 0 } = args;
    if (isFault) this.count(method, path);
    const { requests } = this.state;
    const at = engine.now + after;
    requests.push(
      Object.freeze({
        ...{ method, path, body, status, answer },
        ...{ at: iso(at), timestamp: at, by: by ?? null, isFault },
      }),
    );
    if (requests.length > settings.keep.requests) requests.dropFirst(settings.keep.requests);
    if (after === 0) return undefined;
    const number = ++this.state.held.count;
    engine.schedule(after, HELD, path, `the late answer to ${method} ${path}`, number);
    return number;
  }

  /** Waits until virtual time has come to an answer that is held back. */
  held(number: number): Promise<void> {
    return new Promise((resolve) => this.waiting.set(number, resolve));
  }

  /** How many wait so. */
  get heldCount(): number {
    return this.waiting.size;
  }

  requests(): RestRequest[] {
    return [...this.state.requests];
  }

  private release(number: number): void {
    this.waiting.get(number)?.();
    this.waiting.delete(number);
  }

  private hits({ path, method, untilMs }: RestFault, asked: string, at: string, isApi: boolean): boolean {
    if (this.world.engine.now >= untilMs || (method !== undefined && method !== asked)) return false;
    if (path === undefined) return isApi;
    const only = at.replace(/\?.*$/, "");
    return only === path || only.startsWith(`${path.replace(/\/$/, "")}/`);
  }

  private count(method: string, path: string): void {
    const { faults } = this.state;
    const isApi = !/^\/(oauth|telephony)\//.test(path);
    const index = faults.findLastIndex((fault) => this.hits(fault, method, path, isApi));
    const fault = faults[index];
    if (fault === undefined) return;
    if (fault.timesLeft <= 1) faults.splice(index, 1);
    else faults[index] = { ...fault, timesLeft: fault.timesLeft - 1 };
  }
}

/** The REST API as its clients meet it. */
export const restTraffic = capability({
  begin: (): State => ({ requests: new ForkableList(), faults: [], held: { count: 0 } }),
  make: (world: Base, state) => new RestTraffic(world, state),
  tasks: (it) => it.tasks,
  commands: {
    restFault: command(restFaultSchema, (it: RestTraffic, args) => it.fault(args)),
    restServed: command(restServedSchema, (it: RestTraffic, args) => it.keep(args)),
  },
});
