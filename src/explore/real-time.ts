/**
 * The little of an exploration that is about real time: how long a subject may keep everyone waiting, and how long the
 * whole may take. The functions are taken before fake timers can replace them. No world depends on them.
 */
const { setTimeout: startTimer, clearTimeout: stopTimer, performance: clock } = globalThis;

/** Wall-clock time, ms. */
export const wallClockMs = (): number => clock.now();

/** What became of something that was waited for. */
export type Waited<T> = { readonly value: T } | { readonly thrown: unknown } | "nothing happened";

/**
 * Waits for a promise for as long as something goes on.
 * @param patienceMs how long nothing may happen, wall clock
 * @param progress a count that rises as things happen
 */
export function waitFor<T>(
  promise: PromiseLike<T>,
  patienceMs: number,
  progress: () => number,
): Promise<Waited<T>> {
  return new Promise((resolve) => {
    let last = progress();
    const look = () => {
      const now = progress();
      if (now === last) return resolve("nothing happened");
      last = now;
      timer = startTimer(look, patienceMs);
    };
    let timer = startTimer(look, patienceMs);
    const end = (outcome: Waited<T>) => {
      stopTimer(timer);
      resolve(outcome);
    };
    promise.then(
      (value) => end({ value }),
      (thrown: unknown) => end({ thrown }),
    );
  });
}
