/** Whether a value is an object or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Whether a value is an object and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/** Whether a value can be awaited. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** Whether data from outside is nested no deeper than this. Deeper data could overflow the stack of whatever walks it. */
export function isShallow(value: unknown, levels: number): boolean {
  if (!isObject(value)) return true;
  return levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1));
}
