import type { ServerResponse } from "node:http";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

/** How often the delay of the event loop is sampled, ms. */
const RESOLUTION_MS = 20;

/** What a server needs of its machine, for whoever leaves one running. */
export class Load {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private largestAnswer = 0;

  start(): void {
    this.delay.enable();
  }

  stop(): void {
    this.delay.disable();
  }

  /** Counts the bytes of an answer, its headers included. */
  measure(response: ServerResponse): void {
    const { socket } = response;
    const before = socket?.bytesWritten ?? 0;
    response.once("finish", () => {
      this.largestAnswer = Math.max(this.largestAnswer, (socket?.bytesWritten ?? before) - before);
    });
  }

  /** The load now. Memory and the largest answer in bytes; the delay of the event loop since the start in ms. */
  now() {
    const { rss, heapUsed } = process.memoryUsage();
    const inMs = (ns: number) => Math.max(0, Math.round(ns / 1e6) - RESOLUTION_MS);
    const { max } = this.delay;
    return {
      memory: { rss, heapUsed },
      loopDelay: { p99: inMs(this.delay.percentile(99)), max: inMs(max) },
      largestAnswer: this.largestAnswer,
    };
  }
}
