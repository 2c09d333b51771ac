/**
 * The little of an exploration that is about real time: how long a subject may keep everyone waiting, and how long the
 * whole may take. The functions are taken before fake timers can replace them. No world depends on them.
 */
const {
  setTimeout: startTimer,
  clearTimeout: stopTimer,
  MessageChannel: Channel,
  performance: clock,
} = globalThis;

/** Wall-clock time, ms. */
export const wallClockMs = (): number => clock.now();

/** Resolves when all that is ready to run has run: promises, but no timers. */
export function untilQuiet(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new Channel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** What became of something that was waited for. */
export type Waited<T> = { readonly value: T } | { readonly thrown: unknown } | "nothing happened";

/**
 * Waits for a promise for as long as something goes on.
 * @param patienceMs how long nothing may happen, wall clock
 * @param progress a count that rises as things happen
 */
export async function waitFor<T>(
  promise: PromiseLike<T>,
  patienceMs: number,
  progress: () => number,
): Promise<Waited<T>> {
  let stop = () => {};
  const nothing = new Promise<"nothing happened">((resolve) => {
    let last = progress();
    const look = () => {
      const now = progress();
      if (now === last) return resolve("nothing happened");
      last = now;
      timer = startTimer(look, patienceMs);
    };
    let timer = startTimer(look, patienceMs);
    stop = () => stopTimer(timer);
  });
  try {
    return await Promise.race([promise.then((value) => ({ value })), nothing]);
  } catch (thrown) {
    return { thrown };
  } finally {
    stop();
  }
}
