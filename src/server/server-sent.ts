import type { Simulator } from "../core/simulator/simulator.ts";

/** How many events are written at once at most. */
const BATCH = 500;

/** How many events there were in all, including dropped ones. This is the index of the next. */
export function totalOf({ events }: Simulator): number {
  return events.mark();
}

/** The index of the first event that is kept. */
export function firstKept({ events }: Simulator): number {
  return events.mark() - events.length;
}

/**
 * Streams events as server-sent events to any number of listeners. An event's id is its index, so that a listener
 * that reconnects goes on where it was.
 */
export class ServerSentStreams {
  private readonly streams = new Set<ServerSentStream>();

  /** How many listeners there are. */
  get count(): number {
    return this.streams.size;
  }

  /** @param types the types to send; undefined for all */
  open(simulator: Simulator, since: number, types: ReadonlySet<string> | undefined): Response {
    const stream = new ServerSentStream(simulator, since, types, () => this.streams.delete(stream));
    this.streams.add(stream);
    return new Response(stream.body, {
      headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    });
  }

  /** Continues every stream with another simulator, from its beginning. */
  reset(simulator: Simulator): void {
    for (const stream of this.streams) stream.reset(simulator);
  }

  close(): void {
    for (const stream of this.streams) stream.close();
  }
}

/** One listener. Events that it has not read wait in the simulator's log. */
class ServerSentStream {
  readonly body: ReadableStream<Uint8Array>;
  private controller!: ReadableStreamDefaultController<Uint8Array>;
  private readonly encoder = new TextEncoder();
  private readonly onEvent = () => this.write();

  constructor(
    private simulator: Simulator,
    private next: number,
    private readonly types: ReadonlySet<string> | undefined,
    private readonly onEnd: () => void,
  ) {
    this.body = new ReadableStream({
      start: (controller) => {
        this.controller = controller;
        this.send(": events follow\n\n");
      },
      pull: () => this.write(),
      cancel: () => this.end(),
    });
    simulator.on("*", this.onEvent);
  }

  reset(simulator: Simulator): void {
    this.simulator.off("*", this.onEvent);
    this.simulator = simulator;
    this.next = 0;
    simulator.on("*", this.onEvent);
    // without an id, so that a listener that reconnects begins anew
    this.send("event: reset\nid\ndata: {}\n\n");
    this.write();
  }

  close(): void {
    this.end();
    this.controller.close();
  }

  private end(): void {
    this.simulator.off("*", this.onEvent);
    this.onEnd();
  }

  private write(): void {
    const { events } = this.simulator;
    const total = totalOf(this.simulator);
    while (this.next < total && (this.controller.desiredSize ?? 0) > 0) {
      const first = firstKept(this.simulator);
      const start = Math.max(this.next, first);
      const end = Math.min(start + BATCH, total);
      const texts = events.slice(start - first, end - first).map((event, index) => {
        const isWanted = this.types === undefined || this.types.has(event.type);
        if (!isWanted) return "";
        return `id: ${start + index}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
      });
      this.next = end;
      this.send(texts.join(""));
    }
  }

  private send(text: string): void {
    if (text !== "") this.controller.enqueue(this.encoder.encode(text));
  }
}
