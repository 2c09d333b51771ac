import { ConnectionLost, connectionError } from "../connection-lost.ts";
import type { Call } from "./call.ts";

/** Makes what the app's call throws. */
export interface DependencyErrors {
  /** Nothing was done: the connection was refused. */
  readonly refused?: (() => unknown) | undefined;
  /** It was done, and the connection broke before the answer came. */
  readonly unanswered?: (() => unknown) | undefined;
  /** For clients that throw where `fetch` answers 503; without it, only functions like `fetch` are answered 503. */
  readonly 503?: (() => unknown) | undefined;
  /** … where `fetch` answers 429. */
  readonly 429?: (() => unknown) | undefined;
}

/** What Node throws where a connection is refused or breaks; to a function like `fetch`, what `fetch` does. */
export function connectionFailure(is: "refused" | "unanswered", { http }: Call): Error {
  return http === undefined ? connectionError(is) : new ConnectionLost(is);
}

/** What calls threw because of deviations. */
const injected = new WeakSet<object>();

/** Remembers that a deviation threw this. */
export function noteInjected(error: unknown): void {
  if (typeof error === "object" && error !== null) injected.add(error);
}

/** How many causes are looked at, since they may form a ring. */
const MOST_CAUSES = 10;

/** Whether an error is, or was caused by, one that a dependency threw because of a deviation. */
export function isInjected(error: unknown): boolean {
  let each = error;
  for (let count = 0; typeof each === "object" && each !== null && count < MOST_CAUSES; count++) {
    if (injected.has(each)) return true;
    each = (each as { readonly cause?: unknown }).cause;
  }
  return false;
}
