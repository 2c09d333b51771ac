import type { Ask, AskName, Given, Got, Piece, WorkerMessage } from "../worker/protocol.ts";
import { messageOf } from "./format.ts";

/** What the page hears about runs, besides answers. */
export interface Hears {
  shape(run: number, shape: Extract<WorkerMessage, { is: "shape" }>["shape"]): void;
  piece(run: number, piece: Piece, isWhole: boolean): void;
  progress(part: number): void;
  /** Called when the worker is gone, or has not answered for long. */
  died(why: string): void;
}

/** How long a worker may say nothing before it counts as dead, ms. Replays report their progress more often. */
const SILENCE_MS = 10_000;
/** The same while it imports a capture, which plays many runs without a word. */
const IMPORT_SILENCE_MS = 300_000;

interface Waiting {
  readonly name: AskName;
  resolve(got: unknown): void;
  reject(error: Error): void;
}

/** The worker with the simulator. It is asked by name and answers by promise. */
export class Client {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 0;
  private watchdog = 0;

  constructor(
    private readonly source: string,
    private readonly hears: Hears,
  ) {}

  ask<N extends AskName>(name: N, given: Given<N>): Promise<Got<N>> {
    const id = this.nextId++;
    return new Promise<unknown>((resolve, reject) => {
      this.waiting.set(id, { name, resolve, reject });
      try {
        this.start().postMessage({ id, name, given } satisfies Ask);
      } catch (error) {
        this.die(messageOf(error));
        return;
      }
      this.watch();
    }) as Promise<Got<N>>;
  }

  /** Ends the worker. Open questions get no answer; the next question starts another worker. */
  end(why: string): void {
    this.worker?.terminate();
    this.worker = undefined;
    clearTimeout(this.watchdog);
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
  }

  private start(): Worker {
    if (this.worker !== undefined) return this.worker;
    const url = URL.createObjectURL(new Blob([this.source], { type: "text/javascript" }));
    const worker = new Worker(url, { name: "ringback" });
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.die(event.message || "the worker ended");
    };
    this.worker = worker;
    return worker;
  }

  private hear(message: WorkerMessage): void {
    this.watch();
    if (message.is === "shape") this.hears.shape(message.run, message.shape);
    else if (message.is === "piece") this.hears.piece(message.run, message.piece, message.done);
    else if (message.is === "progress") this.hears.progress(message.part);
    else {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.is === "got") waiting?.resolve(message.got);
      else waiting?.reject(new Error(message.message));
      this.watch();
    }
  }

  private watch(): void {
    clearTimeout(this.watchdog);
    if (this.waiting.size === 0) return;
    const imports = [...this.waiting.values()].some(({ name }) => name === "importCapture");
    const silenceMs = imports ? IMPORT_SILENCE_MS : SILENCE_MS;
    const why = `it has not answered for ${silenceMs / 1_000} s`;
    this.watchdog = window.setTimeout(() => this.die(why), silenceMs);
  }

  private die(why: string): void {
    this.end(why);
    this.hears.died(why);
  }
}
