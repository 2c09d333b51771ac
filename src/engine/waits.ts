import type { Promised } from "./promised.ts";
import type { TimeWaits } from "./time-waits.ts";

/** Real timers, taken before a test's fake ones replace them. */
const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;

/** Real time after which a run says what it waits for. It changes nothing: whoever is slow may still answer. */
const PATIENCE_MS = 2_000;

/**
 * Says on the console what is waited for, if that goes on for two seconds of real time.
 * @returns what calls it off
 */
export function warnUnlessSoon(inWords: () => string): () => void {
  // the real ones may be fake already, if a test began with them
  if ("clock" in realSetTimeout) return () => {};
  const timer = realSetTimeout(() => {
    // biome-ignore lint/suspicious/noConsole: a test may soon time out, and nothing else would say why
    console.warn(`ringback: for ${PATIENCE_MS / 1000} s ${inWords()}`);
  }, PATIENCE_MS);
  return () => realClearTimeout(timer);
}

/** What an asynchronous run waits for. */
export class Waits {
  private readonly open = new Set<Promised>();
  private callOff: (() => void) | undefined;
  /** Nothing is said on the console: whoever runs this says it in another way. */
  isQuiet = false;

  constructor(private readonly time: TimeWaits) {}

  /** What is waited for now, in words. */
  list(): string[] {
    return [...this.open].map(({ inWords }) => inWords());
  }

  /** Awaits a promise; while it takes, it is in the list. */
  async settled(promised: Promised): Promise<void> {
    this.begin(promised);
    await promised.settling;
    this.end(promised);
  }

  /** The same, but not for as long as whoever promised waits for virtual time. */
  async settledOrBound(promised: Promised): Promise<void> {
    this.begin(promised);
    await this.time.isBound(promised);
    this.end(promised);
  }

  private begin(promised: Promised): void {
    this.open.add(promised);
    if (this.isQuiet) return;
    this.callOff ??= warnUnlessSoon(
      () =>
        `time has stood still, waiting for ${this.list().join(" and ")}. Its promise must settle before time goes on, unless it waits for sim.schedule or for a late answer of the REST API; one that waits for an event never does.`,
    );
  }

  private end(promised: Promised): void {
    this.open.delete(promised);
    if (this.open.size > 0) return;
    this.callOff?.();
    this.callOff = undefined;
  }
}
