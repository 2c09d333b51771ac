import { areTimersFake, realClearTimeout, realSetTimeout } from "../foundation/real-functions.ts";
import type { Promised } from "./promised.ts";
import type { TimeWaits } from "./time-waits.ts";

/** Real ms after which a run warns on the console that it waits. The run goes on waiting. */
const PATIENCE_MS = 2_000;

/**
 * Warns on the console if something is awaited for two seconds of real time.
 * @returns a function that cancels this
 */
export function warnUnlessSoon(describe: () => string): () => void {
  if (areTimersFake) return () => {};
  const timer = realSetTimeout(() => {
    // biome-ignore lint/suspicious/noConsole: a test may soon time out, and nothing else would say why
    console.warn(`ringback: for ${PATIENCE_MS / 1000} s ${describe()}`);
  }, PATIENCE_MS);
  return () => realClearTimeout(timer);
}

/** The promises that an asynchronous run awaits. */
export class Waits {
  private readonly open = new Set<Promised>();
  private cancelWarning: (() => void) | undefined;
  /** Whether to warn nobody on the console, since the caller reports long waits in another way. */
  isQuiet = false;

  constructor(private readonly time: TimeWaits) {}

  /** Describes what is awaited now. */
  list(): string[] {
    return [...this.open].map(({ describe }) => describe());
  }

  /** Awaits a promise until it settles or, if it is not real, waits for virtual time. `list` has it meanwhile. */
  untilSettled(promised: Promised): Promise<void> {
    this.begin(promised);
    const settled = promised.isReal ? promised.settling : this.time.untilSettledOrWaiting(promised);
    return settled.then(() => this.end(promised));
  }

  private begin(promised: Promised): void {
    this.open.add(promised);
    if (this.isQuiet) return;
    this.cancelWarning ??= warnUnlessSoon(
      () =>
        `time has stood still, waiting for ${this.list().join(" and ")}. Its promise must settle before time goes on, unless it waits for sim.schedule or for a late answer of the REST API. One that waits for an event never settles.`,
    );
  }

  private end(promised: Promised): void {
    this.open.delete(promised);
    if (this.open.size > 0) return;
    this.cancelWarning?.();
    this.cancelWarning = undefined;
  }
}
