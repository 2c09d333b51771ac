import type { JournalEnd } from "../engine/journal.ts";
import type { Probe } from "../engine/probe.ts";
import type { Services } from "../platform/catalogue/services.ts";
import type { Urls } from "../platform/declare/urls.ts";
import { moveTo } from "../platform/move.ts";

/** @internal */
export interface ServerPort {
  /** Time is moving: a time method was called and is not over. */
  readonly isMoving: boolean;
  readonly position: JournalEnd;
  /** Changes what URLs in answers begin with. Records get the new URLs; past events keep theirs. */
  moveTo(urls: Urls): void;
  /** Attaches a probe to the run. @returns a function that detaches it */
  attach(probe: Probe): () => void;
  /** As `advanceAsync`, but time goes on while real endpoints are asked: their answers come at the instant at which they are there. */
  advanceInRealTime(durationMs: number): Promise<void>;
  /** Resolves when no endpoint is being asked any more. */
  lateSettled(): Promise<void>;
}

/** What a server may do with a simulator besides the public methods. */
export function serverPort(world: Services): ServerPort {
  const { engine } = world;
  return {
    isMoving: engine.loop.isMoving,
    position: engine.position,
    moveTo: (urls) => moveTo(world, urls),
    attach: (probe) => engine.probes.attach(probe),
    advanceInRealTime: (durationMs) => engine.loop.runToAsync(engine.now + durationMs, true),
    lateSettled: () => engine.loop.lateSettled(),
  };
}
