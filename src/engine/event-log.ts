import mitt, { type Emitter, type Handler, type WildcardHandler } from "mitt";
import { ForkableList } from "./collections.ts";
import { iso, shared, shareInstants } from "./instants.ts";

/** The wrapper of every event, in the log and on the wire. Frozen, payload included. */
export interface LoggedEvent<Type extends string = string, Data = unknown> {
  readonly id: string;
  readonly type: Type;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdTimestamp: number;
  readonly organisationId: string;
  readonly data: Data;
}

type Handlers = Record<string, LoggedEvent>;

interface Untold {
  readonly event: LoggedEvent;
  /** The causal depth of the step that emitted it. */
  readonly depth: number;
}

/** What a listener returned that may be a promise. */
interface Returned {
  readonly handler: object;
  readonly value: unknown;
}

/** The append-only log of events, and those who listen to it. */
export class EventLog {
  private readonly emitter: Emitter<Handlers> = mitt<Handlers>();
  /** The listener that is being told. */
  teller: object | undefined;
  private untold: Untold[] = [];
  private readonly followers = new Set<(event: LoggedEvent) => void>();

  constructor(
    private readonly keep: number,
    private readonly events = new ForkableList<LoggedEvent>(),
    /** Every event ever appended, also those that `keep` has since dropped. */
    public total = 0,
  ) {}

  get on(): Emitter<Handlers>["on"] {
    return this.emitter.on;
  }

  get off(): Emitter<Handlers>["off"] {
    return this.emitter.off;
  }

  /** Somebody listens. */
  get isHeard(): boolean {
    return this.emitter.all.size > 0;
  }

  get hasUntold(): boolean {
    return this.untold.length > 0;
  }

  append(
    id: string,
    type: string,
    atMs: number,
    organisationId: string,
    data: object,
    depth: number,
  ): LoggedEvent {
    const event = Object.freeze(newEvent(id, type, atMs, organisationId, Object.freeze(data)));
    this.events.push(event);
    this.total++;
    if (this.events.length > this.keep) this.events.dropFirst(this.keep);
    if (this.emitter.all.size > 0) this.untold.push({ event, depth });
    for (const follower of this.followers) follower(event);
    return event;
  }

  /** Takes the next event that the listeners have not been told of. */
  takeUntold(): Untold | undefined {
    return this.untold.shift();
  }

  /**
   * Tells every listener of one event: those of its type first, then those of `*`, each in the order of `on`. One that
   * throws does not keep the others from hearing.
   * @returns what they returned and what they threw
   */
  tell(event: LoggedEvent): { returned: Returned[]; thrown: unknown[] } {
    const returned: Returned[] = [];
    const thrown: unknown[] = [];
    const { all } = this.emitter;
    const { type } = event;
    const ofType = (all.get(type) ?? []) as Handler<LoggedEvent>[];
    const ofAny = (all.get("*") ?? []) as WildcardHandler<Handlers>[];
    const tellOne = (handler: object, call: () => unknown) => {
      this.teller = handler;
      try {
        const value = call();
        if (value !== undefined) returned.push({ handler, value });
      } catch (error) {
        thrown.push(error);
      }
    };
    // both lists are copied: a handler may add or remove handlers
    const [forType, forAny] = [[...ofType], [...ofAny]];
    for (const handler of forType) tellOne(handler, () => handler(event));
    for (const handler of forAny) tellOne(handler, () => handler(type, event));
    return { returned, thrown };
  }

  /** The events that are kept, oldest first. */
  [Symbol.iterator](): IterableIterator<LoggedEvent> {
    return this.events[Symbol.iterator]();
  }

  /** The events after the first `total` ever appended, as far as they are kept. */
  since(total: number): LoggedEvent[] {
    const dropped = this.total - this.events.length;
    const count = Math.max(0, this.total - Math.max(total, dropped));
    const from = this.events.length - count;
    return Array.from({ length: count }, (_, index) => this.events.at(from + index) as LoggedEvent);
  }

  /** Calls back on every further event, in the middle of the step that emits it. Returns what ends that. */
  follow(onAppend: (event: LoggedEvent) => void): () => void {
    this.followers.add(onAppend);
    return () => this.followers.delete(onAppend);
  }

  clearListeners(): void {
    this.emitter.all.clear();
    this.untold = [];
  }

  /** The same events without the listeners. */
  fork(): EventLog {
    return new EventLog(this.keep, this.events.fork(), this.total);
  }
}

function newEvent(id: string, type: string, atMs: number, organisationId: string, data: object): LoggedEvent {
  return { id, type, createdAt: iso(atMs), createdTimestamp: shared(atMs), organisationId, data };
}

shareInstants((nothing) => newEvent("", "", nothing, "", {}));
