import mitt, { type Emitter } from "mitt";
import { ForkableList } from "../foundation/collections.ts";
import { internInstant, iso, shareInstants } from "../foundation/instants.ts";

/** The wrapper of every event, in the log and on the wire. Frozen, payload included. */
export interface LoggedEvent<Type extends string = string, Data = unknown> {
  /** The event's id. A webhook gets the same id with each attempt. */
  readonly id: string;
  /** The type, such as `call.answered`. */
  readonly type: Type;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdTimestamp: number;
  /** The organisation's id. */
  readonly organisationId: string;
  /** The payload, such as a call's record. */
  readonly data: Data;
}

/** An event whose payload is computed on its first read, since it is large. */
class UnreadEvent {
  private event: LoggedEvent | undefined;

  constructor(
    readonly type: string,
    private make: (() => LoggedEvent) | undefined,
  ) {}

  read(): LoggedEvent {
    if (this.make !== undefined) this.event = this.make();
    this.make = undefined;
    return this.event as LoggedEvent;
  }
}

/** An event as the log has it. */
export type Appended = LoggedEvent | UnreadEvent;

export function eventOf(appended: Appended): LoggedEvent {
  return appended instanceof UnreadEvent ? appended.read() : appended;
}

type Handlers = Record<string, LoggedEvent>;
/** A consumer's handler. */
type Listener = (...args: never[]) => unknown;

interface Undelivered {
  readonly event: Appended;
  /** How many steps of the same instant led to the step that emitted it. */
  readonly depth: number;
  /** The next event to deliver to listeners. */
  next: Undelivered | undefined;
}

/** What a listener returned, which may be a promise. */
export interface Returned {
  readonly handler: object;
  readonly value: unknown;
}

/** What becomes of the listeners of one event. */
interface Delivery {
  /** What they return, if anyone wants it. */
  readonly returned: Returned[] | undefined;
  /** What they throw. */
  readonly thrown: unknown[];
}

/** The append-only log of events and its listeners. */
export class EventLog {
  private readonly emitter: Emitter<Handlers> = mitt<Handlers>();
  /** What calls each listener, the same at every registration: mitt removes a handler by its identity. */
  private readonly callers = new WeakMap<Listener, (...args: unknown[]) => void>();
  private delivery: Delivery = { returned: undefined, thrown: [] };
  /** The listener that is being called. */
  currentHandler: object | undefined;
  /** Events to deliver to listeners, oldest first. A linked list: refilling an array allocates each time. */
  private undelivered: Undelivered | undefined;
  private lastUndelivered: Undelivered | undefined;
  private readonly followers = new Set<(event: LoggedEvent) => void>();

  constructor(
    private readonly keep: number,
    private readonly events = new ForkableList<Appended>(),
    /** How many events were appended, including those that `keep` has dropped. */
    public total = 0,
  ) {}

  /** @param handler gets each event of the type; for `*` each event, after its type */
  on(type: string, handler: Listener): void {
    this.emitter.on(type, this.makeCaller(handler));
  }

  /** Removes a handler; without `handler`, all of the type. */
  off(type: string, handler?: Listener): void {
    this.emitter.off(type, handler && this.makeCaller(handler));
  }

  /** Whether there is a listener. */
  get hasListeners(): boolean {
    return this.emitter.all.size > 0;
  }

  get hasUndelivered(): boolean {
    return this.undelivered !== undefined;
  }

  /** @param data the payload, or a function that computes it on the first read */
  append(
    id: string,
    type: string,
    atMs: number,
    organisationId: string,
    data: object | (() => object),
    depth: number,
  ): Appended {
    const event =
      typeof data === "function"
        ? new UnreadEvent(type, () => newEvent(id, type, atMs, organisationId, data()))
        : newEvent(id, type, atMs, organisationId, data);
    this.events.push(event);
    this.total++;
    if (this.events.length > this.keep) this.events.dropFirst(this.keep);
    if (this.emitter.all.size > 0) this.addUndelivered({ event, depth, next: undefined });
    for (const follower of this.followers) follower(eventOf(event));
    return event;
  }

  /** Removes and returns the next event that listeners have not received. */
  takeUndelivered(): Undelivered | undefined {
    const first = this.undelivered;
    this.undelivered = first?.next;
    return first;
  }

  private addUndelivered(event: Undelivered): void {
    if (this.undelivered === undefined || this.lastUndelivered === undefined) this.undelivered = event;
    else this.lastUndelivered.next = event;
    this.lastUndelivered = event;
  }

  /**
   * Calls every listener of one event: those of its type first, then those of `*`, each in the order of `on`.
   * If one throws, the others are still called. One that is added or removed meanwhile counts from the next event.
   * @param returned collects what they return, if anyone wants it
   * @param thrown collects what they throw
   */
  deliver(appended: Appended, returned: Returned[] | undefined, thrown: unknown[]): void {
    const { all } = this.emitter;
    const { type } = appended;
    const ofType = all.get(type);
    const ofAny = all.get("*");
    if (ofType === undefined && ofAny === undefined) return;
    const outer = this.delivery;
    this.delivery = { returned, thrown };
    // mitt would read the list of `*` only after the listeners of the type, which may change it
    const now = mitt<Handlers>(
      new Map([
        [type, ofType ?? []],
        ["*", ofAny?.slice() ?? []],
      ]),
    );
    now.emit(type, eventOf(appended));
    this.delivery = outer;
  }

  /** Calls a listener and keeps its error: of one that throws, mitt would not call the next. */
  private makeCaller(handler: Listener): (...args: unknown[]) => void {
    const known = this.callers.get(handler);
    if (known !== undefined) return known;
    const caller = (...args: unknown[]) => {
      const { returned, thrown } = this.delivery;
      this.currentHandler = handler;
      try {
        const value = (handler as (...args: unknown[]) => unknown)(...args);
        if (value !== undefined) returned?.push({ handler, value });
      } catch (error) {
        thrown.push(error);
      }
    };
    this.callers.set(handler, caller);
    return caller;
  }

  /** The events that are kept, oldest first. */
  *[Symbol.iterator](): IterableIterator<LoggedEvent> {
    for (const event of this.events) yield eventOf(event);
  }

  /** The events after the first `total` ever appended, if they are still kept. */
  since(total: number): LoggedEvent[] {
    const dropped = this.total - this.events.length;
    const count = Math.max(0, this.total - Math.max(total, dropped));
    const from = this.events.length - count;
    return Array.from({ length: count }, (_, index) => eventOf(this.events.at(from + index) as Appended));
  }

  /**
   * Calls back on every further event, in the middle of the step that emits it. Returns a function that stops
   * this.
   */
  follow(onAppend: (event: LoggedEvent) => void): () => void {
    this.followers.add(onAppend);
    return () => this.followers.delete(onAppend);
  }

  clearListeners(): void {
    this.emitter.all.clear();
    this.undelivered = undefined;
  }

  /** A log with the same events and no listeners. */
  fork(): EventLog {
    return new EventLog(this.keep, this.events.fork(), this.total);
  }

  /** The events that are kept, and how many there were, for `load`. */
  save() {
    return { events: [...this], total: this.total };
  }

  /** @returns a log with what was saved, and no listeners */
  load({ events, total }: ReturnType<EventLog["save"]>): EventLog {
    return new EventLog(this.keep, this.events.load(events), total);
  }
}

function newEvent(id: string, type: string, atMs: number, organisationId: string, data: object): LoggedEvent {
  Object.freeze(data);
  return Object.freeze({
    id,
    type,
    createdAt: iso(atMs),
    createdTimestamp: internInstant(atMs),
    organisationId,
    data,
  });
}

shareInstants((nothing) => newEvent("", "", nothing, "", {}));
