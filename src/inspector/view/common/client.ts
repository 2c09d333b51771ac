import type {
  RunChunk,
  WorkerInput,
  WorkerMessage,
  WorkerMethod,
  WorkerOutput,
  WorkerRequest,
} from "../../worker/protocol.ts";
import { thrownText } from "./format.ts";

/** Receives messages about runs, besides answers. */
export interface WorkerListener {
  summary(run: number, summary: Extract<WorkerMessage, { is: "summary" }>["summary"]): void;
  chunk(run: number, chunk: RunChunk, isWhole: boolean): void;
  progress(progress: number): void;
  /** The worker has ended, or has not answered for too long. */
  died(why: string): void;
}

/** A worker that is silent for this long counts as dead, ms. Replays report their progress more often. */
const SILENCE_MS = 10_000;
/** Longer for imports, which play many runs without progress reports. */
const IMPORT_SILENCE_MS = 300_000;

interface PendingRequest {
  readonly name: WorkerMethod;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Calls methods of the worker, which holds the simulator. */
export class WorkerClient {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, PendingRequest>();
  private nextId = 0;
  private watchdog = 0;

  constructor(
    private readonly source: string,
    private readonly listener: WorkerListener,
  ) {}

  ask<N extends WorkerMethod>(name: N, input: WorkerInput<N>): Promise<WorkerOutput<N>> {
    const id = this.nextId++;
    return new Promise<unknown>((resolve, reject) => {
      this.pending.set(id, { name, resolve, reject });
      try {
        this.start().postMessage({ id, name, input } satisfies WorkerRequest);
      } catch (error) {
        this.die(thrownText(error));
        return;
      }
      this.watch();
    }) as Promise<WorkerOutput<N>>;
  }

  /** Terminates the worker and rejects pending requests; the next request starts another worker. */
  end(why: string): void {
    this.worker?.terminate();
    this.worker = undefined;
    clearTimeout(this.watchdog);
    for (const { reject } of this.pending.values()) reject(new Error(why));
    this.pending.clear();
  }

  private start(): Worker {
    if (this.worker !== undefined) return this.worker;
    const url = URL.createObjectURL(new Blob([this.source], { type: "text/javascript" }));
    const worker = new Worker(url, { name: "ringback" });
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.die(event.message || "the worker ended");
    };
    this.worker = worker;
    return worker;
  }

  private receive(message: WorkerMessage): void {
    this.watch();
    if (message.is === "summary") this.listener.summary(message.run, message.summary);
    else if (message.is === "chunk") this.listener.chunk(message.run, message.chunk, message.done);
    else if (message.is === "progress") this.listener.progress(message.progress);
    else {
      const request = this.pending.get(message.id);
      this.pending.delete(message.id);
      if (message.is === "answer") request?.resolve(message.answer);
      else request?.reject(new Error(message.message));
      this.watch();
    }
  }

  private watch(): void {
    clearTimeout(this.watchdog);
    if (this.pending.size === 0) return;
    const imports = [...this.pending.values()].some(({ name }) => name === "importCapture");
    const silenceMs = imports ? IMPORT_SILENCE_MS : SILENCE_MS;
    const why = `it has not answered for ${silenceMs / 1_000} s`;
    this.watchdog = window.setTimeout(() => this.die(why), silenceMs);
  }

  private die(why: string): void {
    this.end(why);
    this.listener.died(why);
  }
}
