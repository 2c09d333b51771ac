import type { Patience } from "../../findings/real-time.ts";

const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
const asyncDisposeSymbol: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");

/**
 * Disposes an app that has `Symbol.dispose` or `Symbol.asyncDispose`.
 * @returns what went wrong; undefined if nothing did
 */
export async function disposeApp(
  app: unknown,
  patience: Patience,
): Promise<"nothing happened" | { readonly thrown: unknown } | undefined> {
  if (!isDisposable(app)) return undefined;
  const going = Promise.resolve().then(() => disposeOf(app));
  const outcome = await patience.waitFor(going, () => 0);
  return outcome === "nothing happened" || "thrown" in outcome ? outcome : undefined;
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
async function disposeOf(app: unknown): Promise<void> {
  if (!isDisposable(app)) return;
  const { [asyncDisposeSymbol]: endAsync, [disposeSymbol]: end } = app as Partial<
    AsyncDisposable & Disposable
  >;
  if (typeof endAsync === "function") await endAsync.call(app);
  else if (typeof end === "function") end.call(app);
}
