/** How often to look for the parent process, ms. */
const WATCH_MS = 200;

/** Resolves when the process that started this one is gone, and another has become its parent. */
export function parentGone(signal: AbortSignal): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, WATCH_MS);
    timer.unref();
    signal.addEventListener("abort", () => clearInterval(timer));
  });
}
