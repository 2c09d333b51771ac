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

interface Wait {
  readonly inWords: () => string;
  readonly isReal: boolean;
}

/** What an asynchronous run waits for. */
export class Waits {
  private readonly open = new Map<object, Wait>();
  private callOff: (() => void) | undefined;

  /** What is waited for now, in words. */
  list(): string[] {
    return [...this.open.values()].map(({ inWords }) => inWords());
  }

  /** The same without those that answer in real time, whatever the virtual one. */
  holdingUp(): string[] {
    return [...this.open.values()].filter(({ isReal }) => !isReal).map(({ inWords }) => inWords());
  }

  /**
   * Awaits a promise; while it takes, it is in the list.
   * @param inWords called only if someone asks
   * @param isReal it settles in real time, whatever the virtual one
   */
  async settled<T>(
    promise: T,
    inWords: () => string,
    isReal = false,
  ): Promise<PromiseSettledResult<Awaited<T>>> {
    const key = {};
    this.open.set(key, { inWords, isReal });
    this.callOff ??= warnUnlessSoon(
      () =>
        `time has stood still, waiting for ${this.list().join(" and ")}. Its promise must settle before time goes on; one that waits for an event or for time itself never does.`,
    );
    const [settled] = await Promise.allSettled([promise]);
    this.open.delete(key);
    if (this.open.size === 0) {
      this.callOff?.();
      this.callOff = undefined;
    }
    return settled;
  }
}
