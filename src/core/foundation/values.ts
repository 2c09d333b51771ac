/** Whether a value is an object or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Whether a value is an object, but not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/** The sum of numbers; 0 if there are none. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** A copy of an object without some of its fields. */
export function omit<T extends object, Name extends keyof T>(
  from: T,
  ...names: readonly Name[]
): Without<T, Name> {
  const copy: Partial<T> = { ...from };
  for (const name of names) delete copy[name];
  return copy as Without<T, Name>;
}

/** Of each type of a union. */
type Without<T, Name extends PropertyKey> = T extends unknown ? Omit<T, Name> : never;

/** Whether a value can be awaited. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** A promise that never settles. */
export function never(): Promise<never> {
  return new Promise(() => {});
}

/** Calls a function with a value, or once a promise of it is fulfilled. */
export function afterwards<T, R>(value: T | PromiseLike<T>, call: (value: T) => R): R | Promise<Awaited<R>> {
  return isPromise(value)
    ? Promise.resolve(value as PromiseLike<T>).then(call as (value: T) => Awaited<R>)
    : call(value as T);
}

/** Whether outside data has at most this many levels. Deeper data could overflow the stack of recursive code. */
export function isShallow(value: unknown, levels: number): boolean {
  if (!isObject(value)) return true;
  return levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1));
}
