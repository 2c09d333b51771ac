import type { JournalEnd, JournalEntry } from "../engine/journal.ts";
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
  /** Calls back before each step of an asynchronous run, and awaits it; what it throws ends the run there. */
  betweenSteps(pause: (() => Promise<void> | undefined) | undefined): void;
  /** As `advanceAsync`, but time goes on while real endpoints are asked: their answers come at the instant at which they are there. */
  advanceInRealTime(durationMs: number): Promise<void>;
  /** Resolves when no endpoint is being asked any more. */
  lateSettled(): Promise<void>;
  /** Calls back with every entry of the journal as it is made. */
  onEntry(listener: ((entry: JournalEntry) => void) | undefined): void;
}

/** What ends the pauses between the steps of each engine. */
const pauses = new WeakMap<object, () => void>();

/** What a server may do with a simulator besides the public methods. */
export function serverPort(world: Services): ServerPort {
  const { engine } = world;
  return {
    isMoving: engine.loop.isMoving,
    position: engine.position,
    moveTo: (urls) => moveTo(world, urls),
    betweenSteps: (beforeStep) => {
      pauses.get(engine)?.();
      if (beforeStep === undefined) pauses.delete(engine);
      else pauses.set(engine, engine.probes.attach({ beforeStep }));
    },
    advanceInRealTime: (durationMs) => engine.loop.runToAsync(engine.now + durationMs, true),
    lateSettled: () => engine.loop.lateSettled(),
    onEntry: (listener) => {
      engine.journal.onEntry = listener;
    },
  };
}
