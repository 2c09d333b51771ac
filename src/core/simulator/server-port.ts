import type { JournalEnd } from "../engine/journal.ts";
import type { Probe } from "../engine/probe.ts";
import type { Services } from "../platform/catalogue/services.ts";
import type { Urls } from "../platform/declare/urls.ts";
import { moveTo } from "../platform/move.ts";

/** @internal */
export interface ServerPort {
  /** Whether a time method is running. */
  readonly isMoving: boolean;
  readonly position: JournalEnd;
  /** Changes the base URLs in answers. Records get the new URLs; past events keep theirs. */
  moveTo(urls: Urls): void;
  /** Attaches a probe to the run. @returns a function that detaches it */
  attach(probe: Probe): () => void;
  /** As `advanceAsync`, but time goes on while real endpoints answer: an answer arrives at the then current instant. */
  advanceInRealTime(durationMs: number): Promise<void>;
  /** Resolves when no request to a real endpoint is open. */
  lateSettled(): Promise<void>;
}

/** Creates the internal methods that a server uses. */
export function serverPort(services: Services): ServerPort {
  const { engine } = services;
  return {
    isMoving: engine.loop.isMoving,
    position: engine.position,
    moveTo: (urls) => moveTo(services, urls),
    attach: (probe) => engine.probes.attach(probe),
    advanceInRealTime: (durationMs) => engine.loop.runToAsync(engine.now + durationMs, true),
    lateSettled: () => engine.loop.untilLateSettled(),
  };
}
