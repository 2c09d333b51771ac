import type { Patience } from "../../findings/real-time.ts";
import { asyncDisposeSymbol, disposeSymbol } from "../sandbox/dispose-symbols.ts";
import { openTimeouts } from "../sandbox/open-timers.ts";

/** How long an app may take to dispose of itself, ms of real time. Less than anything else that waits for it meanwhile. */
const limitMsOf = ({ disposingMs, ms }: Patience) => Math.min(disposingMs, Math.ceil(ms / 2));

/**
 * Disposes an app that has `Symbol.dispose` or `Symbol.asyncDispose`.
 * @param ms how long it may take
 * @returns what went wrong; undefined if nothing did
 */
export async function disposeApp(
  app: unknown,
  patience: Patience,
  ms = limitMsOf(patience),
): Promise<"nothing happened" | { readonly thrown: unknown } | undefined> {
  if (!isDisposable(app)) return undefined;
  const going = Promise.resolve().then(() => callDispose(app));
  const outcome = await patience.waitFor(going, () => 0, ms);
  return outcome === "nothing happened" || "thrown" in outcome ? outcome : undefined;
}

/**
 * That disposing takes too long, in words.
 * @param what is disposed of: the app, or what outlives it
 */
export function disposingHangs(what: string, patience: Patience): string {
  const [timer] = openTimeouts();
  const waits = timer === undefined ? "" : `; it waits for ${timer}`;
  return `Symbol.asyncDispose of ${what} did not end within ${limitMsOf(patience)} ms${waits}. Disposing stands for a process that is killed: free what is held, and finish no work`;
}

function isDisposable(app: unknown): app is object {
  if ((typeof app !== "object" && typeof app !== "function") || app === null) return false;
  try {
    return asyncDisposeSymbol in app || disposeSymbol in app;
  } catch {
    return false; // a proxy may throw
  }
}

/** Disposes an app that can be disposed of. */
async function callDispose(app: unknown): Promise<void> {
  if (!isDisposable(app)) return;
  const { [asyncDisposeSymbol]: endAsync, [disposeSymbol]: end } = app as Partial<
    AsyncDisposable & Disposable
  >;
  if (typeof endAsync === "function") await endAsync.call(app);
  else if (typeof end === "function") end.call(app);
}
