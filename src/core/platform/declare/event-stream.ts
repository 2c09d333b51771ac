import type { EventLog } from "../../engine/event-log.ts";
import { beginAtCaller } from "../../foundation/caller.ts";
import { type EventType, mustBeEventType, type PlatformEvent } from "./events.ts";

/** A place in the event stream, for `since`. */
export type StreamMark = number & { readonly __mark: true };

/** All events so far, oldest first: a read-only array that grows, with additional methods. */
export interface EventStream extends ReadonlyArray<PlatformEvent> {
  /**
   * The events of one type.
   * @param type the type, such as `call.answered`
   * @throws {TypeError} if `type` is not a known event type
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.answer("alice");
   * sim.events.ofType("call.answered").length; // => 1
   */
  ofType<Type extends EventType>(type: Type): PlatformEvent<Type>[];
  /**
   * The events that carry the record with this id (a call, a user, a team …).
   * @param recordId the record's id
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.answer("alice");
   * sim.events.for("alice").map(({ type }) => type); // => ["user.availability.updated"]
   */
  for(recordId: string): PlatformEvent[];
  /**
   * Marks the current end of the stream.
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * const mark = sim.events.mark();
   * call.answer("alice");
   * sim.events.since(mark)[0]?.type; // => "call.answered"
   */
  mark(): StreamMark;
  /**
   * The events after a mark that are still kept.
   * @param mark a place that `mark` returned
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * const mark = sim.events.mark();
   * call.hangup("caller");
   * sim.events.since(mark).map(({ type }) => type); // => ["call.not_answered"]
   */
  since(mark: StreamMark): PlatformEvent[];
  /**
   * One JSON object per line. The same seed and commands give the same bytes.
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * const again = sim.restart();
   * again.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * again.events.toJSONL() === sim.events.toJSONL(); // => true
   */
  toJSONL(): string;
  /**
   * The whole run as a text timeline, including its events.
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }).answer("alice");
   * sim.events.toTimeline().includes("call.answered"); // => true
   */
  toTimeline(): string;
  /**
   * The run as a Mermaid sequence diagram.
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }).answer("alice");
   * sim.events.toMermaid().includes("sequenceDiagram"); // => true
   */
  toMermaid(): string;
}

/** Draws the whole run. The event stream alone lacks rings, timers and commands. */
export interface RunRenderers {
  toTimeline(): string;
  toMermaid(): string;
}

/** Events as `toJSONL` writes them, line by line: a long run is longer than a string can be. */
export function* jsonLines(events: Iterable<PlatformEvent>): Generator<string> {
  for (const event of events) yield `${JSON.stringify(event)}\n`;
}

/**
 * The public view of a log. It is a real array, so that every matcher and array method works on it. Changing the view
 * does not change the log.
 */
export function makeView(log: EventLog, keep: number, renderers: RunRenderers): EventStream {
  const view = [...log] as PlatformEvent[];
  log.follow((event) => {
    view[view.length] = event as PlatformEvent;
    if (view.length > keep) Array.prototype.splice.call(view, 0, view.length - keep);
  });
  const methods: Omit<EventStream, keyof ReadonlyArray<PlatformEvent>> = {
    ofType: <Type extends EventType>(type: Type) => {
      mustBeEventType(type, "ofType");
      const isOfType = (event: PlatformEvent): event is PlatformEvent & PlatformEvent<Type> =>
        event.type === type;
      return view.filter(isOfType);
    },
    for: (recordId) =>
      view.filter(({ data }) =>
        Object.values(data).some((record) => (record as { id?: string }).id === recordId),
      ),
    mark: () => log.total as StreamMark,
    since: (mark) => log.since(mark) as PlatformEvent[],
    toJSONL: () => [...jsonLines(view)].join(""),
    ...renderers,
  };
  const refuse = (name: string) => () => {
    throw beginAtCaller(
      new TypeError(`events.${name}: the event stream is read-only; copy it first with [...sim.events]`),
    );
  };
  const mutators = ["push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin"];
  const hidden = { ...methods, ...Object.fromEntries(mutators.map((name) => [name, refuse(name)])) };
  for (const [name, value] of Object.entries(hidden)) Object.defineProperty(view, name, { value });
  const stream: readonly PlatformEvent[] = view;
  return stream as EventStream;
}
