import type { Patience } from "../../findings/real-time.ts";

const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
const asyncDisposeSymbol: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");

/**
 * Disposes a subject that has `Symbol.dispose` or `Symbol.asyncDispose`.
 * @returns what went wrong; undefined if nothing did
 */
export async function disposeSubject(
  subject: unknown,
  patience: Patience,
): Promise<"nothing happened" | { readonly thrown: unknown } | undefined> {
  if (!isDisposable(subject)) return undefined;
  const going = Promise.resolve().then(() => disposeOf(subject));
  const outcome = await patience.waitFor(going, () => 0);
  return outcome === "nothing happened" || "thrown" in outcome ? outcome : undefined;
}

function isDisposable(subject: unknown): subject is object {
  if ((typeof subject !== "object" && typeof subject !== "function") || subject === null) return false;
  try {
    return asyncDisposeSymbol in subject || disposeSymbol in subject;
  } catch {
    return false; // a proxy may throw
  }
}

/** Disposes a subject that can be disposed of. */
async function disposeOf(subject: unknown): Promise<void> {
  if (!isDisposable(subject)) return;
  const { [asyncDisposeSymbol]: endAsync, [disposeSymbol]: end } = subject as Partial<
    AsyncDisposable & Disposable
  >;
  if (typeof endAsync === "function") await endAsync.call(subject);
  else if (typeof end === "function") end.call(subject);
}
