/** How often it is looked whether the parent is there, ms. */
const WATCH_MS = 200;

/** Resolves when the process that started this one is gone; then another has taken its place. */
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
