/**
 * The parts of an exploration that use real time: how long a subject may keep others waiting, and how long everything
 * may take. The functions are taken before fake timers can replace them. No world depends on them.
 */
const { setTimeout: startTimer, clearTimeout: stopTimer, performance: clock } = globalThis;

/** Wall-clock time, ms. */
export const wallClockMs = (): number => clock.now();

/** The result of waiting. */
export type Waited<T> = { readonly value: T } | { readonly thrown: unknown } | "nothing happened";

/**
 * Waits for a promise as long as something keeps happening.
 * @param patienceMs how long nothing may happen, in wall-clock ms
 * @param progress a count that rises when something happens
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
