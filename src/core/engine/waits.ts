import type { Promised } from "./promised.ts";
import type { TimeWaits } from "./time-waits.ts";

/** Real timers, taken before a test's fake timers replace them. */
const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;

/** Real ms after which a run says on the console what it waits for. The run goes on waiting. */
const PATIENCE_MS = 2_000;

/**
 * Says on the console what is waited for, if that takes two seconds of real time.
 * @returns a function that cancels this
 */
export function warnUnlessSoon(inWords: () => string): () => void {
  // already fake, if a test installed its fake timers first
  if ("clock" in realSetTimeout) return () => {};
  const timer = realSetTimeout(() => {
    // biome-ignore lint/suspicious/noConsole: a test may soon time out, and nothing else would say why
    console.warn(`ringback: for ${PATIENCE_MS / 1000} s ${inWords()}`);
  }, PATIENCE_MS);
  return () => realClearTimeout(timer);
}

/** Keeps what an asynchronous run waits for. */
export class Waits {
  private readonly open = new Set<Promised>();
  private callOff: (() => void) | undefined;
  /** Whether to keep silent on the console, since the caller reports the waiting in another way. */
  isQuiet = false;

  constructor(private readonly time: TimeWaits) {}

  /** What is waited for now, in words. */
  list(): string[] {
    return [...this.open].map(({ inWords }) => inWords());
  }

  /** Awaits a promise until it settles or waits for virtual time, and lists it meanwhile. Real ones wait for none. */
  async settled(promised: Promised): Promise<void> {
    this.begin(promised);
    await (promised.isReal ? promised.settling : this.time.settledOrBound(promised));
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
